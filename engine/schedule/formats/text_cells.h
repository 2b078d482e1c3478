// text_cells: a table of short words as people write it: commas, tabs, semicolons or a Markdown table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope {

std::string_view trimmed(std::string_view text);  // without spaces, tabs and carriage returns at the ends
// The last piece may be empty.
std::vector<std::string_view> splitText(std::string_view text, char separator);

// A row a line, trailing empty lines left out; cells trimmed, empty ones kept. A line with a bar is a row of
// a Markdown table (its rules are left out); without commas tabs separate cells, and without tabs semicolons.
std::vector<std::vector<std::string>> splitCells(std::string_view text);

}  // namespace bscope
