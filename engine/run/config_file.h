// config.json of a dump: the RunConfig, with the names of the configuration files (bubblescope.proto,
// RunConfig).
#pragma once

#include <filesystem>

#include "config/run_config.h"

namespace bscope {

// Throws std::runtime_error with the cause.
void writeConfig(const std::filesystem::path& file, const RunConfig& config);

}  // namespace bscope
