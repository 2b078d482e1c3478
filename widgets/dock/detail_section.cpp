// The life of a micro-batch, a gap, and the causes of idle time.
#include "widgets/dock/detail_section.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <algorithm>
#include <limits>
#include <map>

#include "catalog/catalog.h"
#include "view/gap.h"
#include "widgets/picture/describe.h"
#include "widgets/picture/gap_words.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"

namespace bscope::ui {

// The operation after which a stage holds nothing of a micro-batch any more.
class LastOperation {
public:
    explicit LastOperation(const IterationView& view) {
        const CatalogEntry* entry = findSchedule(view.config.schedule);
        forward_ = entry != nullptr && entry->forward_only;
        for (int rank = 0; rank < view.planned->ranks(); ++rank)
            for (const Event& event : view.planned->compute(rank)) {
                whole_ = whole_ || event.op == Op::Backward;
                weight_ = weight_ || event.op == Op::BackwardWeight;
            }
    }
    bool ends(Op op) const {
        return forward_ ? op == Op::Forward : op == Op::Backward || op == Op::BackwardWeight;
    }
    QString header() const {
        if (forward_) return DetailSection::tr("F ends");
        if (weight_) return whole_ ? DetailSection::tr("B or W ends") : DetailSection::tr("W ends");
        return DetailSection::tr("B ends");
    }

private:
    bool forward_ = false, whole_ = false, weight_ = false;
};

DetailSection::DetailSection(ViewState& state, QWidget* parent)
    : Section(parent),
      state_(state),
      sentence_(makeParagraph(TextRole::Soft, this)),
      life_(new FigureTable(this)),
      gap_(new GapPart(state, this)),
      causes_(new CausesPart(this)),
      kernels_(new KernelList(this)),
      copy_(new Button(ButtonLook::Link, Glyph::None, this)) {
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    copy_->setDesignHeight(20);
    content()->addWidget(sentence_);
    content()->addWidget(life_);
    content()->addWidget(gap_);
    content()->addWidget(causes_);
    content()->addWidget(copy_, 0, Qt::AlignLeft);
    content()->addWidget(kernels_);
    connect(copy_, &QAbstractButton::clicked, this, &DetailSection::copy);
    connect(causes_, &CausesPart::gapChosen, &state_, &ViewState::selectGap);
    connect(&state_, &ViewState::selectionChanged, this, &DetailSection::refresh);
    connect(&state_, &ViewState::presentationChanged, this, &DetailSection::refresh);
}

void DetailSection::setView(std::shared_ptr<const PreparedView> view) {
    view_ = std::move(view);
    refresh();
}

void DetailSection::setShown(const IterationView& shown) {
    shown_ = shown;
    if (!view_) return;
    const auto selection = state_.selection();
    const auto gap = state_.gap();
    if (!selection && !gap) return;
    if (liesInShown(selection ? selection->iteration : gap->iteration)) refresh();
}

// What is selected lies in what the canvas shows and not in what the numbers are of.
bool DetailSection::liesInShown(int iteration) const {
    const IterationView& view = view_->view();
    // A plan, before the first complete iteration; what ran since then is in what is shown.
    const bool nothing_ran = !view_->hasRun() || view_->running();
    return shown_.ran && iteration == shown_.iteration && (iteration != view.iteration || nothing_ran);
}

void DetailSection::setBaseline(std::shared_ptr<const PreparedView> baseline) {
    baseline_ = std::move(baseline);
    refresh();
}

std::shared_ptr<const PreparedView> DetailSection::preparedOf(int iteration, bool of_baseline) {
    if (of_baseline && baseline_) return baseline_;
    if (!liesInShown(iteration)) return view_;
    prepared_shown_ =
        std::make_shared<const PreparedView>(shown_, prepared_shown_ ? prepared_shown_.get() : view_.get());
    return prepared_shown_;
}

// A person goes on reading what was selected while the run goes on: its iteration is kept, and complete once
// another is there.
std::shared_ptr<const PreparedView> DetailSection::preparedOrKept(int iteration, bool of_baseline) {
    std::shared_ptr<const PreparedView> now = preparedOf(iteration, of_baseline);
    if (of_baseline) return now;
    if (now->view().iteration == iteration) return kept_ = now;
    if (!kept_ || kept_->view().iteration != iteration) return now;
    if (kept_->running()) {
        IterationView whole = kept_->view();
        whole.now_ns = -1;
        kept_ = std::make_shared<const PreparedView>(std::move(whole), kept_.get());
    }
    return kept_;
}

void DetailSection::refresh() {
    if (!view_) return;
    const std::optional<Selection> selection = state_.selection();
    const bool box = selection && selection->action.microbatch >= 0;
    const auto gap = state_.gap();
    if (!selection && !gap) kept_.reset();
    const auto of_gap = gap ? preparedOrKept(gap->iteration, gap->of_baseline) : nullptr;
    const bool has_gap = of_gap && gapOf(*of_gap, *gap).has_value();
    const auto of_box = selection ? preparedOrKept(selection->iteration, selection->of_baseline) : nullptr;
    shows_selection_ = box || has_gap;
    holdOpen(shows_selection_);
    sentence_->setVisible(box);
    life_->setVisible(box);
    gap_->setVisible(has_gap);
    causes_->setVisible(!shows_selection_);
    copy_->setVisible(shows_selection_);
    copy_->setText(tr("Copy"));
    copy_->setToolTip(tr("Copy these lines as text (Ctrl+C)"));
    if (has_gap)
        showGap(*of_gap, *gap);
    else if (box)
        showLife(*of_box, *selection);
    else
        showCauses();
    showKernels(of_box ? *of_box : *view_, selection);
}

void DetailSection::showKernels(const PreparedView& prepared, const std::optional<Selection>& selection) {
    const IterationView& view = prepared.view();
    std::optional<Event> box;
    if (selection && selection->rank >= 0 && selection->rank < view.ran->ranks())
        for (const Event& event : view.ran->compute(selection->rank))
            if (event.iteration == selection->iteration && event.action() == selection->action) box = event;
    kernels_->setBox(
        view, box ? &*box : nullptr,
        box ? notationOf(state_, view)
                  .action(box->op, box->microbatch, prepared.chunkLetterOf(box->stage), box->segment)
            : QString());
}

void DetailSection::showGap(const PreparedView& view, const GapSelection& selection) {
    const Notation notation = notationOf(state_, view.view());
    const IdlePeriod period = *gapOf(view, selection);
    head()->setText(gapTitle(view, notation, period));
    aside()->setText(clearing(view.view()));
    gap_->setGap(view, notation, selection.rank, period);
}

// The canvas may show another iteration than the one that the numbers beside it are of.
QString DetailSection::clearing(const IterationView& view) const {
    if (baseline_ && &view == &baseline_->view())
        return tr("baseline %1 · Esc clears").arg(iterationName(view, view_->view().file));
    return view.iteration != view_->view().iteration ? tr("#%1 · Esc clears").arg(view.number())
                                                     : tr("Esc clears");
}

void DetailSection::copy() {
    if (!shows_selection_) return;
    QStringList lines{head()->text()};
    if (!gap_->isHidden()) {
        lines << gap_->lines();
    } else {
        if (!sentence_->isHidden()) lines << sentence_->text();
        lines << life_->header().join(u'\t').trimmed();
        for (const FigureRow& row : life_->rows()) lines << row.cells.join(u'\t');
    }
    QGuiApplication::clipboard()->setText(lines.join(u'\n').replace(QChar::Nbsp, u' '));
}

void DetailSection::showLife(const PreparedView& prepared, const Selection& selection) {
    const IterationView& view = prepared.view();
    const Timeline& timeline = view.ran->empty() ? *view.planned : *view.ran;
    const Notation notation = notationOf(state_, view);
    struct Life {
        int rank = 0;
        std::int64_t from_ns = -1, to_ns = -1;
    };
    std::map<std::pair<int, int>, Life> stages;  // rank, stage
    const LastOperation last(view);
    std::optional<Event> selected;
    const int microbatch = selection.action.microbatch;
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        for (const Event& event : timeline.compute(rank)) {
            if (!prepared.inLife(event, selection) || event.iteration != selection.iteration) continue;
            if (view.now_ns >= 0 && event.end_ns > view.now_ns) continue;
            Life& life = stages[{rank, event.stage}];
            life.rank = rank;
            if (event.op == Op::Forward && event.segment <= 0) life.from_ns = event.start_ns;
            if (last.ends(event.op)) life.to_ns = std::max(life.to_ns, event.end_ns);
            if (rank == selection.rank && event.action() == selection.action) selected = event;
        }
    }
    const auto at = [&view](std::int64_t time_ns) { return static_cast<double>(time_ns - view.start_ns); };
    const bool gpus = view.ranksAreGpus();
    head()->setText(tr("Micro-batch %1").arg(notation.microbatch(microbatch)));
    aside()->setText(clearing(view));
    life_->setHeader({QString(), tr("F starts"), last.header(), tr("held, %1").arg(notation.unitName())},
                     {0, 0.39, 0.71, 1});
    std::vector<FigureRow> rows;
    const QString none = QStringLiteral("–");
    for (const auto& [key, life] : stages) {
        const auto [rank, stage] = key;
        const int chunk = prepared.chunkLetterOf(stage);
        const bool ended = life.to_ns >= 0, begun = life.from_ns >= 0;
        FigureRow row;
        row.cells = {rankText(rank, gpus) +
                         (chunk >= 0 ? ' ' + chunkLetter(chunk, 2) : QString()),
                     begun ? notation.number(at(life.from_ns)) : none,
                     ended ? notation.number(at(life.to_ns)) : none,
                     begun && ended ? notation.length(at(life.from_ns), at(life.to_ns)) : none};
        if (selected && rank == selection.rank && stage == selected->stage)
            row.look = FigureRow::Look::Marked;
        rows.push_back(std::move(row));
    }
    life_->setRows(std::move(rows));

