// Words and height of the strip.
#include "widgets/schedule/grid_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

namespace bscope::ui {
namespace {

constexpr double kShare = 0.4, kShareOfFile = 0.5;  // of the page
constexpr int kHead = 30, kDifference = 24, kLeastRows = 2;

}  // namespace

GridStrip::GridStrip(ViewState& state, QWidget* parent)
    : QWidget(parent),
      title_(new Label(TextRole::Head, this)),
      note_(new Label(TextRole::Faint, this)),
      difference_(new Label(TextRole::Accent, this)),
      close_(new Button(ButtonLook::Quiet, Glyph::None, this)),
      jump_(new Button(ButtonLook::Link, Glyph::None, this)),
      grid_(new StepGrid(state, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->addWidget(title_);
    head->addWidget(note_, 1);
    head->addWidget(close_);
    note_->setElided(true);
    column->addLayout(head);
    auto* part = new QHBoxLayout;
    part->addWidget(difference_);
    part->addWidget(jump_);
    part->addStretch(1);
    difference_->setElided(true);
    column->addLayout(part);
    column->addWidget(grid_, 1);
    connect(jump_, &QAbstractButton::clicked, this, &GridStrip::jumpClicked);
    for (QWidget* each : std::initializer_list<QWidget*>{difference_, jump_}) each->hide();
    connect(close_, &QAbstractButton::clicked, this, &GridStrip::closed);
    retranslate();
}

void GridStrip::showSchedule(std::shared_ptr<const GridModel> model, const QString& name,
                             const QString& parameters) {
    name_ = name;
    parameters_ = parameters;
    file_ = false;
    nothing_.clear();
    grid_->setModel(std::move(model), true);
    retranslate();
}

void GridStrip::setDifference(std::optional<GridPlace> place, const QString& sentence) {
    grid_->setMark(place, sentence);
    difference_->setText(sentence);
    difference_->setToolTip(sentence);
    difference_->setVisible(!sentence.isEmpty());
    jump_->setVisible(grid_->mark().has_value());
    fitHeight();
}

void GridStrip::showFile(std::shared_ptr<const GridModel> model, const QString& name) {
    name_ = name;
    file_ = true;
    nothing_.clear();
    grid_->setModel(std::move(model), false);
    retranslate();
}

void GridStrip::showNothing(const QString& why) {
    nothing_ = why;
    grid_->setModel(nullptr, true);
    retranslate();
}

void GridStrip::setRoom(int height) {
    if (height == room_) return;
    room_ = height;
    fitHeight();
}

void GridStrip::fitHeight() {
    const Theme& theme = currentTheme();
    const int rows = grid_->model() ? static_cast<int>(grid_->model()->rows.size()) : 0;
    const int head = theme.px(kHead) + (difference_->isHidden() ? 0 : theme.px(kDifference));
    const int wanted = head + grid_->heightForRows(std::max(rows, kLeastRows));
    const int least = head + grid_->heightForRows(kLeastRows);
    const int most = static_cast<int>(room_ * (file_ ? kShareOfFile : kShare));
    setFixedHeight(std::clamp(wanted, least, std::max(least, most)));
}

void GridStrip::followTheme() {
    const Theme& theme = currentTheme();
    auto* head = static_cast<QHBoxLayout*>(layout()->itemAt(0)->layout());
    head->setContentsMargins(theme.px(16), theme.px(6), theme.px(16), theme.px(2));
    head->setSpacing(theme.px(10));
    auto* part = static_cast<QHBoxLayout*>(layout()->itemAt(1)->layout());
    part->setContentsMargins(theme.px(16), 0, theme.px(16), theme.px(4));
    part->setSpacing(theme.px(10));
    fitHeight();
}

void GridStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void GridStrip::retranslate() {
    title_->setText(file_ ? name_ : tr("Step by rank"));
    close_->setText(tr("Close"));
    jump_->setText(tr("Show it"));
    jump_->setToolTip(tr("Select the operation, here and on the canvas"));
    const GridModel* model = grid_->model();
    if (!nothing_.isEmpty() || !model)
        note_->setText(nothing_);
    else if (!file_)
        note_->setText(tr("%1 %2 · F, I and W take one step, B two, messages none · %3 in all")
                           .arg(name_, parameters_)
                           .arg(model->steps));
    else if (!model->times.empty())
        note_->setText(tr("the time table as it is written"));
    else
        note_->setText(model->as_written ? tr("the cells as they are written")
                                         : tr("the order, each action as early as it can run"));
    grid_->setAccessibleName(title_->text() + QStringLiteral(". ") + note_->text());
    fitHeight();
}

void GridStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.canvas);
    painter.fillRect(0, 0, width(), static_cast<int>(theme.line()), theme.rule);
}

}  // namespace bscope::ui
