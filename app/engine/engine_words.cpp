#include "app/engine/engine_words.h"

#include <QJsonArray>

#include "wire/convert.h"

namespace bscope::ui {

namespace {

Sentence sentenceOr(bool has, const wire::Sentence& what, const std::string& english) {
    if (has) return fromWire(what);
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

Sentence sentenceFrom(const QJsonObject& parsed) {
    Sentence sentence{parsed.value(u"id").toString().toStdString(), {}};
    for (const QJsonValue& argument : parsed.value(u"arguments").toArray()) {
        if (argument.isObject())
            sentence.arguments.emplace_back(sentenceFrom(argument.toObject()));
        else
            sentence.arguments.emplace_back(argument.toString().toStdString());
    }
    return sentence;
}

}  // namespace bscope::ui
