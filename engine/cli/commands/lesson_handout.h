// A handout of lessons: the window's program makes it, which is installed beside this one.
#pragma once

#include <string>
#include <vector>

#include "words/catalog.h"

namespace bscope::cli {

struct HandoutRequest {
    std::string file, answers, paper, layout, other_language;  // "": not given
};

// Becomes that program; does not return. Throws SentenceError where it is not there.
void makeHandout(const std::vector<std::string>& lessons, const HandoutRequest& request, Language language);

}  // namespace bscope::cli
