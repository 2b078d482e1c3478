// Grid: a picture of cells, as a terminal shows it. A wide letter takes two cells; no write ever leaves half
// of one. Nothing in it drives a terminal. A value; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope::terminal {

// Colours as numbers of the terminal's kind (colours.h); -1: the terminal's own.
struct Paint {
    int ink = -1, fill = -1;
    bool bold = false, dim = false, underline = false, reverse = false;
    bool operator==(const Paint&) const = default;
};

struct Cell {
    char32_t letter = U' ';  // 0: the right half of the wide letter before it
    Paint paint;
    bool operator==(const Cell&) const = default;
};

class Grid {
public:
    Grid(int columns, int rows);

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    // Column and row within the grid.
    const Cell& at(int column, int row) const { return cells_[index(column, row)]; }

    // What lies outside is left out; of a wide letter of which half was covered the other half becomes blank.
    void put(int column, int row, char32_t letter, const Paint& paint);
    // As much as fits before the column `past`; gives the column behind it.
    int write(int column, int row, std::string_view utf8, const Paint& paint, int past);
    int write(int column, int row, std::string_view utf8, const Paint& paint) {
        return write(column, row, utf8, paint, columns_);
    }
    // The letters stay.
    void repaint(int column, int row, const Paint& paint);

    // The letters of a row, for tests.
    std::string text(int row) const;

private:
    std::size_t index(int column, int row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
               static_cast<std::size_t>(column);
    }
    bool holds(int column, int row) const {
        return column >= 0 && row >= 0 && column < columns_ && row < rows_;
    }
    void blankHalves(int column, int row);

    int columns_, rows_;
    std::vector<Cell> cells_;  // (rows, columns)
};

}  // namespace bscope::terminal
