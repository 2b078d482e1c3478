// GapAnalyses: why ranks stand still, of the complete iteration or plan that the Timeline view shows: one
// analysis, which canvas and numbers share. Of a large iteration it is made on a thread of its own, so that
// neither the stream nor the window waits; it is kept while the iteration is shown. Window thread only.
#pragma once

#include <QObject>
#include <memory>

#include "app/shell/background.h"
#include "view/prepared_view.h"

namespace bscope::ui {

class GapAnalyses : public QObject {
    Q_OBJECT
public:
    explicit GapAnalyses(QObject* parent) : QObject(parent) {}
    // With its analysis where that is known; else it begins, and ready() follows.
    IterationView withAnalysis(IterationView view);

signals:
    void ready();

private:
    std::shared_ptr<const Timeline> of_;  // the events it is of, or is being made of
    SharedSeries series_;                // and by whose medians stages are judged
    std::shared_ptr<const GapAnalysis> known_;
    Background<std::shared_ptr<const GapAnalysis>> work_{*this};
};

}  // namespace bscope::ui
