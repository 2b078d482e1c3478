#include "terminal/lanes.h"

#include <algorithm>
#include <cmath>

#include "terminal/letters.h"
#include "view/life.h"
#include "words/number_text.h"

namespace bscope::terminal {
namespace {

constexpr double kTickColumns = 12;

class LaneDrawer {
public:
    LaneDrawer(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours, int rank)
        : grid_(grid),
          scene_(scene),
          view_(*scene.view),
          layout_(layout),
          colours_(colours),
          range_(rangeOf(scene)),
          rank_(rank),
          top_(layout.rowOf(rank)) {}

    void draw() {
        drawHead();
        if (scene_.look->bubbles)
            for (const IdlePeriod& period : view_.lane(rank_).idle) drawGap(period);
        const bool may_come = view_.running() || !view_.hasRun();
        const EventSlice ran =
            view_.hasRun() && rank_ < view_.view().ran->ranks() ? view_.ran(rank_) : EventSlice();
        if (may_come && rank_ < view_.view().planned->ranks()) {
            const EventSlice planned = view_.planned(rank_);
            drawBoxes(planned.subspan(std::min(ran.size(), planned.size())), true);
        }
        for (const int direction : {-1, +1}) drawBoxes(view_.neighbour(rank_, direction), false, true);
        drawBoxes(ran, false);
        drawNow();
        drawMemory();
        drawEnd();
    }

private:
    double relative(std::int64_t time_ns) const { return view_.relative(time_ns); }
    int columnOf(std::int64_t time_ns) const { return layout_.columnOf(relative(time_ns), range_); }
    bool isVisible(std::int64_t start_ns, std::int64_t end_ns) const {
        return relative(end_ns) >= range_.from_ns && relative(start_ns) <= range_.to_ns;
    }
    // The row of what is written in boxes.
    int labelRow() const { return top_ + (layout_.box_h - 1) / 2; }

    void drawHead() {
        const bool long_name = layout_.end_w > 0;
        const std::string name =
            long_name ? say(sentence("rank {0}", rank_), scene_.language) : std::to_string(rank_);
        const RankLayout layout = view_.view().config.params.layout();
        grid_.write(0, top_, name, {.bold = true}, layout_.time_x - 1);
        if (layout_.box_h < 2 || !long_name) return;
        std::string stages;
        for (const int stage : view_.lane(rank_).stages)
            stages += (stages.empty() ? "S" : " ") + std::to_string(view_.stageInReplica(stage));
        if (layout.t > 1) stages += " T" + std::to_string(layout.shardOf(rank_));
        grid_.write(0, top_ + 1, fitted(stages, layout_.time_x - 1), colours_.quiet(), layout_.time_x - 1);
    }

    void drawGap(const IdlePeriod& period) {
        if (!isVisible(period.start_ns, period.end_ns)) return;
        const int first = columnOf(period.start_ns), past = columnOf(period.end_ns);
        const Gap* gap = view_.gapOf(period);
        const bool selected = scene_.look->gap && scene_.look->gap->rank == rank_ &&
                              scene_.look->gap->start_ns == period.start_ns;
        const Paint paint = selected ? colours_.chosen() : colours_.hatch();
        const char32_t letter = Colours::hatchLetter(gap ? familyOf(gap->cause) : CauseFamily::FillDrain);
        for (int row = top_; row < top_ + layout_.box_h; ++row)
            for (int x = first; x < past; ++x) grid_.put(layout_.time_x + x, row, letter, paint);
        const std::string length =
            " " + millisecondsText(static_cast<double>(period.end_ns - period.start_ns) / 1e6) + " ms ";
        const std::string cause = gap ? say(wordsOf(gap->cause), scene_.language) + " " : "";
        for (const std::string& text : {length + cause, length}) {
            if (cellsOf(text) + 2 > past - first) continue;
            grid_.write(layout_.time_x + first + (past - first - cellsOf(text)) / 2, labelRow(), text,
                        selected ? paint : colours_.quiet());
            return;
        }
    }

