#include "page/svg_figure.h"

#include <array>
#include <charconv>
#include <cmath>

#include "page/box_cards.h"
#include "view/life.h"
#include "words/number_text.h"

namespace bscope::page {

namespace {

constexpr double kLeft = 92, kRight = 128, kAxis = 30;
constexpr double kLeastNamed = 20;  // narrower gaps have their length alone
constexpr std::size_t kMostArrows = 20'000;

std::string num(double value) {
    std::array<char, 48> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 3).ptr;
    std::string number(text.data(), end);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    return number == "-0" ? "0" : number;
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + value + '"';
}

// Heights of the parts of a lane, from above.
struct LaneSizes {
    double phases, box, strip, memory, gap;
    double stripTop() const { return box + 2; }
    double memoryTop() const { return stripTop() + strip + 4; }
    double whole() const { return phases + (memory > 0 ? memoryTop() + memory : stripTop() + strip) + gap; }
};

LaneSizes laneSizes(int lanes, bool with_memory) {
    LaneSizes sizes = lanes <= 4   ? LaneSizes{22, 42, 8, 40, 12}
                      : lanes <= 8 ? LaneSizes{21, 30, 6, 26, 8}
                                   : LaneSizes{0, 22, 5, 16, 8};
    if (!with_memory) sizes.memory = 0;
    return sizes;
}

// "f0": operation and shade of the chunk.
std::string classOf(Op op, int chunk) {
    const auto shade = std::to_string(std::max(chunk, 0) % 3);
    switch (op) {
        case Op::Forward:
            return "f" + shade;
        case Op::Backward:
            return "b" + shade;
        case Op::BackwardInput:
            return "i" + shade;
        case Op::BackwardWeight:
            return "w" + shade;
        case Op::Recompute:
            return "r0";
        case Op::OptimizerStep:
            return "o0";
        default:
            return "c0";
    }
}

const char* hatchClass(CauseFamily family) {
    switch (family) {
        case CauseFamily::FillDrain:
            return "hr";
        case CauseFamily::Dependency:
            return "hf";
        case CauseFamily::Network:
            return "hx";
        default:
            return "hl";
    }
}

class Painter {
public:
    Painter(const PreparedView& view, const TimeRange& extent, Templates& words)
        : view_(view),
          extent_(extent),
          sizes_(laneSizes(view.lanes(), view.memoryScale() > 0)),
          cards_(view, words),
          letters_(2 + 7 * (static_cast<double>(boxNumber(view, view.lastMicrobatch()).size()) +
                            view.places().lettered())) {
        const double raw = 0.1 * extent.width() / 1e6;
        const double decade = std::pow(10, std::floor(std::log10(raw)));
        step_ms_ = (raw <= decade ? 1 : raw <= 2 * decade ? 2 : raw <= 5 * decade ? 5 : 10) * decade;
    }

    Figure draw() {
        for (const char* kind : {"b", "m", "g", "a"}) data_[kind] = nlohmann::json::array();
        data_["ms"] = extent_.width() / 1e6;
        data_["left"] = kLeft;
        data_["right"] = kRight;
        const double height = kAxis + view_.lanes() * sizes_.whole();
        const std::string whole = num(kLeft + kPlotWidth + kRight);
        svg_ =
            "<svg class=\"fig\" xmlns=\"http://www.w3.org/2000/svg\" tabindex=\"0\" role=\"img\" viewBox=\"0 0 " +
            whole + ' ' + num(height) + "\" data-h=\"" + num(height) + "\">";
        axis(height);
        for (int rank = 0; rank < view_.lanes(); ++rank) {
            const std::string at = attribute("transform", "translate(0 " + num(laneTop(rank)) + ')');
            svg_ += "<g class=\"side\"" + at + '>' + laneName(rank) + "</g>";
            svg_ += "<g class=\"end\"" +
                    attribute("transform",
                              "translate(" + num(kLeft + kPlotWidth + 12) + ' ' + num(laneTop(rank)) + ')') +
                    '>' + laneEnd(rank) + "</g>";
        }
        svg_ += "<svg class=\"plot\" x=\"" + num(kLeft) + "\" width=\"" + num(kPlotWidth) + "\" height=\"" +
                num(height) + "\">";
        for (int rank = 0; rank < view_.lanes(); ++rank) {
            svg_ += "<g" + attribute("transform", "translate(0 " + num(laneTop(rank)) + ')') + '>';
            lane(rank);
            svg_ += "</g>";
        }
        arrows();
        svg_ += "</svg></svg>";
        return {std::move(svg_), std::move(data_)};
    }

private:
    double laneTop(int rank) const { return kAxis + sizes_.phases + rank * sizes_.whole(); }
    double x(std::int64_t time_ns) const {
        return (view_.relative(time_ns) - extent_.from_ns) / extent_.width() * kPlotWidth;
    }
    // From and to as x and width.
    std::string span(std::int64_t from_ns, std::int64_t to_ns) const {
        return attribute("x", num(x(from_ns))) +
               attribute("width", num(std::max(0.0, x(to_ns) - x(from_ns))));
    }
    std::string rect(const std::string& name, std::int64_t from_ns, std::int64_t to_ns, double height) const {
        return "<rect class=\"" + name + '"' + span(from_ns, to_ns) + attribute("height", num(height)) + "/>";
    }

