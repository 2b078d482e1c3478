#include "clock/stolen_time.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>

#include "clock/thread_time.h"

namespace bscope {

namespace {

// /proc/thread-self/schedstat of the thread that opened it: "CPU ns, ns in the queue, time slices".
class SchedStat {
public:
    SchedStat() : file_(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}
    ~SchedStat() {
        if (file_ >= 0) close(file_);
    }
    SchedStat(const SchedStat&) = delete;
    SchedStat& operator=(const SchedStat&) = delete;

    std::int64_t queued_ns() const {
        char text[96];
        const ssize_t size = file_ < 0 ? -1 : pread(file_, text, sizeof text, 0);
        if (size <= 0) return 0;
        const std::string_view line(text, static_cast<std::size_t>(size));
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos) return 0;
        std::int64_t queued = 0;
        std::from_chars(line.data() + space + 1, line.data() + line.size(), queued);
        return queued;
    }

private:
    int file_;
};

// Opened by the first thread that reads: a rank's.
StolenTime::Read threadReader() {
    return [stat = std::shared_ptr<const SchedStat>()]() mutable {
        if (!stat) stat = std::make_shared<const SchedStat>();
        return ThreadTimes{monotonic_ns(), threadCpu_ns(), stat->queued_ns()};
    };
}

}  // namespace

StolenTime::StolenTime(Read read) : read_(read ? std::move(read) : threadReader()) {}

void StolenTime::begin() {
    held_ns_ = 0;
    last_ = read_();
}

void StolenTime::settleWork() {
    const ThreadTimes now = read_();
    const std::int64_t others_ns = (now.wall_ns - last_.wall_ns) - (now.cpu_ns - last_.cpu_ns);
    held_ns_ += std::max<std::int64_t>(0, others_ns);
    last_ = now;
}

void StolenTime::settleWait() {
    const ThreadTimes now = read_();
    const std::int64_t queued_ns = now.queued_ns - last_.queued_ns;
    if (queued_ns > kUsualWake_ns) held_ns_ += queued_ns;
    last_ = now;
}

std::int64_t StolenTime::take() {
    settleWork();
    return std::exchange(held_ns_, 0);
}

}  // namespace bscope
