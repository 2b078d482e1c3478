#include "mpi/clock_sync.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mpi/orders.h"
#include "mpi/packer.h"

namespace bscope {

namespace {

constexpr int kProbes = 24;  // a burst
constexpr std::int64_t kSecond_ns = 1'000'000'000;
const char* const kWhat = "the alignment of clocks";

}  // namespace

std::int64_t ClockLine::toFirst(std::int64_t time_ns) const {
    const std::int64_t since = time_ns - own_ns;
    return first_ns + since + std::llround(static_cast<double>(since) * (slope - 1));
}

ClockSync::ClockSync(Line& line, HostTime own, std::chrono::milliseconds every)
    : line_(line), own_(std::move(own)), every_(every), alignments_(static_cast<std::size_t>(line.size())) {}

bool ClockSync::isDue() const {
    return std::chrono::steady_clock::now() - last_ >= every_;
}

void ClockSync::refresh(int ranks, std::chrono::steady_clock::duration at_least) {
    for (int rank = 1; rank < ranks; ++rank) {
        std::vector<ClockProbe> probes;
        for (int i = 0; i < kProbes; ++i) {
            ClockProbe probe;
            probe.asked_ns = own_();
            line_.post(rank, kProbeTag, {});
            const auto answer = line_.receive(rank, kProbeTag, kWhat, at_least, Line::Pace::Spin);
            probe.answered_ns = own_();
            probe.remote_ns = Unpacker(answer.message).next<std::int64_t>();
            probes.push_back(probe);
        }
        alignments_[static_cast<std::size_t>(rank)].addBurst(probes);
    }
    last_ = std::chrono::steady_clock::now();
}

ClockLine ClockSync::lineOf(int rank) const {
    if (rank == 0) return {};
    const ClockAlignment& seen = alignment(rank);
    const std::int64_t there = seen.lastRemote_ns();
    const std::int64_t here = seen.toLocal(there);
    const auto second = static_cast<double>(seen.toLocal(there + kSecond_ns) - here);
    return {there, here, second / static_cast<double>(kSecond_ns)};
}

double ClockSync::residual_us(int ranks) const {
    double worst = 0;
    for (int rank = 1; rank < ranks; ++rank) worst = std::max(worst, alignment(rank).residual_ns() / 1e3);
    return worst;
}

void ClockSync::answer(Line& line, const HostTime& own) {
    for (int i = 0; i < kProbes; ++i) {
        line.receive(0, kProbeTag, kWhat, {}, Line::Pace::Spin);
        line.post(0, kProbeTag, Packer().add(own()).take());
    }
}

}  // namespace bscope
