#include "workers/thread_team.h"

#include <string>

#include "clock/start_thread.h"

namespace bscope {

ThreadTeam::ThreadTeam(int size) {
    try {
        threads_.reserve(static_cast<std::size_t>(size));
        for (int number = 0; number < size; ++number)
            threads_.push_back(
                startThread(sentence("rank {0} of {1}", number, size), [this, number] { live(number); }));
    } catch (...) {
        end();
        throw;
    }
}

ThreadTeam::~ThreadTeam() {
    end();
}

void ThreadTeam::end() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::start(const std::function<void(int)>& job) {
    const std::lock_guard<std::mutex> lock(mutex_);
    job_ = &job;
    busy_ = static_cast<int>(threads_.size());
    ++round_;
    changed_.notify_all();
}

void ThreadTeam::finish() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return busy_ == 0; });
    job_ = nullptr;
}

void ThreadTeam::live(int number) {
    std::uint64_t done = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ending_ || round_ != done; });
        if (ending_) return;
        done = round_;
        const std::function<void(int)>& job = *job_;
        lock.unlock();
        job(number);
        lock.lock();
        if (--busy_ == 0) changed_.notify_all();
    }
}

}  // namespace bscope
