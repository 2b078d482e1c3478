// LanePainter: draws one lane of a Picture, part by part, on any QPainter: the canvas' buffer, PNG, SVG or
// PDF. Cost is bounded by pixels: boxes narrower than 2 px become columns that show the exact busy share of
// their time, and everything else narrower than it can be seen is skipped by binary search.
#pragma once

#include <QPainter>
#include <QPolygonF>
#include <QStringList>

#include "widgets/paint/hatch.h"
#include "widgets/picture/box_numbers.h"
#include "widgets/picture/picture.h"

namespace bscope::ui {

class LanePainter {
public:
    LanePainter(QPainter& painter, const Picture& picture, int group, int rank);

    void brackets();
    void idle();        // bubbles: background and hatch by cause
    void idleLabels();  // after idle()
    void ghost();       // outlines of the plan; dashed with numbers where nothing ran yet
    void neighbours();  // boxes of the iterations that run into this one, pale, up to this one's border
    void boxes();
    void communication();  // wait hatched, transfer solid
    void memory();         // live bytes with the number in flight on the steps, cap line
    void memoryScale();
    void header();
    void end();  // numbers at the right

private:
    // How much later than planned a rank ended, as it is written; empty: it has no plan.
    QString deltaOf(const IterationSummary& shown, std::size_t rank) const;
    bool hasRoomBesideCount(const IterationSummary& shown, double room) const;
    void countAbovePeak(const IterationSummary& shown, double left, double room);
    QString deltaText(const IterationSummary& shown, const QFont& font, double room) const;
    struct Edges {
        double left = 0, right = 0;
        double width() const { return right - left; }
    };

    double xOf(std::int64_t time_ns) const { return axis_.toPx(time_ns); }
    std::int64_t timeAt(double x) const { return axis_.toNs(x); }
    Edges edges(std::int64_t start_ns, std::int64_t end_ns) const {
        return {std::max(xOf(start_ns), least_x_), std::min(xOf(end_ns), most_x_)};
    }
    bool rightOfPlot(double x) const { return x > picture_.layout.plot.right(); }
    std::size_t firstVisible(const EventSlice& events) const;
    // The widest part of an idle period's area that no box covers: a step of the optimizer or an addition of
    // gradients ends no gap.
    QRectF uncovered(const IdlePeriod& period, const QRectF& area) const;

    QColor fillOf(const Event& event) const { return theme_.fill(event.op, group_.places().of(event.stage)); }
    std::pair<double, double> besideFlags(double left, double right, double word_width) const;
    void bracket(std::int64_t from_ns, std::int64_t to_ns, const QString& word);
    void box(const Event& event, const Edges& x);
    bool isPlain(const Event& event, const Edges& x) const;
    bool isTinted() const;  // by the difference from the baseline
    void narrowChanges(const EventSlice& events, double least);
    void changedBox(const QRectF& area, const Event& event, int chunk, double change);
    void kernelStrip(const QRectF& box, const Event& event, const QColor& fill, double opacity);
    QStringList shortList(qsizetype lines, const QFont& font, double room) const;
    void boxLabel(const QRectF& box, const Event& event, int chunk, const QColor& ink);
    void boxNumber(const QPointF& centre, double room, const QString& text, const QFont& font,
                   const QColor& ink);
    static constexpr double kPlannedFill = 0.16;
    void plannedBox(const Event& event, const Edges& x, double opacity = kPlannedFill);
    void plannedEdges(const QRectF& box, double strength, bool tight);
    void drawOutlines(const std::vector<QRectF>& outlines);
    void outlineInPixels(const QRectF& sides, const QColor& colour);
    void inFlightNumbers(const MemoryPoints& points, std::size_t first, std::size_t past);
    void curveInPixels(const QPolygonF& curve, double base);
    void fillBelow(const QPolygonF& curve, double base);
    bool drawsHeld() const { return picture_.layers.memory_bands && group_.knowsHeld(); }
    void memoryBands(double right);
    void reserved(const QPolygonF& live);  // the curve of what is live
    void otherCheckpointing(const CheckpointingPlan& other);
    double heightOfByte() const;
    double memoryFloor() const;
    double memoryTop() const;
    double heightOf(double bytes) const { return bytes * px_per_byte_; }  // in the memory strip
    double memoryY(double live_bytes) const {                             // of activations
        return lane_.memory.bottom() - heightOf(below_activations_ + live_bytes);
    }
    QColor faded(const QColor& colour, double opacity) const;  // on the canvas
    const QColor& inkOn(const QColor& fill);
    const QColor& quietInkOn(const QColor& fill);  // of what is dimmed
    bool isDimmed(const Event& event) const;
    bool passesFilter(const Event& event) const { return picture_.filter.passes(rank_, event.action()); }

    QPainter& painter_;
    const Picture& picture_;
    const PreparedView& group_;
    const PreparedLane& prepared_;
    const Lane& lane_;
    const Theme& theme_;
    int rank_;
    // Asked for with every box and every point of the memory curve.
    const GroupAxis axis_;
    const double least_x_, most_x_;  // px of what is cut: beyond the plot, so that it has no edge there
    const double px_per_byte_, below_activations_;  // of the memory strip; bytes below the curve
    const BoxNumbers numbers_;
    // Asked for with every box.
    std::vector<std::pair<QColor, QColor>> inks_, quiet_inks_;  // fill, ink; few
    const QFont chunk_font_, idle_font_, in_flight_font_;
    std::vector<std::pair<QRectF, std::size_t>> labelled_idle_;  // room for a label; index into idle
};

inline constexpr double kNeighbourFill = 0.28;  // opacity of boxes of another iteration

}  // namespace bscope::ui
