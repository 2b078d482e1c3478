// The language of what a command prints: --lang, which every command has, else that of the locale.
#pragma once

#include "cli/input/command.h"
#include "words/catalog.h"

namespace bscope::cli {

// Of LC_ALL, LC_MESSAGES and LANG the first that is set counts; Chinese when it begins with "zh".
Language languageOfLocale();

// The last --lang of the arguments that names a language, else the locale's.
Language languageOf(const Arguments& arguments);

}  // namespace bscope::cli
