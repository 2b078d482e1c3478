// Files of costs, as `bscope schedule --costs-from` reads them. Refusals are sentences; what is read has as
// many stages as it says, durations that are finite, and is the same when it is written and read again.
#include <cmath>

#include "cli/input/recorded_run.h"
#include "cli/input/saved_costs.h"
#include "support/memory_file.h"
#include "support/scratch_folder.h"
#include "support/text_mutator.h"
#include "words/sentence_error.h"

namespace bscope::fuzz {

namespace {

void check(const cli::SavedCosts& saved) {
    require(
        saved.costs.stages.size() == static_cast<std::size_t>(saved.p) * static_cast<std::size_t>(saved.v),
        "costs have p v stages");
    for (const StageCosts& stage : saved.costs.stages)
        for (const DurationField& field : kDurationFields)
            require(std::isfinite(stage.*field.ns) && stage.*field.ns >= 0, "durations are finite");
}

void run(std::string_view input) {
    static MemoryFile file;
    static const ScratchFolder folder;
    file.set(input);
    cli::SavedCosts saved;
    try {
        saved = cli::readCosts(file.path().string());
    } catch (const SentenceError<>&) {
        return;
    }
    if (cli::isRecording(file.path())) return;  // the target `recording` is about those
    check(saved);
    const std::string copy = (folder.path() / "costs.json").string();
    cli::writeCosts(saved, copy);
    const cli::SavedCosts again = cli::readCosts(copy);
    check(again);
    require(again.p == saved.p && again.v == saved.v && again.m == saved.m &&
                again.schedule == saved.schedule && again.source == saved.source,
            "costs survive their file");
}

}  // namespace

const Target& target() {
    static const Target costs{"costs", run, mutateJson};
    return costs;
}

}  // namespace bscope::fuzz
