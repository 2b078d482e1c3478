// What of a picture is pointed at to explain it: where it stands on the canvas, large enough to be seen;
// nullopt where the picture has none in sight. Pure functions.
#pragma once

#include <QRectF>
#include <optional>

#include "widgets/picture/picture.h"

namespace bscope::ui {

// A forward pass, of what ran or of the plan.
std::optional<QRectF> boxToExplain(const Picture& picture);
// The widest idle time on one lane.
std::optional<QRectF> bubbleToExplain(const Picture& picture);

}  // namespace bscope::ui
