// What the engine says, in the window's language.
#include <QCoreApplication>

#include "widgets/text/config_text.h"

namespace bscope::ui {
bscope::Language windowLanguage() {
    const QString code = QCoreApplication::translate("Language", "en");
    return code == u"zh" ? bscope::Language::Chinese : bscope::Language::English;
}

QString said(const Sentence& sentence) {
    return QString::fromStdString(say(sentence, windowLanguage()));
}

QString problemText(const Problem& problem) {
    return said(problem.words);
}

}  // namespace bscope::ui
