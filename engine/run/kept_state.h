// KeptState: the state of a run in a file after every N iterations. A file is written beside the old one and
// then takes its name, so that a crash leaves the last whole state. afterIteration() by the thread that owns
// the run, the rest by any.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "run/run.h"

namespace bscope {

struct KeepWish {
    int every = 0;  // iterations; 0 = keep nothing
    std::filesystem::path file;
};

// Where a state is kept when nobody names a file: beside the recording, else in the user's folder for states
// ($XDG_STATE_HOME/bubblescope, ~/.local/state/bubblescope), named after this process.
std::filesystem::path keptStateFile(const std::filesystem::path& recording);

class KeptState {
public:
    // Throws RunFailure when the file's folder cannot be made.
    explicit KeptState(KeepWish wish);

    // After an iteration. Throws RunFailure when the state is due and cannot be written; the one before it
    // then stays.
    void afterIteration(Run& run);
    // From where to go on: "The state before iteration 40 is kept: --load FILE goes on from there." Empty
    // when nothing has been kept.
    std::string wayOn() const;
    // The iteration that the kept state comes before; -1 when nothing has been kept.
    int keptBefore() const { return kept_before_; }
    const std::filesystem::path& file() const { return wish_.file; }

private:
    KeepWish wish_;
    std::atomic<int> kept_before_ = -1;  // iteration
};

}  // namespace bscope
