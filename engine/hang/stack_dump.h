// StackDump: where the Python of one rank stands, as py-spy dump prints it, text or --json: evidence beside the
// flight recorder's dumps, and all that there is of a rank that left none. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope {

struct StackDump {
    std::string file;
    int rank = -1;
    std::vector<std::string> frames;  // of the main thread, the innermost first: "recv (p2p.py:12)"
};

// Whether a file that begins like this is one.
bool looksLikeStacks(std::string_view beginning);

// The rank is that of the file's name. Throws SentenceError that says what is wrong and what would be legal.
StackDump readStacks(const std::string& text, const std::string& file);

// "recv (p2p.py:12) < step (train.py:40)", at most so many frames.
std::string stackText(const std::vector<std::string>& frames);

}  // namespace bscope
