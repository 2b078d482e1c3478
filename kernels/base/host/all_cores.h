// Work that falls into parts, done by all cores that this process may use.
#pragma once

#include <cstddef>
#include <functional>

namespace bscope {

// Calls work(0) ... work(parts - 1), each once and in any order, and returns when all are done. `work` may
// not throw. Where the system makes no thread, those that there are do the work.
void onAllCores(std::size_t parts, const std::function<void(std::size_t part)>& work);

}  // namespace bscope
