// Checkpointer: the state of a run in a file after every N iterations. A file is written beside the old one
// and then takes its name, so that a crash leaves the last whole state. afterIteration() by the thread that
// owns the run, the rest by any.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "run/run.h"

namespace bscope {

struct CheckpointPolicy {
    int every = 0;  // iterations; 0 = keep nothing
    std::filesystem::path file;
};

// $XDG_STATE_HOME/bubblescope, else ~/.local/state/bubblescope.
std::filesystem::path stateFolder();

// Where a state is kept when no file is named: beside the recording, else in the user's folder for states
// (stateFolder), named after this process.
std::filesystem::path keptStateFile(const std::filesystem::path& recording);

class Checkpointer {
public:
    // Throws RunFailure when the file's folder cannot be made.
    explicit Checkpointer(CheckpointPolicy policy);

    // After an iteration. A state that is due and cannot be written is reported, and is no reason to end the
    // training: the one before it stays, and the next one is due as always. Throws RunFailure when the run
    // itself is at fault.
    void afterIteration(Run& run, const std::function<void(const Sentence&)>& report);
    // The last one that was due could not be written.
    bool fails() const { return fails_; }
    // From where to go on: "The state before iteration 40 is kept: --load FILE goes on from there." Empty
    // when nothing has been kept.
    Sentence resumeHint() const;
    // The iteration that the kept state comes before; -1 when nothing has been kept.
    int keptBefore() const { return kept_before_; }
    const std::filesystem::path& file() const { return policy_.file; }

private:
    CheckpointPolicy policy_;
    std::atomic<int> kept_before_ = -1;  // iteration
    std::atomic<bool> fails_ = false;
};

}  // namespace bscope
