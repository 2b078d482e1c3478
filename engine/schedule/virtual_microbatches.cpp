#include "schedule/virtual_microbatches.h"

#include <algorithm>

namespace bscope {

std::vector<VirtualMicrobatch> virtualMicrobatches(int v, int m, int group_size) {
    std::vector<VirtualMicrobatch> table;
    table.reserve(static_cast<std::size_t>(v) * static_cast<std::size_t>(m));
    for (int group = 0; group < m; group += group_size)
        for (int chunk = 0; chunk < v; ++chunk)
            for (int microbatch = group; microbatch < std::min(group + group_size, m); ++microbatch)
                table.push_back({chunk, microbatch});
    return table;
}

}  // namespace bscope
