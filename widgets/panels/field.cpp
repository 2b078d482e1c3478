// Painting and behaviour of the input fields.
#include "widgets/panels/field.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QPainter>
#include <QTimerEvent>
#include <cmath>

#include "widgets/panels/format.h"
#include "widgets/panels/glyph.h"

namespace bscope::ui {
namespace {

constexpr int kRepeatDelayMs = 350, kRepeatMs = 70;

bool leavesField(const QKeyEvent* event) {
    return event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Escape;
}

// The field paints its own frame; the editor inside is bare text, whatever the chrome's sheet says of line edits.
void colourEditor(QLineEdit* editor, const Theme& theme, const QColor& ink) {
    const QString sheet = QStringLiteral("QLineEdit { border: none; background: transparent; padding: 0; margin: 0;"
                                         " min-height: 0; color: %1; selection-background-color: %2;"
                                         " selection-color: %3; }")
                              .arg(ink.name(), theme.accent.name(), theme.canvas.name());
    if (editor->styleSheet() != sheet) editor->setStyleSheet(sheet);
    QPalette colours = editor->palette();
    colours.setColor(QPalette::PlaceholderText, theme.text_faint);
    editor->setPalette(colours);
}

}  // namespace

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
        painter.drawLine(QPointF(box.left() + 2, box.bottom() - 1), QPointF(box.right() - 2, box.bottom() - 1));
    }
}

NumberField::NumberField(double least, double greatest, int decimals, QWidget* parent)
    : QDoubleSpinBox(parent), least_(least) {
    setDecimals(decimals);
    setRange(0, greatest);
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setFrame(false);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setLocale(QLocale::c());
    setGroupSeparatorShown(false);
    lineEdit()->setAttribute(Qt::WA_InputMethodEnabled, false);
    connect(this, &QDoubleSpinBox::valueChanged, this, &QWidget::updateGeometry);
}

int NumberField::number() const { return static_cast<int>(std::lround(value())); }

void NumberField::setNumber(double value) {
    const QSignalBlocker quiet(this);
    if (value != this->value()) setValue(value);
    updateGeometry();
}

void NumberField::setPendingFrom(std::optional<double> value) {
    pending_ = value.has_value();
    const QSignalBlocker quiet(this);
    const QString prefix = value ? textFromValue(*value) + QStringLiteral(" → ") : QString();
    if (prefix != this->prefix()) setPrefix(prefix);
    colourEditor(lineEdit(), theme_, pending_ ? theme_.accent : theme_.text);
    updateGeometry();
    update();
}

void NumberField::setIllegal(bool on) {
    illegal_ = on;
    update();
}

FieldLook NumberField::look() const {
    return illegal_ ? FieldLook::Illegal : pending_ ? FieldLook::Pending : FieldLook::Normal;
}

void NumberField::setDigits(int digits) { digits_ = digits; }

void NumberField::setTheme(const Theme& theme) {
    theme_ = theme;
    setFont(theme.font(12, QFont::Medium));
    colourEditor(lineEdit(), theme, pending_ ? theme.accent : theme.text);
    updateGeometry();
    placeEditor();
    update();
}

QSize NumberField::sizeHint() const {
    const QFontMetrics metrics(font());
    const int shown = metrics.horizontalAdvance(lineEdit()->text());
    const int room = std::max(shown, metrics.horizontalAdvance(QString(digits_, '8')));
    return {room + theme_.px(8) + theme_.px(10) + arrowsWidth(), theme_.px(28)};
}

void NumberField::stepBy(int steps) {
    QDoubleSpinBox::stepBy(steps);
    if (value() < least_) setValue(least_);
}

QString NumberField::textFromValue(double value) const { return trimmedText(value, decimals()); }

double NumberField::valueFromText(const QString& text) const {
    if (!specialValueText().isEmpty() && text == specialValueText()) return minimum();
    QString number = text;
    if (number.startsWith(prefix())) number.remove(0, prefix().size());
    if (!suffix().isEmpty() && number.endsWith(suffix())) number.chop(suffix().size());
    return number.trimmed().toDouble();
}

void NumberField::placeEditor() {
    lineEdit()->setGeometry(theme_.px(7), 1, width() - theme_.px(7) - arrowsWidth() - 1, height() - 2);
}

void NumberField::resizeEvent(QResizeEvent* event) {
    QDoubleSpinBox::resizeEvent(event);
    placeEditor();
}

void NumberField::showEvent(QShowEvent* event) {
    QDoubleSpinBox::showEvent(event);
    placeEditor();
}

void NumberField::changeEvent(QEvent* event) {
    QDoubleSpinBox::changeEvent(event);
    placeEditor();
}

