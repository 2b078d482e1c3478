// A thread, or a sentence that says what it was for and what to do: the system gives only so many.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "words/said.h"

namespace bscope {

// Throws SaidError<>.
template <typename Work>
std::thread startThread(const Argument& purpose, Work&& work) {
    try {
        return std::thread(std::forward<Work>(work));
    } catch (const std::system_error& error) {
        throw SaidError<>(
            sentence("the system gives no thread for {0}: {1} (ulimit -u limits processes and threads, "
                     "ulimit -v memory)",
                     purpose, error.code().message()));
    }
}

}  // namespace bscope
