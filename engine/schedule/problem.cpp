#include "schedule/problem.h"

#include "words/catalog.h"

namespace bscope {

Sentence Problem::withLegal() const {
    if (legal.empty()) return words;
    std::string listed;
    for (const long each : legal) listed += (listed.empty() ? "" : ", ") + std::to_string(each);
    return sentence("{0}; nearest legal values: {1}", words, listed);
}

std::string Problem::text() const {
    return say(withLegal(), Language::English);
}

Problem outsideRange(const char* field, const std::string& text, const std::string& least,
                     const std::string& greatest, long nearest) {
    return {field, "{0} = {1} must lie between {2} and {3}", {field, text, least, greatest}, {nearest}};
}

}  // namespace bscope
