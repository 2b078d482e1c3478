#include "widgets/bars/series_marks.h"

#include "widgets/text/format.h"

namespace bscope::ui {

SeriesMarks::SeriesMarks(std::span<const IterationBar> bars) {
    series_of_.assign(bars.size(), 0);
    for (const IterationBar& bar : bars) lengths_ms_.push_back(bar.iteration_ms);
    for (std::size_t first = 0; first < bars.size();) {
        std::vector<SeriesPoint> points;
        std::size_t past = first;
        for (; past < bars.size() && bars[past].group == bars[first].group &&
               bars[past].since == bars[first].since;
             ++past) {
            points.push_back({bars[past].iteration_ms, bars[past].disturbed,
                              !bars[past].numbered_by_files && bars[past].iteration == bars[past].since});
            series_of_[past] = series_.size();
        }
        series_.push_back({first, seriesFacts(points), driftOf(points)});
        first = past;
    }
}

Oddity SeriesMarks::oddityOf(std::size_t bar) const {
    return of(bar).facts.oddities[bar - of(bar).first];
}

const Drift* SeriesMarks::drift() const {
    return series_.empty() || !series_.back().drift ? nullptr : &*series_.back().drift;
}

QStringList SeriesMarks::words(std::size_t bar, const Notation& notation) const {
    const SeriesFacts& facts = of(bar).facts;
    const auto share = [](double part) { return withUnit(signedText(100 * part, 1), "%"); };
    QStringList words;
    if (const Oddity why = oddityOf(bar); why != Oddity::None) {
        words << tr("stands out: %1 beside the median of %2 iterations, %3")
                     .arg(share(lengths_ms_[bar] / facts.median_ms - 1), QString::number(facts.samples),
                          notation.duration(1e6 * facts.median_ms));
        words << (why == Oddity::Disturbed ? tr("cause: other programs took time meanwhile (disturbed)")
                  : why == Oddity::First   ? tr("it is the first one of its configuration")
                                           : tr("nothing that is recorded says why"));
    }
    if (const auto& drift = of(bar).drift)
        words << tr("drift: %1 over %2 undisturbed iterations (Mann-Kendall, z = %3); nothing that is "
                    "recorded says why")
                     .arg(share(drift->share), QString::number(drift->samples), numberText(drift->z, 1));
    return words;
}

}  // namespace bscope::ui
