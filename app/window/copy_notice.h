// CopyNotice: says in a few words what was copied. While the window is in use, what changes in the clipboard
// comes from it. Window thread only.
#pragma once

#include <QObject>

#include "app/shell/shell.h"

namespace bscope::ui {

class CopyNotice : public QObject {
    Q_OBJECT
public:
    explicit CopyNotice(Shell& shell);

private:
    void showWhatWasCopied();

    Shell& shell_;
};

}  // namespace bscope::ui
