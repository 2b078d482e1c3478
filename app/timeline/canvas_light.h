// CanvasLight: lights up on the canvas what somebody asked to be shown, as soon as the canvas has the
// schedule it is about: the largest gap, the memory curves, or the way of one micro-batch. Window thread
// only.
#pragma once

#include <QString>
#include <optional>
#include <string>

#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

class CanvasLight {
public:
    explicit CanvasLight(GanttView& canvas) : canvas_(canvas) {}
    // what: "gap", "memory", "microbatch" or "".
    void light(std::string schedule, const QString& what);
    void follow();  // the canvas shows something new

private:
    struct Wish {
        std::string schedule;
        QString what;
    };
    void selectFirstMicrobatch(const IterationView& view);

    GanttView& canvas_;
    std::optional<Wish> wish_;
};

}  // namespace bscope::ui
