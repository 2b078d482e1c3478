#include "clock/throttle_counts.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace bscope {

namespace {

int openForReading(const std::filesystem::path& path) {
    return open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

std::optional<std::int64_t> numberIn(int file) {
    char text[32];
    const ssize_t size = file < 0 ? -1 : pread(file, text, sizeof text, 0);
    std::int64_t number = 0;
    if (size <= 0 || std::from_chars(text, text + size, number).ec != std::errc()) return std::nullopt;
    return number;
}

}  // namespace

ThrottleCounts::ThrottleCounts(const std::vector<int>& cpus, const std::filesystem::path& folder) {
    for (const int cpu : cpus) {
        const std::filesystem::path its = folder / ("cpu" + std::to_string(cpu)) / "thermal_throttle";
        cpus_.push_back({openForReading(its / "core_throttle_count"),
                         openForReading(its / "package_throttle_count"),
                         {}});
    }
    look();
}

ThrottleCounts::~ThrottleCounts() {
    for (const Cpu& cpu : cpus_)
        for (const int file : {cpu.core, cpu.package})
            if (file >= 0) close(file);
}

// Processors without a sensor of the whole package have a counter of the core alone.
std::optional<std::int64_t> ThrottleCounts::look() {
    std::optional<std::int64_t> most = cpus_.empty() ? std::nullopt : std::optional<std::int64_t>(0);
    for (Cpu& cpu : cpus_) {
        std::optional<std::int64_t> now = numberIn(cpu.core);
        if (now && cpu.package >= 0) {
            const auto of_package = numberIn(cpu.package);
            now = of_package ? std::optional(*now + *of_package) : std::nullopt;
        }
        const auto before = std::exchange(cpu.before, now);
        if (!now || !before)
            most.reset();
        else if (most)
            most = std::max(*most, *now - *before);
    }
    return most;
}

}  // namespace bscope
