#include "widgets/dock/range_section.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <algorithm>

#include "widgets/dock/causes_part.h"
#include "widgets/text/filter_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

RangeSection::RangeSection(ViewState& state, QWidget* parent)
    : Section(parent),
      state_(state),
      sentence_(makeParagraph(TextRole::Soft, this)),
      figures_(new FigureTable(this)),
      definition_(makeParagraph(TextRole::Faint, this)),
      causes_head_(makeParagraph(TextRole::Soft, this)),
      causes_(new BarRows(this)),
      note_(makeParagraph(TextRole::Soft, this)),
      copy_(new Button(ButtonLook::Link, Glyph::None, this)) {
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    causes_->setColumns(0, 14, 210);
    copy_->setDesignHeight(20);
    for (QWidget* part :
         std::initializer_list<QWidget*>{sentence_, figures_, definition_, causes_head_, causes_, note_})
        content()->addWidget(part);
    content()->addWidget(copy_, 0, Qt::AlignLeft);
    connect(copy_, &QAbstractButton::clicked, this, &RangeSection::copy);
    connect(&state_, &ViewState::presentationChanged, this, &RangeSection::refresh);
    hide();
}

void RangeSection::setReading(const IterationView& view, const std::optional<RangeReading>& reading) {
    view_ = view;
    reading_ = reading;
    refresh();
}

void RangeSection::refresh() {
    setVisible(reading_.has_value());
    if (!reading_) return;
    const Notation notation = notationOf(state_, view_);
    head()->setText(tr("Range of iteration %1").arg(view_.number()));
    aside()->setText(tr("Esc clears"));
    const auto rank = [this](int number) { return rankText(number, view_.ranksAreGpus()); };
    QStringList sentences{tr("%1 to %2, %3.")
                              .arg(notation.duration(reading_->from_ns), notation.duration(reading_->to_ns),
                                   notation.duration(reading_->to_ns - reading_->from_ns))};
    if (const auto& lanes = reading_->lanes; !lanes)
        sentences << tr("All ranks.");
    else if (lanes->first == lanes->last)
        sentences << tr("%1 alone.").arg(rank(lanes->first));
    else
        sentences << tr("%1 to %2.").arg(rank(lanes->first), rankInText(lanes->last, view_.ranksAreGpus()));
    if (view_.ran->empty()) sentences << tr("This is a plan; nothing ran.");
    if (view_.now_ns >= 0) sentences << tr("Only what has run so far.");
    sentence_->setText(sentencesText(sentences));
    definition_->setText(state_.bubbleDefinition() == BubbleDefinition::OfTotal
                             ? tr("Bubble: idle ÷ (idle + busy) time of the range.")
                             : tr("Bubble: idle ÷ busy time of the range."));
    fillFigures();
    fillCauses();
    const QString peak = peakText();
    note_->setText(peak);
    note_->setVisible(!peak.isEmpty());
    copy_->setText(tr("Copy"));
    copy_->setToolTip(tr("Copy these lines as text (Ctrl+C while nothing is selected)"));
}

void RangeSection::fillFigures() {
    const Notation notation = notationOf(state_, view_);
    const RangeNumbers& numbers = reading_->numbers;
    std::vector<FigureRow> rows;
    const auto add = [&rows](const QString& name, const QString& value) {
        rows.push_back({{name, value}, FigureRow::Look::Normal});
    };
    const auto duration = [&](std::int64_t ns) { return notation.duration(static_cast<double>(ns)); };
    add(tr("Bubble"), notation.bubble(numbers.all.bubbleOfTotal()));
    rows.back().look = FigureRow::Look::Marked;
    add(tr("busy, sum of ranks"), duration(numbers.all.busy_ns));
    add(tr("idle, sum of ranks"), duration(numbers.all.idle_ns));
    if (reading_->is_filtered) {
        add(tr("busy with what the filter shows"), duration(numbers.passing.busy_ns));
        add(tr("idle before what the filter shows"), duration(numbers.passing.idle_ns));
    }
    const double seconds = (reading_->to_ns - reading_->from_ns) / 1e9;
    const double whole = amountOfIteration(view_.config, !view_.import);
    const auto addRate = [&](Op op, double share) {
        if (seconds <= 0 || share <= 0) return;
        const double rate = share * whole / seconds;
        add(view_.import ? tr("%1, micro-batches/s").arg(opName(op)) : tr("%1, tokens/s").arg(opName(op)),
            view_.import ? trimmedText(rate, 1) : rateNumber(rate));
    };
    addRate(Op::Forward, numbers.forward_share);
    addRate(Op::Backward, numbers.backward_share);
    figures_->setHeader({reading_->lanes ? tr("On these ranks") : tr("On all ranks"), {}}, {1});
    figures_->setRows(std::move(rows));
    figures_->setToolTip(
        tr("Throughput: the iteration's tokens, times the share of these ranks' passes that ran in the "
           "range, divided by its length. For the whole iteration it is the iteration's throughput."));
}

void RangeSection::fillCauses() {
    const RangeNumbers::Share& share = reading_->numbers.passing;
    const bool any = reading_->has_causes && share.idle_ns > 0;
    causes_head_->setVisible(any || !reading_->has_causes);
    causes_->setVisible(any);
    causes_head_->setText(!reading_->has_causes   ? tr("The causes of the idle time are not known yet.")
                          : reading_->is_filtered ? tr("Idle time before what the filter shows, by cause")
                                                  : tr("Idle time by cause"));
    causes_head_->setToolTip(
        tr("Of a gap that the range cuts, each cause counts by the share of the gap inside the range."));
    if (any) causes_->setRows(causeRows(share.causes, share.idle_ns, notationOf(state_, view_)));
}

QString RangeSection::peakText() const {
    const auto bytes = [](const std::optional<MemoryPoint>& peak) { return peak ? peak->live_bytes : -1; };
    const auto most = std::ranges::max_element(reading_->peaks, {}, bytes);
    if (most == reading_->peaks.end() || !*most) return {};
    const auto place = static_cast<std::size_t>(most - reading_->peaks.begin());
    return tr("Peak of activations: %1 on %2, %3 in flight.")
        .arg(bytesText(static_cast<double>((*most)->live_bytes)),
             rankInText(reading_->numbers.ranks[place].rank, view_.ranksAreGpus()))
        .arg((*most)->in_flight);
}

QStringList RangeSection::lines() const {
    if (!reading_) return {};
    QStringList lines{head()->text(), sentence_->text()};
    for (const FigureRow& row : figures_->rows()) lines << row.cells.join(u'\t');
    lines << definition_->text();
    if (!causes_->isHidden()) {
        lines << causes_head_->text();
        for (const BarRow& row : causes_->rows()) lines << row.name + u'\t' + row.value + u'\t' + row.remark;
    }
    if (!note_->isHidden()) lines << note_->text();
    if (reading_->is_filtered)
        lines << tr("Filter: %1").arg(filterText(state_.filter(), view_, notationOf(state_, view_)));
    return lines;
}

void RangeSection::copy() {
    if (reading_) QGuiApplication::clipboard()->setText(lines().join(u'\n').replace(QChar::Nbsp, u' '));
}

void RangeSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
