#include "mpi/wait_notice.h"

#include <chrono>
#include <iostream>

#include "clock/start_thread.h"

namespace bscope {

namespace {

constexpr auto kSlow = std::chrono::seconds(5);

}  // namespace

WaitNotice::WaitNotice(std::string done)
    : thread_(startThread(sentence("the start of MPI"), [this, done = std::move(done)] {
          std::unique_lock lock(mutex_);
          for (int waited = 1; !ended_.wait_for(lock, kSlow, [this] { return is_over_; }); ++waited)
              std::cerr << "bscope: the processes of mpirun have not all " + done + " after " +
                               std::to_string(waited * kSlow.count()) +
                               " s: one may be stopped, or its machine out of reach; Ctrl-C ends the wait\n"
                        << std::flush;
      })) {}

WaitNotice::~WaitNotice() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    ended_.notify_all();
    thread_.join();
}

}  // namespace bscope
