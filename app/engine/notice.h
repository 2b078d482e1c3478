// Notice: something a person has to know: one sentence, what to do about it, and the details behind it.
#pragma once

#include <QMetaType>
#include <QString>

namespace bscope::ui {

struct Notice {
    QString sentence;
    QString what_to_do;
    QString details;
    bool operator==(const Notice&) const = default;
};

}  // namespace bscope::ui
Q_DECLARE_METATYPE(bscope::ui::Notice)
