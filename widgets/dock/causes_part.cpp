#include "widgets/dock/causes_part.h"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "view/gap.h"
#include "widgets/controls/section.h"
#include "widgets/picture/cause_hatch.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

constexpr std::size_t kListed = 8;

// Those that have a share.
std::vector<BubbleCause> greatestFirst(const CauseParts& parts) {
    const auto total = [&](BubbleCause cause) { return parts[static_cast<std::size_t>(cause)]; };
    std::vector<BubbleCause> order;
    for (int cause = 0; cause < kBubbleCauses; ++cause)
        if (total(static_cast<BubbleCause>(cause)) > 0) order.push_back(static_cast<BubbleCause>(cause));
    std::ranges::stable_sort(order, std::ranges::greater(), total);
    return order;
}

}  // namespace

// One bar over the whole width, hatched by cause, in the order of the rows below it.
class IdleBar : public QWidget, public Themed {
public:
    struct Part {
        double share = 0;
        Hatch hatch = Hatch::Rising;
    };
    explicit IdleBar(QWidget* parent) : QWidget(parent) {}
    void setParts(std::vector<Part> parts) {
        parts_ = std::move(parts);
        update();
    }
    void followTheme() override { setFixedHeight(currentTheme().px(12)); }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme theme = inkThemeOf(*this);
        QPainter painter(this);
        double left = 0;
        for (const Part& each : parts_) {
            const QRectF part(left, 0, each.share * width(), height());
            left = part.right();
            if (part.width() <= 0) continue;
            paintHatch(painter, part, theme, each.hatch);
            painter.setPen(theme.text_faint);
            painter.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }

private:
    std::vector<Part> parts_;
};

CausesPart::CausesPart(QWidget* parent)
    : QWidget(parent),
      note_(makeParagraph(TextRole::Soft, this)),
      bar_(new IdleBar(this)),
      causes_(new BarRows(this)),
      gaps_(new FigureTable(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    causes_->setColumns(0, 14, 210);
    gaps_->setChoosable();
    for (QWidget* part : std::initializer_list<QWidget*>{note_, bar_, causes_, gaps_})
        column->addWidget(part);
    connect(gaps_, &FigureTable::rowChosen, this,
            [this](int row) { emit gapChosen(listed_[static_cast<std::size_t>(row)]); });
}

void CausesPart::setView(const PreparedView& view, const Notation& notation) {
    const BubbleCauses* const causes = view.causes();
    for (QWidget* part : std::initializer_list<QWidget*>{bar_, causes_}) part->setVisible(causes != nullptr);
    note_->setVisible(causes == nullptr);
    note_->setText(view.schedule() == nullptr ? tr("Without an order there are no causes.")
                                              : tr("The causes are being computed."));
    if (causes != nullptr) showCauses(*causes, notation);
    showGaps(view, notation);
}

std::vector<BarRow> causeRows(const CauseParts& parts, std::int64_t idle_ns, const Notation& notation) {
    std::vector<BarRow> rows;
    for (const BubbleCause cause : greatestFirst(parts)) {
        const auto ns = static_cast<double>(parts[static_cast<std::size_t>(cause)]);
        rows.push_back({causeName(cause), 1, BarLook::Swatch, notation.duration(ns),
                        withUnit(numberText(100 * ns / static_cast<double>(idle_ns), 0), "%"), false,
                        meaningOf(cause), hatchOf(familyOf(cause))});
    }
    return rows;
}

void CausesPart::showCauses(const BubbleCauses& causes, const Notation& notation) {
    std::vector<IdleBar::Part> parts;
    for (const BubbleCause cause : greatestFirst(causes.totals()))
        parts.push_back({static_cast<double>(causes.totals()[static_cast<std::size_t>(cause)]) /
                             static_cast<double>(causes.idle_ns()),
                         hatchOf(familyOf(cause))});
    bar_->setParts(std::move(parts));
    causes_->setRows(causeRows(causes.totals(), causes.idle_ns(), notation));
}

void CausesPart::showGaps(const PreparedView& view, const Notation& notation) {
    listed_ = gapsBySize(view);
    gaps_->setVisible(!listed_.empty());
    gaps_->setToolTip(tr("; goes from gap to gap, the longest first."));
    if (listed_.size() > kListed) listed_.resize(kListed);
    gaps_->setHeader({tr("Longest gaps"), tr("from"), tr("idle, %1").arg(notation.unitName())}, {0, 0.7, 1});
    std::vector<FigureRow> rows;
    double shortest_ns = 0;
    if (!listed_.empty()) {
        const IdlePeriod last = *gapOf(view, listed_.back());
        shortest_ns = static_cast<double>(last.end_ns - last.start_ns);
    }
    const Notation fine = notation.fineFor(shortest_ns);
    for (const GapSelection& each : listed_) {
        const IdlePeriod period = *gapOf(view, each);
        const double from = view.relative(period.start_ns), to = view.relative(period.end_ns);
        const Gap* const gap = view.gapOf(period);
        const QString rank = rankText(each.rank, view.view().ranksAreGpus());
        rows.push_back({{gap != nullptr ? QStringLiteral("%1 · %2").arg(rank, causeName(gap->cause)) : rank,
                         fine.number(from), fine.length(from, to)},
                        FigureRow::Look::Normal});
    }
    gaps_->setRows(std::move(rows));
}

}  // namespace bscope::ui
