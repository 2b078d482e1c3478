#include "run/stream_intake.h"

#include <algorithm>
#include <cstdint>

namespace bscope {

namespace {

// Beyond the fill of the pipe, so that the first rank has work while the report of an iteration is written.
constexpr int kSlack = 2;

// Micro-batches of later iterations that enter before an iteration is awaited.
int microbatchesAhead(const EndlessStream& stream) {
    return stream.warmUp() + kSlack;
}

}  // namespace

int iterationsAhead(const EndlessStream& stream) {
    const int m = stream.microbatches();
    return (microbatchesAhead(stream) + m - 1) / m;
}

Admission StreamIntake::forNext(int more_to_come) {
    const std::int64_t m = stream_.microbatches(), next = (done_ + 1) * m;
    const std::int64_t wanted = next + microbatchesAhead(stream_), all = next + more_to_come * m;
    return grow({static_cast<int>(std::min(wanted, all)), wanted >= all});
}

Admission StreamIntake::forNoMore() {
    const int m = stream_.microbatches();
    return grow({(admission_.limit + m - 1) / m * m, true});
}

Admission StreamIntake::grow(const Admission& admission) {
    if (!admission_.last) admission_ = {std::max(admission_.limit, admission.limit), admission.last};
    return admission_;
}

}  // namespace bscope
