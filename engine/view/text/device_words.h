// What computed, as people read it. Pure function.
#pragma once

#include <string>

#include "words/sentence.h"

namespace bscope {

// Of a device as the engine names it: "CPU, 2 cores", "4 x H200, driver 580".
Sentence deviceWords(const std::string& device);

}  // namespace bscope
