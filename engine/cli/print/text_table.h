// TextTable: rows of texts for the terminal, every column as wide as its widest cell; Chinese letters count
// two.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace bscope::cli {

class TextTable {
public:
    // One letter a column: 'l' begins at the left, 'r' ends at the right.
    explicit TextTable(std::string sides) : sides_(std::move(sides)) {}
    // As many cells as there are columns.
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    // On a terminal that is too narrow as in printWithin().
    void print(std::ostream& out) const;
    // Where it is wider than so many cells columns stand nearer, then the first row takes several lines.
    void printWithin(std::ostream& out, std::size_t columns) const;

private:
    std::string sides_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace bscope::cli
