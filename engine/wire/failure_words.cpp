#include "wire/failure_words.h"

#include "wire/convert.h"

namespace bscope {
namespace {

Sentence sentenceOr(bool has, const wire::Sentence& what, const std::string& english) {
    if (has) return bscope::fromWire(what);
    return english.empty() ? Sentence() : sentence("{0}", english);
}

}  // namespace

Sentence whatOf(const wire::Failure& failure) {
    return sentenceOr(failure.has_what(), failure.what(), failure.sentence());
}

Sentence adviceOf(const wire::Failure& failure) {
    return sentenceOr(failure.has_advice(), failure.advice(), failure.what_to_do());
}

Sentence whatOf(const wire::Log& log) {
    return sentenceOr(log.has_what(), log.what(), log.text());
}

}  // namespace bscope
