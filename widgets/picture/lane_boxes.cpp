// Boxes of a lane: what ran. Wide enough ones are boxes with a number; narrower than 2 px they merge into
// columns that show, from the prefix sums, exactly which share of the column's time each operation took. What
// a rank does once an iteration is no part of the columns and keeps its line.
#include <algorithm>
#include <array>

#include "widgets/paint/hatch.h"
#include "widgets/picture/busy_columns.h"
#include "widgets/picture/change_tint.h"
#include "view/gallop.h"
#include "widgets/picture/lane_painter.h"

namespace bscope::ui {

namespace {

// Optimizer step and addition of gradients where there is a flush.
bool happensOnce(const Event& event) {
    return !isCompute(event.op) && event.weight_version == kNoVersion;
}

// A column's parts stand in the order of a timeline's totals.
constexpr std::size_t kKinds = BusyColumns::kStacked.size();
static_assert([] {
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        if (Timeline::total(BusyColumns::kStacked[kind]) != kind) return false;
    return true;
}());

// How long each operation took of [from, to), counted out from events[next] on, which becomes the first that
// ends after `to`: quicker than prefix sums for a few. False: there are more.
constexpr std::size_t kFew = 40;
bool countOut(const EventSlice& events, std::size_t& next, std::int64_t from, std::int64_t to,
              Timeline::Totals& spent) {
    const std::size_t until = std::min(next + kFew, events.size());
    for (; next < until; ++next) {
        const Event event = events[next];
        const std::int64_t start = std::max(event.start_ns, from);
        if (event.end_ns > to) {
            spent[Timeline::total(event.op)] += std::max<std::int64_t>(to - start, 0);
            return true;
        }
        spent[Timeline::total(event.op)] += event.end_ns - start;
    }
    return until == events.size();
}

constexpr double kEdged = 4;                                // px from which a box has an edge at its right
constexpr double kFinePixel = 0.35, kFineEdged = 1.5,
                 kFineEdge = 0.4;                           // on paper: px of a device pixel, the same
constexpr double kLeastForKernels = 200, kKernelStrip = 4;  // px at 100 %
constexpr double kKindStrip = 4, kLeastKindStrip = 20;      // px at 100 %: height, and from which box height
constexpr double kDimmedFill = 0.5, kFilteredFill = 0.16, kBlockFill = 0.7, kPlayedPlanFill = 0.5;

// What is printed shows finer edges than a screen.
double edgedFrom(const Picture& picture) {
    return picture.figure() && picture.pixel <= kFinePixel ? kFineEdged : kEdged;
}

}  // namespace

void LanePainter::boxes() {
    const Timeline& timeline = *group_.view().ran;
    const auto events = group_.ran(rank_);
    if (events.empty()) return;
    const std::size_t offset = events.offset();
    const double column = picture_.column(), least = 2 * column;

    // A column does not know the stages and micro-batches in it: what passes stands above.
    const bool narrowed = picture_.filter.stage || picture_.filter.microbatch;
    std::array<QColor, kKinds> fills;
    for (std::size_t op = 0; op < fills.size(); ++op) {
        const Op each = BusyColumns::kStacked[op];
        const QColor fill = prepared_.stages.size() == 1
                                ? theme_.fill(each, group_.places().of(prepared_.stages.front()))
                                : theme_.fill(each);
        fills[op] = picture_.selection ? faded(fill, kDimmedFill)
                    : group_.isPlayedPlan() ? faded(fill, kPlayedPlanFill)
                                            : fill;
        if (narrowed || isTinted() || picture_.filter.hidden_ranks.contains(rank_) ||
            picture_.filter.hidden_ops.contains(BusyColumns::kStacked[op]))
            fills[op] = faded(fill, kFilteredFill);
    }
    BusyColumns columns(painter_, lane_.box, column, fills,
                        picture_.layers.bubbles ? theme_.bubble : QColor());
    // Busy time of each operation up to a time that lies in or before event `next`.
    const auto busyUntil = [&](std::size_t next, std::int64_t time) {
        Timeline::Totals busy = timeline.totals_ns(rank_, offset + next);
        if (next == events.size()) return busy;
        const Event inside = events[next];
        if (inside.start_ns < time) busy[Timeline::total(inside.op)] += time - inside.start_ns;
        return busy;
    };

    // Boxes of one colour and a few pixels go with the columns.
    const bool plain = columns.inPixels() && !picture_.figure() && column == picture_.pixel &&
                       !picture_.selection && !isTinted() && !group_.isPlayedPlan();
    Gallop gallop;
    bool are_few = true;  // in the last column
    double next_column = picture_.layout.plot.left();
    std::int64_t counted_to = -1;  // busy is of this time
    Timeline::Totals busy{};
    for (std::size_t i = firstVisible(events); i < events.size();) {
        const Edges x = edges(events[i].start_ns, events[i].end_ns);
        if (rightOfPlot(x.left)) break;
        const bool cut = x.left < picture_.layout.plot.left() || x.right > picture_.layout.plot.right();
        if (x.width() >= least || cut || happensOnce(events[i])) {
            if (plain && !cut && isPlain(events[i], x)) {
                const Event& event = events[i++];
                columns.addBox(picture_.snapped(x.left), picture_.snapped(x.right), fillOf(event));
                continue;
            }
            columns.paint();
            box(events[i++], x);
            continue;
        }
        const double at = std::max(std::floor(x.left / column) * column, next_column);
        next_column = at + column;
        const std::int64_t from = timeAt(at), to = timeAt(next_column);
        std::size_t first = i;
        while (first > 0 && events[first - 1].end_ns > from) --first;
        std::size_t past = first;
        Timeline::Totals spent{};
        if (!are_few || !countOut(events, past, from, to, spent)) {
            past = gallop.next(events, past, [to](const Event& e) { return e.end_ns <= to; });
            are_few = past - first <= kFew;
            timeline.prefetchTotals(rank_, offset + 2 * past - first);
            const auto before = from == counted_to ? busy : busyUntil(first, from);
            spent = busy = busyUntil(past, to);
            counted_to = to;
            for (std::size_t kind = 0; kind < kKinds; ++kind) spent[kind] -= before[kind];
        }
        auto& shares = columns.add(at).share;
        const double whole = to > from ? 1 / static_cast<double>(to - from) : 0;
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            shares[kind] = static_cast<double>(spent[kind]) * whole;
        i = std::max(past, i + (events[i].end_ns <= to));
    }
    columns.paint();
    if (isTinted()) return narrowChanges(events, least);
    for (std::size_t i = firstVisible(events); narrowed && i < events.size(); ++i) {
        const Edges x = edges(events[i].start_ns, events[i].end_ns);
        if (rightOfPlot(x.left)) break;
        if (x.width() < least && passesFilter(events[i])) box(events[i], x);
    }
}

// As box() would paint it: one colour, no edge, no label.
bool LanePainter::isPlain(const Event& event, const Edges& x) const {
    const bool one_colour =
        event.op == Op::Forward || event.op == Op::Backward || event.op == Op::BackwardInput;
    return one_colour && picture_.snapped(x.right) - picture_.snapped(x.left) < edgedFrom(picture_) &&
           passesFilter(event);
}

bool LanePainter::isTinted() const {
    return picture_.layers.changes && group_.view().compared != nullptr;
}

// Of the boxes in one column that are too narrow to be drawn, the one that differs most.
void LanePainter::narrowChanges(const EventSlice& events, double least) {
    const double column = picture_.column();
    double at = -1;
    std::optional<double> most;
    const auto paint = [&] {
        if (most)
            painter_.fillRect(QRectF(at, lane_.box.top(), column, lane_.box.height()),
                              theme_.change(changeStep(*most)));
        most.reset();
    };
    for (std::size_t i = firstVisible(events); i < events.size(); ++i) {
        const Edges x = edges(events[i].start_ns, events[i].end_ns);
        if (rightOfPlot(x.left)) break;
        const std::optional<double> change = group_.changeOf(events[i]);
        if (x.width() >= least || !change || !passesFilter(events[i])) continue;
        const double its = std::floor(x.left / column) * column;
        if (its != at) paint();
        at = its;
        if (!most || std::abs(*change) > std::abs(*most)) most = change;
    }
    paint();
}

// The kind of the operation stays at the foot.
void LanePainter::changedBox(const QRectF& area, const Event& event, int chunk, double change) {
    const int step = changeStep(change);
    drawChange(painter_, area, step, theme_);
    if (area.height() >= kLeastKindStrip * theme_.scale)
        painter_.fillRect(QRectF(area.left(), area.bottom() - kKindStrip * theme_.scale, area.width(),
                                 kKindStrip * theme_.scale),
                          fillOf(event));
    if (isDimmed(event)) return;
    boxLabel(area, event, chunk, theme_.ink(theme_.change(step)));
}

void LanePainter::neighbours() {
    for (const int direction : {-1, +1}) {
        const auto events = group_.neighbour(rank_, direction);
        for (std::size_t i = firstVisible(events); i < events.size(); ++i) {
            const Edges x = edges(events[i].start_ns, events[i].end_ns);
            if (rightOfPlot(x.left)) break;
            const double left = picture_.snapped(x.left);
            const double right = std::max(picture_.snapped(x.right) - picture_.line(), left + picture_.pixel);
            const QRectF area(left, lane_.box.top(), right - left, lane_.box.height());
            const int chunk = group_.chunkLetterOf(events[i].stage);
            const QColor fill = faded(fillOf(events[i]), kNeighbourFill);
            painter_.fillRect(area, fill);
            boxLabel(area, events[i], chunk, quietInkOn(fill));
        }
        if (events.empty()) continue;
        const auto own = group_.hasRun() ? group_.ran(rank_) : group_.planned(rank_);
        if (own.empty()) continue;
        const double border = xOf(direction < 0 ? own.front().start_ns : own.back().end_ns);
        if (border < picture_.layout.plot.left() || rightOfPlot(border)) continue;
        painter_.setPen(QPen(theme_.text, picture_.line(), Qt::DashLine));
        painter_.drawLine(QLineF(border, lane_.box.top() - 4, border, lane_.box.bottom() + 4));
    }
}

void LanePainter::box(const Event& event, const Edges& x) {
    if (picture_.boxes_only && !isCompute(event.op)) return;
    const bool joins_next = event.op == Op::Recompute;  // the left part of its backward
    const double left = picture_.snapped(x.left);
    double right = std::max(picture_.snapped(x.right), left + picture_.pixel);
    if (right - left >= edgedFrom(picture_) && !joins_next)
        right -= right - left >= kEdged ? picture_.line() : kFineEdge;
    const QRectF area(left, lane_.box.top(), right - left, lane_.box.height());
    if (group_.view().blocks && isCompute(event.op))
        return painter_.fillRect(area, faded(theme_.text_soft, kBlockFill));
    if (group_.isPlayedPlan() && right - left >= kEdged) return plannedBox(event, x, kPlayedPlanFill);
    const int chunk = group_.chunkLetterOf(event.stage);
    const bool dimmed = isDimmed(event);
    const QColor full = fillOf(event);
    const bool passes = passesFilter(event);
    const std::optional<double> change = isTinted() ? group_.changeOf(event) : std::nullopt;
    if (passes && change) return changedBox(area, event, chunk, *change);
    const bool pale = !passes || (isTinted() && isCompute(event.op));  // or not in the baseline
    const QColor fill = pale ? faded(full, kFilteredFill) : dimmed ? faded(full, kDimmedFill) : full;
    painter_.fillRect(area, fill);
    if (pale) return;

    const QColor ink = inkOn(full);
    if (event.op == Op::BackwardWeight) {
        painter_.fillRect(QRectF(area.left(), area.top() + 3 * theme_.scale, area.width(), 2 * theme_.scale),
                          mixed(ink, fill, 0.75));
    } else if (event.op == Op::GatherWeights) {
        painter_.fillRect(
            QRectF(area.left(), area.bottom() - 5 * theme_.scale, area.width(), 2 * theme_.scale),
            mixed(ink, fill, 0.75));
    } else if (event.op == Op::Recompute) {
        drawHatch(painter_, area, Hatch::Rising, {mixed(ink, fill, 0.35), 5 * theme_.scale, picture_.line()});
        return;
    } else if (event.op == Op::OptimizerStep) {
        painter_.setPen(QPen(theme_.ink(fill), picture_.line(), Qt::DotLine));
        painter_.setBrush(Qt::NoBrush);
        if (area.width() > 4) painter_.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    if (area.width() >= kLeastForKernels * theme_.scale) kernelStrip(area, event, fill, dimmed ? 0.4 : 0.7);
    boxLabel(area, event, chunk, dimmed ? quietInkOn(fill) : ink);
}

// At the foot of a wide box: solid while a kernel ran, open in the gaps between launches. Kernels closer than
// a pixel are one piece, as much paler as there are gaps in it.
void LanePainter::kernelStrip(const QRectF& box, const Event& event, const QColor& fill, double opacity) {
    const QColor ink = theme_.ink(fill);
    const auto& log = group_.view().kernels;
    if (!log) return;
    const QRectF& plot = picture_.layout.plot;
    const double height = kKernelStrip * theme_.scale, top = box.bottom() - height;
    double left = 0, right = -1, covered = 0;
    const auto paint = [&] {
        const double from = std::max(left, plot.left()), to = std::min(right, plot.right());
        if (to > from)
            painter_.fillRect(QRectF(from, top, to - from, height),
                              mixed(ink, fill, opacity * std::min(1.0, covered / (right - left))));
    };
    for (const KernelEvent& kernel : log->of(event)) {
        const Edges x = edges(kernel.start_ns, kernel.end_ns);
        if (rightOfPlot(x.left)) break;
        if (x.left > right + picture_.pixel) {
            paint();
            left = std::max(x.left, box.left());
            covered = 0;
        }
        right = std::min(std::max(right, x.right), box.right());
        covered += x.width();
    }
    paint();
}

}  // namespace bscope::ui
