// The blocks of a launch.
#pragma once

namespace bscope::cuda {

struct Grid {
    unsigned x, y;
};

}  // namespace bscope::cuda
