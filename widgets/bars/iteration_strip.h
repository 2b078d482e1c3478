// IterationStrip: the last 200 iterations as bars (height = ms, shade = bubble, bracket = configuration); a
// click or PgUp, PgDn, J, K go to any of them. When the newest is not shown a pill offers the way back.
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "view/view_data.h"
#include "widgets/bars/series_marks.h"
#include "widgets/controls/themed.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class IterationStrip : public QWidget {
    Q_OBJECT
public:
    explicit IterationStrip(QWidget* parent = nullptr);
    void setBars(std::vector<IterationBar> bars);     // by iteration
    void setShown(int iteration);                     // the one on the canvas; -1 = none
    void setRunning(std::optional<int> iteration);    // dashed outline: runs, or is to run next
    void setFollow(bool on);                          // on: no pill
    void setNotation(const Notation& notation);       // of the iteration on the canvas
    void setNotes(std::map<int, QStringList> notes);  // texts by iteration
    QSize sizeHint() const override { return {currentTheme().px(600), currentTheme().px(84)}; }
    QSize minimumSizeHint() const override { return {currentTheme().px(300), currentTheme().px(56)}; }

    int slotCount() const;                // 50, 100 or 200
    QRectF barRect(int iteration) const;  // empty when it is not drawn
    QRectF pillRect() const;              // empty when there is no pill
    QString tipOf(int iteration) const;   // what the pointer says over a bar; empty when there is none
    int newerCount() const;               // iterations after the shown one

signals:
    void iterationChosen(int iteration);
    void besideRequested(int iteration);  // the one on the canvas and this one
    void stepRequested(int direction);    // -1 older, +1 newer; also J and K
    void followRequested();

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plotRect() const;
    int firstDrawn() const;  // iteration number of the first slot
    int firstNumber() const;
    int iterationAt(const QPointF& position) const;  // -1 when none
    const IterationBar* bar(int iteration) const;
    void paintBars(QPainter& painter) const;
    void paintNotes(QPainter& painter) const;
    void paintOddity(QPainter& painter, const QRectF& bar, Oddity why) const;
    void paintDrift(QPainter& painter) const;
    void paintBrackets(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintSides(QPainter& painter) const;
    QString heightsText(double most) const;  // what a bar of full height stands for, "0–312 ms"

    std::vector<IterationBar> bars_;
    SeriesMarks marks_;  // of them
    int shown_ = -1;
    std::optional<int> running_;
    bool follow_ = true;
    Notation notation_;
    std::map<int, QStringList> notes_;
    double most_ms_ = 0;
};

}  // namespace bscope::ui
