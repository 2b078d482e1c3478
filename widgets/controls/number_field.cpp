// Painting and behaviour of number fields.
#include <QKeyEvent>
#include <QPainter>
#include <QTimerEvent>
#include <cmath>

#include "widgets/controls/field.h"
#include "widgets/controls/field_parts.h"
#include "widgets/paint/glyph.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kRepeatDelayMs = 350, kRepeatMs = 70;

}  // namespace

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
    followTheme();
}

int NumberField::number() const {
    return static_cast<int>(std::lround(value()));
}

void NumberField::setNumber(double value) {
    const QSignalBlocker quiet(this);
    if (value != this->value()) setValue(value);
    selectWhole();
    updateGeometry();
}

void NumberField::setPendingFrom(std::optional<double> value) {
    if (value == former_) return;
    const Theme& theme = currentTheme();
    former_ = value;
    colourEditor(lineEdit(), theme, former_ ? theme.accent : theme.text);
    setAccessibleDescription(former_ ? withArrow(textFromValue(*former_)) + this->text() : QString());
    placeEditor();
    updateGeometry();
    update();
}

QString NumberField::withArrow(const QString& value) const {
    return value + QStringLiteral(" → ");
}

QString NumberField::formerText() const {
    if (!former_ || (steady_ && !former_has_place_)) return {};
    return withArrow(textFromValue(*former_));
}

int NumberField::formerWidth() const {
    const QString shown = formerText();
    return shown.isEmpty() ? 0 : QFontMetrics(font()).horizontalAdvance(shown);
}

void NumberField::setIllegal(bool on) {
    illegal_ = on;
    update();
}

FieldLook NumberField::look() const {
    return illegal_ ? FieldLook::Illegal : former_ ? FieldLook::Pending : FieldLook::Normal;
}

void NumberField::setDigits(int digits) {
    digits_ = digits;
}

void NumberField::setSteady(bool with_former) {
    if (steady_ && former_has_place_ == with_former) return;
    steady_ = true;
    former_has_place_ = with_former;
    placeEditor();
    updateGeometry();
    update();
}

void NumberField::followTheme() {
    const Theme& theme = currentTheme();
    setFont(theme.font(12, QFont::Medium));
    colourEditor(lineEdit(), theme, former_ ? theme.accent : theme.text);
    placeEditor();
}

QSize NumberField::sizeHint() const {
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(font());
    const int digits = metrics.horizontalAdvance(QString(digits_, '8'));
    const int former =
        steady_ ? (former_has_place_ ? metrics.horizontalAdvance(withArrow(QString(digits_, '8'))) : 0)
                : formerWidth();
    const int shown = steady_ ? 0 : metrics.horizontalAdvance(lineEdit()->text());
    return {std::max(shown, digits) + former + theme.px(8) + theme.px(10) + arrowsWidth(), theme.px(28)};
}

void NumberField::stepBy(int steps) {
    QDoubleSpinBox::stepBy(steps);
    if (value() < least_) setValue(least_);
    selectWhole();
}

// Of a number that has become longer Qt keeps as many digits selected as it had.
void NumberField::selectWhole() {
    if (lineEdit()->hasSelectedText()) selectAll();
}

QString NumberField::textFromValue(double value) const {
    return trimmedText(value, decimals());
}

double NumberField::valueFromText(const QString& text) const {
    if (!specialValueText().isEmpty() && text == specialValueText()) return minimum();
    QString number = text;
    if (number.startsWith(prefix())) number.remove(0, prefix().size());
    if (!suffix().isEmpty() && number.endsWith(suffix())) number.chop(suffix().size());
    return number.trimmed().toDouble();
}

void NumberField::placeEditor() {
    const int left = currentTheme().px(7) + formerWidth();
    lineEdit()->setGeometry(left, 1, width() - left - arrowsWidth() - 1, height() - 2);
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
    const Theme& theme = currentTheme();
    QPainter painter(this);
    paintFieldFrame(painter, rect(), theme, look(), hasFocus(), isEnabled());
    const double left = width() - arrowsWidth();
    if (const QString former = formerText(); !former.isEmpty()) {
        painter.setFont(font());
        painter.setPen(theme.accent);
        painter.drawText(QRect(theme.px(9), 0, formerWidth() + 1, height()), Qt::AlignVCenter, former);
    }
    painter.setPen(QPen(former_ ? theme.accent : theme.rule, 1));
    painter.drawLine(QPointF(left + 0.5, 1.5), QPointF(left + 0.5, height() - 1.5));
    const double side = theme.px(8), middle = left + arrowsWidth() / 2.0;
    const QColor ink = former_ ? theme.accent : theme.text_soft;
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

// What no number is written with are the window's keys.
bool NumberField::leavesToWindow(const QKeyEvent& event) const {
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
    const QString text = event.text();
    if (text.isEmpty() || !text.front().isPrint()) return false;
    const bool of_a_number = text.front().isDigit() || text.front() == u'-' ||
                             (decimals() > 0 && (text.front() == u'.' || text.front() == u','));
    return !of_a_number;
}

bool NumberField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && leavesToWindow(static_cast<QKeyEvent&>(*event))) {
        event->ignore();
        return false;
    }
    return QDoubleSpinBox::event(event);
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    if (leavesToWindow(*event)) return event->ignore();
    if (leavesField(event)) {
        interpretText();
        event->accept();
        const bool entered_it = event->key() != Qt::Key_Escape;
        emit done();
        if (entered_it) emit entered();
        return;
    }
    QDoubleSpinBox::keyPressEvent(event);
}

}  // namespace bscope::ui
