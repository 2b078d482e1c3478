// RareLog: what happens outside, on standard error: of each kind one line in ten seconds, so that nobody
// outside can fill a disk with it. One thread.
#pragma once

#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <utility>

namespace bscope {

class RareLog {
public:
    explicit RareLog(std::string program = "bscope serve") : program_(std::move(program)) {}
    // kind names what is counted together; sentence is what is said of this one.
    void say(const char* kind, const std::string& sentence) {
        const auto now = std::chrono::steady_clock::now();
        Kind& told = kinds_[kind];
        if (told.before && now - told.last < kEvery) {
            ++told.unsaid;
            return;
        }
        std::string text = program_ + ": " + sentence;
        if (const int more = std::exchange(told.unsaid, 0); more > 0)
            text += " (" + std::to_string(more) + " more since the last such line)";
        std::cerr << text + '\n' << std::flush;
        told.before = true;
        told.last = now;
    }

private:
    static constexpr std::chrono::seconds kEvery{10};
    struct Kind {
        bool before = false;
        std::chrono::steady_clock::time_point last;
        int unsaid = 0;
    };
    std::string program_;
    std::map<std::string, Kind> kinds_;
};

}  // namespace bscope
