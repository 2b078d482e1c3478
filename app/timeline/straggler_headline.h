// StragglerHeadline: the line above the canvas of an opened run that says what is slow in most of its
// iterations, with the run without it predicted. A live run has it in the status line, where it may come and
// go. Window thread only.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "advice/without_straggler.h"
#include "app/find/search.h"
#include "app/session/session.h"
#include "app/timeline/recent_iterations.h"
#include "app/tune/advice_controller.h"
#include "widgets/bars/straggler_line.h"

namespace bscope::ui {

class StragglerHeadline : public QObject {
    Q_OBJECT
public:
    StragglerHeadline(Session& session, RecentIterations& recent, AdviceController& advice, QWidget* page);

    StragglerLine* line() const { return line_; }
    void setNotation(const Notation& notation);

signals:
    void changed();
    void showRequested(const bscope::ui::SearchHit& hit);

private:
    void follow();
    void show();
    void toggleWithout();
    std::optional<SearchHit> longest() const;

    Session& session_;
    RecentIterations& recent_;
    AdviceController& advice_;
    StragglerLine* line_;
    Notation notation_;
    std::shared_ptr<const IterationStart> start_;  // what runs under it was looked at
    std::optional<Straggler> found_;
    std::optional<WithoutStraggler> without_;
    bool closed_ = false;  // by hand, of this run
};

}  // namespace bscope::ui
