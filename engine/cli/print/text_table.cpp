#include "cli/print/text_table.h"

#include <algorithm>

#include "cli/print/number_text.h"
#include "words/shown.h"

namespace bscope::cli {

void TextTable::print(std::ostream& out) const {
    std::vector<std::size_t> widths(sides_.size(), 0);
    std::vector<std::vector<std::string>> rows = rows_;
    for (auto& cells : rows)
        for (std::string& cell : cells) cell = shown(cell);
    for (const auto& cells : rows)
        for (std::size_t at = 0; at < cells.size(); ++at)
            widths[at] = std::max(widths[at], columnsOf(cells[at]));
    for (const auto& cells : rows) {
        std::string line;
        for (std::size_t at = 0; at < cells.size(); ++at) {
            if (at > 0) line += "   ";
            line += sides_[at] == 'l' ? padded(cells[at], widths[at]) : aligned(cells[at], widths[at]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

}  // namespace bscope::cli
