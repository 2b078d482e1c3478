// What the signs of a figure look like on a page, and their legend.
#include "page/figure_signs.h"
#include "page/svg_figure.h"

namespace bscope::page {

namespace {

std::string swatch(const std::string& inside, int width = 14) {
    const std::string w = std::to_string(width);
    return "<svg class=\"key\" width=\"" + w + "\" height=\"14\" viewBox=\"0 0 " + w +
           " 14\" aria-hidden=\"true\">" + inside + "</svg>";
}

std::string boxes(const std::vector<std::string>& signs) {
    std::string all;
    for (std::size_t i = 0; i < signs.size(); ++i)
        all += "<rect class=\"" + signs[i] + "\" x=\"" + std::to_string(i * 12) +
               "\" width=\"11\" height=\"14\"/>";
    return swatch("<g class=\"b\">" + all + "</g>", static_cast<int>(signs.size()) * 12);
}

std::string keyOf(const LegendEntry& entry) {
    const std::string& sign = entry.signs.front();
    switch (entry.kind) {
        case LegendEntry::Kind::Boxes:
            return boxes(entry.signs);
        case LegendEntry::Kind::Letters:
            return "<b>" + sign + "</b>";
        case LegendEntry::Kind::Idle:
            return swatch("<rect class=\"" + sign + "\" width=\"14\" height=\"14\"/>");
        case LegendEntry::Kind::Strip:
            return swatch("<g class=\"m\"><rect class=\"" + sign +
                          "\" y=\"3\" width=\"14\" height=\"8\"/></g>");
        case LegendEntry::Kind::Memory:
            return swatch("<path class=\"mem\" d=\"M1 13V7H6V2H13V13z\"/>");
        case LegendEntry::Kind::Cap:
            break;
    }
    return swatch("<path class=\"cap\" d=\"M0 7H14\"/>");
}

}  // namespace

std::string legendOf(const Signs& signs) {
    std::string items;
    for (const LegendEntry& entry : legendEntries(signs, pagePalette(false)))
        items += "<li>" + keyOf(entry) + inBoth(entry.words) + "</li>";
    return "<ul class=\"legend\">" + items + "</ul>";
}

std::string hatchPatterns() {
    // Once for the legend, and once (z) for the plot, where the script takes back that it is stretched. Lines
    // are gradients, which stay lines on paper, where patterns become images of many megabytes.
    std::string all;
    for (const std::string of : {"", "z"}) {
        const auto lines = [&](const char* id, const char* to, const char* style) {
            all += "<linearGradient id=\"" + of + id +
                   "\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" y1=\"0\" " + to +
                   " spreadMethod=\"repeat\" class=\"" + style + ' ' + of + "\">";
            for (const auto& [at, name] : {std::pair{".72", "gap"}, std::pair{".8", "line"},
                                           std::pair{".92", "line"}, std::pair{"1", "gap"}})
                all += "<stop offset=\"" + std::string(at) + "\" class=\"" + name + "\"/>";
            all += "</linearGradient>";
        };
        lines("hr", "x2=\"3.5\" y2=\"3.5\"", "idle");
        lines("hf", "x2=\"3.5\" y2=\"-3.5\"", "idle");
        lines("hl", "x2=\"0\" y2=\"5\"", "idle");
        lines("hw", "x2=\"2.5\" y2=\"2.5\"", "waits");
        lines("rc", "x2=\"3.5\" y2=\"3.5\"", "again");
        all += "<pattern id=\"" + of +
               "hx\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" class=\"crossed " + of +
               "\"><rect width=\"7\" height=\"7\"/><path d=\"M0 7L7 0M0 0L7 7\"/></pattern>";
    }
    // A line of ink across the upper part of the box.
    for (int shade = 0; shade < 3; ++shade) {
        const std::string w = "w" + std::to_string(shade);
        all += "<linearGradient id=\"" + w + "\" x2=\"0\" y2=\"1\">";
        for (const auto& [at, name] : {std::pair{"0", "p"}, std::pair{".07", "p"}, std::pair{".07", "q"},
                                       std::pair{".14", "q"}, std::pair{".14", "p"}})
            all +=
                "<stop offset=\"" + std::string(at) + "\" class=\"" + name + std::to_string(shade) + "\"/>";
        all += "</linearGradient>";
    }
    return "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"defs\"><defs>" + all + "</defs></svg>";
}

const DataPalette& pagePalette(bool on_dark) {
    return dataPalette(ColourScheme::Bubblescope, on_dark);
}

std::string paletteStyle(bool on_dark) {
    std::string style;
    for (const auto& [sign, fill, ink] : signColours(pagePalette(on_dark)))
        style += "--" + sign + ":#" + fill + ";--ink-" + sign + ":#" + ink + ';';
    return style;
}

}  // namespace bscope::page
