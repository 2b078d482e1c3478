// What every configuration must stand that was read from anywhere.
#pragma once

#include "support/target.h"
#include "wire/convert.h"
#include "wire/scenario.h"

namespace bscope::fuzz {

// It is the same after its way through a file. A NaN, which is not equal to itself, is only written and read.
inline void checkSurvivesFile(const RunConfig& config) {
    const std::string json = configJson(config);
    const RunConfig again = fromWire(parseConfigJson(json, "again")), same = config;
    require(again == config || same != config, "a configuration changes in its file",
            [&] { return json; });
}

}  // namespace bscope::fuzz
