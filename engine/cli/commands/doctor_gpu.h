// What the doctor says about GPUs: plugin, driver, each GPU, the paths between them, tracing.
#pragma once

#include <vector>

#include "words/sentence.h"

namespace bscope::cli {

struct Finding {
    Sentence what;  // empty: the same as above
    bool found;
    Sentence text;  // what was found, or how to get it
};

std::vector<Finding> gpuFindings();

}  // namespace bscope::cli
