// bubbleFormula: the closed form of a schedule's bubble as it is printed: in letters, with the values put in,
// and the number that both come to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schedule/schedule.h"

namespace bscope {

struct CatalogEntry;

// Of one operation of one chunk, in any unit; B = i + w.
struct OperationDurations {
    double f = 1, i = 1, w = 1;
};

enum class BubbleShare : std::uint8_t {
    OfTotal,  // idle / (p * makespan)
    OfIdeal,  // idle / busy
};

// ASCII with + - * / ( ) min max. Where durations matter and are not all the same, the idle time of a rank is
// the letter x, and `idle` says what x is.
struct BubbleFormula {
    std::string letters;       // "(p-1)/(m+p-1)", "x/(m*(F+I+W)+x)"
    std::string numbers;       // "(4-1)/(8+4-1)", "3.6/(8*3+3.6)"
    std::string idle;          // "(p-1)*(F+I-min(F,I,W))"; or empty
    std::string idle_numbers;  // "(4-1)*(1+1.2-min(1,1.2,0.8)) = 4.2"
    double value = 0;          // 0.273
};

// nullopt where no closed form is known for the schedule, these parameters or these durations. Of an
// asynchronous schedule it is that of what is drawn, filled and drained once.
std::optional<BubbleFormula> bubbleFormula(const CatalogEntry& entry, const ScheduleParams& params,
                                           const OperationDurations& durations,
                                           BubbleShare share = BubbleShare::OfTotal);

// The letters for F = I = W whether or not they hold; "" where none are known.
std::string bubbleFormulaLetters(const CatalogEntry& entry, BubbleShare share);

// With the idle formula's letters alone, for any durations: "x/(m*(F+I+W)+x), x = (p-1)*(F+I-min(F,I,W))";
// empty where durations do not matter.
std::string formulaForAnyDurations(const CatalogEntry& entry);

// Values of the letters of a formula.
struct FormulaValues {
    ScheduleParams params;
    int rank = 0, group = 0;
    OperationDurations durations;
};
// p, v, m, q (segments), r (rank), N (group size), F, I, W and B replaced, outside of words such as min.
std::string withNumbers(std::string_view formula, const FormulaValues& values);

// Up to five digits that matter, no more than needed: "1.2346", "12".
std::string durationText(double value);

}  // namespace bscope
