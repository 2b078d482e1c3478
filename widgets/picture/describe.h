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
// The boxes that free what a box takes, or took what it frees: "B2 at 9.8 ms"; "": none of this iteration.
QString counterpartsText(const PreparedView& view, const Notation& notation, const Event& event,
                         bool planned);
// One sentence on what stands in the title line or at a lane's end; "" elsewhere.
QString noteOf(const Picture& picture, const Hit& hit);

}  // namespace bscope::ui
