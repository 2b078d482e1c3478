#include "run/checkpointer.h"

#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace bscope {

std::filesystem::path stateFolder() {
    const char* const states = std::getenv("XDG_STATE_HOME");
    const char* const home = std::getenv("HOME");
    const std::filesystem::path folder = states && *states
                                             ? std::filesystem::path(states)
                                             : std::filesystem::path(home ? home : ".") / ".local" / "state";
    return folder / "bubblescope";
}

std::filesystem::path keptStateFile(const std::filesystem::path& recording) {
    if (!recording.empty()) return std::filesystem::path(recording).replace_extension(".state.safetensors");
    return stateFolder() / ("kept-" + std::to_string(getpid()) + ".safetensors");
}

Checkpointer::Checkpointer(CheckpointPolicy policy) : policy_(std::move(policy)) {
    if (policy_.every == 0 || !policy_.file.has_parent_path()) return;
    std::error_code error;
    std::filesystem::create_directories(policy_.file.parent_path(), error);
    if (error)
        throw RunFailure(
            sentence("No state can be kept in {0}: {1}.", policy_.file.string(), error.message()),
            sentence("Name another file with --keep."));
}

void Checkpointer::afterIteration(Run& run, const std::function<void(const Sentence&)>& report) {
    if (policy_.every == 0 || run.nextIteration() % policy_.every != 0) return;
    try {
        run.save(policy_.file);
        kept_before_ = run.nextIteration();
        fails_ = false;
    } catch (const StateNotWritten& failure) {
        fails_ = true;
        report(failure.said);
    }
}

Sentence Checkpointer::resumeHint() const {
    const int before = kept_before_;
    if (before < 0) return {};
    return sentence("The state before iteration {0} is kept: --load {1} goes on from there.", before + 1,
                    policy_.file.string());
}

}  // namespace bscope