    sentence_->setVisible(selected.has_value());
    if (!selected) return;
    const double from = at(selected->start_ns), to = at(selected->end_ns);
    const Notation fine = notation.fineFor(to - from);
    QStringList sentences{
        tr("%1 on %2, stage %3: %4 to %5, %6.")
            .arg(notation.action(selected->op, microbatch, prepared.chunkLetterOf(selected->stage),
                                 selected->segment),
                 rankInText(selection.rank, gpus))
            .arg(selected->stage)
            .arg(fine.number(from), withUnit(fine.number(to), fine.unitName()),
                 withUnit(fine.length(from, to), fine.unitName()))};
    const Op receive = selected->op == Op::Forward ? Op::RecvForward : Op::RecvBackward;
    const bool takes_message = selected->op != Op::BackwardWeight && selected->op != Op::Recompute;
    for (const Event& event : timeline.receives(selection.rank)) {
        if (!takes_message || event.op != receive || event.stage != selected->stage ||
            event.microbatch != microbatch || event.segment != selected->segment ||
            event.iteration != selection.iteration)
            continue;
        if (!view.knowsTransfers()) {
            sentences << tr("Waited %1 for its input, transfer included.")
                             .arg(notation.duration(static_cast<double>(event.end_ns - event.start_ns)));
            break;
        }
        sentences << tr("Waited %1, transfer %2.")
                         .arg(notation.duration(static_cast<double>(event.transfer_ns - event.start_ns)),
                              notation.duration(static_cast<double>(event.end_ns - event.transfer_ns)));
        break;
    }
    addConsequences(sentences, prepared, *selected);
    const QStringList further = furtherLines(prepared, notation, *selected);
    sentence_->setText((QStringList{sentencesText(sentences)} + further).join(u'\n'));
}

