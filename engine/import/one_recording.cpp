#include "import/one_recording.h"

#include <algorithm>
#include <optional>

#include "import/trace/import_error.h"
#include "words/number_text.h"

namespace bscope {
namespace {

struct Ran {
    const TracedRank* rank = nullptr;
    std::int64_t start_ns = 0, end_ns = 0;
};

std::optional<Ran> whenRan(const TracedRank& rank) {
    std::optional<Ran> ran;
    for (const TracedOp& op : rank.ops) {
        if (!isCompute(op.op)) continue;
        if (!ran) ran = Ran{&rank, op.start_ns, op.end_ns};
        ran->start_ns = std::min(ran->start_ns, op.start_ns);
        ran->end_ns = std::max(ran->end_ns, op.end_ns);
    }
    return ran;
}

}  // namespace

void requireOneRecording(const TracedRun& run) {
    if (run.clocks != Clocks::Shared) return;
    std::optional<Ran> first, last;  // to end, to begin
    for (const TracedRank& rank : run.ranks) {
        const auto ran = whenRan(rank);
        if (!ran) continue;
        if (!first || ran->end_ns < first->end_ns) first = ran;
        if (!last || ran->start_ns > last->start_ns) last = ran;
    }
    if (!first || first->rank == last->rank) return;
    const std::int64_t apart_ns = last->start_ns - first->end_ns;
    const std::int64_t both_ns = first->end_ns - first->start_ns + last->end_ns - last->start_ns;
    if (apart_ns <= both_ns) return;
    throw ImportError(sentence(
        "the files are not of one run: {0} begins {1} s after {2} has ended, on one host. Import the files of "
        "one run",
        last->rank->file, fixedText(static_cast<double>(apart_ns) / 1e9, 3), first->rank->file));
}

}  // namespace bscope
