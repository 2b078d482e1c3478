// What an engine says, as sentences; of an engine that does not send sentences yet, its English. Pure
// functions.
#pragma once

#include <QJsonObject>

#include "wire/bubblescope.pb.h"
#include "words/sentence.h"

namespace bscope::ui {

Sentence whatOf(const wire::Failure& failure);
Sentence adviceOf(const wire::Failure& failure);
Sentence whatOf(const wire::Log& log);
// As `bscope import` and `bscope verify` write it for programs: {"id", "arguments"}.
Sentence sentenceFrom(const QJsonObject& parsed);

}  // namespace bscope::ui
