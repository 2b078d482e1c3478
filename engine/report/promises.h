// Promises: what was predicted of changes that were then made, beside what came out (docs/NUMBERS.md,
// "Promise and outcome"). What came out is the median length of the iterations that ran under the
// promised configuration (runsAlike()) after the promise was given, with the provenance of the run whose
// costs predicted it; the first one after a change warms up and does not count. Plain data; one thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "report/report.h"
#include "words/sentence.h"

namespace bscope {

struct Promise {
    Sentence change;                                    // "schedule zb-h1"
    RunConfig config;                                   // as a whole, with the change
    Provenance provenance = Provenance::Reconstructed;  // of the run whose costs predicted it
    std::int64_t predicted_ns = 0;                      // length of an iteration
    bool taken_back = false;  // no promise: the last one, of this configuration, is void
    bool operator==(const Promise&) const = default;
};

struct PromiseOutcome {
    Promise promise;
    std::vector<double> lengths_ms;  // of the iterations that count

    std::optional<double> got_ms() const;  // their median; nothing before one counts
    // (predicted − got) / got.
    std::optional<double> error() const;
};

class Promises {
public:
    // One that is taken back counts while nothing has run under it.
    void give(const Promise& promise);
    void ran(const IterationStart& start, const IterationReport& report);
    const std::vector<PromiseOutcome>& outcomes() const { return outcomes_; }

private:
    std::vector<PromiseOutcome> outcomes_;
};

// Of what has come out, the errors without their sign.
std::vector<double> absoluteErrors(const std::vector<PromiseOutcome>& outcomes);

}  // namespace bscope
