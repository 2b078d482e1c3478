// differenceText: where the order of an imported run parts from the nearest schedule of the catalog, in
// words. Pure function; words are translated.
#pragma once

#include <QString>

#include "report/report.h"

namespace bscope::ui {

// Empty: it is a schedule of the catalog, or the catalog has none for its p, v and m.
QString differenceText(const ImportOrigin& origin);

}  // namespace bscope::ui
