#include "widgets/bars/straggler_line.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace bscope::ui {

StragglerLine::StragglerLine(QWidget* parent)
    : QWidget(parent),
      found_(new Label(TextRole::Strong, this)),
      effect_(new Label(TextRole::Soft, this)),
      show_(new Button(ButtonLook::Link, Glyph::None, this)),
      without_(new Button(ButtonLook::Link, Glyph::None, this)),
      close_(new Button(ButtonLook::Plain, Glyph::Cancel, this)) {
    auto* row = new QHBoxLayout(this);
    auto* words = new QVBoxLayout;  // below each other: beside each other both were cut at 1280
    words->setSpacing(0);
    for (Label* each : {found_, effect_}) words->addWidget(each);
    row->addLayout(words, 1);
    for (Button* part : {show_, without_, close_}) row->addWidget(part);
    for (Label* each : {found_, effect_}) each->setElided(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(show_, &QAbstractButton::clicked, this, &StragglerLine::showClicked);
    connect(without_, &QAbstractButton::clicked, this, &StragglerLine::withoutClicked);
    connect(close_, &QAbstractButton::clicked, this, &StragglerLine::closeClicked);
    retranslate();
}

void StragglerLine::setWords(const QString& found, const QString& effect) {
    if (found_->text() == found && effect_->text() == effect) return;
    found_->setText(found);
    effect_->setText(effect);
    effect_->setVisible(!effect.isEmpty());
    found_->setToolTip(found);
    effect_->setToolTip(effect);
    retranslate();
}

void StragglerLine::setPlanShown(bool on) {
    if (std::exchange(plan_shown_, on) != on) retranslate();
}

void StragglerLine::followTheme() {
    const Theme& theme = currentTheme();
    layout()->setContentsMargins(theme.px(16), theme.px(5), theme.px(8), theme.px(5));
    layout()->setSpacing(theme.px(12));
    adjustSize();
}

void StragglerLine::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void StragglerLine::retranslate() {
    show_->setText(tr("Show"));
    show_->setToolTip(tr("Selects its longest operation and zooms to it"));
    without_->setText(plan_shown_ ? tr("Back to the run") : tr("Predict without it"));
    without_->setEnabled(!effect_->text().isEmpty());
    without_->setToolTip(
        effect_->text().isEmpty()
            ? tr("It cannot be predicted: the order of the run is unknown or cannot be played with its costs")
            : tr("Shows the run without it as a plan on the canvas"));
    close_->setToolTip(tr("Close"));
    for (Button* link : {show_, without_, close_}) link->updateGeometry();
    adjustSize();
}

void StragglerLine::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(0, height() - 1, width(), 1, theme.rule);
}

}  // namespace bscope::ui
