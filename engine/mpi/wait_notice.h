// WaitNotice: says on standard error, as long as it lives, that a wait for all processes takes long, and ends
// the process after kStartPatience, or the seconds in BSCOPE_START_S: MPI itself waits silently and without
// limit for a process that was stopped, never starts, or is another program.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "words/sentence.h"

namespace bscope {

inline constexpr std::chrono::seconds kStartPatience{120};

class WaitNotice {
public:
    enum class Says { All, TheEnd };  // the first process and the others
    // done: what the processes have not all done yet, as in "started".
    explicit WaitNotice(Sentence done, Says says = Says::All);
    ~WaitNotice();
    WaitNotice(const WaitNotice&) = delete;
    WaitNotice& operator=(const WaitNotice&) = delete;

private:
    [[noreturn]] static void giveUp(const Sentence& done, std::chrono::seconds limit);

    std::mutex mutex_;
    std::condition_variable ended_;
    bool is_over_ = false;
    std::thread thread_;
};

}  // namespace bscope
