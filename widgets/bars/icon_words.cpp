#include "widgets/bars/icon_words.h"

namespace bscope::ui {

void IconWords::add(const QString& name, Button* icon) {
    icons_.push_back({name, icon});
    icon->setCompact(!look_.hasWord(name));
    connect(icon, &QAbstractButton::clicked, this, [this, name] {
        int& uses = look_.uses[name];
        if (uses >= IconLook::kKnownAfter) return;
        ++uses;
        emit changed();
    });
}

void IconWords::setLook(const IconLook& look) {
    if (look == look_) return;
    look_ = look;
    emit changed();
}

void IconWords::setMost(int words) {
    for (std::size_t i = 0; i < icons_.size(); ++i)
        icons_[i].button->setCompact(static_cast<int>(i) >= words || !look_.hasWord(icons_[i].name));
}

}  // namespace bscope::ui
