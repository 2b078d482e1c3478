// The life of a micro-batch and the causes of idle time.
#include "widgets/panels/detail_section.h"

#include <QEvent>
#include <QPainter>
#include <array>
#include <map>

#include "widgets/panels/format.h"

namespace bscope::ui {

// One bar over the whole width, hatched by cause, in the order of the rows below it.
class IdleBar : public QWidget, public Themed {
public:
    explicit IdleBar(QWidget* parent) : QWidget(parent) {}
    void setShares(std::array<double, 4> shares) {
        shares_ = shares;
        update();
    }
    void setTheme(const Theme& theme) override {
        theme_ = theme;
        setFixedHeight(theme.px(12));
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        double left = 0;
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            const auto cause = static_cast<IdleCause>(i);
            const QRectF part(left, 0, shares_[i] * width(), height());
            if (part.width() <= 0) continue;
            paintHatch(painter, part, theme_, cause != IdleCause::Dependency,
                       cause == IdleCause::Dependency || cause == IdleCause::Transfer);
            painter.setPen(theme_.text_faint);
            painter.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
            left = part.right();
        }
    }

private:
    std::array<double, 4> shares_{};
    Theme theme_;
};

DetailSection::DetailSection(ViewState& state, QWidget* parent)
    : Section(parent),
      state_(state),
      sentence_(makeParagraph(TextRole::Soft, this)),
      life_(new FigureTable(this)),
      bar_(new IdleBar(this)),
      causes_(new BarRows(this)),
      kernels_(new KernelList(this)) {
    causes_->setColumns(0, 14, 210);
    content()->addWidget(sentence_);
    content()->addWidget(life_);
    content()->addWidget(bar_);
    content()->addWidget(causes_);
    content()->addWidget(kernels_);
    connect(&state_, &ViewState::selectionChanged, this, &DetailSection::refresh);
    connect(&state_, &ViewState::presentationChanged, this, &DetailSection::refresh);
}

void DetailSection::setView(const IterationView& view) {
    view_ = view;
    refresh();
}

Notation DetailSection::notation() const {
    Notation notation;
    notation.count_from_zero = state_.countFromZero();
    if (view_.isStream()) {
        notation.stream_m = view_.config.params.m;
        notation.stream_first = view_.first_microbatch;
    }
    return notation;
}

int DetailSection::chunkOf(int stage) const {
    return view_.config.params.v > 1 ? view_.stageChunk(stage) : -1;
}

void DetailSection::refresh() {
    if (!view_.ran || !view_.planned) return;
    const std::optional<Selection> selection = state_.selection();
    const Timeline& timeline = view_.ran->empty() ? *view_.planned : *view_.ran;
    shows_selection_ = selection && selection->action.microbatch >= 0;
    for (QWidget* widget : std::initializer_list<QWidget*>{sentence_, life_})
        widget->setVisible(shows_selection_);
    for (QWidget* widget : std::initializer_list<QWidget*>{bar_, causes_})
        widget->setVisible(!shows_selection_);
    shows_selection_ ? showLife(*selection, timeline) : showCauses();
    showKernels(selection);
}

void DetailSection::showKernels(const std::optional<Selection>& selection) {
    const Event* box = nullptr;
    if (selection && selection->rank >= 0 && selection->rank < view_.ran->ranks())
        for (const Event& event : view_.ran->compute(selection->rank))
            if (event.iteration == selection->iteration &&
                Action{event.stage, event.op, event.microbatch} == selection->action)
                box = &event;
    kernels_->setBox(view_, box,
                     box ? notation().action(box->op, box->microbatch, chunkOf(box->stage)) : QString());
}

