// Traces of one file, which is several documents one behind the other: what a program appended to, or files
// that were joined (cat rank*.json).
#pragma once

#include <vector>

#include "import/trace/raw_trace.h"

namespace bscope {

// The last one of every rank that holds anything, with a note where others are left out; a rank that a document
// does not say is that of the file's name. Throws ImportError where documents that do not say their rank are of
// the same time: they are ranks, and nothing says which.
std::vector<RawTrace> lastDocuments(std::vector<RawTrace> documents, std::vector<Sentence>& notes);

}  // namespace bscope
