#include "app/timeline/gap_analyses.h"

namespace bscope::ui {

IterationView GapAnalyses::withAnalysis(IterationView view) {
    if (view.now_ns >= 0 || !view.order) return view;
    const std::shared_ptr<const Timeline>& events = view.ran->empty() ? view.planned : view.ran;
    if (events == of_ && view.series == series_) {
        view.analysis = known_;
        return view;
    }
    of_ = events;
    series_ = view.series;
    known_.reset();
    work_.cancel();
    if (isAnalysedAtOnce(view)) {
        view.analysis = known_ = analysisOf(view, *view.order);
        return view;
    }
    const QString refused =
        work_.start([view](const std::stop_token&) { return analysisOf(view, *view.order); },
                    [this](const std::shared_ptr<const std::shared_ptr<const GapAnalysis>>& made) {
                        if (!made) return;  // the gaps stay without causes
                        known_ = *made;
                        emit ready();
                    });
    if (!refused.isEmpty()) of_.reset();  // tried again at the next picture
    return view;
}

}  // namespace bscope::ui
