#include "widgets/lessons/hour_bar.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

// A box a step: filled when done, framed when it is the next.
class StepBoxes : public QWidget {
public:
    StepBoxes(const HourFace& face, QWidget* parent) : QWidget(parent), face_(face) {}

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = currentTheme();
        QPainter painter(this);
        const double gap = theme.px(4), each = (width() + gap) / std::max(1, face_.steps) - gap;
        for (int step = 0; step < face_.steps; ++step) {
            const QRectF box(step * (each + gap), 0, each, height());
            painter.fillRect(box, step < face_.done ? theme.accent : theme.rule);
            if (step != face_.done || !face_.begun) continue;
            painter.setPen(QPen(theme.accent, 2 * theme.line()));
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        }
    }

private:
    const HourFace& face_;
};

}  // namespace

HourBar::HourBar(QWidget* parent) : QWidget(parent) {
    place_ = new Label(TextRole::Head, this);
    clock_ = new Label(TextRole::Soft, this);
    pause_ = new Button(ButtonLook::Link, Glyph::None, this);
    end_ = new Button(ButtonLook::Quiet, Glyph::None, this);
    next_ = new Button(ButtonLook::Primary, Glyph::None, this);
    next_->setElided(true);
    next_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    now_ = new Label(TextRole::Strong, this);
    boxes_ = new StepBoxes(face_, this);
    auto* first = new QHBoxLayout;
    first->addWidget(place_);
    first->addStretch(1);
    first->addWidget(clock_);
    auto* last = new QHBoxLayout;
    designLayout(*last, {0, 0, 0, 0}, 6);
    last->addWidget(next_, 1);
    last->addWidget(now_, 1);
    last->addWidget(pause_);
    last->addWidget(end_);
    auto* column = new QVBoxLayout(this);
    designLayout(*column, {20, 12, 20, 10}, 8);
    column->addLayout(first);
    column->addWidget(boxes_);
    column->addLayout(last);
    connect(next_, &QAbstractButton::clicked, this, &HourBar::nextAsked);
    connect(pause_, &QAbstractButton::clicked, this, &HourBar::pauseAsked);
    connect(end_, &QAbstractButton::clicked, this, &HourBar::endAsked);
    refresh();
}

void HourBar::setFace(const HourFace& face) {
    face_ = face;
    refresh();
}

void HourBar::refresh() {
    const bool over = face_.begun && face_.done >= face_.steps;
    place_->setText(over          ? tr("All done · lessons right: %1 of %2").arg(face_.lessons_right).arg(face_.lessons)
                    : face_.begun ? tr("Interview hour: step %1 of %2").arg(face_.done + 1).arg(face_.steps)
                                  : tr("Interview hour"));
    clock_->setText(face_.used_s >= face_.limit_s
                        ? tr("the hour is over")
                        : tr("%1 of %2").arg(ui::clockText(face_.used_s), ui::clockText(face_.limit_s)));
    next_->setText(!face_.begun ? tr("Begin: %1").arg(face_.next)
                   : over       ? tr("Once more")
                                : tr("Next: %1").arg(face_.next));
    next_->setToolTip(face_.title);
    now_->setText(tr("Now: %1").arg(face_.next));
    now_->setToolTip(face_.title);
    const bool is_under_way = face_.here && !over;
    now_->setVisible(is_under_way);
    next_->setVisible(!is_under_way);
    pause_->setText(face_.running ? tr("Pause") : tr("Go on"));
    pause_->setVisible(face_.begun && !over && face_.used_s < face_.limit_s);
    end_->setText(tr("End"));
    end_->setToolTip(tr("Leaves the hour and discards its progress"));
    end_->setVisible(face_.begun);
    for (Button* button : {next_, pause_, end_}) button->updateGeometry();
    boxes_->update();
}

void HourBar::followTheme() {
    boxes_->setFixedHeight(currentTheme().px(8));
}

void HourBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

void HourBar::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(0, 0, width(), 1, theme.rule);
}

}  // namespace bscope::ui
