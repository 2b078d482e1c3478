// Cancellation: a request from any thread that work with runs of its own ends, and soon: it breaks off the
// iteration that is under way. The work registers the run that it iterates, for as long as it does.
#pragma once

#include <mutex>

#include "run/run.h"

namespace bscope {

class Cancellation {
public:
    void cancel() {
        const std::lock_guard lock(mutex_);
        cancelled_ = true;
        if (run_) run_->abort(sentence("it was cancelled"));
    }
    // For the next work.
    void reset() {
        const std::lock_guard lock(mutex_);
        cancelled_ = false;
    }
    explicit operator bool() const {
        const std::lock_guard lock(mutex_);
        return cancelled_;
    }

    // While it lives, cancel() aborts the run.
    class Working {
    public:
        Working(Cancellation& cancellation, Run& run) : cancellation_(cancellation), its_(run) {
            run.abortWhen([&cancellation] { return static_cast<bool>(cancellation); });
            set(&run);
        }
        ~Working() {
            set(nullptr);
            its_.abortWhen(nullptr);
        }
        Working(const Working&) = delete;
        Working& operator=(const Working&) = delete;

    private:
        void set(Run* run) {
            const std::lock_guard lock(cancellation_.mutex_);
            cancellation_.run_ = run;
        }
        Cancellation& cancellation_;
        Run& its_;
    };

private:
    mutable std::mutex mutex_;
    bool cancelled_ = false;
    Run* run_ = nullptr;
};

}  // namespace bscope
