// ThrottleCounts: how often processors have lowered a core's clock against heat, as Linux counts it on
// processors that report it: one folder per logical CPU, with a counter of the core and one of its package.
// Files stay open, so that a query costs one read per file. Virtual machines and many processors have no
// counters: then nothing is known, which is not the same as zero. A phase that began before a query and goes
// on is not counted by later queries. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace bscope {

inline constexpr const char* kCpuFolder = "/sys/devices/system/cpu";

class ThrottleCounts {
public:
    // Logical CPUs, and the folder of all of them.
    explicit ThrottleCounts(const std::vector<int>& cpus, const std::filesystem::path& folder = kCpuFolder);
    ~ThrottleCounts();
    ThrottleCounts(const ThrottleCounts&) = delete;
    ThrottleCounts& operator=(const ThrottleCounts&) = delete;

    // By how much the counters of a core and its package have risen since the last look: of the CPU where it
    // is most, since all of a package count the same. nullopt: a core has no counter, or it can no longer be
    // read.
    std::optional<std::int64_t> look();

private:
    struct Cpu {
        int core = -1, package = -1;  // files; -1: there is none
        std::optional<std::int64_t> before;
    };
    std::vector<Cpu> cpus_;
};

}  // namespace bscope
