// FocusGroup: the lines of a list as one stop of Tab. Up, Down, Home and End go from line to line, and the
// list scrolls to the line that has the focus; Tab comes back to that one. Window thread only.
#pragma once

#include <QObject>
#include <vector>

class QScrollArea;
class QWidget;

namespace bscope::ui {

class FocusGroup : public QObject {
    Q_OBJECT
public:
    explicit FocusGroup(QScrollArea* list);
    // Takes the place of the former lines; as many lines as before keep the place that Tab comes to.
    void setLines(std::vector<QWidget*> lines);
    QWidget* stop() const;  // nullptr: no line

protected:
    bool eventFilter(QObject* line, QEvent* event) override;

private:
    void setStop(int line);

    QScrollArea* list_;
    std::vector<QWidget*> lines_;
    int stop_ = 0;
};

}  // namespace bscope::ui
