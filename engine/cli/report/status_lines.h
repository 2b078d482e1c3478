// What a command reports with --progress to the program that started it: an object of JSON a line on standard
// error, with one key that says what it is (docs/FILE_FORMATS.md, "Commands as processes"). No line of it
// depends on a language. Whatever else stands there is text for people, and no line of that begins with a
// brace.
#pragma once

#include <nlohmann/json.hpp>

#include "words/sentence.h"

namespace bscope::cli {

void reportStatus(const char* key, const nlohmann::ordered_json& value);
// {"progress":{"done":2,"of":6}}, in whatever the command counts.
void reportProgress(int done, int of);
// {"refused":{"id":...,"arguments":[...]}}
void reportRefusal(const Sentence& why);

}  // namespace bscope::cli
