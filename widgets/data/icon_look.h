// Which icons of the tool bar have their word beside them; kept from one start to the next.
#pragma once

#include <QMap>
#include <QString>

namespace bscope::ui {

enum class IconWording { UntilKnown, Always, Never };

struct IconLook {
    static constexpr int kKnownAfter = 5;  // uses

    IconWording wording = IconWording::UntilKnown;
    QMap<QString, int> uses;  // of each, at most kKnownAfter are counted

    bool hasWord(const QString& icon) const {
        return wording == IconWording::Always ||
               (wording == IconWording::UntilKnown && uses.value(icon) < kKnownAfter);
    }
    bool operator==(const IconLook&) const = default;
};

}  // namespace bscope::ui
