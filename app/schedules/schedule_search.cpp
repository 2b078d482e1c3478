#include "app/schedules/schedule_search.h"

namespace bscope::ui {

void ScheduleSearch::start(const SearchRequest& request) {
    const QString refusal =
        work_.start([request](const std::stop_token& stop) { return searchSchedule(request, stop); },
                    [this](const std::shared_ptr<const SearchResult>& result) {
                        if (result)
                            emit found(result);
                        else
                            emit failed(Lacks::Memory, {});
                    });
    if (!refusal.isEmpty()) emit failed(Lacks::Thread, refusal);
}

}  // namespace bscope::ui
