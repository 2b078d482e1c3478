// An option of the command line whose value is one of a few words.
#pragma once

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QStringList>

namespace bscope::ui {

struct OptionWords {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::ProgramOptions)
};

// words: pairs of a word and what it means. Another word is a problem, and leaves the value as it is.
template <class Value, class Meanings>
void chooseOption(const QCommandLineParser& parser, QStringList& problems, const QCommandLineOption& given,
                  Value& value, const Meanings& words) {
    if (!parser.isSet(given)) return;
    QStringList names;
    for (const auto& [word, meaning] : words) {
        names << QString::fromLatin1(word);
        if (parser.value(given) != QLatin1String(word)) continue;
        value = meaning;
        return;
    }
    problems.append(
        OptionWords::tr("--%1 is %2.").arg(given.names().front(), names.join(OptionWords::tr(" or "))));
}

}  // namespace bscope::ui
