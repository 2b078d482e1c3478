// What the engine says, in the window's language.
#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <vector>

#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

// Sentences that are told filled in are found again by their words.
QRegularExpression wordsOf(const std::string& id) {
    static const QRegularExpression place(QStringLiteral("\\\\\\{\\d\\\\\\}"));
    const QString words = QRegularExpression::escape(QString::fromStdString(id)).replace(place, "(.+?)");
    return QRegularExpression(QRegularExpression::anchoredPattern(words),
                              QRegularExpression::DotMatchesEverythingOption);
}

struct Pattern {
    const std::string* id;
    QRegularExpression words;
};

// Made once: a title asks with every redraw. The most words first.
const std::vector<Pattern>& patterns() {
    static const std::vector<Pattern> all = [] {
        std::vector<Pattern> made;
        for (const auto& [id, translation] : chineseWords())
            if (id.find("{0}") != std::string::npos) made.push_back({&id, wordsOf(id)});
        std::ranges::stable_sort(made, std::ranges::greater{},
                                 [](const Pattern& pattern) { return pattern.id->size(); });
        return made;
    }();
    return all;
}

Sentence parsed(const QString& text) {
    if (chineseWords().contains(text.toStdString())) return {text.toStdString(), {}};
    for (const Pattern& pattern : patterns()) {
        const auto match = pattern.words.match(text);
        if (!match.hasMatch()) continue;
        Sentence sentence{*pattern.id, {}};
        for (int i = 1; i <= match.lastCapturedIndex(); ++i)
            sentence.arguments.emplace_back(parsed(match.captured(i)));
        return sentence;
    }
    return {text.toStdString(), {}};
}

}  // namespace

bscope::Language windowLanguage() {
    const QString code = QCoreApplication::translate("Language", "en");
    return code == u"zh" ? bscope::Language::Chinese : bscope::Language::English;
}

QString said(const Sentence& sentence) {
    return QString::fromStdString(say(sentence, windowLanguage()));
}

QString problemText(const Problem& problem) {
    return said(problem.words());
}

QString engineText(const QString& sentence) {
    if (windowLanguage() == bscope::Language::English) return sentence;
    return said(parsed(sentence));
}

}  // namespace bscope::ui
