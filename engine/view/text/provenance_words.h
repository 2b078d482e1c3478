// Where times come from, in words: the name of a badge, and what it means. Any thread.
#pragma once

#include "timeline/timeline.h"
#include "words/sentence.h"

namespace bscope {

Sentence provenanceName(Provenance provenance);   // "MEASURED"
Sentence provenanceWords(Provenance provenance);  // "MEASURED: all ranks ran at the same time, ..."

}  // namespace bscope
