// WireError: bytes, a file or a config text that cannot be understood. what() is one sentence for a person:
// the cause and, where there is one, the way on.
#pragma once

#include <stdexcept>

namespace bscope {

struct WireError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace bscope
