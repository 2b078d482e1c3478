// A change from one iteration to another one of the same stages and micro-batches, as a picture between the two:
// each operation at a place between where the first has it and where the second one has it. A backward in one
// piece becomes its two halves; recomputation grows from nothing. Such times are of neither run: a picture of
// them has no numbers, no causes, no messages and no memory. Values; any thread.
#pragma once

#include "view/view_data.h"
#include "words/sentence.h"

namespace bscope {

// Why the one does not become the other; empty: it can. Both complete or plans.
Sentence changeRefusal(const IterationView& from, const IterationView& to);

// share: 0..1 of the way; at 0 and 1 the iterations themselves, whole.
IterationView between(const IterationView& from, const IterationView& to, double share);

}  // namespace bscope
