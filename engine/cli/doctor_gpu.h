// What the doctor says about GPUs: plugin, driver, each GPU, the paths between them, tracing.
#pragma once

#include <string>
#include <vector>

namespace bscope::cli {

struct Finding {
    std::string what;
    bool found;
    std::string text;  // what was found, or how to get it
};

std::vector<Finding> gpuFindings();

}  // namespace bscope::cli
