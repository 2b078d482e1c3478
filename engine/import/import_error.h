// ImportError: why files cannot be imported, with what to do. The sentence names the file.
#pragma once

#include <stdexcept>
#include <string>

namespace bscope {

struct ImportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace bscope
