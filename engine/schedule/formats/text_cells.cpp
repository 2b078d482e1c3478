#include "schedule/formats/text_cells.h"

namespace bscope {

namespace {

constexpr std::string_view kSpace = " \t\r";

char separatorOf(std::string_view text) {
    const bool has_pairs =
        text.find("OVERLAP") != std::string_view::npos;  // with a semicolon inside the cell
    for (const char candidate : {'|', ',', '\t', ';'})
        if (text.find(candidate) != std::string_view::npos && !(candidate == ';' && has_pairs))
            return candidate;
    return ',';
}

// |---|:---:|
bool isRule(std::string_view line) {
    return line.find('-') != std::string_view::npos &&
           line.find_first_not_of("|-: \t\r") == std::string_view::npos &&
           line.find("--") != std::string_view::npos;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> splitText(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    for (;;) {
        const std::size_t end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return pieces;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::vector<std::string>> splitCells(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    const char separator = separatorOf(text);
    std::vector<std::string_view> lines = splitText(text, '\n');
    while (!lines.empty() && trimmed(lines.back()).empty()) lines.pop_back();
    std::vector<std::vector<std::string>> rows;
    for (std::string_view line : lines) {
        if (separator == '|') {
            line = trimmed(line);
            if (line.empty() || isRule(line)) continue;
            if (line.front() == '|') line.remove_prefix(1);
            if (!line.empty() && line.back() == '|') line.remove_suffix(1);
        }
        std::vector<std::string>& row = rows.emplace_back();
        for (const std::string_view cell : splitText(line, separator)) row.emplace_back(trimmed(cell));
    }
    return rows;
}

}  // namespace bscope
