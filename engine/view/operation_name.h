// What an operation is called beside a picture, the same on paper, in a page and in the terminal. Pure function.
#pragma once

#include "schedule/action.h"

namespace bscope {

// "forward": the id of a sentence. Of operations that a picture names: those that compute, and what is received.
const char* operationName(Op op);

}  // namespace bscope
