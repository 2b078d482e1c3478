// Changes of texts by what stands in them: cells of a schedule, members of JSON, words of a command line.
#pragma once

#include <string>

#include "support/target.h"

namespace bscope::fuzz {

// Rows of cells with commas: cells are renamed, doubled, dropped, moved within a row or to another one.
void mutateCells(std::string& text, Random& random);
// Values at their limits or of another type, members removed, doubled, renamed; bytes when it is no JSON.
void mutateJson(std::string& text, Random& random);
// A word a line.
void mutateWords(std::string& text, Random& random);

}  // namespace bscope::fuzz
