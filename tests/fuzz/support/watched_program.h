// A program run to its end under watch, as it would run from a shell: how it ended, how long it took,
// and the most memory it held. Standard output and error go to files of the folder it is given.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bscope::fuzz {

struct Ended {
    int status = -1;  // exit status; -1 when it did not exit by itself
    int signal = 0;   // that ended it
    bool timed_out = false;
    double peak_mb = 0;  // resident, 1e6 bytes
};

// Kills it after `limit_s` seconds. Throws std::system_error when it cannot be started. OMP_NUM_THREADS is 1
// and the window draws off screen.
Ended runWatched(const std::vector<std::string>& words, const std::filesystem::path& folder, double limit_s);

}  // namespace bscope::fuzz
