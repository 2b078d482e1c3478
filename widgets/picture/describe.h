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
// The same of a gap where no picture is drawn.
Description describeGap(const PreparedView& group, const Notation& notation, int rank,
                        const IdlePeriod& period);

}  // namespace bscope::ui
