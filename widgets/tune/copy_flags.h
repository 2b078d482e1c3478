// CopyFlags: "Copy for …", a button with a menu of training frameworks, which puts what is to be typed there
// for a line into the clipboard and says so. A framework that does not have the line is disabled, its tip
// says why. Plain values in. Window thread only.
#pragma once

#include <QMenu>
#include <functional>

#include "advice/framework_flags.h"
#include "widgets/controls/button.h"
#include "widgets/controls/label.h"

namespace bscope::ui {

class CopyFlags : public QWidget {
    Q_OBJECT
public:
    using FlagsOf = std::function<FrameworkFlags(Framework)>;

    explicit CopyFlags(QWidget* parent = nullptr);

    // Of the line that is chosen, asked when the menu opens; none: the button is disabled and says why.
    void setLine(FlagsOf flags, const QString& why_not = {});
    void setTexts();
    void open();  // the menu, if there is a line

    Button* button() const { return button_; }
    QMenu* menu() const { return menu_; }  // an action a framework, in their order
    QString said() const { return said_->text(); }

private:
    void fillMenu();
    void copy(Framework framework);

    FlagsOf flags_;
    QString why_not_;
    Label* said_;
    Button* button_;
    QMenu* menu_;
};

}  // namespace bscope::ui
