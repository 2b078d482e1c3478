// Painting of flat buttons.
#include "widgets/controls/button.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QStyle>

namespace bscope::ui {

Button::Button(ButtonLook look, Glyph glyph, QWidget* parent)
    : QAbstractButton(parent), look_(look), glyph_(glyph) {
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    if (isText()) setCursor(Qt::PointingHandCursor);
}

void Button::setLook(ButtonLook look) {
    look_ = look;
    updateGeometry();
    update();
}

void Button::setGlyph(Glyph glyph) {
    glyph_ = glyph;
    updateGeometry();
    update();
}

void Button::setGlyphLast(bool on) {
    glyph_last_ = on;
}

void Button::setMinimumTextWidth(int px) {
    minimum_text_ = px;
}

void Button::setDesignHeight(int px) {
    design_height_ = px;
}

void Button::setElided(bool on) {
    elided_ = on;
    setSizePolicy(on ? QSizePolicy::Maximum : QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Button::setCompact(bool on) {
    if (on == compact_) return;
    compact_ = on;
    updateGeometry();
    update();
}

QFont Button::buttonFont() const {
    const double size = design_height_ < 26 ? 11 : 12;
    return currentTheme().font(isText() ? 11.5 : size,
                               look_ == ButtonLook::Quiet ? QFont::Normal : QFont::Medium);
}

int Button::widthFor(int text_width) const {
    const Theme& theme = currentTheme();
    if (isText()) return text_width + theme.px(2);
    const int glyph_width = glyph_ == Glyph::None ? 0 : theme.px(shownText().isEmpty() ? 10 : 18);
    const int text_room = shownText().isEmpty() ? 0 : std::max(text_width, theme.px(minimum_text_));
    return text_room + glyph_width + theme.px(design_height_ < 26 ? 18 : 22);
}

QSize Button::sizeHint() const {
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(buttonFont());
    const int height = isText() ? metrics.height() + theme.px(2) : theme.px(design_height_);
    int widest = metrics.horizontalAdvance(shownText());
    if (!compact_)
        for (const QString& text : all_texts_) widest = std::max(widest, metrics.horizontalAdvance(text));
    return {widthFor(widest), height};
}

QSize Button::minimumSizeHint() const {
    const QSize full = sizeHint();
    return elided_ ? QSize(std::min(full.width(), currentTheme().px(72)), full.height()) : full;
}

// On every desktop, not only where its own buttons do.
void Button::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter || event->isAutoRepeat()) return QAbstractButton::keyPressEvent(event);
    click();
}

void Button::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void Button::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

void Button::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool dark = look_ == ButtonLook::Primary;
    QColor ink = dark ? theme.canvas : look_ == ButtonLook::Plain ? theme.text : theme.accent;
    if (look_ == ButtonLook::Quiet) ink = theme.text_faint;
    QColor ground = dark ? theme.text : look_ == ButtonLook::Pending ? theme.accent_tint : theme.canvas;
    if (!isEnabled()) {
        ink = theme.text_faint;
        ground = dark ? theme.rule : theme.window;
    } else if (isDown() || isChecked()) {
        ground = dark ? theme.text_soft : theme.hair;
    } else if (underMouse()) {
        ground = dark ? theme.text_soft : look_ == ButtonLook::Plain ? theme.window : ground;
    }
    if (!isText()) {
        QPen frame(hasFocus()                     ? theme.accent
                   : dark                         ? ground
                   : look_ == ButtonLook::Pending ? theme.accent
                                                  : theme.rule,
                   hasFocus() ? 1.5 : 1);
        if (look_ == ButtonLook::Pending) frame.setDashPattern({3, 2});
        painter.setPen(frame);
        painter.setBrush(ground);
        painter.drawRoundedRect(box, theme.px(4), theme.px(4));
    }

