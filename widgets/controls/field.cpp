// What all input fields share, the choice field and the text field.
#include "widgets/controls/field.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QPainter>

#include "widgets/controls/field_parts.h"
#include "widgets/paint/glyph.h"

namespace bscope::ui {
bool leavesField(const QKeyEvent* event) {
    return event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Escape;
}

void colourEditor(QLineEdit* editor, const Theme& theme, const QColor& ink) {
    const QString sheet = QStringLiteral(
                              "QLineEdit { border: none; background: transparent; padding: 0; margin: 0;"
                              " min-height: 0; color: %1; selection-background-color: %2;"
                              " selection-color: %3; }")
                              .arg(ink.name(), theme.accent.name(), theme.canvas.name());
    setSheet(*editor, sheet);
    QPalette colours = editor->palette();
    colours.setColor(QPalette::PlaceholderText, theme.text_faint);
    editor->setPalette(colours);
}

void paintFieldFrame(QPainter& painter, const QRect& rect, const Theme& theme, FieldLook look, bool focus,
                     bool enabled) {
    painter.setRenderHint(QPainter::Antialiasing);
    const bool marked = look == FieldLook::Pending;
    painter.setPen(QPen(marked || focus ? theme.accent : theme.rule, marked || focus ? 1.5 : 1));
    painter.setBrush(marked ? theme.accent_tint : enabled ? theme.canvas : theme.window);
    const QRectF box = QRectF(rect).adjusted(0.75, 0.75, -0.75, -0.75);
    painter.drawRoundedRect(box, theme.px(4), theme.px(4));
    if (look == FieldLook::Illegal) {
        painter.setPen(QPen(theme.text, theme.px(2)));
        painter.drawLine(QPointF(box.left() + 2, box.bottom() - 1),
                         QPointF(box.right() - 2, box.bottom() - 1));
    }
}

ChoiceField::ChoiceField(QWidget* parent) : QComboBox(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QComboBox::activated, this, &ChoiceField::done);
    connect(this, &QComboBox::currentIndexChanged, this, &QWidget::updateGeometry);
}

void ChoiceField::setLook(FieldLook look) {
    look_ = look;
    update();
}

void ChoiceField::followTheme() {
    const Theme& theme = currentTheme();
    setFont(theme.font(12));
    QPalette colours = palette();
    colours.setColor(QPalette::Base, theme.canvas);
    colours.setColor(QPalette::Text, theme.text);
    colours.setColor(QPalette::Highlight, theme.accent_tint);
    colours.setColor(QPalette::HighlightedText, theme.text);
    view()->setPalette(colours);
    view()->setFont(theme.font(12));
}

int ChoiceField::widestItem() const {
    const QFontMetrics metrics(font());
    int widest = 0;
    for (int i = 0; i < count(); ++i) widest = std::max(widest, metrics.horizontalAdvance(itemText(i)));
    return widest;
}

QSize ChoiceField::sizeHint() const {
    const Theme& theme = currentTheme();
    if (steady_width_ > 0) return {theme.px(steady_width_), theme.px(28)};
    const int current = std::max(QFontMetrics(font()).horizontalAdvance(currentText()), theme.px(78));
    return {(sized_to_current_ ? current : widestItem()) + theme.px(8 + 26), theme.px(28)};
}

void ChoiceField::showPopup() {
    view()->setMinimumWidth(std::max(width(), widestItem() + currentTheme().px(8 + 26)));
    QComboBox::showPopup();
}

void ChoiceField::setSteadyWidth(int px) {
    if (px == steady_width_) return;
    steady_width_ = px;
    updateGeometry();
    update();
}

QSize ChoiceField::minimumSizeHint() const {
    const Theme& theme = currentTheme();
    if (steady_width_ > 0) return sizeHint();
    return {QFontMetrics(font()).horizontalAdvance(currentText()) + theme.px(8 + 26), theme.px(28)};
}

void ChoiceField::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    paintFieldFrame(painter, rect(), theme, look_, hasFocus(), isEnabled());
    const QColor ink = look_ == FieldLook::Pending ? theme.accent : theme.text;
    painter.setPen(ink);
    painter.setFont(font());
    const QRect room = rect().adjusted(theme.px(8), 0, -theme.px(22), 0);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(currentIndex() < 0 ? placeholderText() : currentText(),
                                                      Qt::ElideRight, room.width()));
    const double side = theme.px(10);
    drawGlyph(painter, Glyph::ChevronDown, QRectF(width() - theme.px(18), (height() - side) / 2, side, side),
              look_ == FieldLook::Pending ? theme.accent : theme.text_soft);
}

void ChoiceField::wheelEvent(QWheelEvent* event) {
    hasFocus() ? QComboBox::wheelEvent(event) : event->ignore();
}

void ChoiceField::keyPressEvent(QKeyEvent* event) {
    if (leavesField(event)) {
        event->accept();
        emit done();
        return;
    }
    QComboBox::keyPressEvent(event);
}

TextField::TextField(QWidget* parent) : QLineEdit(parent) {
    setFrame(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    followTheme();
}

void TextField::setIllegal(bool on) {
    illegal_ = on;
    update();
}

void TextField::followTheme() {
    const Theme& theme = currentTheme();
    setFont(theme.font(12));
    setTextMargins(theme.px(7), 0, theme.px(4), 0);
    setFixedHeight(theme.px(28));
    colourEditor(this, theme, theme.text);
}

QSize TextField::sizeHint() const {
    const Theme& theme = currentTheme();
    return {theme.px(120), theme.px(28)};
}

void TextField::paintEvent(QPaintEvent* event) {
    {
        QPainter painter(this);
        paintFieldFrame(painter, rect(), currentTheme(), illegal_ ? FieldLook::Illegal : FieldLook::Normal,
                        hasFocus(), isEnabled());
    }
    QLineEdit::paintEvent(event);
}

void TextField::keyPressEvent(QKeyEvent* event) {
    if (leavesField(event)) {
        event->accept();
        emit editingFinished();
        emit done();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

}  // namespace bscope::ui
