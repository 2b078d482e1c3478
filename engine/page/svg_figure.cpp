#include "page/svg_figure.h"

#include <array>
#include <charconv>
#include <cmath>

#include "page/box_cards.h"

namespace bscope::page {

std::string lengthText(double value) {
    std::array<char, 48> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 3).ptr;
    std::string number(text.data(), end);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    return number == "-0" ? "0" : number;
}

namespace {

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + value + '"';
}

std::string attribute(const char* name, double value) {
    return attribute(name, lengthText(value));
}

const char* classOf(FigureWord::Kind kind) {
    constexpr const char* kNames[] = {"", "bt", "bi", "more", "chunk"};
    return kNames[static_cast<std::size_t>(kind)];
}

class SvgMaterial : public FigureMaterial {
public:
    SvgMaterial(const PreparedView& view, const FigureFrame& frame, double height, Templates& words)
        : view_(view), frame_(frame), height_(height), cards_(view, words) {
        for (const char* kind : {"b", "m", "g", "a"}) data_[kind] = nlohmann::json::array();
        data_["left"] = frame.left;
        data_["right"] = frame.right;
        svg_ =
            "<svg class=\"fig\" xmlns=\"http://www.w3.org/2000/svg\" tabindex=\"0\" role=\"img\" viewBox=\"0 "
            "0 " +
            lengthText(frame.width()) + ' ' + lengthText(height) + '"' + attribute("data-h", height) + '>';
    }

    // The script writes the ticks anew for what is in sight; the plot cuts off what stands beside it.
    void group(const char* part, double dx, double dy) override {
        const bool is_plot = part == std::string_view("plot");
        closing_.push_back(is_plot ? "</svg>" : "</g>");
        if (is_plot) {
            svg_ += "<svg class=\"plot\"" + attribute("x", dx) + attribute("width", frame_.plot) +
                    attribute("height", height_) + '>';
            return;
        }
        svg_ += "<g" + attribute("class", std::string(part));
        if (dx != 0 || dy != 0)
            svg_ += attribute("transform", "translate(" + lengthText(dx) + ' ' + lengthText(dy) + ')');
        svg_ += (part == std::string_view("axis") ? attribute("data-y", height_) : "") + '>';
    }
    void endGroup() override {
        svg_ += closing_.back();
        closing_.pop_back();
    }
    void rect(const std::string& sign, double x, double width, double height) override {
        svg_ += "<rect" + attribute("class", sign) + attribute("x", x) + attribute("width", width) +
                attribute("height", height) + "/>";
    }
    void path(const char* sign, const std::vector<FigurePoint>& points, bool is_area) override {
        std::string way;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto& [x, y, drawn] = points[i];
            if (!drawn)
                way += 'M' + lengthText(x) + ' ' + lengthText(y);
            else if (points[i - 1].y == y)
                way += 'H' + lengthText(x);
            else if (points[i - 1].x == x)
                way += 'V' + lengthText(y);
            else
                way += 'L' + lengthText(x) + ' ' + lengthText(y);
        }
        svg_ += "<path" + attribute("class", std::string(sign)) + attribute("d", way + (is_area ? "z" : "")) +
                "/>";
    }
    void text(const FigureText& text) override {
        const bool measured = text.room >= 0;
        std::string name = text.sign;
        if (measured && text.room < text.whole) name += text.room < text.least ? " off" : " tight";
        svg_ += "<text" + attribute("class", name) + (text.x != 0 ? attribute("x", text.x) : "") +
                attribute("y", text.y) + (measured ? attribute("data-w", text.room) : "") + '>';
        for (const FigureWord& word : text.words) {
            const std::string said = inBoth(word.text, "tspan");
            svg_ += word.kind == FigureWord::Kind::Always
                        ? said
                        : "<tspan" + attribute("class", std::string(classOf(word.kind))) + '>' + said +
                              "</tspan>";
        }
        svg_ += "</text>";
    }

    void aboutBox(const Event& event) override { data_["b"].push_back(cards_.box(event)); }
    void aboutGap(const Gap& gap, std::size_t place) override {
        data_["g"].push_back(cards_.gap(gap, place));
    }
    void aboutMessage(const Event& receive) override { data_["m"].push_back(cards_.message(receive)); }
    // The script shows those of the life that is looked at.
    bool hasArrows() const override { return true; }
    void aboutArrow(int stage, int microbatch) override {
        data_["a"].push_back(lifeOf(view_, stage, microbatch));
    }

    Figure take(double extent_ms) {
        data_["ms"] = extent_ms;
        return {std::move(svg_) + "</svg>", std::move(data_)};
    }

private:
    const PreparedView& view_;
    FigureFrame frame_;
    double height_;
    BoxCards cards_;
    std::string svg_;
    std::vector<const char*> closing_;
    nlohmann::json data_;
};

}  // namespace

Figure svgFigure(const PreparedView& view, const TimeRange& extent, Templates& words) {
    const FigureFrame frame{.plot = kPlotWidth};
    SvgMaterial material(view, frame, figureHeight(view, frame), words);
    drawFigure(view, extent, frame, pagePalette(false), material);
    return material.take(extent.width() / 1e6);
}

}  // namespace bscope::page
