// WireError: bytes, a file or a config text that cannot be understood; one sentence: the cause and, where
// there is one, the way on.
#pragma once

#include "words/said.h"

namespace bscope {

struct WireError : SaidError<> {
    using SaidError::SaidError;
};

}  // namespace bscope
