#include "terminal/grid.h"

#include <algorithm>

#include "terminal/letters.h"

namespace bscope::terminal {

Grid::Grid(int columns, int rows) : columns_(std::max(columns, 1)), rows_(std::max(rows, 1)) {
    cells_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
}

// Of the wide letter that this cell is a half of, if it is.
void Grid::blankHalves(int column, int row) {
    Cell& cell = cells_[index(column, row)];
    if (cell.letter == 0)
        cells_[index(column - 1, row)].letter = U' ';
    else if (column + 1 < columns_ && cells_[index(column + 1, row)].letter == 0)
        cells_[index(column + 1, row)].letter = U' ';
    cell.letter = U' ';
}

void Grid::put(int column, int row, char32_t letter, const Paint& paint) {
    const int width = cellsOf(letter);
    if (width == 0 || !holds(column, row) || !holds(column + width - 1, row)) return;
    for (int i = 0; i < width; ++i) blankHalves(column + i, row);
    for (int i = 0; i < width; ++i) cells_[index(column + i, row)] = {i == 0 ? letter : U'\0', paint};
}

int Grid::write(int column, int row, std::string_view utf8, const Paint& paint, int past) {
    for (const char32_t letter : lettersOf(utf8)) {
        const int width = cellsOf(letter);
        if (column + width > std::min(past, columns_)) break;
        put(column, row, letter, paint);
        column += width;
    }
    return column;
}

void Grid::repaint(int column, int row, const Paint& paint) {
    if (holds(column, row)) cells_[index(column, row)].paint = paint;
}

std::string Grid::text(int row) const {
    std::string text;
    for (int column = 0; column < columns_; ++column)
        if (const char32_t letter = at(column, row).letter; letter != 0) text += utf8Of(letter);
    return text;
}

}  // namespace bscope::terminal
