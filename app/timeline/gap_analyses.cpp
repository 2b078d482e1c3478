#include "app/timeline/gap_analyses.h"

namespace bscope::ui {

IterationView GapAnalyses::withAnalysis(IterationView view) {
    const bool nothing_ran = view.ran->empty();
    if (view.now_ns >= 0 || !view.order || isAnalysedAtOnce(view)) return view;
    const std::shared_ptr<const Timeline>& events = nothing_ran ? view.planned : view.ran;
    if (events == of_) {
        view.analysis = known_;
        return view;
    }
    of_ = events;
    known_.reset();
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
