// What an engine says, as sentences. Pure functions.
#pragma once

#include <QJsonObject>

#include "wire/failure_words.h"

namespace bscope::ui {

// As `bscope import` and `bscope verify` write it for programs: {"id", "arguments"}.
Sentence sentenceFrom(const QJsonObject& parsed);

}  // namespace bscope::ui
