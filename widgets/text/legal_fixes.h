// What to set so that an illegal configuration becomes legal: the values behind "Use v = 1, p = 8".
#pragma once

#include <QString>
#include <string>
#include <utility>
#include <vector>

#include "config/run_config.h"

namespace bscope::ui {

// A field of setConfigField() and its value, or "schedule" and its place in the catalog.
using Fix = std::pair<std::string, long>;

// One value a field, found one after the other, since what is legal depends on what was set before; of two
// fields that a rule ties together the one that was changed since `before`, a legal configuration, gives way.
// Not every problem has a value that ends it: nothing can be set for a missing schedule. refusal: problems
// that only the engine finds, of a configuration that is legal otherwise.
std::vector<Fix> legalFixes(const RunConfig& config, const RunConfig& before,
                            const std::vector<Problem>& refusal = {});

// The same in several ways, the best first: legalFixes(); where a single field gives way also the nearest
// legal value on its other side. Of two equally near values the one in force comes first. A v that the
// schedule does not know also leads to the nearest schedule that does.
std::vector<std::vector<Fix>> legalOffers(const RunConfig& config, const RunConfig& before,
                                          const std::vector<Problem>& refusal = {});

// "m = 2", "checkpointing = Full", "cap = 76 MB", "Interleaved 1F1B".
QString fixText(const Fix& fix);

// Sets them all. A split made for another number of stages goes, and so do slow ranks that are gone.
RunConfig withFixes(RunConfig config, const std::vector<Fix>& fixes);

}  // namespace bscope::ui
