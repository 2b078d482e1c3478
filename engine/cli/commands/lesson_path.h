// Ways through the lessons as text: the list of them, or one with its parts, homework and reading.
#pragma once

#include <string>
#include <vector>

#include "cards/learning_path.h"
#include "wire/bubblescope.pb.h"
#include "words/catalog.h"

namespace bscope::cli {

// A line a path.
std::string pathsText(Language language);
std::string pathText(const LearningPath& path, const std::vector<wire::Scenario>& lessons, Language language);
std::string pathJson(const LearningPath& path, Language language);  // one line

}  // namespace bscope::cli
