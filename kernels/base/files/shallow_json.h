// How deep JSON of a file or a stream may be nested. What is read is copied, compared and destroyed level by
// level, some of it by recursion in libraries, so that every reader of JSON asks here first, whatever library
// it uses. Values; any thread.
#pragma once

#include <string_view>

#include "words/sentence_error.h"

namespace bscope {

inline constexpr int kMostJsonLevels = 100;  // no file of ours or of a profiler has ten

struct JsonTooDeep : SentenceError<> {
    JsonTooDeep();
};

// Brackets in strings do not count. Of a text that is no JSON it says something, too.
bool isTooDeepJson(std::string_view text);
// The text. Throws JsonTooDeep.
std::string_view shallowJson(std::string_view text);

// A tree of nlohmann's; discarded when the text is no JSON. Throws JsonTooDeep.
template <class Json>
Json parsedJson(std::string_view text) {
    return Json::parse(shallowJson(text), nullptr, false);
}

}  // namespace bscope
