// Calibration: how long every operation of every stage took, without the accident of a single measurement:
// the median over the recent iterations under one configuration. Medians change only in endIteration(). One
// thread adds; any thread may read at any time, since the ranks of an endless stream run on meanwhile.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "schedule/action.h"

namespace bscope {

// Duration of one operation on its device, as timed; stage -1 for the optimizer step.
struct DurationSample {
    std::int32_t stage = 0;
    Op op = Op::Forward;
    std::int64_t duration_ns = 0;
};

class Calibration {
public:
    void add(const std::vector<DurationSample>& samples);
    // The medians take in everything added so far; what is older than kIterations is forgotten.
    void endIteration();
    // nullopt before the first iteration has ended.
    std::optional<double> median_ns(int stage, Op op) const;

    static constexpr std::size_t kIterations = 8;

private:
    struct Kind {
        std::deque<std::vector<std::int64_t>> iterations;  // latest last
        std::optional<double> median_ns;
    };
    std::map<std::pair<std::int32_t, Op>, std::vector<std::int64_t>> fresh_;
    mutable std::mutex mutex_;  // of kinds_
    std::map<std::pair<std::int32_t, Op>, Kind> kinds_;
};

}  // namespace bscope
