// ScheduleSearch: one search for a schedule on a thread of its own. What it finds comes back on the window's
// thread; a search that was cancelled says nothing, one for which the system has no thread fails at once.
// Window thread only.
#pragma once

#include <QObject>
#include <memory>

#include "app/shell/background.h"
#include "timeline/search.h"

namespace bscope::ui {

class ScheduleSearch : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void start(const SearchRequest& request);  // which has no problems; ends the one before
    void cancel() { work_.cancel(); }
    bool running() const { return work_.running(); }

signals:
    void found(const std::shared_ptr<const bscope::SearchResult>& result);
    void failed(const QString& cause);  // as the system says it

private:
    Background<SearchResult> work_{*this};
};

}  // namespace bscope::ui
