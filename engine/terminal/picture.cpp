#include "terminal/picture.h"

#include <algorithm>
#include <cmath>

#include "terminal/facts.h"
#include "terminal/lanes.h"
#include "terminal/letters.h"
#include "terminal/panel.h"
#include "view/text/operation_name.h"
#include "view/signs.h"

namespace bscope::terminal {
namespace {

constexpr Paint kStrong{.bold = true};
constexpr std::string_view kDot = " · ";

Grid tooSmall(Language language, int columns, int rows) {
    Grid grid(columns, rows);
    const Sentence what = columns < kLeastColumns
                              ? sentence("too narrow: {0} columns, at least {1}", columns, kLeastColumns)
                              : sentence("too low: {0} rows, at least {1}", rows, kLeastRows);
    int row = 0;
    for (const std::string& line : wrapped(say(what, language), columns)) grid.write(0, row++, line, kStrong);
    return grid;
}

void drawHead(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours) {
    const std::string badge = badgeOf(scene);
    const int past = grid.columns() - (badge.empty() ? 0 : cellsOf(badge) + 2);
    if (past >= grid.columns() / 3) {
        grid.write(0, 0, fitted(titleOf(scene), past), kStrong, past);
        grid.write(past + 1, 0, badge, colours.accent());
    } else {
        const int end = grid.write(0, 0, fitted(titleOf(scene), grid.columns()), kStrong);
        grid.write(end + 1, 0, badge, colours.accent());
    }
    int x = 0;
    for (const std::string& number : numbersOf(scene)) {
        const std::string text = (x > 0 ? std::string(kDot) : "") + number;
        if (x > 0 && x + cellsOf(text) > layout.columns) break;
        x = grid.write(x, 1, fitted(text, layout.columns), x == 0 ? kStrong : Paint{});
    }
}

void drawLegend(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours) {
    if (layout.legend_y < 0) return;
    int x = 0;
    const auto add = [&](const std::string& sign, const Paint& paint, const std::string& name) {
        if (x + cellsOf(sign) + 1 + cellsOf(name) > layout.columns) return;
        x = grid.write(x, layout.legend_y, sign, paint) + 1;
        x = grid.write(x, layout.legend_y, name, colours.quiet()) + 2;
    };
    const auto words = [&](const char* english) { return say(sentence(english), scene.language); };
    const Signs signs = signsOf(*scene.view, false);
    for (int i = 0; i < kOpCount; ++i) {
        const auto op = static_cast<Op>(i);
        if (signs.shadesOf(op) == 0 || isCommunication(op)) continue;
        const std::string letter = utf8Of(letterOf(op)), pattern = utf8Of(colours.pattern(op));
        add(colours.any() ? " " + letter + " " : "|" + letter + pattern, colours.box(op, 0, false),
            words(operationName(op)));
    }
    if (!scene.look->bubbles) return;
    const auto hatch = [&](bool there, CauseFamily family, const char* name) {
        const std::string letter = utf8Of(Colours::hatchLetter(family));
        if (there) add(letter + letter, colours.hatch(), words(name));
    };
    hatch(signs.fill_drain, CauseFamily::FillDrain, "fill and drain");
    hatch(signs.dependency, CauseFamily::Dependency, "dependency");
    hatch(signs.network, CauseFamily::Network, "network");
    hatch(signs.other_causes, CauseFamily::Other, "other causes");
}

void drawFacts(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours) {
    const std::vector<std::string> lines = wrapped(factsOf(scene), layout.columns);
    const Paint paint = scene.notices.empty() ? Paint{} : colours.warning();
    for (int i = 0; i < std::min(layout.facts_h, static_cast<int>(lines.size())); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool cut = i + 1 == layout.facts_h && at + 1 < lines.size();
        grid.write(0, layout.facts_y + i,
                   cut ? fitted(lines[at] + " " + lines[at + 1], layout.columns) : lines[at], paint);
    }
}

// A bar for each complete iteration, as high as it took; below, where a configuration begins.
void drawStrip(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours) {
    const auto& bars = scene.history->bars();
    if (layout.strip_y < 0 || bars.empty()) return;
    const StripPlace place = stripOf(scene, layout);
    double longest_ms = 0;
    for (std::size_t i = place.first; i < bars.size(); ++i)
        longest_ms = std::max(longest_ms, bars[i].iteration_ms);
    const int height = layout.strip_h - 1;
    int words_past = 0;
    for (std::size_t i = place.first; i < bars.size(); ++i) {
        const int x = static_cast<int>(i - place.first) * place.bar_w;
        if (x + place.bar_w > layout.columns) break;
        const bool shown = bars[i].iteration == scene.look->iteration;
        const Paint paint = shown ? colours.accent() : colours.curve();
        const auto eighths = std::max(1, static_cast<int>(std::lround(8.0 * height * bars[i].iteration_ms /
                                                                      std::max(longest_ms, 1e-9))));
        for (int row = 0; row < height; ++row)
            for (int column = 0; column < std::max(1, place.bar_w - 1); ++column)
                grid.put(x + column, layout.strip_y + height - 1 - row, colours.bar(eighths - 8 * row),
                         paint);
        const int words_y = layout.strip_y + height;
        const bool begins = i == place.first || !bars[i].sharesBracket(bars[i - 1]);
        if (begins && x >= words_past)
            words_past =
                2 + grid.write(x, words_y, "#" + std::to_string(bars[i].number()) + " " + bars[i].group,
                               colours.quiet());
        if (shown && x >= words_past) grid.put(x, words_y, U'^', colours.accent());
    }
}

void drawStatus(Grid& grid, const Scene& scene, const Colours& colours) {
    const int row = grid.rows() - 1;
    constexpr std::array kSigns{"○ ", "● ", "‖ ", "■ "};
    const Paint paint = scene.mood == RunMood::Running  ? colours.good()
                        : scene.mood == RunMood::Failed ? colours.warning()
                                                        : kStrong;
    const std::string state =
        kSigns.at(static_cast<std::size_t>(scene.mood)) + say(scene.state, scene.language);
    const std::string keys = say(scene.keys, scene.language);
    const int x = grid.write(0, row, fitted(state, grid.columns()), paint) + 2;
    const int keys_x = std::max(x, grid.columns() - cellsOf(keys));
    if (grid.columns() - keys_x >= 8)
        grid.write(keys_x, row, fitted(keys, grid.columns() - keys_x), colours.quiet());
}

}  // namespace

Grid picture(const Scene& scene, const Colours& colours, int columns, int rows) {
    const Layout layout = layoutOf(scene, columns, rows);
    if (layout.tooSmall()) return tooSmall(scene.language, columns, rows);
    Grid grid(columns, rows);
    drawHead(grid, scene, layout, colours);
    if (scene.view != nullptr) {
        drawRuler(grid, scene, layout, colours);
        drawLanes(grid, scene, layout, colours);
        drawLegend(grid, scene, layout, colours);
        if (layout.panel_x >= 0) drawPanel(grid, scene, layout, colours);
    }
    drawFacts(grid, scene, layout, colours);
    drawStrip(grid, scene, layout, colours);
    drawStatus(grid, scene, colours);
    return grid;
}

Grid pageGrid(const Page& page, int& scroll, const Scene& scene, const Colours& colours, int columns,
              int rows) {
    Grid grid(columns, rows);
    grid.write(0, 0, fitted(page.title, columns), kStrong);
    struct Line {
        std::string text;
        bool chosen;
    };
    std::vector<Line> lines;
    int chosen_at = -1;
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
        const bool chosen = static_cast<int>(i) == page.chosen;
        if (chosen) chosen_at = static_cast<int>(lines.size());
        for (const std::string& line : wrapped(page.lines[i], columns)) lines.push_back({line, chosen});
    }
    const int height = std::max(1, rows - 3), size = static_cast<int>(lines.size());
    if (chosen_at >= 0) scroll = std::clamp(scroll, chosen_at - height + 1, chosen_at);
    scroll = std::clamp(scroll, 0, std::max(0, size - height));
    for (int i = 0; i < std::min(height, size - scroll); ++i) {
        const Line& line = lines[static_cast<std::size_t>(scroll + i)];
        grid.write(0, 2 + i, line.text, line.chosen ? colours.accent() : Paint{});
    }
    drawStatus(grid, scene, colours);
    return grid;
}

}  // namespace bscope::terminal
