// A lesson's file: a scenario whose texts and claims name nothing that does not exist.
#pragma once

#include <filesystem>

#include "wire/bubblescope.pb.h"
#include "wire/error.h"
#include "words/catalog.h"

namespace bscope {

// Throws WireError: for what is no scenario, or a lesson that names a number, a run or a rank that it does
// not have.
wire::Scenario loadLessonFile(const std::filesystem::path& file);

// In that language; English where a text has no other.
const std::string& wordsIn(const wire::Text& text, Language language);

}  // namespace bscope
