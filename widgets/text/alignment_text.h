// How two iterations are aligned on one time axis, in words. Window thread only.
#pragma once

#include <QString>

#include "view/view_data.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

QString alignmentName(Alignment alignment);  // "by time"
// The instant that stands at the same place in both, and where the baseline lies for it; whole sentences.
QString alignmentMeaning(const Beside& beside, const Notation& notation);

}  // namespace bscope::ui
