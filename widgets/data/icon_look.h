// Whether the icons of the tool bar have their words beside them: a choice of a person, never of the window,
// so that nothing moves by being used.
#pragma once

namespace bscope::ui {

enum class IconWording { Always = 1, Never = 2 };  // 1 and 2, as settings have them

struct IconLook {
    IconWording wording = IconWording::Always;
    bool operator==(const IconLook&) const = default;
};

}  // namespace bscope::ui
