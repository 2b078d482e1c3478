// IconWords: the words beside the icons of a bar, shown while they are enabled and fit. Window thread only.
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
    void add(Button* icon) { icons_.push_back(icon); }  // the word that gives way last first
    const IconLook& look() const { return look_; }
    void setLook(const IconLook& look);
    void setMost(int words);  // of all icons the first so many may have theirs

signals:
    void changed();  // by setLook()

private:
    std::vector<Button*> icons_;
    IconLook look_;
};

}  // namespace bscope::ui
