// CanvasKeys: the letters and punctuation of the canvas (W A S D , . [ ] ; ...) work wherever in the window
// the focus is, unless a text is being edited. Arrows, digits and the like belong to what has the focus and
// reach the canvas when no other widget uses them; so does Space, which is no shortcut, and reaches the
// window. Over an open menu a letter chooses the entry that underlines it, whichever action has it as its
// key. Window thread only.
#pragma once

#include <QObject>
#include <functional>

class QKeyEvent;
class QWidget;

namespace bscope::ui {

class GanttView;

class CanvasKeys : public QObject {
    Q_OBJECT
public:
    using Canvas = std::function<GanttView*()>;  // the one in sight, nullptr when there is none
    CanvasKeys(QWidget& window, Canvas canvas);
    ~CanvasKeys() override;
    // A key that no widget of the window used; false when the canvas does not use it either.
    bool offer(const QKeyEvent& event) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isSpaceFor(QObject* watched, const QKeyEvent& event) const;
    GanttView* canvasFor(QObject* watched, const QKeyEvent& event) const;

    QWidget& window_;
    Canvas canvas_;
};

}  // namespace bscope::ui
