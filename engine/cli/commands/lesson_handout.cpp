#include "cli/commands/lesson_handout.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "cli/input/program.h"
#include "schedule/nearest_word.h"
#include "words/sentence_error.h"

namespace bscope::cli {

void makeHandout(const std::vector<std::string>& lessons, const HandoutRequest& request, Language language) {
    const std::string program = (programFolder() / "bubblescope").string();
    std::vector<std::string> words{program, "--lesson", joined(lessons, ","), "--handout", request.file};
    words.insert(words.end(), {"--lang", language == Language::Chinese ? "zh" : "en"});
    for (const auto& [name, value] : {std::pair("--answers", &request.answers),
                                      {"--paper", &request.paper},
                                      {"--layout", &request.layout},
                                      {"--other-language", &request.other_language}})
        if (!value->empty()) words.insert(words.end(), {name, *value});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::cout.flush();
    execv(program.c_str(), arguments.data());
    throw SentenceError<>(
        sentence("handouts are made by the window's program, which cannot be started: {0}: {1}", program,
                 std::strerror(errno)));
}

}  // namespace bscope::cli
