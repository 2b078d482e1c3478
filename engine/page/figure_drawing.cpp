#include "page/figure_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "page/box_cards.h"
#include "view/life.h"
#include "words/number_text.h"

namespace bscope::page {

namespace {

constexpr double kAxis = 30;
constexpr double kLeastNamed = 20;  // narrower gaps have their length alone
constexpr double kTickRoom = 45;
constexpr std::size_t kMostArrows = 20'000;

// Heights of the parts of a lane, from above.
struct LaneSizes {
    double phases, box, strip, memory, gap;
    double stripTop() const { return box + 2; }
    double memoryTop() const { return stripTop() + strip + 4; }
    double whole() const { return phases + (memory > 0 ? memoryTop() + memory : stripTop() + strip) + gap; }
};

LaneSizes laneSizes(const PreparedView& view, const FigureFrame& frame) {
    const int lanes = view.lanes();
    LaneSizes sizes = lanes > 8 || (frame.low && lanes > 4) ? LaneSizes{0, 22, 5, 16, 8}
                      : lanes > 4 || frame.low              ? LaneSizes{21, 30, 6, 26, 8}
                                                            : LaneSizes{22, 42, 8, 40, 12};
    if (view.memoryScale() <= 0) sizes.memory = 0;
    return sizes;
}

// "f0": operation and shade.
std::string signOf(Op op, int of_palette) {
    const std::string shade = std::to_string(of_palette);
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

const char* hatchOf(CauseFamily family) {
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

class Drawing {
public:
    Drawing(const PreparedView& view, const TimeRange& extent, const FigureFrame& frame,
            const DataPalette& palette, FigureMaterial& material)
        : view_(view),
          extent_(extent),
          frame_(frame),
          sizes_(laneSizes(view, frame)),
          palette_(palette),
          material_(material),
          letters_(2 + 7 * (static_cast<double>(
                                boxNumber(view, view.lastMicrobatch(), view.lastSegment()).size()) +
                            view.places().lettered())) {
        const double raw = std::max(0.1, kTickRoom / frame.plot) * extent.width() / 1e6;
        const double decade = std::pow(10, std::floor(std::log10(raw)));
        step_ms_ = (raw <= decade ? 1 : raw <= 2 * decade ? 2 : raw <= 5 * decade ? 5 : 10) * decade;
    }

    void draw() {
        axis();
        for (int rank = 0; rank < view_.lanes(); ++rank) {
            laneName(rank);
            laneEnd(rank);
        }
        material_.group("plot", frame_.left, 0);
        for (int rank = 0; rank < view_.lanes(); ++rank) {
            material_.group("lane", 0, laneTop(rank));
            lane(rank);
            material_.endGroup();
        }
        if (material_.hasArrows()) arrows();
        material_.endGroup();
    }

private:
    std::string signOf(const Event& event) const {
        return page::signOf(event.op, palette_.shadeOf(view_.places().of(event.stage)));
    }
    double laneTop(int rank) const { return kAxis + sizes_.phases + rank * sizes_.whole(); }
    double endLeft() const { return frame_.left + frame_.plot + 12; }
    double xOf(std::int64_t time_ns) const {
        return (view_.relative(time_ns) - extent_.from_ns) / extent_.width() * frame_.plot;
    }
    void rect(const std::string& sign, std::int64_t from_ns, std::int64_t to_ns, double height) {
        material_.rect(sign, xOf(from_ns), std::max(0.0, xOf(to_ns) - xOf(from_ns)), height);
    }
    void words(const char* sign, double x, double y, std::vector<FigureWord> all) {
        material_.text({sign, x, y, std::move(all)});
    }

    void axis() {
        const double height = figureHeight(view_, frame_);
        material_.group("axis", frame_.left, 0);
        const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step_ms_) + 1e-9)));
        for (int tick = 0; tick * step_ms_ * 1e6 <= extent_.width(); ++tick) {
            const double at = tick * step_ms_ * 1e6 / extent_.width() * frame_.plot;
            material_.path("tick", {{at, 22, false}, {at, height}}, false);
            words("time", at, 14, {{tick == 0 ? "0 ms" : fixedText(tick * step_ms_, decimals)}});
        }
        material_.endGroup();
        material_.group("end", endLeft(), 0);
        words("soft", 0, 14, {{sizes_.memory > 0 ? sentence("bubble · peak") : sentence("bubble")}});
        material_.endGroup();
    }

