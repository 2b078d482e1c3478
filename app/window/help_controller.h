// HelpController: the Help menu: keys and mouse, the glossary, the version. F1 gives the terms of the text
// under the pointer, or of what is selected; where there are none, keys and mouse. Window thread only.
#pragma once

#include <QObject>
#include <functional>

#include "app/actions/window_actions.h"
#include "app/shell/shell.h"

namespace bscope::ui {

class HelpController : public QObject {
    Q_OBJECT
public:
    explicit HelpController(Shell& shell);
    void addActions(WindowActions& actions);
    void openGlossary(const QString& about = {});

private:
    void openKeys();
    void explainHere();

    Shell& shell_;
};

}  // namespace bscope::ui
