// RareLog: events that peers cause, on standard error: at most one line of each kind in ten seconds, so that
// a peer cannot fill a disk with them. One thread.
#pragma once

#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <utility>

#include "words/catalog.h"

namespace bscope {

class RareLog {
public:
    RareLog(std::string program, Language language) : program_(std::move(program)), language_(language) {}
    // kind names what is counted together; what is said of this one.
    void say(const char* kind, const Sentence& what) {
        const auto now = std::chrono::steady_clock::now();
        Kind& reported = kinds_[kind];
        if (reported.before && now - reported.last < kEvery) {
            ++reported.unsaid;
            return;
        }
        std::string text = program_ + ": " + bscope::say(what, language_);
        if (const int more = std::exchange(reported.unsaid, 0); more > 0)
            text += bscope::say(sentence(" ({0} more since the last such line)", more), language_);
        std::cerr << text + '\n' << std::flush;
        reported.before = true;
        reported.last = now;
    }

private:
    static constexpr std::chrono::seconds kEvery{10};
    struct Kind {
        bool before = false;
        std::chrono::steady_clock::time_point last;
        int unsaid = 0;
    };
    std::string program_;
    Language language_;
    std::map<std::string, Kind> kinds_;
};

}  // namespace bscope
