#include "widgets/dock/comparison_section.h"

#include <algorithm>

#include "widgets/text/bubble_formula_text.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"
#include "widgets/text/notation.h"
#include "words/number_text.h"

namespace bscope::ui {

void ComparisonSection::setBaseline(std::shared_ptr<const PreparedView> baseline) {
    baseline_ = std::move(baseline);
    refresh();
}

bool ComparisonSection::fill(const PreparedView& view) {
    if (!baseline_ || !view.hasRun() || isSameIteration(view.view(), baseline_->view())) return false;
    if (view.causes() == nullptr || baseline_->causes() == nullptr) return false;
    const IterationTotals a = totalsOf(*baseline_->causes()), b = totalsOf(*view.causes());
    const IterationTotals more = difference(a, b);
    const Notation notation = notationOf(state_, view.view());
    const bool gpus = view.view().ranksAreGpus();
    head()->setText(tr("Beside the baseline"));
    const IterationView &its = baseline_->view(), &own = view.view();
    aside()->setText(iterationName(its, own.file) + QStringLiteral(" → ") + iterationName(own, its.file));
    table_->setHeader({notation.unitName(), tr("baseline"), tr("this"), tr("change")}, {0, 0.56, 0.78, 1});
    const bool same_source = baseline_->provenance() == view.provenance();
    table_->setToolTip(same_source ? tr("This minus baseline, as in bscope compare.")
                                   : tr("Their times come from different sources (%1, %2) and are not the "
                                        "same quantity.")
                                         .arg(QString::fromLatin1(toText(baseline_->provenance())),
                                              QString::fromLatin1(toText(view.provenance()))));
    const double unit_ns = notation.unitNs();
    const auto ofSmaller = [](std::int64_t one, std::int64_t other, double unit) {
        return decimalsOf(static_cast<double>(std::min(one, other)) / unit);
    };
    const int places_of_times = ofSmaller(a.iteration_ns, b.iteration_ns, unit_ns);
    std::vector<FigureRow> rows;
    // Differences are those of what is printed.
    const auto add = [&rows](const QString& name, double before, double after, FigureRow::Look look,
                             int places = 1) {
        const double from = roundedTo(before, places), to = roundedTo(after, places);
        rows.push_back(
            {{name, numberText(from, places), numberText(to, places), signedText(to - from, places)}, look});
    };
    const auto addTime = [&](const QString& name, std::int64_t before, std::int64_t after,
                             FigureRow::Look look = FigureRow::Look::Normal) {
        add(name, static_cast<double>(before) / unit_ns, static_cast<double>(after) / unit_ns, look,
            places_of_times);
    };
    addTime(tr("iteration"), a.iteration_ns, b.iteration_ns, FigureRow::Look::Marked);
    add(tr("bubble, %"), 100 * inDefinition(a.bubble_of_total, notation.definition),
        100 * inDefinition(b.bubble_of_total, notation.definition), FigureRow::Look::Normal);
    addTime(tr("idle, all ranks"), a.idle_ns, b.idle_ns);
    for (int cause = 0; cause < kBubbleCauses; ++cause) {
        const auto at = static_cast<std::size_t>(cause);
        if (a.causes[at] != 0 || b.causes[at] != 0)
            addTime(causeName(static_cast<BubbleCause>(cause)), a.causes[at], b.causes[at],
                    FigureRow::Look::Faint);
    }
    for (std::size_t rank = 0; rank < more.ranks.size(); ++rank) {
        const QString name = rankText(static_cast<int>(rank), gpus);
        addTime(tr("%1 busy").arg(name), a.ranks[rank].busy_ns, b.ranks[rank].busy_ns);
        addTime(tr("%1 idle").arg(name), a.ranks[rank].idle_ns, b.ranks[rank].idle_ns,
                FigureRow::Look::Faint);
    }
    if (a.peak_bytes > 0 && b.peak_bytes > 0)
        add(tr("peak, MB"), static_cast<double>(a.peak_bytes) / 1e6, static_cast<double>(b.peak_bytes) / 1e6,
            FigureRow::Look::Normal, ofSmaller(a.peak_bytes, b.peak_bytes, 1e6));
    table_->setRows(std::move(rows));
    return true;
}

}  // namespace bscope::ui
