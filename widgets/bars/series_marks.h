// SeriesMarks: what the bars of the iteration strip say together: those of one configuration are a series, in
// which some may stand out, and the last of which may drift. Words are translated. A value.
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <optional>
#include <span>
#include <vector>

#include "analysis/iteration_series.h"
#include "view/view_data.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class SeriesMarks {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::SeriesMarks)
public:
    SeriesMarks() = default;
    explicit SeriesMarks(std::span<const IterationBar> bars);
    // bar: place among these.
    Oddity oddityOf(std::size_t bar) const;
    // Why it is marked, what else kept its processor from its usual speed, and whether its series drifts; a
    // line each.
    QStringList words(std::size_t bar, const Notation& notation) const;
    // Of the last series; places count from its first bar.
    const Drift* drift() const;
    std::size_t lastSeries() const { return series_.empty() ? 0 : series_.back().first; }

private:
    struct Series {
        std::size_t first = 0;
        SeriesFacts facts;
        std::optional<Drift> drift;
    };
    // What of a bar they are made of.
    struct Bar {
        double length_ms = 0;
        Disturbance disturbance = Disturbance::None;
        std::optional<std::int64_t> throttles;
    };
    const Series& of(std::size_t bar) const { return series_[series_of_[bar]]; }
    static QString causeText(const Bar& bar, Oddity why, bool is_longer);
    static QString driftText(const Drift& drift);

    std::vector<Series> series_;
    std::vector<std::size_t> series_of_;  // (bars,)
    std::vector<Bar> bars_;
};

}  // namespace bscope::ui
