// ClockSync: the first process's view of the others' clocks. Bursts of probes over a Channel, before the
// first iteration of a pipeline and every few seconds between iterations; each other process then puts its
// times on the first one's clock. In a stream there is no between: the lines stay as they are, and single
// probes that others answer in passing say how far they may be off by now. Both ends here; each is one
// thread's, but for residual_us(): any.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "clock/clock.h"
#include "mpi/channel.h"
#include "trace/clock_alignment.h"

namespace bscope {

// Another process's clock as a straight line over this process's: what alignment says, ready to use there.
struct ClockLine {
    std::int64_t own_ns = 0, first_ns = 0;  // the same moment on both clocks
    double slope = 1;                       // nanoseconds of the first clock a nanosecond of the own

    std::int64_t toFirst(std::int64_t time_ns) const;
};

class ClockSync {
public:
    // own: this process's clock; every: when the next burst is due.
    ClockSync(Channel& channel, HostTime own, std::chrono::milliseconds every = std::chrono::seconds(2));

    // Asks the processes 1 to ranks - 1, who must be in answer() or on their way there for at most at_least.
    // Throws as Channel::receive.
    void refresh(int ranks, std::chrono::steady_clock::duration at_least = {});
    bool isDue() const;
    ClockLine lineOf(int rank) const;
    // Until the next refresh() the others put their times on the lines of now.
    void keepLines(int ranks);
    // Without waiting: sends probes to those who have answered, takes answers in.
    void watch(int ranks);
    // Greatest over these ranks of what a time may be off by.
    double residual_us(int ranks) const;
    const ClockAlignment& alignment(int rank) const { return alignments_[static_cast<std::size_t>(rank)]; }

    // In every other process: answers one burst.
    static void answer(Channel& channel, const HostTime& own);
    // Answers the probes of watch() without waiting.
    static void answerWatch(Channel& channel, const HostTime& own);

private:
    // A line that is kept: it is off by no more than this, and that bound grows with time.
    struct Kept {
        ClockLine line;
        double bound_ns = 0;
        std::int64_t at_ns = 0;     // that the bound was true
        std::int64_t asked_ns = 0;  // no answer yet; 0 = no probe under way
        double boundAt(std::int64_t time_ns) const;
    };
    void takeAnswer(Kept& kept, const ClockProbe& probe);

    Channel& channel_;
    HostTime own_;
    std::chrono::milliseconds every_;
    std::chrono::steady_clock::time_point last_;
    std::vector<ClockAlignment> alignments_;  // (processes,)
    std::int64_t asked_ns_ = 0;               // by watch()
    mutable std::mutex mutex_;                // of the bounds
    std::vector<Kept> kept_;                  // (ranks,) while lines are kept
};

}  // namespace bscope
