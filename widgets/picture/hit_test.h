// What of a Picture lies at a point, with the place it takes on screen.
#pragma once

#include <QPointF>
#include <QRectF>

#include "widgets/picture/picture.h"

namespace bscope::ui {

struct Hit {
    enum class Part { None, Title, Ruler, Header, End, Lane, Box, PlannedBox, Idle, Message };
    Part part = Part::None;
    int group = -1, rank = -1;
    bool in_memory = false;  // in the lane's memory strip or beside it
    Event event;             // Box, PlannedBox, Message
    IdlePeriod idle;         // Idle
    QRectF place;            // visible part on screen; Box, PlannedBox, Idle, Message

    bool isThing() const { return part >= Part::Box; }
    bool isSameThing(const Hit& other) const {
        return part == other.part && group == other.group && rank == other.rank && place == other.place;
    }
};

Hit hitTest(const Picture& picture, const QPointF& at);

}  // namespace bscope::ui
