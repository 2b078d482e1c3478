// Translations: the language of every text that is asked for while it lives: the window's own and Qt's. One
// at a time, with an application there. Window thread only.
#pragma once

#include <QTranslator>

#include "words/catalog.h"

namespace bscope::ui {

class Translations {
public:
    Translations() = default;
    ~Translations() { setLanguage(Language::English); }
    Translations(const Translations&) = delete;
    Translations& operator=(const Translations&) = delete;

    void setLanguage(Language language);

private:
    QTranslator own_, qt_;
};

// That --lang names, else that of the locale: of what is said before a window has its preferences.
Language languageOf(const QStringList& arguments);

}  // namespace bscope::ui
