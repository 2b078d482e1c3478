// SentenceError: an exception that carries a Sentence, so that what went wrong stays data until it is shown;
// what() is its English. Values; any thread.
#pragma once

#include <exception>
#include <span>
#include <stdexcept>
#include <utility>

#include "words/catalog.h"
#include "words/sentence.h"

namespace bscope {

struct Said {
    Sentence said;
};

template <class Kind = std::runtime_error>
struct SentenceError : Kind, Said {
    explicit SentenceError(Sentence sentence)
        : Kind(say(sentence, Language::English)), Said{std::move(sentence)} {}
};

// What an exception carries; of one that is no Said, of the system or a library, its text as it is.
Sentence sentenceOf(const std::exception& error);

// "{0}; {1}; ..." in a balanced tree, since the stream limits how deep sentences are nested. Not empty.
Sentence inARow(std::span<const Sentence> sentences);

}  // namespace bscope
