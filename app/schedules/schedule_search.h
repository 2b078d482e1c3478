// ScheduleSearch: one search for a schedule on a thread of its own. What it finds comes back on the window's
// thread; a search that was cancelled says nothing, one for which the system has no thread fails at once.
// Window thread only.
#pragma once

#include <QObject>
#include <memory>
#include <thread>

#include "timeline/search.h"

namespace bscope::ui {

class ScheduleSearch : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void start(const SearchRequest& request);  // which has no problems; ends the one before
    void cancel();
    bool running() const { return running_; }

signals:
    void found(const std::shared_ptr<const bscope::SearchResult>& result);
    void failed(const QString& cause);  // as the system says it

private:
    void work(const SearchRequest& request, quint64 search, const std::stop_token& stop);
    void finish(quint64 search, std::shared_ptr<const SearchResult> result);

    quint64 search_ = 0;
    bool running_ = false;
    std::jthread worker_;  // last: is ended before anything it tells is gone
};

}  // namespace bscope::ui
