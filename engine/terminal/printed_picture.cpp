#include "terminal/printed_picture.h"

#include <algorithm>

#include "terminal/letters.h"
#include "terminal/picture.h"

namespace bscope::terminal {
namespace {

constexpr int kMostRows = 500;

// ECMA-48, "select graphic rendition", with the colours that ITU-T T.416 adds.
std::string colourCode(int number, TerminalColours depth, int basic, int bright) {
    if (depth == TerminalColours::Direct)
        return std::to_string(basic + 8) + ";2;" + std::to_string(number >> 16 & 255) + ';' +
               std::to_string(number >> 8 & 255) + ';' + std::to_string(number & 255);
    if (depth == TerminalColours::Indexed) return std::to_string(basic + 8) + ";5;" + std::to_string(number);
    return std::to_string(number < 8 ? basic + number : bright + number - 8);
}

std::string sequence(const Paint& paint, TerminalColours depth) {
    std::string codes = "0";
    if (depth != TerminalColours::None) {
        if (paint.bold) codes += ";1";
        if (paint.dim) codes += ";2";
        if (paint.underline) codes += ";4";
        if (paint.reverse) codes += ";7";
        if (paint.ink >= 0) codes += ';' + colourCode(paint.ink, depth, 30, 90);
        if (paint.fill >= 0) codes += ';' + colourCode(paint.fill, depth, 40, 100);
    }
    return codes;
}

std::string printedRow(const Grid& grid, int row, TerminalColours depth) {
    int past = grid.columns();
    while (past > 0 && grid.at(past - 1, row) == Cell{}) --past;
    std::string text, codes = "0";
    for (int column = 0; column < past; ++column) {
        const Cell& cell = grid.at(column, row);
        if (cell.letter == 0) continue;
        if (std::string wanted = sequence(cell.paint, depth); wanted != codes) {
            codes = std::move(wanted);
            text += "\x1b[" + codes + 'm';
        }
        text += utf8Of(cell.letter);
    }
    return codes == "0" ? text : text + "\x1b[0m";
}

// So many rows that every lane has its boxes and, where there is one, its curve.
int rowsFor(const Scene& scene, int columns) {
    const int wanted = scene.view->lanes() * (scene.view->memoryScale() > 0 ? 3 : 2);
    int rows = kLeastRows;
    while (rows < kMostRows && layoutOf(scene, columns, rows).lanes_h < wanted) ++rows;
    return rows;
}

}  // namespace

std::string printedPicture(const IterationView& view, TerminalColours depth, bool on_dark, int columns,
                           Language language) {
    columns = std::max(columns, kLeastColumns);
    const PreparedView prepared(view);
    const RunHistory history;
    Look look;
    look.panel = false;
    Scene scene;
    scene.view = &prepared;
    scene.history = &history;
    scene.look = &look;
    scene.language = language;
    const int rows = rowsFor(scene, columns);
    const Layout layout = layoutOf(scene, columns, rows);
    const Grid grid = picture(scene, Colours(depth, on_dark), columns, rows);
    int past = layout.facts_y + layout.facts_h;
    while (past > 0 && printedRow(grid, past - 1, TerminalColours::None).empty()) --past;
    std::string text;
    for (int row = 0; row < past; ++row) text += printedRow(grid, row, depth) + '\n';
    return text;
}

}  // namespace bscope::terminal
