// ThreadTeam: p threads that live as long as a pipeline, so that what belongs to a thread (its core, the
// scratch memory of the matrix library) is made once. One thread at a time gives jobs.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bscope {

class ThreadTeam {
public:
    // Throws std::runtime_error when the system gives fewer threads; none is left then.
    explicit ThreadTeam(int size);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    // job(0) .. job(size - 1), each on its own thread; returns when all are done. The job must not throw.
    void run(const std::function<void(int)>& job) {
        start(job);
        finish();
    }
    // The same in two steps; the job must live until finish() has returned.
    void start(const std::function<void(int)>& job);
    void finish();

private:
    void live(int number);
    void end();

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void(int)>* job_ = nullptr;
    std::uint64_t round_ = 0;
    int busy_ = 0;
    bool ending_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace bscope
