// A thread, or a sentence that says what it was for and what to do: the system gives only so many.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "words/sentence_error.h"

namespace bscope {

// exit() destroys what other threads still use, and a library that gives up calls it in whichever thread it
// is, as libgomp does without memory. Before anything else it destroys what is the thread's: this, which ends
// the process at once while the thread has work.
class EndOfThread {
public:
    ~EndOfThread() {
        if (!has_work) return;
        std::fflush(stdout);
        _exit(EXIT_FAILURE);
    }
    bool has_work = false;
};

// Throws SentenceError<>.
template <typename Work>
std::thread startThread(const Argument& purpose, Work&& work) {
    try {
        return std::thread([work = std::forward<Work>(work)]() mutable {
            thread_local EndOfThread end;
            end.has_work = true;
            work();
            end.has_work = false;
        });
    } catch (const std::system_error& error) {
        throw SentenceError<>(
            sentence("the system cannot create a thread for {0}: {1} (ulimit -u limits processes and "
                     "threads, ulimit -v memory)",
                     purpose, error.code().message()));
    }
}

}  // namespace bscope