    void laneName(int rank) {
        material_.group("side", 0, laneTop(rank));
        words("name", 0, sizes_.box / 2,
              {{view_.view().ranksAreGpus() ? sentence("GPU {0}", rank) : sentence("Rank {0}", rank)}});
        if (sizes_.memory >= 26)
            words("scale", frame_.left - 6, sizes_.memoryTop() + 4,
                  {{megabytesText(view_.memoryScale()) + " MB"}});
        material_.endGroup();
    }

    void laneEnd(int rank) {
        material_.group("end", endLeft(), laneTop(rank));
        const IterationSummary* numbers = view_.numbers();
        if (numbers != nullptr && static_cast<std::size_t>(rank) < numbers->ranks.size())
            numbersOf(numbers->ranks[static_cast<std::size_t>(rank)]);
        material_.endGroup();
    }

    void numbersOf(const RankSummary& rank) {
        const double total = rank.bubble_of_total, ideal = total < 1 ? total / (1 - total) : total;
        words("strong", 0, sizes_.box / 2,
              {{percentText(total), FigureWord::Kind::OfTotal},
               {percentText(ideal), FigureWord::Kind::OfIdeal}});
        if (sizes_.memory <= 0 || rank.peak_activation_bytes <= 0) return;
        const double middle = sizes_.memoryTop() + sizes_.memory / 2;
        const bool tall = sizes_.memory >= 26;
        words("peak", 0, tall ? middle - 7 : middle,
              {{megabytesText(static_cast<double>(rank.peak_activation_bytes)) + " MB"}});
        if (tall) words("soft", 0, middle + 8, {{sentence("{0} in flight", rank.peak_in_flight)}});
    }

    void lane(int rank) {
        texts_.clear();
        if (sizes_.phases > 0) phases(rank);
        material_.group("z", 0, 0);
        material_.group("g", 0, 0);
        for (const IdlePeriod& period : view_.lane(rank).idle) idle(rank, period);
        material_.endGroup();
        for (const int direction : {-1, +1})
            for (const Event& event : view_.neighbour(rank, direction))
                rect("near " + signOf(event), event.start_ns, event.end_ns, sizes_.box);
        material_.group("b", 0, 0);
        for (const Event& event : view_.ran(rank)) box(event);
        material_.endGroup();
        material_.group("m", 0, sizes_.stripTop());
        for (const Event& receive : view_.receives(rank)) message(receive);
        material_.endGroup();
        if (sizes_.memory > 0) memory(rank);
        material_.endGroup();
        material_.group("t", 0, 0);
        for (const FigureText& text : texts_) material_.text(text);
        material_.endGroup();
    }

    // Warm-up, steady state and cool-down, by what happened.
    void phases(int rank) {
        const PreparedLane& lane = view_.lane(rank);
        if (!lane.started || view_.view().isStream() || lane.warm_up_end_ns <= lane.first_start_ns) return;
        const std::array<std::int64_t, 4> ends{lane.first_start_ns,
                                               std::min(lane.warm_up_end_ns, lane.last_end_ns),
                                               std::clamp(lane.cool_down_start_ns, lane.warm_up_end_ns,
                                                          std::max(lane.warm_up_end_ns, lane.last_end_ns)),
                                               lane.last_end_ns};
        const std::array names{sentence("warm-up"), sentence("steady"), sentence("cool-down")};
        std::vector<FigurePoint> lines;
        for (std::size_t phase = 0; phase < names.size(); ++phase) {
            if (ends[phase + 1] <= ends[phase]) continue;
            const double from = xOf(ends[phase]), to = xOf(ends[phase + 1]);
            for (const FigurePoint& point :
                 {FigurePoint{from, -13, false}, FigurePoint{from, -7}, FigurePoint{from, -10, false},
                  FigurePoint{to, -10}, FigurePoint{to, -13, false}, FigurePoint{to, -7}})
                lines.push_back(point);
            text("ph", ends[phase], ends[phase + 1], -10, 70, 70, {{names[phase]}});
        }
        material_.group("z", 0, 0);
        material_.path("phase", lines, false);
        material_.endGroup();
    }

