// RecentIterations: the last iterations under the newest configuration, each looked at once: how long its
// operations took and what stands out in it. One is examined per turn of the event loop, so that the window
// stays responsive. Window thread only.
#pragma once

#include <QObject>
#include <QTimer>
#include <deque>
#include <memory>
#include <optional>

#include "analysis/iteration_series.h"
#include "app/session/session.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class RecentIterations : public QObject {
    Q_OBJECT
public:
    RecentIterations(Session& session, QObject* parent);
    // With how long its operations took in these, where it is of their configuration.
    IterationView withDurations(IterationView view) const;
    std::optional<Straggler> found() const;  // slower than its like in most of them
    // "rank 2 slow, ×1.14 (17 of 20 iterations)"; empty: nothing is slower in most of them.
    QString straggler(const Notation& notation) const;
    // The one whose length is nearest to the median of all iterations of the shown one's configuration, among
    // those that are kept; nullopt: none is. of: how many the median is of.
    struct Median {
        std::int32_t iteration = 0;
        double median_ms = 0;
        int of = 0;
    };
    std::optional<Median> median() const;

    static constexpr std::size_t kMost = kMostForStraggler;
    static constexpr std::size_t kMostOperations = kMostOperationsForStraggler;

signals:
    void changed();

private:
    struct Looked {
        std::int32_t iteration = 0;
        std::shared_ptr<const Timeline> events;
        std::shared_ptr<const PairedDurations> durations;
        std::optional<Outliers> outliers;  // nullopt: a stream's are not known without its neighbours
    };
    void begin();
    void lookAtNext();
    const Looked* find(std::int32_t iteration) const;

    Session& session_;
    QTimer next_{this};
    std::int32_t newest_ = -1;                     // complete one, when it was last looked
    std::shared_ptr<const IterationStart> start_;  // of all of them
    std::deque<Looked> looked_;                    // by iteration
};

}  // namespace bscope::ui
