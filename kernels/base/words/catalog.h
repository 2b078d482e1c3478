// The engine's words in both languages, for command line and window, which read the same catalog. English
// stands in the sources; resources/i18n/engine_zh_CN.po, which travels inside the program, has the Chinese of
// every sentence. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "words/sentence.h"

namespace bscope {

enum class Language : std::uint8_t { English, Chinese };

// A sentence that is not in the catalog stays English. Arguments are as a terminal may show them (shown.h).
std::string say(const Sentence& sentence, Language language);

using WordTable = std::map<std::string, std::string, std::less<>>;  // Chinese by id
const WordTable& chineseWords();

// Of a gettext file: msgid and msgstr, each of one or more quoted lines; no contexts, no plurals. The head,
// which has an empty msgid, is left out. Throws std::invalid_argument that names the line which is neither.
WordTable readPo(std::string_view text);

}  // namespace bscope
