#include "schedule/problem.h"

#include "words/catalog.h"

namespace bscope {

std::string Problem::text() const {
    std::string result = say(words(), Language::English);
    for (std::size_t i = 0; i < legal.size(); ++i)
        result += (i == 0 ? "; legal near it: " : ", ") + std::to_string(legal[i]);
    return result;
}

}  // namespace bscope
