#include "host/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace bscope {

void preferLargePages(void* begin, std::size_t bytes) {
    constexpr std::size_t kLeast = std::size_t{4} << 20;  // at least one whole page of 2 MB lies in it
    if (bytes < kLeast) return;
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = (address + page - 1) / page * page, past = (address + bytes) / page * page;
    // A hint: kernels without large pages refuse it, and nothing else changes then.
    (void)madvise(reinterpret_cast<void*>(first), past - first, MADV_HUGEPAGE);
}

}  // namespace bscope
