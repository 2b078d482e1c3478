// What the commands that draw on a whole terminal have in common.
#pragma once

#include "cli/input/command_line.h"
#include "terminal/session.h"

namespace bscope::cli {

// Adds --theme; colours follow NO_COLOR. `options` outlives parse().
void addScreenOptions(CommandLine& line, terminal::ScreenOptions& options);

}  // namespace bscope::cli
