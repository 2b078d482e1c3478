#include "app/engine/engine_words.h"

#include <QJsonArray>

namespace bscope::ui {

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
