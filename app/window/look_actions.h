// LookActions: the looks of the window in the View menu: theme, colours, scale, words of icons, language; a
// change of the colours is said in a few words, too. Window thread only.
#pragma once

#include <QObject>
#include <vector>

#include "app/settings/appearance.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "widgets/bars/icon_words.h"

namespace bscope::ui {

class LookActions : public QObject {
    Q_OBJECT
public:
    LookActions(Appearance& appearance, IconWords& icons, WindowActions& actions, Shell& shell);
    void retranslate();

private:
    void addThemes(WindowActions& actions);
    void addColours(WindowActions& actions);
    void addSizes(WindowActions& actions);
    void addIconWords(WindowActions& actions, IconWords& icons);
    void addLanguages(WindowActions& actions);
    void syncColours();

    Appearance& appearance_;
    Shell& shell_;
    ColourScheme scheme_;                   // the one that is marked
    std::vector<QAction*> scheme_actions_;  // one a ColourScheme
};

}  // namespace bscope::ui
