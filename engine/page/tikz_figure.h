// tikzFigure: one iteration as a TikZ picture that a LaTeX document inputs: exactly as wide as asked, with
// the document's own fonts (\scriptsize), light, with its badge, legend and definition of the bubble. Hatches
// are vectors. The document loads tikz and its library patterns; English needs no more, Chinese a document
// that sets it (ctex). What comes from outside is escaped. Values; any thread.
#pragma once

#include <string>

#include "page/page_run.h"
#include "view/palette.h"

namespace bscope::page {

inline constexpr double kLeastTikz_mm = 60, kMostTikz_mm = 1000;
// TeX is slow with more, and a PDF of it large.
inline constexpr std::size_t kMostTikzOperations = 4'000;

// What keeps this run from being such a picture; empty: nothing.
Sentence tikzRefusal(const PageRun& run);

// width_mm: kLeastTikz_mm..kMostTikz_mm. Not for a run that is refused.
std::string tikzFigure(const PageRun& run, double width_mm, ColourScheme scheme, Language language);

}  // namespace bscope::page