    // In the middle of what it belongs to, whose width says whether it fits: `least` of it, `whole`.
    void text(const std::string& sign, std::int64_t from_ns, std::int64_t to_ns, double y, double least,
              double whole, std::vector<FigureWord> all) {
        texts_.push_back({sign, (xOf(from_ns) + xOf(to_ns)) / 2, y, std::move(all), xOf(to_ns) - xOf(from_ns),
                          least, whole});
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

    void idle(int rank, const IdlePeriod& period) {
        const Gap* gap = view_.gapOf(period);
        if (gap == nullptr) return;
        material_.aboutGap(*gap, static_cast<std::size_t>(period.gap) + 1);
        rect(hatchOf(familyOf(gap->cause)), period.start_ns, period.end_ns, sizes_.box);
        const std::string length = millisecondsText(static_cast<double>(gap->length_ns()) / 1e6);
        const auto [from_ns, to_ns] = uncovered(rank, period);
        std::vector<FigureWord> all{{length}};
        if (xOf(to_ns) - xOf(from_ns) > kLeastNamed)
            all.push_back({Bilingual(" ms · ") + wordsOf(gap->cause), FigureWord::Kind::More});
        text("gl", from_ns, to_ns, sizes_.box / 2, 7.0 * static_cast<double>(length.size()) + 8, 150,
             std::move(all));
    }

    void box(const Event& event) {
        const int chunk = view_.chunkLetterOf(event.stage);
        const std::string sign = signOf(event);
        material_.aboutBox(event);
        rect(sign, event.start_ns, event.end_ns, sizes_.box);
        if (event.microbatch < 0 || event.op == Op::Recompute) return;
        std::vector<FigureWord> all{{boxNumber(view_, event.microbatch, event.segment)}};
        if (chunk >= 0)
            all.push_back({std::string(1, static_cast<char>('a' + chunk % 26)), FigureWord::Kind::Chunk});
        // Alike on all boxes of a kind, so that it does not look as if some had none.
        const double usual = view_.usualDuration(event.op, event.stage) / extent_.width() * frame_.plot;
        const double least = usual < letters_ ? 2 * frame_.plot : letters_;
        text(sign, event.start_ns, event.end_ns, sizes_.box / 2, least, least, std::move(all));
    }

    void message(const Event& receive) {
        material_.aboutMessage(receive);
        material_.group("message", 0, 0);
        if (receive.transfer_ns > receive.start_ns)
            rect("wait", receive.start_ns, receive.transfer_ns, sizes_.strip);
        // Of a free link, too, it can be seen when it came.
        const auto least_ns = static_cast<std::int64_t>(extent_.width() / 5'000);
        rect("c0", std::min(receive.transfer_ns, receive.end_ns - least_ns), receive.end_ns, sizes_.strip);
        material_.endGroup();
    }

    void memory(int rank) {
        const double top = sizes_.memoryTop(), bottom = top + sizes_.memory;
        const auto y = [&](double bytes) { return bottom - bytes / view_.memoryScale() * sizes_.memory; };
        std::vector<FigurePoint> line{{xOf(view_.view().start_ns), bottom, false}};
        const auto step = [&](double x, double to) {
            line.push_back({x, line.back().y});
            line.push_back({x, to});
        };
        for (const MemoryPoint& point : view_.memory(rank))
            step(xOf(point.time_ns), y(static_cast<double>(point.live_bytes)));
        step(xOf(view_.view().start_ns + static_cast<std::int64_t>(view_.extent().to_ns)), bottom);
        material_.path("mem", line, true);
        if (view_.memoryCap() > 0) {
            const double cap = y(view_.memoryCap());
            material_.path("cap", {{0, cap, false}, {frame_.plot, cap}}, false);
        }
    }

    void arrows() {
        material_.group("z a", 0, 0);
        for (const MessageArrow& arrow : messagesOf(view_, kMostArrows)) {
            material_.aboutArrow(arrow.stage, arrow.microbatch);
            const double half = sizes_.box / 2;
            material_.path("arrow",
                           {{xOf(arrow.sent_ns), laneTop(arrow.from_rank) + half, false},
                            {xOf(arrow.arrived_ns), laneTop(arrow.to_rank) + half}},
                           false);
        }
        material_.endGroup();
    }

    const PreparedView& view_;
    TimeRange extent_;
    FigureFrame frame_;
    LaneSizes sizes_;
    const DataPalette& palette_;
    FigureMaterial& material_;
    double letters_;  // room that the numbers in boxes need
    double step_ms_ = 1;
    std::vector<FigureText> texts_;  // of the lane that is drawn
};

}  // namespace

double figureHeight(const PreparedView& view, const FigureFrame& frame) {
    return kAxis + view.lanes() * laneSizes(view, frame).whole();
}

void drawFigure(const PreparedView& view, const TimeRange& extent, const FigureFrame& frame,
                const DataPalette& palette, FigureMaterial& material) {
    Drawing(view, extent, frame, palette, material).draw();
}

}  // namespace bscope::page
