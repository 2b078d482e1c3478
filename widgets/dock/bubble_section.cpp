// Filling of the bubble section; all differences are between printed numbers.
#include "widgets/dock/bubble_section.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

FormulaBox::FormulaBox(QWidget* parent)
    : QWidget(parent),
      symbols_(makeParagraph(TextRole::Soft, this)),
      numbers_(makeParagraph(TextRole::Soft, this)),
      idle_(makeParagraph(TextRole::Soft, this)) {
    auto* column = new QVBoxLayout(this);
    for (Label* each : {symbols_, numbers_, idle_}) column->addWidget(each);
    for (Label* each : {numbers_, idle_}) each->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void FormulaBox::setText(const FormulaText& text) {
    symbols_->setText(text.symbols);
    numbers_->setText(text.numbers);
    idle_->setText(text.idle);
    idle_->setVisible(!text.idle.isEmpty());
    setVisible(!text.symbols.isEmpty());
}

void FormulaBox::followTheme() {
    const Theme& theme = currentTheme();
    layout()->setContentsMargins(theme.px(9), theme.px(5), theme.px(9), theme.px(6));
    layout()->setSpacing(theme.px(2));
}

void FormulaBox::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.rule);
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme.px(3), theme.px(3));
}

BubbleSection::BubbleSection(ViewState& state, QWidget* parent)
    : Section(parent),
      state_(state),
      switch_(new Segments(2, this)),
      big_(new Label(TextRole::Big, this)),
      big_note_(new Label(TextRole::Soft, this)),
      definition_(makeParagraph(TextRole::Soft, this)),
      note_(makeParagraph(TextRole::Soft, this)),
      rows_(new BarRows(this)),
      formula_(new FormulaBox(this)) {
    switch_->setDesignHeight(22);
    setHeadWidget(switch_);
    auto* big_row = new QHBoxLayout;
    big_row->setSpacing(12);
    big_row->addWidget(big_);
    big_row->addWidget(big_note_, 1);
    content()->addLayout(big_row);
    content()->addWidget(rows_);
    content()->addWidget(definition_);
    content()->addWidget(formula_);
    content()->addWidget(note_);
    connect(switch_, &Segments::chosen, this,
            [this](int index) { state_.setBubbleDefinition(static_cast<BubbleDefinition>(index)); });
    connect(&state_, &ViewState::presentationChanged, this, &BubbleSection::refresh);
}

void BubbleSection::setView(const IterationView& view) {
    view_ = view;
    refresh();
}

void BubbleSection::setPending(const std::optional<PendingChange>& pending) {
    pending_ = pending;
    refresh();
}

void BubbleSection::refresh() {
    const BubbleDefinition definition = state_.bubbleDefinition();
    head()->setText(tr("Bubble"));
    switch_->setTexts({said(sentence("of total")), said(sentence("of ideal"))});
    switch_->setCurrent(static_cast<int>(definition));
    definition_->setText(definitionText(definition, view_.isStream()));
    if (!view_.ran || !view_.planned) return;

    const auto shown = [definition](double share) { return inDefinition(share, definition); };
    const bool ran = view_.report.has_value();
    const double predicted =
        view_.report ? view_.report->predicted_bubble_of_total : view_.plan_summary.bubble_of_total;
    std::optional<double> theory;
    if (view_.report)
        theory = view_.report->theory_bubble_of_total;
    else if (const auto formula = theoryFormula(view_.config, nullptr, Notation()))
        theory = formula->value;
    const double main = shown(ran ? view_.report->bubble_of_total : predicted);
    big_->setText(shareText(main));
    const bool of_other = !otherRun().isEmpty();
    big_note_->setText(of_other            ? tr("previous run,\n%1").arg(otherRun())
                       : ran               ? tr("this run,\niteration %1").arg(view_.number())
                       : view_.alternative ? tr("predicted,\nnot run")
                                           : tr("predicted, none\ncomplete yet"));

    std::vector<BarRow> rows;
    const auto add = [&](const QString& name, double share, BarLook look, bool compare) {
        rows.push_back({name,
                        shown(share),
                        look,
                        shareText(shown(share)),
                        compare ? pointsText(main, shown(share)) : QString(),
                        !compare,
                        {}});
    };
    if (ran) {
        const Provenance provenance = view_.report->provenance;
        add(provenance == Provenance::Measured   ? tr("Measured")
            : provenance == Provenance::Imported ? tr("Imported")
                                                 : tr("Reconstructed"),
            view_.report->bubble_of_total, BarLook::Solid, false);
    }
    add(tr("Predicted"), predicted, BarLook::Dashed, ran);
    const Costs* const costs = view_.report ? &view_.report->costs : nullptr;
    const auto formula_of = theoryFormula(view_.config, costs, notationOf(state_, view_));
    if (theory) {
        add(tr("Theory"), *theory, BarLook::Outline, true);
        if (costs && formula_of && !formula_of->idle.empty())
            rows.back().tip =
                tr("The formula with this run's mean durations: forward F, input gradient I (with "
                   "recomputation R), weight gradient W.\nThis run minus theory begins with F = I = W.");
    }
    // A change that waits comes and goes; of an import there is none.
    rows_->reserve(static_cast<int>(rows.size()) + (view_.import ? 0 : 1));
    if (pending_) {
        const QStringList changes = configChanges(view_.config, pending_->config);
        const bool only_m = changes.size() == 1 && pending_->config.params.m != view_.config.params.m;
        add(only_m ? tr("m=%1 pred.").arg(pending_->config.params.m) : tr("New, pred."),
            pending_->summary.bubble_of_total, BarLook::PendingDashed, true);
        rows.back().tip = changes.join('\n');
    }
    double widest = 0.32;  // the bars' room is never stretched by a small bubble
    for (const BarRow& row : rows) widest = std::max(widest, row.fraction);
    for (BarRow& row : rows) row.fraction /= widest;
    rows_->setRows(std::move(rows));

    formula_->setText(formulaText(formula_of));
    note_->setVisible(!ran);
    note_->setText(ran ? QString() : planNote(view_));
}

void BubbleSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
