// CanvasHighlighter: lights up on the canvas what was requested, as soon as there is an iteration or a
// plan of the schedule that it is about: the largest gap, the memory curves, or the way of one micro-batch.
// While a run goes on, its last complete iteration is shown and held. Window thread only.
#pragma once

#include <QString>
#include <optional>
#include <string>

#include "app/session/session.h"
#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

class CanvasHighlighter {
public:
    CanvasHighlighter(Session& session, GanttView& canvas) : session_(session), canvas_(canvas) {}
    // what: "gap", "memory", "microbatch" or "".
    void light(std::string schedule, const QString& what);
    void follow();  // the canvas shows something new

private:
    struct Request {
        std::string schedule;
        QString what;
    };
    void selectFirstMicrobatch(const IterationView& view);

    bool holdsComplete();

    Session& session_;
    GanttView& canvas_;
    std::optional<Request> request_;
};

}  // namespace bscope::ui
