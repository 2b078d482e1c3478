#include "words/sentence_error.h"

namespace bscope {

Sentence sentenceOf(const std::exception& error) {
    if (const auto* const said = dynamic_cast<const Said*>(&error)) return said->said;
    return sentence("{0}", error.what());
}

Sentence inARow(std::span<const Sentence> sentences) {
    if (sentences.size() == 1) return sentences.front();
    const std::size_t half = sentences.size() / 2;
    return sentence("{0}; {1}", inARow(sentences.first(half)), inARow(sentences.subspan(half)));
}

}  // namespace bscope
