// What the hover card says about a box, a message or a gap, in four lines at most; plain sentences,
// translated. For a gap: what waits for what, since when, and why. The rest is said beside the picture, of
// what is selected.
#pragma once

#include <QString>
#include <QStringList>

#include "widgets/picture/hit_test.h"

namespace bscope::ui {

struct Description {
    QString title;
    QStringList lines;
    static constexpr qsizetype kMostLines = 3;  // besides the title
};

Description describe(const Picture& picture, const Hit& hit);
// What the card leaves out of a box that ran: its indices, its plan, its baseline and its last iterations.
QStringList furtherLines(const PreparedView& view, const Notation& notation, const Event& event);
// The boxes that free what a box takes, or took what it frees: "B2 at 9.8 ms"; "": none of this iteration.
QString counterpartsText(const PreparedView& view, const Notation& notation, const Event& event,
                         bool planned);
// One sentence on what stands in the title line or at a lane's end; "" elsewhere.
QString noteOf(const Picture& picture, const Hit& hit);

}  // namespace bscope::ui
