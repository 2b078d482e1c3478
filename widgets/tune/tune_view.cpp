// Head line of the Tune view, and the glue between form, prediction, state and plot.
#include "widgets/tune/tune_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <utility>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

// A thin bar of how much is done.
class ProgressLine : public QWidget, public Themed {
public:
    explicit ProgressLine(QWidget* parent) : QWidget(parent) {}
    void setShare(double share) {
        share_ = share;
        update();
    }
    void followTheme() override {
        const Theme& theme = currentTheme();
        setFixedSize(theme.px(120), theme.px(6));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = currentTheme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.hair);
        painter.drawRoundedRect(rect(), 3, 3);
        painter.setBrush(theme.text);
        painter.drawRoundedRect(QRectF(0, 0, width() * share_, height()), 3, 3);
    }

private:
    double share_ = 0;
};

TuneView::TuneView(QWidget* parent)
    : QWidget(parent),
      title_(new Label(TextRole::Title, this)),
      subtitle_(makeParagraph(TextRole::Soft, this)),
      progress_text_(new Label(TextRole::Soft, this)),
      badge_(new Badge(this)),
      progress_(new ProgressLine(this)),
      start_(new Button(ButtonLook::Primary, Glyph::None, this)),
      plot_(new TunePlot(this)),
      panel_(new SweepPanel(this)) {
    setFocusPolicy(Qt::ClickFocus);  // Tab goes on from here
    auto* head = new QHBoxLayout;
    designLayout(*head, {16, 6, 16, 6}, 12);
    head->addWidget(title_);
    head->addWidget(badge_);
    head->addStretch(1);
    head->addWidget(progress_text_);
    head->addWidget(progress_);
    head->addWidget(start_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    auto* below = new QHBoxLayout;
    designLayout(*below, {16, 0, 16, 6}, 0);
    below->addWidget(subtitle_, 1);
    column->addLayout(below);
    column->addWidget(plot_, 1);
    start_->setDesignHeight(26);
    panel_->hide();  // shown by the window that places it
    connect(start_, &QAbstractButton::clicked, this, &TuneView::startOrCancel);
    connect(panel_, &SweepPanel::formEdited, this, &TuneView::followForm);
    connect(panel_, &SweepPanel::axisChosen, this, [this](SweepAxis axis) {
        SweepForm form = panel_->form();
        form.axis = axis;
        form.values = usualValues(axis, base_.config);
        panel_->setForm(form);
    });
    connect(panel_, &SweepPanel::useClicked, this, [this] {
        for (const SweepRow& row : rows_)
            if (row.value == chosen()) emit use(row.config);
    });
    connect(panel_, &SweepPanel::keepClicked, this,
            [this] { emit keepResults(sweepCsv(rows_, shownForm().axis)); });
    connect(panel_, &SweepPanel::focusReturned, this, &TuneView::focusReturned);
    connect(plot_, &TunePlot::picked, this, [this](int value) {
        picked_ = value == verdict_.best ? 0 : value;
        refresh();
    });
    refresh();
}

void TuneView::setBase(const SweepBase& base) {
    if (running()) return;  // a running sweep is not redrawn under another configuration
    const bool other_cap = base_.config.memory_cap_mb != base.config.memory_cap_mb;
    SweepForm form = panel_->form();
    // The mini-batch of the run, until another one is given.
    const bool other_samples = form.samples == base_.config.samples() && form.samples != base.config.samples();
    base_ = base;
    panel_->setBase(base);
    if (other_cap) form.cap_mb = base.config.memory_cap_mb;
    if (other_samples) form.samples = static_cast<int>(base.config.samples());
    if (other_cap || other_samples) panel_->setForm(form);
    refresh();
}

void TuneView::setForm(const SweepForm& form) {
    panel_->setForm(form);
    followForm();
}

void TuneView::followForm() {
    picked_ = 0;
    refresh();
}

void TuneView::setState(const std::optional<SweepState>& state) {
    const bool ran = running();
    state_ = state;
    if (state) starting_ = false;
    if (!ran && running()) swept_ = base_;
    refresh();
}

void TuneView::setSource(Provenance provenance, const QString& device) {
    provenance_ = provenance;
    device_ = device;
    refresh();
}

void TuneView::setObstacle(const QString& why) {
    if (!why.isEmpty()) starting_ = false;
    if (std::exchange(obstacle_, why) != why) refresh();
}

void TuneView::startOrCancel() {
    if (running() || starting_) {
        starting_ = false;
        emit cancelSweep();
        refresh();
        return;
    }
    if (base_.isFile()) emit leaveFile();
    running_form_ = panel_->form();
    picked_ = 0;
    emit startSweep(running_form_);
    swept_ = base_;
    starting_ = !running();
    refresh();
}

// Results of another schedule, or of anything else that is not varied, are not under this one's name.
const SweepState* TuneView::shownState() const {
    return state_ && (running() || (!base_.isFile() && isOfBase())) ? &*state_ : nullptr;
}

bool TuneView::isOfBase() const {
    if (!swept_ || running_form_.values.empty()) return true;
    const auto rest = [&](RunConfig config) {
        config.durations = swept_->config.durations;
        return sweepConfig(config, running_form_, running_form_.values.front()).config;
    };
    return rest(swept_->config) == rest(base_.config);
}

// What the rows are of: what runs or ran, else what would.
SweepForm TuneView::shownForm() const {
    SweepForm form = panel_->form();
    if (shownState() != nullptr && !state_->points.empty()) {
        form = running_form_;
    }
    if (!base_.knows_model) {
        form.fixed_batch = false;
        form.cap_mb = 0;
    }
    return form;
}

// Results stay while the next sweep is thought out; what it would add stands beside them.
std::vector<int> TuneView::nextValues() const {
    const SweepForm& next = panel_->form();
    const bool alike = next.axis == running_form_.axis && next.fixed_batch == running_form_.fixed_batch &&
                       (!next.fixed_batch || next.samples == running_form_.samples);
    const bool edited = next.values != running_form_.values;
    return alike && edited && !running() && panel_->formIsLegal() ? next.values : std::vector<int>();
}

QString TuneView::title(SweepAxis axis) {
    switch (axis) {
        case SweepAxis::Microbatches:
            return tr("Sweep of m");
        case SweepAxis::Chunks:
            return tr("Sweep of v");
        case SweepAxis::Ranks:
            return tr("Sweep of p against d");
        case SweepAxis::Checkpointing:
            return tr("Sweep of checkpointing");
    }
    return {};
}

// The configuration without what is varied.
QString TuneView::restOf(SweepAxis axis) const {
    const ScheduleParams& params = base_.config.params;
    if (axis == SweepAxis::Ranks)
        return tr("%1 ranks").arg(params.layout().world()) + QStringLiteral(", v=%1").arg(params.v);
    QStringList words{QStringLiteral("p=%1").arg(params.p)};
    if (axis != SweepAxis::Chunks) words << QStringLiteral("v=%1").arg(params.v);
    if (axis != SweepAxis::Microbatches) words << QStringLiteral("m=%1").arg(params.m);
    if (params.d > 1) words << QStringLiteral("d=%1").arg(params.d);
    return words.join(u' ');
}

void TuneView::refresh() {
    const SweepState* state = shownState();
    const bool started = state != nullptr && !state->points.empty();
    const SweepForm form = shownForm();
    // What ran is held against the costs that were known when it began.
    const SweepBase base = withSizeFit(state != nullptr && swept_ ? *swept_ : base_, form, state);
    rows_ = sweepRows(form, base, state, started ? nextValues() : std::vector<int>());
    verdict_ = sweepVerdict(rows_, form, base);
    plot_->setRows(rows_, form, verdict_, base);
    plot_->setPicked(picked_);
    panel_->setResult(rows_, verdict_, state, chosen());

    title_->setText(title(form.axis));
    QStringList words{scheduleTitle(base_.config.schedule), restOf(form.axis)};
    if (base_.isFile()) words.prepend(base_.file);
    words << (!form.ofM()        ? tr("the same mini-batch")
              : form.fixed_batch ? tr("mini-batch fixed at %1 samples").arg(form.samples)
                                 : tr("mini-batch grows with m"));
    const bool other_stages = form.axis == SweepAxis::Chunks || form.axis == SweepAxis::Ranks;
    if (other_stages && !base_.config.layers_per_stage.empty())
        words << tr("other values split the layers evenly");
    if (!base_.isFile()) words << tr("%1 iterations each").arg(form.iterations);
    subtitle_->setText(words.join(QStringLiteral(" · ")));
    badge_->setProvenance(verdict_.measured ? provenance_ : Provenance::Predicted,
                          verdict_.measured ? device_ : QString());
    int done = 0, asked = 0;
    for (const SweepRow& row : rows_) {
        if (!row.problem.isEmpty() || row.over_cap) continue;
        done += row.done;
        asked += row.asked;
    }
    progress_text_->setVisible(started || starting_);
    progress_->setVisible(started);
    progress_text_->setText(starting_ ? tr("starts when this iteration ends")
                            : state_ && state_->cancelled
                                ? tr("cancelled, %1 of %2 iterations").arg(done).arg(asked)
                                : tr("%1 of %2 iterations").arg(done).arg(asked));
    progress_->setShare(asked > 0 ? static_cast<double>(done) / asked : 0);
    const bool runs = running() || starting_;
    start_->setText(runs                ? tr("Cancel")
                    : !base_.isFile()   ? tr("Run sweep")
                    : base_.knows_model ? tr("Leave the recording and run this sweep")
                                        : tr("Leave the file and sweep the built-in model"));
    start_->setLook(runs ? ButtonLook::Plain : ButtonLook::Primary);
    start_->setEnabled(runs || (obstacle_.isEmpty() && panel_->formIsLegal() && verdict_.best > 0));
    start_->setToolTip(runs ? QString() : obstacle_);
}

void TuneView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

void TuneView::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), currentTheme().canvas);
}

}  // namespace bscope::ui
