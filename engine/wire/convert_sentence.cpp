// Sentences and problems between the stream's messages and the plain types.
#include "wire/convert.h"
#include "words/catalog.h"

namespace bscope {
namespace {

template <class Message>
void writeArguments(const std::vector<Argument>& arguments, Message& out) {
    bool nested = false;
    for (const Argument& argument : arguments) nested = nested || !argument.words.empty();
    for (const Argument& argument : arguments) {
        const bool is_sentence = !argument.words.empty();
        out.add_arguments(is_sentence ? say(argument.words.front(), Language::English) : argument.text);
        if (!nested) continue;
        wire::Sentence* sentence = out.add_sentences();
        if (is_sentence) *sentence = bscope::toWire(argument.words.front());
    }
}

template <class Message>
std::vector<Argument> readArguments(const Message& from) {
    std::vector<Argument> arguments;
    for (int i = 0; i < from.arguments_size(); ++i) {
        const bool is_sentence = i < from.sentences_size() && !from.sentences(i).id().empty();
        arguments.push_back(is_sentence ? Argument(bscope::fromWire(from.sentences(i)))
                                        : Argument(from.arguments(i)));
    }
    return arguments;
}

}  // namespace

wire::Sentence toWire(const Sentence& sentence) {
    wire::Sentence out;
    out.set_id(sentence.id);
    writeArguments(sentence.arguments, out);
    return out;
}

Sentence fromWire(const wire::Sentence& sentence) {
    return {sentence.id(), readArguments(sentence)};
}

wire::Problem toWire(const Problem& problem) {
    wire::Problem out;
    out.set_field(problem.field);
    out.set_message(problem.words.id);
    writeArguments(problem.words.arguments, out);
    for (const long legal : problem.legal) out.add_legal(legal);
    return out;
}

Problem fromWire(const wire::Problem& problem) {
    Problem out{problem.field(), problem.message(), readArguments(problem), {}};
    for (const auto legal : problem.legal()) out.legal.push_back(static_cast<long>(legal));
    return out;
}

}  // namespace bscope
