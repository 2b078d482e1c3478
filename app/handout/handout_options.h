// What a handout is to look like. A value.
#pragma once

#include "words/catalog.h"

namespace bscope::ui {

enum class Paper { A4, Letter, Slides };  // slides: 16:9, a step of a lesson on each
enum class Answers { End, None, Only };   // of slides: after each question

struct HandoutOptions {
    Paper paper = Paper::A4;
    Answers answers = Answers::End;
    Language language = Language::English;
};

}  // namespace bscope::ui
