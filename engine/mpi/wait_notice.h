// WaitNotice: says on standard error, as long as it lives, that a wait for all processes takes long: MPI
// itself waits without a word, and without an end, for a process that was stopped or does not come.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace bscope {

class WaitNotice {
public:
    // done: what the processes have not all done yet, as in "started".
    explicit WaitNotice(std::string done);
    ~WaitNotice();
    WaitNotice(const WaitNotice&) = delete;
    WaitNotice& operator=(const WaitNotice&) = delete;

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool is_over_ = false;
    std::thread thread_;
};

}  // namespace bscope
