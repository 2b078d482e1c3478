#include "cli/print/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <string_view>

#include "words/formula_text.h"
#include "words/number_text.h"

namespace bscope::cli {
namespace {

// What is not known is a dash.
std::string orDash(double value, const std::string& text) {
    return std::isnan(value) ? "-" : text;
}

std::string spaces(const std::string& text, std::size_t width) {
    const std::size_t columns = columnsOf(text);
    return std::string(width > columns ? width - columns : 0, ' ');
}

// Chinese punctuation that begins no line, and that ends none.
constexpr std::string_view kNeverFirst[] = {"，", "。", "：", "；", "？", "！", "）", "》", "、"};
constexpr std::string_view kNeverLast[] = {"（", "《"};

bool isOneOf(std::span<const std::string_view> letters, std::string_view letter) {
    return std::ranges::find(letters, letter) != letters.end();
}

}  // namespace

std::size_t columnsOf(const std::string& text) {
    std::size_t columns = 0;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if ((byte & 0xc0) == 0x80) continue;  // not the first of its letter
        columns += byte >= 0xe3 && byte <= 0xef ? 2 : 1;
    }
    return columns;
}

std::string fixed(double value, int decimals) {
    return orDash(value, fixedText(value, decimals));
}
std::string shortNumber(double value) {
    return orDash(value, shortText(value, 6));
}
std::string percent(double share) {
    return orDash(share, percentText(share));
}
std::string milliseconds(double ms) {
    return orDash(ms, millisecondsText(ms));
}
std::string megabytes(std::int64_t bytes) {
    return megabytesText(static_cast<double>(bytes)) + " MB";
}
std::string padded(const std::string& text, std::size_t width) {
    return text + spaces(text, width);
}
std::string aligned(const std::string& text, std::size_t width) {
    return spaces(text, width) + text;
}

std::string wrapped(const std::string& words, std::size_t width) {
    const std::string text = withFormulasHeld(words);
    std::string result, word, before;
    std::size_t column = 0;
    const auto put = [&] {
        const std::size_t wide = columnsOf(word);
        if (column > 0 && column + wide > width) {
            while (result.ends_with(' ')) result.pop_back();
            result += '\n';
            column = 0;
            if (word.starts_with(' ')) word.erase(0, 1);
        }
        result += word;
        column += columnsOf(word);
        word.clear();
    };
    for (std::size_t i = 0; i < text.size();) {
        std::size_t next = i + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
        const std::string letter = text.substr(i, next - i);
        const bool is_before_unit = letter == " " && text.compare(next, 1, "%") == 0;
        const bool is_held = is_before_unit || isOneOf(kNeverFirst, letter) || isOneOf(kNeverLast, before);
        if (!is_held && (letter == " " || columnsOf(letter) > 1)) put();
        word += letter == kNoBreakSpace ? " " : letter;
        before = letter;
        i = next;
    }
    put();
    return result;
}

}  // namespace bscope::cli
