#include "app/settings/translations.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QStringList>

namespace bscope::ui {

void Translations::setLanguage(Language language) {
    QCoreApplication::removeTranslator(&own_);
    QCoreApplication::removeTranslator(&qt_);
    if (language != Language::Chinese) return;
    if (qt_.load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&qt_);
    if (own_.load(QStringLiteral(":/i18n/bubblescope_zh_CN.qm"))) QCoreApplication::installTranslator(&own_);
}

Language languageOf(const QStringList& arguments) {
    const QString option = QStringLiteral("--lang");
    for (qsizetype i = arguments.size() - 1; i > 0; --i) {
        const QString value = arguments[i].startsWith(option + u'=') ? arguments[i].mid(option.size() + 1)
                              : arguments[i - 1] == option           ? arguments[i]
                                                                     : QString();
        if (value == u"en") return Language::English;
        if (value == u"zh") return Language::Chinese;
    }
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const QByteArray value = qgetenv(name); !value.isEmpty())
            return value.startsWith("zh") ? Language::Chinese : Language::English;
    return Language::English;
}

}  // namespace bscope::ui
