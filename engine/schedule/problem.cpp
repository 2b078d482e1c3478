#include "schedule/problem.h"

namespace bscope {

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

std::string Problem::text() const {
    std::string result = fillTemplate(message, arguments);
    for (std::size_t i = 0; i < legal.size(); ++i)
        result += (i == 0 ? "; legal near it: " : ", ") + std::to_string(legal[i]);
    return result;
}

}  // namespace bscope
