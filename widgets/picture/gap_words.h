// A gap in words: its length and cause, one sentence with numbers, and the links of its chain of reasons, in
// the notation of the window. What they say is BubbleCauses'. Pure functions; words are translated.
#pragma once

#include <QStringList>

#include "view/prepared_view.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

QString gapTitle(const PreparedView& view, const Notation& notation,
                 const IdlePeriod& period);  // "idle 52.1 ms · fill"
// The sentence, then share and place among the gaps of the iteration.
QStringList gapSentences(const PreparedView& view, const Notation& notation, int rank,
                         const IdlePeriod& period);
// A link of the chain: what it is, "B3 on Rank 2", "B3 to Rank 1".
QString reasonText(const PreparedView& view, const Notation& notation, const Reason& reason);

}  // namespace bscope::ui
