// HelpController: the Help menu: keys and mouse, the glossary, runs of other programs, the version. F1 gives
// the terms of the text under the pointer, or of what is selected; where there are none, keys and mouse.
// Window thread only.
#pragma once

#include <QObject>
#include <functional>

#include "app/actions/window_actions.h"
#include "app/shell/shell.h"
#include "widgets/help/help_dialog.h"

namespace bscope::ui {

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