    // The script writes the ticks anew for what is in sight.
    void axis(double height) {
        svg_ +=
            "<g class=\"axis\" transform=\"translate(" + num(kLeft) + " 0)\" data-y=\"" + num(height) + "\">";
        const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step_ms_) + 1e-9)));
        for (int tick = 0; tick * step_ms_ * 1e6 <= extent_.width(); ++tick) {
            const double at = tick * step_ms_ * 1e6 / extent_.width() * kPlotWidth;
            const double ms = tick * step_ms_;
            svg_ += "<path d=\"M" + num(at) + " 22V" + num(height) + "\"/><text x=\"" + num(at) +
                    "\" y=\"14\">" + (tick == 0 ? "0 ms" : fixedText(ms, decimals)) + "</text>";
        }
        svg_ += "</g><g class=\"end\" transform=\"translate(" + num(kLeft + kPlotWidth + 12) +
                " 0)\"><text class=\"soft\" y=\"14\">" +
                inBoth(sizes_.memory > 0 ? sentence("bubble · peak") : sentence("bubble"), "tspan") +
                "</text></g>";
    }

    std::string laneName(int rank) const {
        std::string name =
            "<text class=\"name\" y=\"" + num(sizes_.box / 2) + "\">" +
            inBoth(view_.view().ranksAreGpus() ? sentence("GPU {0}", rank) : sentence("Rank {0}", rank),
                   "tspan") +
            "</text>";
        if (sizes_.memory <= 0) return name;
        const double top = sizes_.memoryTop();
        const double scale = view_.memoryScale();
        if (sizes_.memory >= 26)
            name += "<text class=\"scale\" x=\"" + num(kLeft - 6) + "\" y=\"" + num(top + 4) + "\">" +
                    megabytesText(scale) + " MB</text>";
        return name;
    }

    std::string laneEnd(int rank) const {
        const IterationSummary* numbers = view_.numbers();
        if (numbers == nullptr || static_cast<std::size_t>(rank) >= numbers->ranks.size()) return {};
        const RankSummary& of = numbers->ranks[static_cast<std::size_t>(rank)];
        const double ideal =
            of.bubble_of_total < 1 ? of.bubble_of_total / (1 - of.bubble_of_total) : of.bubble_of_total;
        std::string text = "<text class=\"strong\" y=\"" + num(sizes_.box / 2) + "\"><tspan class=\"bt\">" +
                           fixedText(100 * of.bubble_of_total, 1) + " %</tspan><tspan class=\"bi\">" +
                           fixedText(100 * ideal, 1) + " %</tspan></text>";
        if (sizes_.memory <= 0 || of.peak_activation_bytes <= 0) return text;
        const double middle = sizes_.memoryTop() + sizes_.memory / 2;
        const std::string peak = megabytesText(static_cast<double>(of.peak_activation_bytes)) + " MB";
        const bool tall = sizes_.memory >= 26;
        text += "<text y=\"" + num(tall ? middle - 7 : middle) + "\">" + peak + "</text>";
        if (tall)
            text += "<text class=\"soft\" y=\"" + num(middle + 8) + "\">" +
                    inBoth(sentence("{0} in flight", of.peak_in_flight), "tspan") + "</text>";
        return text;
    }

    void lane(int rank) {
        std::string texts;
        if (sizes_.phases > 0) phases(rank, texts);
        svg_ += "<g class=\"z\"><g class=\"g\">";
        for (const IdlePeriod& period : view_.lane(rank).idle) idle(rank, period, texts);
        svg_ += "</g>";
        for (const int direction : {-1, +1})
            for (const Event& event : view_.neighbour(rank, direction))
                svg_ += rect("near " + classOf(event.op, view_.chunkLetterOf(event.stage)), event.start_ns,
                             event.end_ns, sizes_.box);
        svg_ += "<g class=\"b\">";
        for (const Event& event : view_.ran(rank)) box(event, texts);
        svg_ += "</g><g class=\"m\"" + attribute("transform", "translate(0 " + num(sizes_.stripTop()) + ')') +
                '>';
        for (const Event& receive : view_.receives(rank)) message(receive);
        svg_ += "</g>";
        if (sizes_.memory > 0) memory(rank);
        svg_ += "</g><g class=\"t\">" + texts + "</g>";
    }

    // Warm-up, steady state and cool-down, by what happened.
    void phases(int rank, std::string& texts) {
        const PreparedLane& lane = view_.lane(rank);
        if (!lane.started || view_.view().isStream() || lane.warm_up_end_ns <= lane.first_start_ns) return;
        const std::array<std::int64_t, 4> ends{lane.first_start_ns,
                                               std::min(lane.warm_up_end_ns, lane.last_end_ns),
                                               std::clamp(lane.cool_down_start_ns, lane.warm_up_end_ns,
                                                          std::max(lane.warm_up_end_ns, lane.last_end_ns)),
                                               lane.last_end_ns};
        const std::array names{sentence("warm-up"), sentence("steady"), sentence("cool-down")};
        std::string lines;
        for (std::size_t phase = 0; phase < names.size(); ++phase) {
            if (ends[phase + 1] <= ends[phase]) continue;
            lines += "M" + num(x(ends[phase])) + "-13v6m0-3H" + num(x(ends[phase + 1])) + "m0-3v6";
            text(texts, "ph", ends[phase], ends[phase + 1], -10, 70, 70, inBoth(names[phase], "tspan"));
        }
        svg_ += "<g class=\"z\"><path class=\"phase\" d=\"" + lines + "\"/></g>";
    }

    // In the middle of what it belongs to, whose width says whether it fits: `least` of it, `whole`.
    void text(std::string& texts, const std::string& name, std::int64_t from_ns, std::int64_t to_ns, double y,
              double least, double whole, const std::string& words) const {
        const double room = x(to_ns) - x(from_ns);
        const char* fits = room < least ? " off" : room < whole ? " tight" : "";
        texts += "<text class=\"" + name + fits + '"' + attribute("x", num((x(from_ns) + x(to_ns)) / 2)) +
                 attribute("y", num(y)) + attribute("data-w", num(room)) + '>' + words + "</text>";
    }

    // The longest part of it that no optimizer step lies over.
    std::pair<std::int64_t, std::int64_t> uncovered(int rank, const IdlePeriod& period) const {
        std::pair widest{period.start_ns, period.start_ns};
        std::int64_t from_ns = period.start_ns;
        const auto take = [&](std::int64_t to_ns) {
            if (to_ns - from_ns > widest.second - widest.first) widest = {from_ns, to_ns};
        };
        for (const Event& event : view_.ran(rank)) {
            if (event.end_ns <= period.start_ns || event.start_ns >= period.end_ns) continue;
            take(event.start_ns);
            from_ns = std::max(from_ns, event.end_ns);
        }
        take(period.end_ns);
        return widest;
    }

    void idle(int rank, const IdlePeriod& period, std::string& texts) {
        const Gap* gap = view_.gapOf(period);
        if (gap == nullptr) return;
        svg_ += rect(hatchClass(familyOf(gap->cause)), period.start_ns, period.end_ns, sizes_.box);
        data_["g"].push_back(cards_.gap(*gap, static_cast<std::size_t>(period.gap) + 1));
        const std::string length = millisecondsText(static_cast<double>(gap->length_ns()) / 1e6);
        const auto [from_ns, to_ns] = uncovered(rank, period);
        const bool has_room = x(to_ns) - x(from_ns) > kLeastNamed;
        text(texts, "gl", from_ns, to_ns, sizes_.box / 2, 7.0 * static_cast<double>(length.size()) + 8, 150,
             has_room
                 ? length + "<tspan class=\"more\"> ms · " + inBoth(wordsOf(gap->cause), "tspan") + "</tspan>"
                 : length);
    }

    void box(const Event& event, std::string& texts) {
        const int chunk = view_.chunkLetterOf(event.stage);
        const std::string name = classOf(event.op, chunk);
        svg_ += rect(name, event.start_ns, event.end_ns, sizes_.box);
        data_["b"].push_back(cards_.box(event));
        if (event.microbatch < 0 || event.op == Op::Recompute) return;
        std::string number = boxNumber(view_, event.microbatch);
        if (chunk >= 0)
            number +=
                "<tspan class=\"chunk\">" + std::string(1, static_cast<char>('a' + chunk % 26)) + "</tspan>";
        // Alike on all boxes of a kind, so that it does not look as if some had none.
        const double usual = view_.usualDuration(event.op, event.stage) / extent_.width() * kPlotWidth;
        const double least = usual < letters_ ? 2 * kPlotWidth : letters_;
        text(texts, name, event.start_ns, event.end_ns, sizes_.box / 2, least, least, number);
    }

    void message(const Event& receive) {
        svg_ += "<g>";
        if (receive.transfer_ns > receive.start_ns)
            svg_ += rect("wait", receive.start_ns, receive.transfer_ns, sizes_.strip);
        // Of a free link, too, it can be seen when it came.
        const auto least_ns = static_cast<std::int64_t>(extent_.width() / 5'000);
        svg_ += rect("c0", std::min(receive.transfer_ns, receive.end_ns - least_ns), receive.end_ns,
                     sizes_.strip) +
                "</g>";
        data_["m"].push_back(cards_.message(receive));
    }

    void memory(int rank) {
        const double top = sizes_.memoryTop(), bottom = top + sizes_.memory;
        const auto y = [&](double bytes) { return bottom - bytes / view_.memoryScale() * sizes_.memory; };
        std::string line = "M" + num(x(view_.view().start_ns)) + ' ' + num(bottom);
        for (const MemoryPoint& point : view_.memory(rank))
            line += "H" + num(x(point.time_ns)) + "V" + num(y(static_cast<double>(point.live_bytes)));
        const auto end_ns = view_.view().start_ns + static_cast<std::int64_t>(view_.extent().to_ns);
        line += "H" + num(x(end_ns)) + "V" + num(bottom) + "z";
        svg_ += "<path class=\"mem\" d=\"" + line + "\"/>";
        if (view_.memoryCap() > 0)
            svg_ +=
                "<path class=\"cap\" d=\"M0 " + num(y(view_.memoryCap())) + "H" + num(kPlotWidth) + "\"/>";
    }

    // Of all messages; the script shows those of the life that is looked at.
    void arrows() {
        svg_ += "<g class=\"z a\">";
        for (const MessageArrow& arrow : messagesOf(view_, kMostArrows)) {
            svg_ += "<path d=\"M" + num(x(arrow.sent_ns)) + ' ' +
                    num(laneTop(arrow.from_rank) + sizes_.box / 2) + 'L' + num(x(arrow.arrived_ns)) + ' ' +
                    num(laneTop(arrow.to_rank) + sizes_.box / 2) + "\"/>";
            data_["a"].push_back(lifeOf(view_, arrow.stage, arrow.microbatch));
        }
        svg_ += "</g>";
    }

    const PreparedView& view_;
    TimeRange extent_;
    LaneSizes sizes_;
    BoxCards cards_;
    double letters_;  // room that the numbers in boxes need
    double step_ms_ = 1;
    std::string svg_;
    nlohmann::json data_;
};

}  // namespace

Figure drawFigure(const PreparedView& view, const TimeRange& extent, Templates& words) {
    return Painter(view, extent, words).draw();
}

}  // namespace bscope::page
