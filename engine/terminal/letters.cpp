#include "terminal/letters.h"

#include <clocale>
#include <cwchar>

namespace bscope::terminal {
namespace {

constexpr char32_t kNoLetter = 0xfffd;

// The letter at `at`, which moves behind it.
char32_t nextLetter(std::string_view text, std::size_t& at) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    if (lead < 0x80) return lead;
    const int more = lead >= 0xf0 && lead <= 0xf4  ? 3
                     : lead >= 0xe0 && lead < 0xf0 ? 2
                                                   : lead >= 0xc2 && lead < 0xe0;
    if (more == 0) return kNoLetter;
    char32_t letter = lead & (0x3fu >> more);
    for (int i = 0; i < more; ++i) {
        if (at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xc0u) != 0x80u) return kNoLetter;
        letter = letter << 6u | (static_cast<unsigned char>(text[at++]) & 0x3fu);
    }
    const bool is_none = letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000) ||
                         (more == 2 && letter < 0x800) || (more == 3 && letter < 0x10000);
    return is_none ? kNoLetter : letter;
}

bool breaksBeside(char32_t letter) {
    return cellsOf(letter) == 2;
}

}  // namespace

int cellsOf(char32_t letter) {
    if (letter < 0x80) return letter >= ' ' && letter != 0x7f ? 1 : 0;
    // Whatever the locale of the process is.
    static const locale_t with_utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (with_utf8 == nullptr) return letter >= 0x1100 ? 2 : 1;
    const locale_t former = uselocale(with_utf8);
    const int cells = wcwidth(static_cast<wchar_t>(letter));
    uselocale(former);
    return cells < 0 ? 0 : cells;
}

int cellsOf(std::string_view utf8) {
    int cells = 0;
    for (const char32_t letter : lettersOf(utf8)) cells += cellsOf(letter);
    return cells;
}

std::u32string lettersOf(std::string_view utf8) {
    std::u32string letters;
    for (std::size_t at = 0; at < utf8.size();) letters += nextLetter(utf8, at);
    return letters;
}

std::string utf8Of(char32_t letter) {
    std::string text;
    const auto add = [&text](char32_t byte) { text += static_cast<char>(byte); };
    if (letter < 0x80) {
        add(letter);
        return text;
    }
    const int more = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
    add((more == 1 ? 0xc0u : more == 2 ? 0xe0u : 0xf0u) | letter >> (6 * more));
    for (int i = more - 1; i >= 0; --i) add(0x80u | (letter >> (6 * i) & 0x3fu));
    return text;
}

std::string fitted(std::string_view utf8, int cells) {
    if (cellsOf(utf8) <= cells) return std::string(utf8);
    std::string text;
    int taken = 1;
    for (const char32_t letter : lettersOf(utf8)) {
        if (taken + cellsOf(letter) > cells) break;
        taken += cellsOf(letter);
        text += utf8Of(letter);
    }
    return cells > 0 ? text + "…" : text;
}

std::vector<std::string> wrapped(std::string_view utf8, int cells) {
    std::vector<std::string> lines;
    std::u32string line;
    int taken = 0;
    const auto end_line = [&](std::size_t length) {
        std::string text;
        for (const char32_t letter : line.substr(0, length)) text += utf8Of(letter);
        while (!text.empty() && text.back() == ' ') text.pop_back();
        lines.push_back(text);
        line.erase(0, length);
        line.erase(0, line.find_first_not_of(U' '));
        taken = 0;
        for (const char32_t letter : line) taken += cellsOf(letter);
    };
    const std::u32string letters = lettersOf(utf8);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const char32_t letter = letters[i];
        if (letter == U'\n') {
            end_line(line.size());
            continue;
        }
        while (taken + cellsOf(letter) > cells && !line.empty()) {
            std::size_t at = line.size();
            if (letter != U' ' && !breaksBeside(letter))
                while (at > 0 && line[at - 1] != U' ' && !breaksBeside(line[at - 1])) --at;
            end_line(at == 0 ? line.size() : at);
        }
        if (line.empty() && letter == U' ' && i > 0 && letters[i - 1] != U'\n') continue;
        line += letter;
        taken += cellsOf(letter);
    }
    if (!line.empty() || lines.empty()) end_line(line.size());
    return lines;
}

}  // namespace bscope::terminal
