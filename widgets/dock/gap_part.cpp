#include "widgets/dock/gap_part.h"

#include <QVBoxLayout>
#include <algorithm>

#include "widgets/picture/gap_words.h"
#include "widgets/text/format.h"

namespace bscope::ui {

GapPart::GapPart(ViewState& state, QWidget* parent)
    : QWidget(parent),
      state_(state),
      sentence_(makeParagraph(TextRole::Soft, this)),
      parts_(new FigureTable(this)),
      chain_head_(new Label(TextRole::Body, this)),
      chain_(new FigureTable(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    for (QWidget* part : std::initializer_list<QWidget*>{sentence_, parts_, chain_head_, chain_})
        column->addWidget(part);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    chain_->setChoosable();
    connect(chain_, &FigureTable::rowChosen, &state_, [this](int row) {
        state_.setLink(link_of_row_[static_cast<std::size_t>(row)]);
    });
    connect(&state_, &ViewState::linkChanged, this, &GapPart::markLink);
}

void GapPart::setGap(const PreparedView& view, const Notation& notation, int rank, const IdlePeriod& period) {
    sentence_->setText(sentencesText(gapSentences(view, notation, rank, period)));
    const Gap* const gap = view.gapOf(period);
    for (QWidget* part : std::initializer_list<QWidget*>{parts_, chain_head_, chain_})
        part->setVisible(gap != nullptr);
    if (gap == nullptr) {
        parts_->setRows({});
        return chain_->setRows({});
    }
    showParts(notation, *gap);
    showChain(view, notation, *gap);
}

void GapPart::showParts(const Notation& notation, const Gap& gap) {
    parts_->setHeader({tr("Cause"), tr("idle, %1").arg(notation.unitName()), tr("of the gap")}, {0, 0.7, 1});
    std::vector<BubbleCause> causes;
    for (int cause = 0; cause < kBubbleCauses; ++cause) causes.push_back(static_cast<BubbleCause>(cause));
    const auto part = [&gap](BubbleCause cause) { return gap.parts[static_cast<std::size_t>(cause)]; };
    std::ranges::stable_sort(causes, std::ranges::greater(), part);
    std::vector<FigureRow> rows;
    for (const BubbleCause cause : causes)
        if (part(cause) > 0)
            rows.push_back(
                {{causeName(cause), notation.number(static_cast<double>(part(cause))),
                  shareText(static_cast<double>(part(cause)) / static_cast<double>(gap.length_ns()))},
                 FigureRow::Look::Normal});
    parts_->setRows(std::move(rows));
}

void GapPart::showChain(const PreparedView& view, const Notation& notation, const Gap& gap) {
    chain_head_->setText(tr("Why it waited, from its end backwards"));
    chain_head_->setToolTip(tr("[ and ] move along the chain, a click shows a link on the timeline."));
    chain_->setHeader({tr("Link"), tr("from"), tr("lasts, %1").arg(notation.unitName())}, {0, 0.7, 1});
    std::vector<FigureRow> rows;
    const std::vector<Reason> reasons = view.causes()->reasons(gap);
    std::int64_t shortest_ns = gap.length_ns();
    for (const Reason& reason : reasons)
        if (reason.end_ns > reason.start_ns)
            shortest_ns = std::min(shortest_ns, reason.end_ns - reason.start_ns);
    const Notation fine = notation.fineFor(static_cast<double>(shortest_ns));
    link_of_row_.clear();
    for (std::size_t link = 0; link < reasons.size(); ++link) {
        const Reason& reason = reasons[link];
        if (reason.kind == Reason::Kind::Message && reason.end_ns <= reason.start_ns) continue;
        link_of_row_.push_back(static_cast<int>(link));
        const double from = view.relative(reason.start_ns), to = view.relative(reason.end_ns);
        rows.push_back({{reasonText(view, notation, reason), fine.number(from),
                         reason.kind == Reason::Kind::Start ? QString() : fine.length(from, to)},
                        FigureRow::Look::Normal});
    }
    chain_->setRows(std::move(rows));
    markLink();
}

// At a message that takes no time the operation after it in the list is marked.
void GapPart::markLink() {
    std::vector<FigureRow> rows = chain_->rows();
    const auto marked = state_.link() ? std::ranges::lower_bound(link_of_row_, *state_.link()) - link_of_row_.begin()
                                      : std::ptrdiff_t{-1};
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].look =
            marked == static_cast<std::ptrdiff_t>(i) ? FigureRow::Look::Accent : FigureRow::Look::Normal;
    chain_->setRows(std::move(rows));
}

QStringList GapPart::lines() const {
    QStringList lines{sentence_->text()};
    for (const FigureTable* table : {parts_, chain_}) {
        if (table->rows().empty()) continue;
        lines << table->header().join(u'\t');
        for (const FigureRow& row : table->rows()) lines << row.cells.join(u'\t');
    }
    return lines;
}

}  // namespace bscope::ui
