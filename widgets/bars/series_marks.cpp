#include "widgets/bars/series_marks.h"

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

SeriesMarks::SeriesMarks(std::span<const IterationBar> bars) {
    series_of_.assign(bars.size(), 0);
    for (const IterationBar& bar : bars) bars_.push_back({bar.iteration_ms, bar.disturbance, bar.throttles});
    for (std::size_t first = 0; first < bars.size();) {
        std::vector<SeriesPoint> points;
        std::size_t past = first;
        for (; past < bars.size() && bars[past].sharesBracket(bars[first]) &&
               bars[past].since == bars[first].since;
             ++past) {
            points.push_back({bars[past].iteration_ms, bars[past].disturbance != Disturbance::None,
                              !bars[past].numbered_by_files && bars[past].iteration == bars[past].since,
                              bars[past].throttles});
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

namespace {

QString changeText(double part) {
    return withUnit(signedText(100 * part, 1), "%");
}

}  // namespace

QString SeriesMarks::causeText(const Bar& bar, Oddity why, bool is_longer) {
    switch (why) {
        case Oddity::None:
            return {};
        case Oddity::Thermal:
            return tr("cause: heat; the processor lowered its clock %1× during it (thermal)")
                .arg(bar.throttles.value_or(0));
        case Oddity::Disturbed:
            return bar.disturbance == Disturbance::Requests
                       ? tr("cause: the stream waited until more iterations were requested (disturbed)")
                       : tr("cause: other programs took time during it (disturbed)");
        case Oddity::First:
            return tr("it is the first one of its configuration");
        case Oddity::Unexplained:
            break;
    }
    return bar.throttles || !is_longer
               ? tr("no cause is recorded")
               : tr("no cause is recorded; whether heat lowered a clock is not recorded");
}

QString SeriesMarks::driftText(const Drift& drift) {
    const QString what = said(sentence("drift: {0} over {1} undisturbed iterations (Mann-Kendall, z = {2})",
                                       changeText(drift.share).toStdString(), drift.samples,
                                       numberText(drift.z, 1).toStdString()));
    const bool is_longer = drift.share > 0;
    if (is_longer && drift.throttled.value_or(0) > 0)
        return tr("%1; in %2 of them heat lowered a clock (thermal)").arg(what).arg(*drift.throttled);
    return is_longer && !drift.throttled
               ? tr("%1; no cause is recorded; whether heat lowered a clock is not recorded").arg(what)
               : tr("%1; no cause is recorded").arg(what);
}

QStringList SeriesMarks::words(std::size_t place, const Notation& notation) const {
    const SeriesFacts& facts = of(place).facts;
    const Bar& bar = bars_[place];
    const Oddity why = oddityOf(place);
    QStringList words;
    if (why != Oddity::None)
        words << tr("outlier: %1 from the median of %2 iterations, %3")
                     .arg(changeText(bar.length_ms / facts.median_ms - 1), QString::number(facts.samples),
                          notation.duration(1e6 * facts.median_ms))
              << causeText(bar, why, bar.length_ms > facts.median_ms);
    if (const std::int64_t times = bar.throttles.value_or(0); times > 0 && why != Oddity::Thermal)
        words << tr("throttled: the processor lowered its clock because of heat, %1×").arg(times);
    if (bar.disturbance != Disturbance::None && why != Oddity::Disturbed)
        words << (bar.disturbance == Disturbance::Requests
                      ? tr("disturbed: the stream waited until more iterations were requested")
                      : tr("disturbed: something else ran on a core of this run"));
    if (const auto& drift = of(place).drift) words << driftText(*drift);
    return words;
}

}  // namespace bscope::ui
