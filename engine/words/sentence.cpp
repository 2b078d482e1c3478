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
    for (std::size_t i = 0; i < message.size(); ++i) {
        const bool placeholder = message[i] == '{' && i + 2 < message.size() && message[i + 1] >= '0' &&
                                 message[i + 1] <= '9' && message[i + 2] == '}';
        const auto argument = placeholder ? static_cast<std::size_t>(message[i + 1] - '0') : 0;
        if (placeholder && argument < arguments.size()) {
            text += arguments[argument];
            i += 2;
        } else {
            text += message[i];
        }
    }
    return text;
}

}  // namespace bscope
