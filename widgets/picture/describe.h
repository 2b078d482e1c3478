// What the hover card says about a box, a message or a gap; plain sentences, translated. For a gap: what
// waits for what, since when, and why.
#pragma once

#include <QString>
#include <QStringList>

#include "widgets/picture/hit_test.h"

namespace bscope::ui {

struct Description {
    QString title;
    QStringList lines;
};

Description describe(const Picture& picture, const Hit& hit);
// One sentence on what stands in the title line or at a lane's end; "" elsewhere.
QString noteOf(const Picture& picture, const Hit& hit);

}  // namespace bscope::ui
