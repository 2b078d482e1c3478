#include "cli/print/text_table.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <numeric>

#include "cli/print/line_printer.h"
#include "cli/print/number_text.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

using Row = std::vector<std::string>;
constexpr std::size_t kGap = 3, kNarrowGap = 2, kUnlimited = std::numeric_limits<std::size_t>::max();

std::vector<std::size_t> widthsOf(const std::vector<Row>& rows, std::size_t columns) {
    std::vector<std::size_t> widths(columns, 0);
    for (const Row& cells : rows)
        for (std::size_t at = 0; at < cells.size(); ++at)
            widths[at] = std::max(widths[at], columnsOf(cells[at]));
    return widths;
}

std::size_t lengthOf(const std::vector<std::size_t>& widths, std::size_t gap) {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.empty() ? 0 : widths.size() - 1));
}

// A cell in lines of whole words, each as wide as `room` where a word is not wider.
Row foldedAt(const std::string& cell, std::size_t room) {
    Row lines;
    std::size_t from = 0;
    while (from <= cell.size()) {
        const std::size_t space = std::min(cell.find(' ', from), cell.size());
        const std::string word = cell.substr(from, space - from);
        if (!lines.empty() && columnsOf(lines.back()) + 1 + columnsOf(word) <= room)
            lines.back() += ' ' + word;
        else
            lines.push_back(word);
        from = space + 1;
    }
    return lines;
}

// The first row as several: each column as wide as what stands below it asks for, the last lines beside the
// row that follows.
std::vector<Row> foldedHead(const std::vector<Row>& rows, std::size_t columns) {
    const std::vector<std::size_t> below = widthsOf({rows.begin() + 1, rows.end()}, columns);
    std::vector<Row> folded(columns);
    std::size_t lines = 0;
    for (std::size_t at = 0; at < rows.front().size(); ++at) {
        folded[at] = foldedAt(rows.front()[at], below[at]);
        lines = std::max(lines, folded[at].size());
    }
    std::vector<Row> out(lines, Row(columns));
    for (std::size_t at = 0; at < columns; ++at)
        for (std::size_t line = 0; line < folded[at].size(); ++line)
            out[lines - folded[at].size() + line][at] = folded[at][line];
    out.insert(out.end(), rows.begin() + 1, rows.end());
    return out;
}

}  // namespace

void TextTable::print(std::ostream& out) const {
    const std::size_t columns = columnsOfTerminal(out);
    printWithin(out, columns > 0 ? columns : kUnlimited);
}

void TextTable::printWithin(std::ostream& out, std::size_t columns) const {
    std::vector<Row> rows = rows_;
    for (Row& cells : rows)
        for (std::string& cell : cells) cell = shown(cell);
    std::vector<std::size_t> widths = widthsOf(rows, sides_.size());
    std::size_t gap = kGap;
    if (lengthOf(widths, gap) > columns) gap = kNarrowGap;
    if (lengthOf(widths, gap) > columns && rows.size() > 1) {
        rows = foldedHead(rows, sides_.size());
        widths = widthsOf(rows, sides_.size());
    }
    for (const Row& cells : rows) {
        std::string line;
        for (std::size_t at = 0; at < cells.size(); ++at) {
            if (at > 0) line += std::string(gap, ' ');
            line += sides_[at] == 'l' ? padded(cells[at], widths[at]) : aligned(cells[at], widths[at]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

}  // namespace bscope::cli