void NumberField::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintFieldFrame(painter, rect(), theme_, look(), hasFocus(), isEnabled());
    const double left = width() - arrowsWidth();
    painter.setPen(QPen(pending_ ? theme_.accent : theme_.rule, 1));
    painter.drawLine(QPointF(left + 0.5, 1.5), QPointF(left + 0.5, height() - 1.5));
    const double side = theme_.px(8), middle = left + arrowsWidth() / 2.0;
    const QColor ink = pending_ ? theme_.accent : theme_.text_soft;
    drawGlyph(painter, Glyph::ChevronUp, {middle - side / 2, height() / 2.0 - side - 0.5, side, side}, ink);
    drawGlyph(painter, Glyph::ChevronDown, {middle - side / 2, height() / 2.0 + 0.5, side, side}, ink);
}

void NumberField::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || event->position().x() < width() - arrowsWidth()) {
        QDoubleSpinBox::mousePressEvent(event);
        return;
    }
    held_step_ = event->position().y() < height() / 2.0 ? 1 : -1;
    stepBy(held_step_);
    repeat_.start(kRepeatDelayMs, this);
    event->accept();
}

void NumberField::mouseReleaseEvent(QMouseEvent* event) {
    if (held_step_ == 0) QDoubleSpinBox::mouseReleaseEvent(event);
    held_step_ = 0;
    repeat_.stop();
}

void NumberField::timerEvent(QTimerEvent* event) {
    if (event->timerId() != repeat_.timerId()) {
        QDoubleSpinBox::timerEvent(event);
        return;
    }
    stepBy(held_step_);
    repeat_.start(kRepeatMs, this);
}

void NumberField::wheelEvent(QWheelEvent* event) {
    hasFocus() ? QDoubleSpinBox::wheelEvent(event) : event->ignore();
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    if (leavesField(event)) {
        interpretText();
        event->accept();
        emit done();
        return;
    }
    QDoubleSpinBox::keyPressEvent(event);
}

ChoiceField::ChoiceField(QWidget* parent) : QComboBox(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QComboBox::activated, this, &ChoiceField::done);
}

void ChoiceField::setLook(FieldLook look) {
    look_ = look;
    update();
}

void ChoiceField::setTheme(const Theme& theme) {
    theme_ = theme;
    setFont(theme.font(12));
    QPalette colours = palette();
    colours.setColor(QPalette::Base, theme.canvas);
    colours.setColor(QPalette::Text, theme.text);
    colours.setColor(QPalette::Highlight, theme.accent_tint);
    colours.setColor(QPalette::HighlightedText, theme.text);
    view()->setPalette(colours);
    view()->setFont(theme.font(12));
    updateGeometry();
    update();
}

QSize ChoiceField::sizeHint() const {
    const QFontMetrics metrics(font());
    int widest = 0;
    for (int i = 0; i < count(); ++i) widest = std::max(widest, metrics.horizontalAdvance(itemText(i)));
    return {widest + theme_.px(8 + 26), theme_.px(28)};
}

QSize ChoiceField::minimumSizeHint() const {
    return {QFontMetrics(font()).horizontalAdvance(currentText()) + theme_.px(8 + 26), theme_.px(28)};
}

void ChoiceField::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintFieldFrame(painter, rect(), theme_, look_, hasFocus(), isEnabled());
    const QColor ink = look_ == FieldLook::Pending ? theme_.accent : theme_.text;
    painter.setPen(ink);
    painter.setFont(font());
    const QRect room = rect().adjusted(theme_.px(8), 0, -theme_.px(22), 0);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(currentText(), Qt::ElideRight, room.width()));
    const double side = theme_.px(10);
    drawGlyph(painter, Glyph::ChevronDown, QRectF(width() - theme_.px(18), (height() - side) / 2, side, side),
              look_ == FieldLook::Pending ? theme_.accent : theme_.text_soft);
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
}

void TextField::setIllegal(bool on) {
    illegal_ = on;
    update();
}

void TextField::setTheme(const Theme& theme) {
    theme_ = theme;
    setFont(theme.font(12));
    setTextMargins(theme.px(7), 0, theme.px(4), 0);
    setFixedHeight(theme.px(28));
    colourEditor(this, theme, theme.text);
}

QSize TextField::sizeHint() const { return {theme_.px(120), theme_.px(28)}; }

void TextField::paintEvent(QPaintEvent* event) {
    {
        QPainter painter(this);
        paintFieldFrame(painter, rect(), theme_, illegal_ ? FieldLook::Illegal : FieldLook::Normal, hasFocus(),
                        isEnabled());
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
