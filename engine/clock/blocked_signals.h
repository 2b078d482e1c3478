// BlockedSignals: while one lives, the thread that made it runs no signal handler; another thread does, or
// the signal waits. A thread that computes holds one: kernels that a library makes when it runs may use the
// stack pointer as one of their registers, as oneDNN 2.6 does in its products for AVX2, and the frame of a
// handler would then be written into memory of another owner. Signals of the thread's own faults (SIGSEGV and
// its like) are let through.
#pragma once

#include <csignal>

namespace bscope {

class BlockedSignals {
public:
    BlockedSignals() {
        sigset_t held;
        sigfillset(&held);
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
            sigdelset(&held, fault);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
    sigset_t before_;
};

}  // namespace bscope
