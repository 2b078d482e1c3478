// WireError: bytes, a file or a config text that cannot be understood; one sentence: the cause and, where
// there is one, the way on.
#pragma once

#include "words/sentence_error.h"

namespace bscope {

struct WireError : SentenceError<> {
    using SentenceError::SentenceError;
};

}  // namespace bscope
