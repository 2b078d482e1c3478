#include "files/shallow_json.h"

namespace bscope {

JsonTooDeep::JsonTooDeep()
    : SentenceError(sentence("its JSON is nested more than {0} levels deep", kMostJsonLevels)) {}

bool isTooDeepJson(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char letter = text[at];
        if (in_string) {
            if (letter == '\\')
                ++at;
            else if (letter == '"')
                in_string = false;
        } else if (letter == '"') {
            in_string = true;
        } else if (letter == '{' || letter == '[') {
            if (++depth > kMostJsonLevels) return true;
        } else if (letter == '}' || letter == ']') {
            --depth;
        }
    }
    return false;
}

std::string_view shallowJson(std::string_view text) {
    if (isTooDeepJson(text)) throw JsonTooDeep();
    return text;
}

}  // namespace bscope
