#include "app/schedules/schedule_search.h"

#include <system_error>

namespace bscope::ui {

void ScheduleSearch::start(const SearchRequest& request) {
    cancel();
    running_ = true;
    try {
        worker_ = std::jthread(
            [this, request, search = search_](const std::stop_token& stop) { work(request, search, stop); });
    } catch (const std::system_error& error) {
        running_ = false;
        emit failed(QString::fromLocal8Bit(error.code().message().c_str()));
    }
}

void ScheduleSearch::work(const SearchRequest& request, quint64 search, const std::stop_token& stop) {
    auto result = std::make_shared<const SearchResult>(searchSchedule(request, stop));
    if (stop.stop_requested()) return;
    QMetaObject::invokeMethod(
        this, [this, search, result = std::move(result)] { finish(search, result); }, Qt::QueuedConnection);
}

void ScheduleSearch::cancel() {
    worker_.request_stop();
    ++search_;
    running_ = false;
}

void ScheduleSearch::finish(quint64 search, std::shared_ptr<const SearchResult> result) {
    if (search != search_) return;
    running_ = false;
    emit found(result);
}

}  // namespace bscope::ui
