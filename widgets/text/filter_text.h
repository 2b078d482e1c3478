// A filter in words: "F, B of micro-batch 3". Pure, translated.
#pragma once

#include <QString>

#include "view/filter.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

// Empty: it is off.
QString filterText(const Filter& filter, const IterationView& view, const Notation& notation);

}  // namespace bscope::ui
