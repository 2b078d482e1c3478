// When an operation with a range ran where the host did the work (CPUs, gloo): from the moment when the message
// that it waits for is there to when the host returns from it, before its result is handed over. Where a file
// holds no calls, to the end of the host's range or the call that sends (docs/NUMBERS.md). Immutable; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "import/trace/raw_trace.h"

namespace bscope {

class HostTimes {
public:
    explicit HostTimes(const RawTrace& trace);

    // Of an operation in its range: without the receives that end in it and what comes after its send.
    HostRange operation(const HostRange& range) const;

    // By how much its length may be off. Its first call that computes may come long after its message, when
    // the host had no core: that is waiting, or the operation's own. Its end lies as far behind the last such
    // call as before what comes next. 0 without such calls.
    std::int64_t unsureEdges_ns(const HostRange& operation) const;

    // When a forward and a backward that share a range ran. arrivals: of their messages, where they are
    // known.
    struct Pair {
        HostRange first, second;
    };
    Pair pair(const HostRange& range, std::optional<std::int64_t> first_arrival_ns,
              std::optional<std::int64_t> second_arrival_ns) const;

    // Whether a backward worked in its range; for_message: a gradient went or came in a range of its own.
    TracedOp::Evidence evidence(const HostRange& range, bool for_message) const;

    // Calls that compute, as far as they lie in none of these ranges; both by start, neither overlapping.
    std::vector<HostRange> workOutside(const std::vector<HostRange>& ranges) const;
    // Whether a call of autograd reaches into it.
    bool isAutograd(const HostRange& work) const;

    // The messages that end, and those that are sent, within a range; by time.
    std::optional<HostRange> receiveIn(const HostRange& range) const;
    std::optional<std::int64_t> sendIn(const HostRange& range) const;

private:
    std::int64_t lastWork(std::int64_t from_ns, std::int64_t to_ns, std::int64_t otherwise) const;
    std::int64_t leaves(const HostRange& part) const;
    std::size_t workCount(const HostRange& range) const;
    std::vector<HostRange> segments(const HostRange& range, std::size_t& usual) const;

    std::vector<HostRange> work_;  // calls that lie in no other, by start
    std::vector<HostRange> autograd_;  // by start
    std::vector<HostRange> sends_;  // of the calls that hand over, by start
    std::vector<HostRange> others_;  // calls that compute nothing, messages included, by start
    std::vector<HostRange> receives_;  // by end
    bool has_calls_ = false, has_messages_ = false;
};

// Ranges that overlap or touch become one; by start.
std::vector<HostRange> merged(std::vector<HostRange> ranges);

}  // namespace bscope
