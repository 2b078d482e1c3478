// HelpController: the Help menu: keys and mouse, the glossary, runs of other programs, the version. F1 gives
// the terms of the text under the pointer, or of what is selected; where there are none, keys and mouse.
// Window thread only.
#pragma once

#include <QObject>
#include <functional>

#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "widgets/help/help_dialog.h"

namespace bscope::ui {

// What a place of a window says, for its terms: the words there, else the name of the field and what is
// around it.
QString wordsUnder(const QWidget& window, const QPoint& at);

class HelpController : public QObject {
    Q_OBJECT
public:
    explicit HelpController(Shell& shell);
    void addActions(WindowActions& actions);
    void openGlossary(const QString& about = {});

private:
    void openHelp(HelpDialog::Page page);
    void explainHere();

    Shell& shell_;
};

}  // namespace bscope::ui
