#include "app/window/canvas_keys.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTextEdit>

#include "widgets/gantt/gantt_view.h"
#include "widgets/lessons/lesson_panel.h"
#include "widgets/lessons/presented_lesson.h"

namespace bscope::ui {
namespace {

bool isLetterOrPunctuation(const QKeyEvent& event) {
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
    const int key = keyByPlace(event);
    return (key >= Qt::Key_A && key <= Qt::Key_Z) || key == Qt::Key_Comma || key == Qt::Key_Period ||
           key == Qt::Key_Semicolon || key == Qt::Key_Colon || key == Qt::Key_BracketLeft ||
           key == Qt::Key_BracketRight;
}

// Would the widget take this key as a part of a text? Number fields handle letters themselves.
bool editsText(const QWidget& widget) {
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) return !line->isReadOnly();
    if (const auto* text = qobject_cast<const QTextEdit*>(&widget)) return !text->isReadOnly();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget)) return !text->isReadOnly();
    if (const auto* choice = qobject_cast<const QComboBox*>(&widget)) return choice->isEditable();
    return qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr;
}

// A lesson has letters of its own, which mean something else on the canvas.
bool hasOwnKey(const QWidget& widget, const QKeyEvent& event) {
    if (qobject_cast<const PresentedLesson*>(&widget) || qobject_cast<const BlackScreen*>(&widget))
        return true;
    for (const QWidget* each = &widget; each != nullptr; each = each->parentWidget())
        if (const auto* lesson = qobject_cast<const LessonPanel*>(each))
            return lesson->ownsKey(keyByPlace(event));
    return false;
}

}  // namespace

CanvasKeys::CanvasKeys(QWidget& window, Canvas canvas)
    : QObject(&window), window_(window), canvas_(std::move(canvas)) {
    qApp->installEventFilter(this);
}

CanvasKeys::~CanvasKeys() {
    qApp->removeEventFilter(this);
}

GanttView* CanvasKeys::canvasFor(QObject* watched, const QKeyEvent& event) const {
    const auto* widget = qobject_cast<const QWidget*>(watched);
    if (widget == nullptr || widget->window() != &window_ || !isLetterOrPunctuation(event)) return nullptr;
    GanttView* canvas = canvas_();
    const bool elsewhere =
        canvas != nullptr && widget != canvas && !editsText(*widget) && !hasOwnKey(*widget, event);
    return elsewhere && canvas->commands().claims(event) ? canvas : nullptr;
}

bool CanvasKeys::isSpaceFor(QObject* watched, const QKeyEvent& event) const {
    const auto* widget = qobject_cast<const QWidget*>(watched);
    return widget != nullptr && widget->window() == &window_ && event.key() == Qt::Key_Space &&
           event.modifiers() == Qt::NoModifier;
}

bool CanvasKeys::offer(const QKeyEvent& event) const {
    GanttView* canvas = canvas_();
    return canvas != nullptr && canvas->commands().trigger(event);
}

bool CanvasKeys::eventFilter(QObject* watched, QEvent* event) {
    const bool asked = event->type() == QEvent::ShortcutOverride;
    if (!asked && event->type() != QEvent::KeyPress) return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const bool over_menu = qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr;
    if (asked && over_menu && key.modifiers() == Qt::NoModifier) {
        event->accept();  // the menu's, before any shortcut
        return true;
    }
    if (asked && isSpaceFor(watched, key)) {
        event->accept();  // what has the focus may use it; else the window does
        return true;
    }
    GanttView* canvas = canvasFor(watched, key);
    if (canvas == nullptr) return false;
    if (asked)
        event->accept();  // as a key press, before any shortcut
    else if (!canvas->commands().trigger(key))
        return false;
    return true;
}

}  // namespace bscope::ui
