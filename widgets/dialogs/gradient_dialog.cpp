#include "widgets/dialogs/gradient_dialog.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

// Everything that decides the numbers, and the rest of the settings in brief.
QString settingsInWords(const RunConfig& config) {
    const ScheduleParams& params = config.params;
    return QStringList{scheduleTitle(config.schedule),
                       QStringLiteral("p=%1 m=%2 v=%3").arg(params.p).arg(params.m).arg(params.v),
                       GradientDialog::tr("checkpointing: %1").arg(recomputeText(config.recompute)),
                       GradientDialog::tr("%1 layers, hidden %2, sequence %3")
                           .arg(config.model.layers)
                           .arg(config.model.hidden)
                           .arg(config.model.sequence),
                       setupSummary(config)}
        .join(QStringLiteral(" · "));
}

}  // namespace

GradientDialog::GradientDialog(QWidget* parent)
    : QDialog(parent),
      title_(new Label(TextRole::Head, this)),
      configuration_(makeParagraph(TextRole::Soft, this)),
      verdict_(makeParagraph(TextRole::Title, this)),
      details_(makeParagraph(TextRole::Body, this)),
      outdated_(makeParagraph(TextRole::Accent, this)),
      progress_text_(makeParagraph(TextRole::Body, this)),
      note_(makeParagraph(TextRole::Faint, this)),
      bar_(new QProgressBar(this)),
      start_(new Button(ButtonLook::Primary, Glyph::None, this)),
      cancel_(new Button(ButtonLook::Plain, Glyph::None, this)),
      close_(new Button(ButtonLook::Plain, Glyph::None, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(8);
    for (Label* each : {title_, configuration_, verdict_, details_, outdated_, progress_text_})
        column->addWidget(each);
    column->addWidget(bar_);
    column->addStretch(1);
    column->addWidget(note_);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    for (Button* each : {close_, cancel_, start_}) buttons->addWidget(each);
    column->addLayout(buttons);
    bar_->setTextVisible(false);
    connect(start_, &QAbstractButton::clicked, this, &GradientDialog::startClicked);
    connect(cancel_, &QAbstractButton::clicked, this, &GradientDialog::cancelClicked);
    connect(close_, &QAbstractButton::clicked, this, &QDialog::close);
    followTheme();
    refresh();
}

void GradientDialog::setCurrent(const RunConfig& config, const QString& obstacle) {
    if (config == current_ && obstacle == obstacle_) return;
    current_ = config;
    obstacle_ = obstacle;
    refresh();
}

void GradientDialog::setRunning(const RunConfig& config, int done, int total, bool pauses) {
    running_ = true;
    tested_ = config;
    done_ = done;
    total_ = total;
    pauses_ = pauses;
    refresh();
}

void GradientDialog::setResult(const GradientCheck& check) {
    running_ = false;
    failure_.clear();
    found_ = check;
    refresh();
}

void GradientDialog::setFailure(const RunConfig& config, const QString& why) {
    running_ = false;
    tested_ = config;
    failure_ = why;
    found_.reset();
    refresh();
}

void GradientDialog::setCancelled() {
    running_ = false;
    refresh();
}

void GradientDialog::followTheme() {
    const Theme& theme = currentTheme();
    resize(theme.px(520), theme.px(300));
}

const RunConfig& GradientDialog::about() const {
    if (running_ || !failure_.isEmpty()) return tested_;
    return found_ ? found_->config : current_;
}

void GradientDialog::refresh() {
    setWindowTitle(tr("Gradient check"));
    title_->setText(tr("Gradient check: does the pipeline compute what one device computes?"));
    const RunConfig& config = about();
    configuration_->setText(settingsInWords(config));
    const bool has_result = !running_ && (found_ || !failure_.isEmpty());
    const QStringList changes = has_result ? configChanges(config, current_) : QStringList();
    outdated_->setVisible(!changes.isEmpty());
    outdated_->setText(tr("Out of date; changed since: %1.").arg(listText(changes)));
    bar_->setVisible(running_);
    bar_->setRange(0, total_);
    bar_->setValue(done_);
    progress_text_->setVisible(running_);
    progress_text_->setText(total_ > 0
                                ? tr("Training iterations done, of the pipeline and of one device: %1 of %2")
                                      .arg(done_)
                                      .arg(total_)
                                : tr("Preparing …"));
    refreshFound();
    start_->setVisible(!running_);
    start_->setEnabled(obstacle_.isEmpty());
    start_->setText(has_result ? tr("Check again") : tr("Check"));
    cancel_->setVisible(running_);
    cancel_->setText(tr("Cancel"));
    close_->setText(tr("Close"));
    note_->setText(sentencesText({tr("A separate process on this machine trains both from the initial "
                                     "weights of the seed; the weights of the run do not change."),
                                  running_ && pauses_
                                      ? tr("The run is paused during the check and continues afterwards.")
                                      : QString()}));
}

void GradientDialog::refreshFound() {
    verdict_->setVisible(!running_);
    details_->setVisible(!running_);
    if (!failure_.isEmpty()) {
        verdict_->setText(tr("Not checked"));
        return details_->setText(failure_);
    }
    if (!found_) {
        verdict_->setText(obstacle_.isEmpty() ? tr("Not checked yet") : tr("Cannot be checked"));
        return details_->setText(obstacle_);
    }
    const GradientCheck& check = *found_;
    const QString device = deviceText(check.device);
    if (!check.replicas_equal)
        verdict_->setText(tr("Different: the copies of the weights are not equal"));
    else if (check.bitwise_equal)
        verdict_->setText(tr("Equal to one device, bitwise, %1 tensors").arg(check.tensors));
    else if (check.within_tolerance)
        verdict_->setText(tr("Equal to one device within the tolerance, %1 tensors").arg(check.tensors));
    else
        verdict_->setText(tr("Different from one device"));
    QStringList all;
    all << (check.delayed_updates
                ? tr("Compared with one device that applies the same delayed updates (%2): the loss of %1 "
                     "iterations, then the weights and both Adam moments of every tensor.")
                : tr("Compared: the loss and every gradient, before clipping, of %1 iterations (%2)."))
               .arg(QString::number(check.iterations), device);
    if (!check.bitwise_equal)
        all << tr("Largest difference: %1 of the tensor's largest value, in %2, iteration %3.")
                   .arg(QString::number(check.largest_difference, 'g', 3), check.tensor,
                        QString::number(check.iteration + 1));
    if (check.tolerance > 0)
        all << tr("Replicas first sum their own micro-batches and then each other's, so the last bits may "
                  "differ; differences up to %1 are within the tolerance.")
                   .arg(QString::number(check.tolerance, 'g', 3));
    details_->setText(sentencesText(all));
}

void GradientDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
