// A thread, or a sentence that says what it was for and what to do: the system gives only so many.
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace bscope {

// Throws std::runtime_error.
template <typename Work>
std::thread startThread(const std::string& purpose, Work&& work) {
    try {
        return std::thread(std::forward<Work>(work));
    } catch (const std::system_error& error) {
        throw std::runtime_error("the system gives no thread for " + purpose + ": " + error.code().message() +
                                 " (ulimit -u limits processes and threads, ulimit -v memory)");
    }
}

}  // namespace bscope
