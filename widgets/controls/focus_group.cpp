#include "widgets/controls/focus_group.h"

#include <QKeyEvent>
#include <QScrollArea>
#include <algorithm>

namespace bscope::ui {

FocusGroup::FocusGroup(QScrollArea* list) : QObject(list), list_(list) {}

void FocusGroup::setLines(std::vector<QWidget*> lines) {
    const bool is_same_list = lines.size() == lines_.size();
    for (QWidget* line : lines_) line->removeEventFilter(this);
    lines_ = std::move(lines);
    for (QWidget* line : lines_) line->installEventFilter(this);
    setStop(is_same_list ? stop_ : 0);
}

QWidget* FocusGroup::stop() const {
    return lines_.empty() ? nullptr : lines_[static_cast<std::size_t>(stop_)];
}

void FocusGroup::setStop(int line) {
    stop_ = line;
    for (QWidget* each : lines_) each->setFocusPolicy(each == stop() ? Qt::StrongFocus : Qt::ClickFocus);
}

bool FocusGroup::eventFilter(QObject* line, QEvent* event) {
    const auto at = static_cast<int>(std::ranges::find(lines_, line) - lines_.begin());
    const int last = static_cast<int>(lines_.size()) - 1;
    if (at > last) return false;
    if (event->type() == QEvent::FocusIn) {
        setStop(at);
        list_->ensureWidgetVisible(stop());
        return false;
    }
    if (event->type() != QEvent::KeyPress) return false;
    int next = at;
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Up:
            next = std::max(at - 1, 0);
            break;
        case Qt::Key_Down:
            next = std::min(at + 1, last);
            break;
        case Qt::Key_Home:
            next = 0;
            break;
        case Qt::Key_End:
            next = last;
            break;
        default:
            return false;
    }
    lines_[static_cast<std::size_t>(next)]->setFocus(Qt::OtherFocusReason);
    return true;
}

}  // namespace bscope::ui
