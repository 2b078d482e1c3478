// Causes of a bubble, its outliers and its gaps, as text for the terminal and as JSON for scripts.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/causes.h"
#include "cli/input/analysed_run.h"
#include "cli/print/line_printer.h"

namespace bscope::cli {

// ms by the name of the cause, all of them.
nlohmann::ordered_json causesJson(const CauseParts& parts);
// slow_rank, slow_stage, odd_microbatch, slow_rank_or_stage, slow_stage_or_rank (numbers or null) and
// slow_link ([from, to] or null) are added to `out`, and slow_rank_launch_gaps (a share or null).
void addOutliers(nlohmann::ordered_json& out, const Outliers& found);
// straggler: what it is with its numbers, or null.
void addStraggler(nlohmann::ordered_json& out, const std::optional<Straggler>& found);
// A line each: "rank 2 is 50.0 % slower than the others (16 durations, standard error 0.4 %)"; none when
// nothing stands out. Of the straggler: "rank 2 is slow in 17 of the last 20 iterations, 1.14 times as long".
// One line more says which of them cannot be distinguished.
void printOutliers(const LinePrinter& printer, const Outliers& found,
                   const std::optional<Straggler>& straggler = std::nullopt);
// "rank 2 is slow in 17 of the last 20 iterations, 1.14 times as long".
void printStraggler(const LinePrinter& printer, const Straggler& found);
// Idle time by cause.
void printCauses(const LinePrinter& printer, const CauseParts& parts, std::int64_t idle_ns);
// This run minus theory, step by step; nothing of a stream.
void printWaterfall(const LinePrinter& printer, const Schedule& schedule, const BubbleCauses& causes);
// idle_ms, causes_ms, outliers and waterfall, as FILE_FORMATS.md has them, are added to `out`.
void addBubble(nlohmann::ordered_json& out, const Schedule& schedule, const BubbleCauses& causes);

// Causes, this run minus theory, critical path and gaps of an iteration: all gaps with their reasons as one
// object; the longest of them in words.
nlohmann::ordered_json bubbleJson(const AnalysedRun& run);
void printBubble(const LinePrinter& printer, const AnalysedRun& run);
// One gap, by its place among all by length, from 1: its sentence, causes and chain of reasons. Throw a
// SentenceError when there are not so many.
nlohmann::ordered_json gapJson(const AnalysedRun& run, int place);
void printGap(const LinePrinter& printer, const AnalysedRun& run, int place);
// Its longest gaps, a sentence each, with their share of the idle time.
void printGaps(const LinePrinter& printer, const BubbleCauses& causes, std::size_t most,
               const GapWording& wording = {});

}  // namespace bscope::cli