void DetailSection::addConsequences(QStringList& sentences, const PreparedView& view,
                                    const Event& selected) const {
    const Notation notation = notationOf(state_, view.view());
    if (selected.bytes > 0) {
        const bool takes = takesActivations(selected.op);
        const QString size = bytesText(static_cast<double>(selected.bytes));
        const QString others = counterpartsText(view, notation, selected, !view.hasRun());
        if (others.isEmpty())
            sentences << (takes ? tr("Takes %1.") : tr("Frees %1.")).arg(size);
        else
            sentences
                << (takes ? tr("Takes %1, freed by %2.") : tr("Frees %1, taken by %2.")).arg(size, others);
    }
    if (const QString version = versionText(selected); !version.isEmpty())
        sentences << tr("Uses %1.").arg(version);
    if (view.running() || !view.analysis() || selected.iteration != view.view().iteration) return;
    if (const auto slack_ns = view.analysis()->slackOf(selected))
        sentences << (*slack_ns == 0 ? tr("It is on the critical path.")
                      : *slack_ns == std::numeric_limits<std::int64_t>::max()
                          ? tr("Nothing in the iteration waits for it.")
                          : tr("Slack %1.").arg(notation.duration(static_cast<double>(*slack_ns))));
}

void DetailSection::showCauses() {
    head()->setText(tr("Where idle time goes"));
    aside()->setText(view_->lanes() == 1 ? tr("of one rank") : tr("sum of %1 ranks").arg(view_->lanes()));
    causes_->setView(*view_, notationOf(state_, view_->view()));
}

void DetailSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
