// htmlPage: runs as one HTML file that needs nothing else: no server, no network, no other file. Each run is
// a picture with its numbers; several stand below each other on one time axis. The page holds English and
// Chinese, light and dark, and both definitions of the bubble; what is pointed at says what it is. Recordings
// come from anywhere: everything of them is escaped, and the browser runs the page's own script alone.
// Values; any thread.
#pragma once

#include <span>
#include <string>

#include "page/page_run.h"
#include "words/sentence.h"

namespace bscope::page {

// An iteration with more operations is no page that a browser opens with ease.
inline constexpr std::size_t kMostOperations = 20'000;

// What keeps these runs from being a page; empty: nothing.
Sentence refusal(std::span<const PageRun> runs);

// runs: 1..kMostRuns. language: that it begins with. Not for runs that are refused.
std::string htmlPage(std::span<const PageRun> runs, Language language);

}  // namespace bscope::page