    void drawBoxes(const EventSlice& events, bool to_come, bool neighbours = false) {
        const auto begin = std::ranges::partition_point(
            events, [&](const Event& e) { return relative(e.end_ns) < range_.from_ns; });
        std::int64_t former_end_ns = -1;
        for (auto each = begin; each != events.end(); ++each) {
            const Event event = *each;
            if (relative(event.start_ns) > range_.to_ns) break;
            drawBox(event, to_come, neighbours, former_end_ns == event.start_ns);
            former_end_ns = event.end_ns;
        }
    }

    // A box takes the columns that its edges round to.
    void drawBox(const Event& event, bool to_come, bool neighbours, bool touches) {
        const int first = columnOf(event.start_ns), past = columnOf(event.end_ns);
        const auto& box = scene_.look->box;
        const bool in_life = box && view_.inLife(event, *box);
        const bool selected = box && box->rank == rank_ && box->action == event.action();
        const bool pale = neighbours || (box && !in_life && !selected);
        const int chunk = view_.chunkLetterOf(event.stage);
        if (first == past) return drawThin(event, std::min(first, layout_.time_w - 1), chunk);
        Paint paint = selected  ? colours_.chosen()
                      : to_come ? colours_.toCome(event.op, chunk, pale)
                                : colours_.box(event.op, chunk, pale);
        if (in_life) paint.bold = paint.underline = true;
        Paint body = paint;
        body.underline = false;
        const char32_t fill = !to_come ? colours_.pattern(event.op) : colours_.any() ? U'╌' : U' ';
        for (int row = top_; row < top_ + layout_.box_h; ++row)
            for (int x = first; x < past; ++x) grid_.put(layout_.time_x + x, row, fill, body);
        const bool lettered = !colours_.any() || to_come;  // no colour says what it is
        const std::string text = label(event, past - first, lettered, chunk);
        const int slack = past - first - cellsOf(text);
        const int indent = lettered ? 0 : slack >= 2 ? (slack + 1) / 2 : slack;
        if (colours_.any() && !to_come && touches && (slack > 0 || text.empty()))
            for (int row = top_; row < top_ + layout_.box_h; ++row)
                grid_.put(layout_.time_x + first, row, colours_.seam(), colours_.seamOn(body));
        if (lettered)
            for (int row = top_; row < top_ + layout_.box_h; ++row)
                grid_.put(layout_.time_x + first, row, U'|', body);
        grid_.write(layout_.time_x + first + indent, labelRow(), text, paint);
    }

    // Narrower than half a column: shown where nothing else is.
    void drawThin(const Event& event, int column, int chunk) {
        const int x = layout_.time_x + column;
        const char32_t there = grid_.at(x, top_).letter;
        const bool is_idle =
            there == U' ' || there == U'·' || there == U'/' || there == U'≈' || there == U'×';
        if (!is_idle || grid_.at(x, top_).paint.fill >= 0) return;
        for (int row = top_; row < top_ + layout_.box_h; ++row)
            grid_.put(x, row, colours_.any() ? colours_.seam() : U'|', colours_.thin(event.op, chunk));
    }

    // "F4a" or, where the colour says what it is, "4a"; shortened to what the box holds.
    std::string label(const Event& event, int cells, bool lettered, int chunk) const {
        const std::string letter = utf8Of(letterOf(event.op));
        if (event.microbatch < 0) return cells > 0 ? letter : "";
        const std::string number = microbatchNumber(view_.view(), event);
        const std::string kind = lettered ? letter : "";
        if (chunk >= 0) {
            const std::string whole = kind + number + static_cast<char>('a' + chunk % 26);
            if (cellsOf(whole) <= cells) return whole;
        }
        if (cellsOf(kind + number) <= cells) return kind + number;
        return lettered && cells > 0 ? letter : "";
    }

    void drawNow() {
        if (!view_.running() || !view_.hasRun()) return;
        const double now_ns = relative(view_.view().now_ns);
        if (now_ns < range_.from_ns || now_ns > range_.to_ns) return;
        const int x = std::min(layout_.columnOf(now_ns, range_), layout_.time_w - 1) + layout_.time_x;
        for (int row = top_; row < top_ + layout_.box_h; ++row)
            if (const char32_t there = grid_.at(x, row).letter; there == U' ' || there == U'╌')
                grid_.put(x, row, U'│', colours_.accent());
    }

