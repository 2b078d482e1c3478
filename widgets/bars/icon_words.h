// IconWords: the words beside the icons of a bar, as long as they are wanted and there is room. A click on an
// icon is a use of it. Window thread only.
#pragma once

#include <QObject>
#include <vector>

#include "widgets/controls/button.h"
#include "widgets/data/icon_look.h"

namespace bscope::ui {

class IconWords : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    // The word that gives way last first; name: under which its uses are kept.
    void add(const QString& name, Button* icon);
    const IconLook& look() const { return look_; }
    void setLook(const IconLook& look);
    int count() const { return static_cast<int>(icons_.size()); }
    void setMost(int words);  // of all icons the first so many may have theirs

signals:
    void changed();  // the wish for words; by a click or setLook()

private:
    struct Icon {
        QString name;
        Button* button;
    };
    std::vector<Icon> icons_;
    IconLook look_;
};

}  // namespace bscope::ui
