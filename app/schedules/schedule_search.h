// ScheduleSearch: one search for a schedule on a thread of its own. What it finds comes back on the window's
// thread; a search that was cancelled says nothing, one for which the system has no thread fails at once, one
// that finds no memory when it comes to that.
// Window thread only.
#pragma once

#include <QObject>
#include <memory>

#include "app/shell/background.h"
#include "search/search.h"

namespace bscope::ui {

class ScheduleSearch : public QObject {
    Q_OBJECT
public:
    enum class Lacks { Thread, Memory };

    using QObject::QObject;
    void start(const SearchRequest& request);  // which has no problems; ends the one before
    void cancel() { work_.cancel(); }
    bool running() const { return work_.running(); }

signals:
    void found(const std::shared_ptr<const bscope::SearchResult>& result);
    // cause: as the system says it, "" for memory
    void failed(bscope::ui::ScheduleSearch::Lacks what, const QString& cause);

private:
    Background<SearchResult> work_{*this};
};

}  // namespace bscope::ui
