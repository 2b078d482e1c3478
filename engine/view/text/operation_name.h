// What an operation is called beside a picture, the same on paper, in a page and in the terminal. Pure function.
#pragma once

#include "schedule/action.h"

namespace bscope {

// "forward": the id of a sentence.
const char* operationName(Op op);

}  // namespace bscope
