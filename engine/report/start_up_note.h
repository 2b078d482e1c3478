// A first iteration that starts up and was left out of an imported run, as a note says it; and which one it
// was. Command line and window each add how it is shown.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "words/sentence.h"

namespace bscope {

inline constexpr const char* kStartUpNote =
    "iteration {0} starts up: it takes {1} ms, and the others {2} ms in the median; it is left out";

// Times in ms, as they are printed.
inline Sentence startUpNote(int iteration, const std::string& ms, const std::string& others_ms) {
    return sentence(kStartUpNote, iteration, ms, others_ms);
}

// The number that the files give it; nullopt: none was left out.
inline std::optional<int> startUpLeftOut(const std::vector<Sentence>& notes) {
    for (const Sentence& note : notes) {
        if (note.id != kStartUpNote || note.arguments.empty()) continue;
        const std::string& text = note.arguments.front().text;
        int number = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc()) return number;
    }
    return std::nullopt;
}

}  // namespace bscope