void DetailSection::showLife(const Selection& selection, const Timeline& timeline) {
    struct Life {
        int rank = 0;
        std::int64_t from_ns = -1, to_ns = -1;
    };
    std::map<std::pair<int, int>, Life> stages;  // rank, stage
    const Event* selected = nullptr;
    const int microbatch = selection.action.microbatch;
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        for (const Event& event : timeline.compute(rank)) {
            if (event.microbatch != microbatch || event.iteration != selection.iteration) continue;
            Life& life = stages[{rank, event.stage}];
            life.rank = rank;
            if (event.op == Op::Forward) life.from_ns = event.start_ns;
            if (event.op != Op::Forward && event.op != Op::Recompute)
                life.to_ns = std::max(life.to_ns, event.end_ns);
            if (rank == selection.rank && event.op == selection.action.op &&
                event.stage == selection.action.stage)
                selected = &event;
        }
    }
    const auto ms = [this](std::int64_t time_ns) {
        return static_cast<double>(time_ns - view_.start_ns) / 1e6;
    };
    head()->setText(tr("Micro-batch %1").arg(notation().microbatch(microbatch)));
    aside()->setText(tr("Esc clears"));
    life_->setHeader({QString(), tr("F starts"), tr("B ends"), tr("held, ms")}, {0, 0.39, 0.71, 1});
    std::vector<FigureRow> rows;
    const QString none = QStringLiteral("–");
    for (const auto& [key, life] : stages) {
        const auto [rank, stage] = key;
        const bool ended = life.to_ns >= 0, begun = life.from_ns >= 0;
        FigureRow row;
        row.cells = {
            rankText(rank, view_.ranksAreGpus()) +
                (chunkOf(stage) >= 0 ? ' ' + chunkLetter(chunkOf(stage), 2) : QString()),
            begun ? msNumber(ms(life.from_ns)) : none, ended ? msNumber(ms(life.to_ns)) : none,
            begun && ended ? msNumber(printedDifference(ms(life.from_ns), ms(life.to_ns), 1)) : none};
        if (selected != nullptr && rank == selection.rank && stage == selected->stage)
            row.look = FigureRow::Look::Marked;
        rows.push_back(std::move(row));
    }
    life_->setRows(std::move(rows));

    sentence_->setVisible(selected != nullptr);
    if (selected == nullptr) return;
    QStringList sentences{
        tr("%1 on %2, stage %3: %4 to %5, %6.")
            .arg(notation().action(selected->op, microbatch, chunkOf(selected->stage)),
                 rankText(selection.rank, view_.ranksAreGpus()))
            .arg(selected->stage)
            .arg(msNumber(ms(selected->start_ns)), msText(ms(selected->end_ns)),
                 msText(printedDifference(ms(selected->start_ns), ms(selected->end_ns), 1)))};
    const Op receive = selected->op == Op::Forward ? Op::RecvForward : Op::RecvBackward;
    for (const Event& event : timeline.receives(selection.rank)) {
        if (event.op != receive || event.stage != selected->stage || event.microbatch != microbatch ||
            event.iteration != selection.iteration)
            continue;
        sentences << tr("Waited %1, transfer %2.")
                         .arg(msNumber(static_cast<double>(event.transfer_ns - event.start_ns) / 1e6),
                              msText(static_cast<double>(event.end_ns - event.transfer_ns) / 1e6));
        break;
    }
    if (selected->bytes > 0 && selected->op != Op::Recompute)
        sentences << (selected->op == Op::Forward ? tr("Takes %1.") : tr("Frees %1."))
                         .arg(bytesText(static_cast<double>(selected->bytes)));
    const QString version = versionText(*selected);
    if (!version.isEmpty()) sentences << tr("Has %1.").arg(version);
    sentence_->setText(sentencesText(sentences));
}

void DetailSection::showCauses() {
    const IterationSummary& summary = view_.summary ? *view_.summary : view_.plan_summary;
    std::array<double, 4> idle_ms{};
    double total_ms = 0;
    for (const IdleGap& gap : summary.gaps) {
        const double ms = static_cast<double>(gap.end_ns - gap.start_ns) / 1e6;
        idle_ms[static_cast<std::size_t>(gap.cause)] += ms;
        total_ms += ms;
    }
    head()->setText(tr("Where idle time goes"));
    aside()->setText(tr("sum of %1 ranks").arg(summary.ranks.size()));
    const std::array names{tr("Fill"), tr("Drain"), tr("Dependency"), tr("Transfer (not hidden)")};
    const std::array tips{tr("before the rank's first backward pass"),
                          tr("after the rank's last forward pass"),
                          tr("in between: the input was not there yet"), tr("the message was on its way")};
    std::vector<BarRow> rows;
    std::array<double, 4> shares{};
    for (std::size_t i = 0; i < idle_ms.size(); ++i) {
        shares[i] = total_ms > 0 ? idle_ms[i] / total_ms : 0;
        const auto look = static_cast<BarLook>(static_cast<int>(BarLook::Fill) + static_cast<int>(i));
        rows.push_back({names[i], 1, look, msText(idle_ms[i]), withUnit(numberText(100 * shares[i], 0), "%"),
                        false, tips[i]});
    }
    bar_->setShares(shares);
    causes_->setRows(std::move(rows));
}

void DetailSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
