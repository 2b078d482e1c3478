// TimelinePainter: draws a whole Picture. The one drawing code of the canvas and of every exported figure.
#pragma once

#include <QPainter>
#include <QRegion>

#include "widgets/paint/paint_threads.h"
#include "widgets/picture/picture.h"

namespace bscope::ui {

class TimelinePainter {
public:
    // threads: who paints lanes at a time, each with its part of the ground, which the cache then holds;
    // null: one after the other, on a ground that is there.
    TimelinePainter(QPainter& painter, const Picture& picture, PaintThreads* threads = nullptr)
        : painter_(painter), picture_(picture), threads_(threads) {}

    // Everything but what follows the pointer.
    void draw();

private:
    void column();  // of the picture; the painter stands at its left edge
    bool isHere(std::size_t group) const {
        return picture_.layout.columnOf(static_cast<int>(group)) == column_;
    }
    void hairGrid();
    bool lanesHaveGround(std::size_t group) const;
    void verticalHairs(QPainter& painter, std::size_t group) const;
    void hairBelow(QPainter& painter, std::size_t group, std::size_t rank) const;
    void lanes();
    void lane(QPainter& painter, int group, int rank) const;
    void cover(std::size_t group);
    void endOfIteration();
    void ruler();
    void titles();

    QPainter& painter_;
    const Picture& picture_;
    PaintThreads* threads_;
    int column_ = 0;
};

// What of the ground lanes fill themselves when a threads paints them.
QRegion groundOfLanes(const Picture& picture);

// Title line of one group in a rectangle: schedule, parameters, badge, state; numbers at the right. What does
// not fit gives way from the least important: theory, parameters, device. In a column the numbers have a line
// of their own. letter: of one of several, as a lesson's texts call it; null: there is one.
void drawTitle(QPainter& painter, const Picture& picture, const PreparedView& group, const QRectF& area,
               QChar letter = {});
// How many lines of kTitleLine it takes: several on paper that is too narrow for name and badge in one.
int titleLines(const Picture& picture, const PreparedView& group, double width, QChar letter);
// As a lesson's texts and captions call a group of several; null: there is one.
QChar letterOfGroup(const Picture& picture, std::size_t group);
// The middle of its line with the numbers.
double numbersLine(const LaneLayout& layout, const QRectF& area);
// "p=4 m=8 v=1 · checkpointing off"
QString parameterText(const IterationView& view);
// " · calibrated, medians of 8 iterations", after the words of a badge; empty of raw durations.
QString calibratedText(const IterationView& view);
// The labels of the ruler with their places; the first one carries the unit.
struct RulerLabel {
    QString text;
    QRectF place;
};
std::vector<RulerLabel> rulerLabels(const Picture& picture);
// Of the words at the end of the first iteration that a change begins there; null: no change waits.
QRectF boundaryNotePlace(const Picture& picture);
QFont rulerFont(const Theme& theme);

}  // namespace bscope::ui