    painter.setFont(buttonFont());
    const QFontMetrics metrics(buttonFont());
    const double pad = isText() ? 0 : theme.px(design_height_ < 26 ? 8 : 10);
    const double side = theme.px(10);
    const double glyph_room = glyph_ == Glyph::None ? 0 : shownText().isEmpty() ? side : side + theme.px(8);
    const int room = std::max(0, static_cast<int>(width() - 2 * pad - glyph_room));
    const QString shown = elided_ && !compact_ ? metrics.elidedText(text(), Qt::ElideRight, room) : shownText();
    const QRectF text_box(pad + (glyph_last_ ? 0 : glyph_room), 0, room, height());
    if (glyph_ != Glyph::None) {
        const double left = shownText().isEmpty() ? (width() - side) / 2
                            : glyph_last_         ? width() - pad - side
                                                  : pad;
        drawGlyph(painter, glyph_, {left, (height() - side) / 2, side, side}, ink);
    }
    painter.setPen(ink);
    if (isText() && (underMouse() || hasFocus())) {
        QFont underlined = buttonFont();
        underlined.setUnderline(true);
        painter.setFont(underlined);
    }
    const bool left_aligned = isText() || look_ == ButtonLook::Pending;
    const int horizontal = left_aligned ? Qt::AlignLeft : Qt::AlignHCenter;
    painter.drawText(text_box, Qt::AlignVCenter | horizontal, shown);
}

namespace {

// One segment: text or glyph; the checked one carries the frame.
class Segment : public QAbstractButton {
public:
    using QAbstractButton::QAbstractButton;
    Glyph glyph = Glyph::None;
    bool compact = false;
    int design_height = 28;

    QSize sizeHint() const override {
        const Theme& theme = currentTheme();
        const int height = theme.px(design_height);
        if (compact && glyph != Glyph::None) return {theme.px(34), height};
        const QFontMetrics metrics(segmentFont(QFont::DemiBold));
        return {metrics.horizontalAdvance(text()) + theme.px(design_height < 26 ? 16 : 24), height};
    }

    // The word where a glyph stands for it; elsewhere there is none, so that the group's is shown.
    void showTip() { setToolTip(compact && glyph != Glyph::None ? text() : QString()); }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = currentTheme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor ink = isChecked() ? theme.text : underMouse() ? theme.text : theme.text_soft;
        if (isChecked() || hasFocus()) {
            painter.setPen(QPen(hasFocus() ? theme.accent : theme.text, 1.2));
            painter.setBrush(isChecked() ? theme.canvas : QColor(Qt::transparent));
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), theme.px(4),
                                    theme.px(4));
        }
        if (compact && glyph != Glyph::None) {
            const double side = theme.px(11);
            drawGlyph(painter, glyph, {(width() - side) / 2, (height() - side) / 2, side, side}, ink);
            return;
        }
        painter.setFont(segmentFont(isChecked() ? QFont::DemiBold : QFont::Normal));
        painter.setPen(ink);
        painter.drawText(rect(), Qt::AlignCenter, text());
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    QFont segmentFont(int weight) const { return currentTheme().font(design_height < 26 ? 11 : 12, weight); }
};

}  // namespace

Segments::Segments(int count, QWidget* parent) : QWidget(parent), group_(new QButtonGroup(this)) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (int i = 0; i < count; ++i) {
        auto* segment = new Segment(this);
        segment->setCheckable(true);
        segment->setFocusPolicy(Qt::TabFocus);
        segment->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        group_->addButton(segment, i);
        row->addWidget(segment);
    }
    if (count > 0) setCurrent(0);
    connect(group_, &QButtonGroup::idClicked, this, &Segments::chosen);
}

void Segments::setTexts(const QStringList& texts) {
    for (int i = 0; i < texts.size(); ++i) {
        segment(i)->setText(texts[i]);
        static_cast<Segment*>(segment(i))->showTip();
        segment(i)->updateGeometry();
        segment(i)->update();
    }
}

void Segments::setGlyphs(const std::vector<Glyph>& glyphs) {
    for (std::size_t i = 0; i < glyphs.size(); ++i)
        static_cast<Segment*>(segment(static_cast<int>(i)))->glyph = glyphs[i];
}

void Segments::setCompact(bool on) {
    for (QAbstractButton* button : group_->buttons()) {
        auto* segment = static_cast<Segment*>(button);
        segment->compact = on;
        segment->showTip();
        segment->updateGeometry();
        segment->update();
    }
    layout()->invalidate();
    updateGeometry();  // at once: the tool bar reads its size before the layouts are done again
}

void Segments::setDesignHeight(int px) {
    for (QAbstractButton* button : group_->buttons()) static_cast<Segment*>(button)->design_height = px;
}

void Segments::setCurrent(int index) {
    if (QAbstractButton* button = segment(index)) button->setChecked(true);
}

void Segments::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.rule, 1));
    painter.setBrush(theme.window);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme.px(4), theme.px(4));
}

}  // namespace bscope::ui
