#include "mpi/clock_sync.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mpi/commands.h"
#include "mpi/packer.h"

namespace bscope {

namespace {

constexpr int kProbes = 24;  // a burst
constexpr std::int64_t kSecond_ns = 1'000'000'000;
const Sentence kAlignment = sentence("the alignment of clocks");
constexpr std::int64_t kAskEvery_ns = 10'000'000;

}  // namespace

std::int64_t ClockLine::toFirst(std::int64_t time_ns) const {
    const std::int64_t since = time_ns - own_ns;
    return first_ns + since + std::llround(static_cast<double>(since) * (slope - 1));
}

ClockSync::ClockSync(Channel& channel, HostTime own, std::chrono::milliseconds every)
    : channel_(channel),
      own_(std::move(own)),
      every_(every),
      alignments_(static_cast<std::size_t>(channel.size())) {}

bool ClockSync::isDue() const {
    return std::chrono::steady_clock::now() - last_ >= every_;
}

void ClockSync::refresh(int ranks, std::chrono::steady_clock::duration at_least) {
    kept_.clear();
    for (int rank = 1; rank < ranks; ++rank) {
        std::vector<ClockProbe> probes;
        for (int i = 0; i < kProbes; ++i) {
            ClockProbe probe;
            probe.asked_ns = own_();
            channel_.post(rank, kProbeTag, {});
            const auto answer = channel_.receive(rank, kProbeTag, kAlignment, at_least, Channel::Pace::Spin);
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

double ClockSync::Kept::boundAt(std::int64_t time_ns) const {
    return bound_ns +
           ClockAlignment::kGreatestDrift * static_cast<double>(std::max<std::int64_t>(0, time_ns - at_ns));
}

void ClockSync::keepLines(int ranks) {
    const std::lock_guard<std::mutex> lock(mutex_);
    kept_.clear();
    asked_ns_ = own_();
    for (int rank = 0; rank < ranks; ++rank)
        kept_.push_back({lineOf(rank), rank > 0 ? alignment(rank).residual_ns() : 0, asked_ns_, 0});
}

// An answer to an earlier stream's question is dropped.
void ClockSync::watch(int ranks) {
    while (const auto received = channel_.poll(MPI_ANY_SOURCE, kWatchTag)) {
        ClockProbe probe;
        probe.answered_ns = own_();
        Unpacker from(received->message);
        probe.asked_ns = from.next<std::int64_t>();
        probe.remote_ns = from.next<std::int64_t>();
        Kept& kept = kept_[static_cast<std::size_t>(received->peer)];
        if (probe.asked_ns == kept.asked_ns) takeAnswer(kept, probe);
    }
    const std::int64_t now = own_();
    if (now - asked_ns_ < kAskEvery_ns) return;
    asked_ns_ = now;
    for (int rank = 1; rank < ranks; ++rank) {
        Kept& kept = kept_[static_cast<std::size_t>(rank)];
        if (kept.asked_ns != 0) continue;
        kept.asked_ns = own_();
        channel_.post(rank, kWatchTag, Packer().add(kept.asked_ns).take());
    }
}

// The other clock showed remote_ns somewhere between question and answer; so the line is off by no more than
// the distance to the middle and half the way, and by no less than their difference.
void ClockSync::takeAnswer(Kept& kept, const ClockProbe& probe) {
    const double half = static_cast<double>(probe.answered_ns - probe.asked_ns) / 2;
    const double middle_distance =
        std::abs(static_cast<double>(kept.line.toFirst(probe.remote_ns) - probe.asked_ns) - half);
    const std::lock_guard<std::mutex> lock(mutex_);
    kept.asked_ns = 0;
    const double bound = kept.boundAt(probe.answered_ns);
    if (middle_distance + half > bound && middle_distance - half < bound) return;
    kept.bound_ns = middle_distance + half;
    kept.at_ns = probe.answered_ns;
}

double ClockSync::residual_us(int ranks) const {
    double worst = 0;
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::int64_t now = own_();
    for (const Kept& kept : kept_) worst = std::max(worst, kept.boundAt(now) / 1e3);
    if (!kept_.empty()) return worst;
    for (int rank = 1; rank < ranks; ++rank) worst = std::max(worst, alignment(rank).residual_ns() / 1e3);
    return worst;
}

void ClockSync::answerWatch(Channel& channel, const HostTime& own) {
    while (const auto received = channel.poll(0, kWatchTag)) {
        const auto asked_ns = Unpacker(received->message).next<std::int64_t>();
        channel.post(0, kWatchTag, Packer().add(asked_ns).add(own()).take());
    }
}

void ClockSync::answer(Channel& channel, const HostTime& own) {
    for (int i = 0; i < kProbes; ++i) {
        channel.receive(0, kProbeTag, kAlignment, {}, Channel::Pace::Spin);
        channel.post(0, kProbeTag, Packer().add(own()).take());
    }
}

}  // namespace bscope
