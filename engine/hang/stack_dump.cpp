#include "hang/stack_dump.h"

#include <algorithm>
#include <sstream>

#include "hang/dump_tree.h"
#include "hang/flight_dump.h"
#include "words/sentence_error.h"

namespace bscope {
namespace {

constexpr std::size_t kMostFrames = 1000, kLongestFrame = 200, kShownFrames = 6;

struct Thread {
    bool is_main = false;
    std::vector<std::string> frames;
};

bool isJson(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '[';
}

std::string frameText(std::string_view name, std::string_view file, std::int64_t line) {
    std::string text(name.substr(0, kLongestFrame / 2));
    text += " (" + std::string(file.substr(file.find_last_of("/\\") + 1).substr(0, kLongestFrame / 2));
    if (line > 0) text += ':' + std::to_string(line);
    return text + ')';
}

// "Thread 4711 (idle): "MainThread"", then a line a frame, four spaces in; locals stand further in.
std::vector<Thread> threadsOfText(const std::string& text) {
    std::vector<Thread> threads;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.ends_with('\r')) line.pop_back();
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos) continue;
        if (first == 0) {
            if (line.starts_with("Thread "))
                threads.push_back({line.find("\"MainThread\"") != std::string::npos, {}});
            continue;
        }
        const bool is_frame = line.ends_with(')') && line.find(" (") != std::string::npos && first <= 4;
        if (!is_frame || threads.empty() || threads.back().frames.size() == kMostFrames) continue;
        const std::size_t open = line.rfind(" (");
        const std::string_view place = std::string_view(line).substr(open + 2, line.size() - open - 3);
        threads.back().frames.push_back(frameText(std::string_view(line).substr(first, open - first), place, 0));
    }
    return threads;
}

std::vector<Thread> threadsOfJson(const std::string& text) {
    const DumpTree tree = readDumpJson(text);
    const DumpValue root(tree);
    std::vector<Thread> threads;
    for (std::size_t at = 0; root.isList() && at < root.size(); ++at) {
        const DumpValue frames = root[at].find("frames");
        if (!frames.isList()) continue;
        Thread& thread = threads.emplace_back();
        thread.is_main = root[at].find("thread_name").text() == "MainThread" ||
                         (root[at].find("os_thread_id").integer(-1) >= 0 &&
                          root[at].find("os_thread_id").integer() == root[at].find("pid").integer());
        for (std::size_t each = 0; each < std::min(frames.size(), kMostFrames); ++each)
            thread.frames.push_back(frameText(frames[each].find("name").text(), frames[each].find("filename").text(),
                                              frames[each].find("line").integer()));
    }
    return threads;
}

}  // namespace

bool looksLikeStacks(std::string_view beginning) {
    if (isJson(beginning))
        return beginning.find("\"frames\"") != std::string_view::npos &&
               beginning.find("\"owns_gil\"") != std::string_view::npos;
    return beginning.starts_with("Process ") && beginning.find("\nPython v") != std::string_view::npos;
}

StackDump readStacks(const std::string& text, const std::string& file) {
    StackDump stack;
    stack.file = file;
    stack.rank = rankOfFileName(file);
    if (stack.rank < 0)
        throw SentenceError<>(
            sentence("it does not say of which rank it is; its name should end with the rank, as in "
                     "pyspy_rank_3.txt"));
    std::vector<Thread> threads = isJson(text) ? threadsOfJson(text) : threadsOfText(text);
    std::erase_if(threads, [](const Thread& each) { return each.frames.empty(); });
    if (threads.empty())
        throw SentenceError<>(sentence("it holds no stack of a thread, as py-spy dump prints them"));
    const auto main = std::ranges::find(threads, true, &Thread::is_main);
    stack.frames = std::move((main == threads.end() ? threads.front() : *main).frames);
    return stack;
}

std::string stackText(const std::vector<std::string>& frames) {
    std::string text;
    for (std::size_t at = 0; at < std::min(frames.size(), kShownFrames); ++at)
        text += (at > 0 ? " < " : "") + frames[at];
    return frames.size() > kShownFrames ? text + " < ..." : text;
}

}  // namespace bscope
