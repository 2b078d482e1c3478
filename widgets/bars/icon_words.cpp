#include "widgets/bars/icon_words.h"

namespace bscope::ui {

void IconWords::setLook(const IconLook& look) {
    if (look == look_) return;
    look_ = look;
    emit changed();
}

void IconWords::setMost(int words) {
    for (std::size_t i = 0; i < icons_.size(); ++i)
        icons_[i]->setCompact(static_cast<int>(i) >= words || look_.wording == IconWording::Never);
}

}  // namespace bscope::ui