    // The most that was live in each column.
    void drawMemory() {
        if (layout_.memory_h == 0 || view_.memoryScale() <= 0) return;
        const MemoryPoints points = view_.memory(rank_);
        const double column_ns = range_.width() / layout_.time_w;
        auto next = std::ranges::partition_point(
            points, [&](const MemoryPoint& p) { return relative(p.time_ns) <= range_.from_ns; });
        std::int64_t live = next == points.begin() ? 0 : (next - 1)->live_bytes;
        const double until_ns = points.empty() ? 0 : relative(points[points.size() - 1].time_ns);
        for (int x = 0; x < layout_.time_w; ++x) {
            const double from_ns = range_.from_ns + x * column_ns;
            std::int64_t most = from_ns <= until_ns ? live : 0;
            for (; next != points.end() && relative(next->time_ns) <= from_ns + column_ns; ++next) {
                live = next->live_bytes;
                most = std::max(most, live);
            }
            const auto eighths = static_cast<int>(
                std::lround(8.0 * layout_.memory_h * static_cast<double>(most) / view_.memoryScale()));
            for (int row = 0; row < layout_.memory_h; ++row)
                grid_.put(layout_.time_x + x, top_ + layout_.box_h + layout_.memory_h - 1 - row,
                          colours_.bar(eighths - 8 * row), colours_.curve());
        }
    }

    // Bubble of the lane and its peak, of the iteration that is complete.
    void drawEnd() {
        if (layout_.end_w == 0) return;
        const int x = layout_.time_x + layout_.time_w + 1, past = x + layout_.end_w - 1;
        const IterationSummary* numbers = view_.numbers();
        if (numbers == nullptr || static_cast<std::size_t>(rank_) >= numbers->ranks.size()) return;
        const RankSummary& rank = numbers->ranks[static_cast<std::size_t>(rank_)];
        grid_.write(x, top_, percentText(rank.bubble_of_total), {}, past);
        if (layout_.lane_h < 2 || rank.peak_activation_bytes <= 0) return;
        grid_.write(x, top_ + 1, megabytesText(static_cast<double>(rank.peak_activation_bytes)) + " MB",
                    colours_.quiet(), past);
    }

    Grid& grid_;
    const Scene& scene_;
    const PreparedView& view_;
    const Layout& layout_;
    const Colours& colours_;
    TimeRange range_;
    int rank_, top_;
};

}  // namespace

std::string microbatchNumber(const IterationView& view, const Event& event) {
    return pieceText(view.microbatchInIteration(event.microbatch) + 1,
                     event.segment < 0 ? -1 : event.segment + 1);
}

// Labels at 1, 2 or 5 times a power of ten.
void drawRuler(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours) {
    const double forward_ns = scene.view->medianForward();
    const bool in_forwards = scene.look->in_forwards && forward_ns > 0;
    const double unit_ns = in_forwards ? forward_ns : 1e6;
    const TimeRange range = rangeOf(scene);
    const double raw = range.width() / unit_ns * kTickColumns / layout.time_w;
    const double power = std::pow(10.0, std::floor(std::log10(std::max(raw, 1e-9))));
    const double step = raw <= power       ? power
                        : raw <= 2 * power ? 2 * power
                        : raw <= 5 * power ? 5 * power
                                           : 10 * power;
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 6);
    const int past = layout.time_x + layout.time_w;
    const double first = std::ceil(range.from_ns / unit_ns / step - 1e-9);
    for (int i = 0; i <= layout.time_w; ++i) {
        const double at = (first + i) * step;
        if (at * unit_ns > range.to_ns) break;
        const int x = layout.time_x + layout.columnOf(at * unit_ns, range);
        const std::string text = "|" + fixedText(at, decimals) + (i == 0 ? (in_forwards ? " F" : " ms") : "");
        if (x + cellsOf(text) <= past) grid.write(x, layout.ruler_y, text, colours.quiet(), past);
    }
}

void drawLanes(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours) {
    for (int i = 0; i < layout.lanes; ++i)
        LaneDrawer(grid, scene, layout, colours, layout.first_lane + i).draw();
}

}  // namespace bscope::terminal
