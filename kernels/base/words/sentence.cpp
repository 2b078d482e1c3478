#include "words/sentence.h"

namespace bscope {

bool operator==(const Sentence& a, const Sentence& b) {
    return a.id == b.id && a.arguments == b.arguments;
}

bool operator==(const Argument& a, const Argument& b) {
    return a.text == b.text && a.words == b.words;
}

std::string fillTemplate(const std::string& message, const std::vector<std::string>& arguments) {
    std::string text;
    std::size_t from = 0;  // what of the message is not in the text
    for (std::size_t at = message.find('{'); at != std::string::npos; at = message.find('{', at + 1)) {
        if (at + 2 >= message.size() || message[at + 1] < '0' || message[at + 1] > '9' || message[at + 2] != '}')
            continue;
        const auto argument = static_cast<std::size_t>(message[at + 1] - '0');
        if (argument >= arguments.size()) continue;
        text.append(message, from, at - from).append(arguments[argument]);
        from = at + 3;
    }
    return text.append(message, from);
}

}  // namespace bscope
