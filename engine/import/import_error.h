// ImportError: why files cannot be imported, with what to do. The sentence names the file.
#pragma once

#include <stdexcept>
#include <string>

namespace bscope {

struct ImportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Whoever was told of the progress wanted no more.
struct ImportCancelled : std::runtime_error {
    ImportCancelled() : std::runtime_error("the import was cancelled") {}
};

}  // namespace bscope
