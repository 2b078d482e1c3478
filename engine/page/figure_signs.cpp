// What the signs of a figure look like, and their legend.
#include "page/box_cards.h"
#include "page/svg_figure.h"
#include "view/operation_name.h"
#include "view/palette.h"

namespace bscope::page {

namespace {

std::string colour(Rgb rgb) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text = "#";
    for (int shift = 20; shift >= 0; shift -= 4) text += kDigits[rgb >> shift & 0xf];
    return text;
}

std::string swatch(const std::string& inside, double width = 14) {
    const std::string w = std::to_string(static_cast<int>(width));
    return "<svg class=\"key\" width=\"" + w + "\" height=\"14\" viewBox=\"0 0 " + w +
           " 14\" aria-hidden=\"true\">" + inside + "</svg>";
}

std::string item(const std::string& picture, const Sentence& words) {
    return "<li>" + picture + inBoth(words) + "</li>";
}

std::string filled(const std::string& name) {
    return "<rect class=\"" + name + "\" width=\"14\" height=\"14\"/>";
}

std::string shades(const char letter, int count) {
    std::string boxes;
    for (int chunk = 0; chunk < count; ++chunk)
        boxes += "<rect class=\"" + std::string(1, letter) + std::to_string(chunk) + "\" x=\"" +
                 std::to_string(chunk * 12) + "\" width=\"11\" height=\"14\"/>";
    return "<g class=\"b\">" + boxes + "</g>";
}

}  // namespace

std::string legendOf(const Signs& signs) {
    constexpr std::pair<Op, char> kLetters[] = {{Op::Forward, 'f'},        {Op::Recompute, 'r'},
                                                {Op::Backward, 'b'},       {Op::BackwardInput, 'i'},
                                                {Op::BackwardWeight, 'w'}, {Op::ReduceGradients, 'c'},
                                                {Op::OptimizerStep, 'o'}};
    const bool both = signs.shadesOf(Op::Backward) > 0 && signs.shadesOf(Op::BackwardInput) > 0;
    std::string items;
    for (const auto& [op, letter] : kLetters) {
        const int count = signs.shadesOf(op);
        if (count == 0 || (both && op == Op::BackwardInput)) continue;
        items += item(swatch(shades(letter, count), count * 12),
                      both && op == Op::Backward ? sentence("backward, whole or input half")
                                                 : sentence(operationName(op)));
    }
    if (signs.chunk_letters) items += item("<b>a b</b>", sentence("chunks of a rank"));
    if (signs.neighbours)
        items += item(swatch("<rect class=\"near f0\" width=\"14\" height=\"14\"/>"),
                      sentence("iteration before or after"));
    if (signs.fill_drain) items += item(swatch(filled("hr")), sentence("bubble: fill, drain"));
    if (signs.dependency) items += item(swatch(filled("hf")), sentence("bubble: dependency of the order"));
    if (signs.network) items += item(swatch(filled("hx")), sentence("bubble: network"));
    if (signs.other_causes) items += item(swatch(filled("hl")), sentence("bubble: other causes"));
    const char* strip = "\" y=\"3\" width=\"14\" height=\"8\"/></g>";
    if (signs.wait)
        items += item(swatch(std::string("<g class=\"m\"><rect class=\"wait") + strip),
                      signs.wait_and_transfer ? sentence("wait and transfer") : sentence("wait"));
    if (signs.transfer)
        items += item(swatch(std::string("<g class=\"m\"><rect class=\"c0") + strip),
                      signs.wait_and_transfer ? sentence("message needed") : sentence("transfer"));
    if (signs.memory)
        items += item(swatch("<path class=\"mem\" d=\"M1 13V7H6V2H13V13z\"/>"), sentence("activations held"));
    if (signs.cap) items += item(swatch("<path class=\"cap\" d=\"M0 7H14\"/>"), sentence("memory cap"));
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

std::string paletteStyle(bool on_dark) {
    const DataPalette& palette = dataPalette(ColourScheme::Bubblescope, on_dark);
    std::string style;
    const auto add = [&](const std::string& name, Op op, int chunk) {
        const Rgb fill = palette.fill(op, chunk);
        style += "--" + name + ':' + colour(fill) + ";--ink-" + name + ':' + colour(inkOn(fill)) + ';';
    };
    for (int chunk = 0; chunk < 3; ++chunk) {
        const std::string shade = std::to_string(chunk);
        add("f" + shade, Op::Forward, chunk);
        add("b" + shade, Op::Backward, chunk);
        add("i" + shade, Op::BackwardInput, chunk);
        add("w" + shade, Op::BackwardWeight, chunk);
    }
    add("r0", Op::Recompute, 0);
    add("o0", Op::OptimizerStep, 0);
    add("c0", Op::RecvForward, 0);
    return style;
}

}  // namespace bscope::page
