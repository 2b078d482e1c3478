// Assembly of the dock's sections.
#include "widgets/dock/numbers_dock.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLayout>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "view/other_run.h"
#include "widgets/controls/scroll_fade.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"

namespace bscope::ui {
namespace {

std::size_t kernelsOf(const IterationView& view) {
    return view.kernels ? view.kernels->size() : 0;
}

}  // namespace

NumbersDock::NumbersDock(ViewState& state, QWidget* parent) : QScrollArea(parent) {
    auto* page = new QWidget(this);
    page->setObjectName(QStringLiteral("numbers"));
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    range_ = new RangeSection(state, page);
    bubble_ = new BubbleSection(state, page);
    waterfall_ = new WaterfallSection(state, page);
    comparison_ = new ComparisonSection(state, page);
    rate_ = new RateSection(state, page);
    memory_ = new MemorySection(page);
    import_ = new ImportSection(state, page);
    replicas_ = new ReplicaSection(state, page);
    path_ = new PathSection(state, page);
    detail_ = new DetailSection(state, page);
    loss_section_ = new Section(page);
    loss_section_->setRuled(false);
    loss_ = new LossPlot(loss_section_);
    loss_section_->content()->addWidget(loss_);
    waterfall_->makeFoldable(QStringLiteral("waterfall"));
    replicas_->makeFoldable(QStringLiteral("replicas"));
    detail_->makeFoldable(QStringLiteral("causes"));
    loss_section_->makeFoldable(QStringLiteral("loss"));
    for (Section* section : foldable())
        connect(section, &Section::openChanged, this, &NumbersDock::settleLayout);
    hidden_note_ = makeParagraph(TextRole::Soft, page);
    hidden_note_->setMargin(16);
    hidden_note_->hide();
    for (QWidget* part :
         std::initializer_list<QWidget*>{hidden_note_, range_, bubble_, waterfall_, comparison_, rate_,
                                         replicas_, import_, path_, memory_, detail_, loss_section_})
        column->addWidget(part);
    column->addStretch(1);
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    new ScrollFade(this);
    connect(loss_, &LossPlot::hovered, this, [this](int iteration, double loss) {
        loss_section_->aside()->setText(
            iteration < 0 ? loss_->rangeText()
                          : tr("iteration %1: %2").arg(iteration + 1).arg(numberText(loss, 3)));
    });
    connect(&state, &ViewState::selectionChanged, this, [this, &state] {
        if (state.selection() || state.gap())
            QTimer::singleShot(0, this, &NumbersDock::revealDetail);  // once it is filled
    });
    retranslate();
}

std::vector<Section*> NumbersDock::foldable() const {
    return {waterfall_, replicas_, memory_->held(), detail_, loss_section_};
}

QStringList NumbersDock::opened() const {
    QStringList names;
    for (Section* section : foldable())
        if (section->isChosenOpen()) names << section->foldName();
    return names;
}

void NumbersDock::setOpened(const QStringList& names) {
    for (Section* section : foldable()) section->setOpen(names.contains(section->foldName()));
    settleLayout();
}

// What was just selected must not lie below the edge.
void NumbersDock::revealDetail() {
    settleLayout();
    const QRect place = detail_->geometry();
    const int room = viewport()->height(), now = verticalScrollBar()->value();
    const int least = std::min(place.top(), place.bottom() + 1 - room);
    if (now < least || now > place.top()) verticalScrollBar()->setValue(least);
}

void NumbersDock::setView(const IterationView& complete_or_plan) {
    if (isShown(complete_or_plan)) return;
    shown_ = std::make_shared<const PreparedView>(complete_or_plan, shown_.get());
    shown_kernels_ = kernelsOf(complete_or_plan);
    bubble_->setView(complete_or_plan);
    waterfall_->setView(shown_);
    comparison_->setView(shown_);
    rate_->setView(complete_or_plan);
    import_->setView(complete_or_plan);
    replicas_->setView(complete_or_plan);
    memory_->setView(complete_or_plan);
    path_->setView(shown_);
    detail_->setView(shown_);
    // Of what cannot run there is no number to show.
    const bool has_numbers = !complete_or_plan.ran->empty() || !complete_or_plan.planned->empty();
    for (QWidget* part : std::initializer_list<QWidget*>{bubble_, rate_, memory_, detail_})
        part->setVisible(has_numbers);
    settleLayout();
}

// Tables and paragraphs find their heights one in another, and each step of it is an event; a picture in
// between would lack rows.
void NumbersDock::settleLayout() {
    constexpr int kMostSteps = 8;
    for (int step = 0; step < kMostSteps; ++step) {
        const QSize before = widget()->minimumSizeHint();
        for (QWidget* part : widget()->findChildren<QWidget*>())
            QCoreApplication::sendPostedEvents(part, QEvent::LayoutRequest);
        for (QObject* outer : std::initializer_list<QObject*>{widget(), viewport(), this})
            QCoreApplication::sendPostedEvents(outer, QEvent::LayoutRequest);
        if (step > 0 && widget()->minimumSizeHint() == before) return;
    }
}

// Asked for on every tick.
void NumbersDock::setBaseline(const std::optional<IterationView>& baseline) {
    const bool is_known = (baseline_ != nullptr) == baseline.has_value() &&
                          (!baseline || (baseline_->view().ran == baseline->ran &&
                                         baseline_->view().analysis == baseline->analysis));
    if (is_known) return;
    baseline_ = baseline ? std::make_shared<const PreparedView>(*baseline) : nullptr;
    comparison_->setBaseline(baseline_);
    detail_->setBaseline(baseline_);
}

void NumbersDock::setShown(const IterationView& shown) {
    detail_->setShown(shown);
    const bool of_other = shown_ && shown.now_ns >= 0 && isOfOtherRun(shown_->view(), shown);
    const QString name =
        of_other ? otherRunName(shown_->view().number(), shown_->view().config, shown.config) : QString();
    for (Section* section :
         std::initializer_list<Section*>{bubble_, waterfall_, comparison_, rate_, replicas_, memory_, path_})
        section->setOtherRun(name);
    detail_->setOtherRun(detail_->showsSelection() ? QString() : name);
    // The plans are of what is shown.
    memory_->setCheckpointing(of_other ? std::vector<CheckpointingPlan>() : shown.checkpointing);
}

// Of a complete iteration only kernels and its analysis may still come; checked on every tick, so this must
// be cheap.
bool NumbersDock::isShown(const IterationView& view) const {
    if (!shown_) return false;
    const IterationView& shown = shown_->view();
    if (shown.iteration != view.iteration || shown.report.has_value() != view.report.has_value() ||
        shown.config != view.config || shown.device != view.device || shown.import != view.import ||
        (view.analysis && shown_->analysis() != view.analysis) || shown_kernels_ != kernelsOf(view))
        return false;
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    return view.report ? shown.report->iteration_ms == view.report->iteration_ms &&
                             same(shown.report->loss, view.report->loss)
                       : shown.planned == view.planned;
}

void NumbersDock::setReading(const IterationView& shown, const std::optional<RangeReading>& reading) {
    const bool appears = reading && range_->isHidden();
    range_->setReading(shown, reading);
    settleLayout();
    if (appears) verticalScrollBar()->setValue(0);
}

void NumbersDock::setPending(const std::optional<PendingChange>& pending) {
    bubble_->setPending(pending);
    rate_->setPending(pending);
    memory_->setPending(pending);
}

void NumbersDock::setBars(const std::vector<IterationBar>& bars) {
    loss_->setBars(bars);
    loss_section_->setVisible(loss_->pointCount() > 0);
    loss_section_->aside()->setText(loss_->rangeText());
}

void NumbersDock::setNumbersHidden(bool on) {
    hidden_note_->setVisible(on);
    for (QWidget* part : std::initializer_list<QWidget*>{bubble_, rate_, memory_, detail_})
        part->setVisible(!on);
    waterfall_->setNumbersHidden(on);
    comparison_->setNumbersHidden(on);
    path_->setNumbersHidden(on);
}

void NumbersDock::followTheme() {
    const Theme& theme = currentTheme();
    setMinimumWidth(theme.px(284));
    setMaximumWidth(theme.px(284));
    QPalette ground = palette();
    ground.setColor(QPalette::Window, theme.panel);
    setPalette(ground);
}

void NumbersDock::paintEvent(QPaintEvent* event) {
    QPainter(viewport()).fillRect(viewport()->rect(), currentTheme().panel);
    QScrollArea::paintEvent(event);
}

// No text makes the page wider than its room, where it would be cut off.
void NumbersDock::resizeEvent(QResizeEvent* event) {
    widget()->setMaximumWidth(viewport()->width());
    QScrollArea::resizeEvent(event);
}

void NumbersDock::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

void NumbersDock::retranslate() {
    loss_section_->head()->setText(tr("Loss"));
    hidden_note_->setText(tr("The numbers come after your guess."));
}

}  // namespace bscope::ui
