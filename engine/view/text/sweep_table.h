// SweepTable: a sweep as text, as the command line and the terminal view print it: a row for each value that
// can run, and sentences: why others do not, what the numbers are, what decides. Pure; any thread.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/report.h"
#include "words/catalog.h"

namespace bscope {

inline constexpr std::size_t kSweepColumns = 8;
inline constexpr const char* kSweepSides =
    "rrrlrrrl";  // 'l': a column begins at the left, 'r': it ends at the right

struct SweepRow {
    int value = 0;             // of the sweep's axis
    bool is_measured = false;  // else it has predictions at most
    std::array<std::string, kSweepColumns> cells;
};

struct SweepTable {
    std::array<std::string, kSweepColumns> head;
    std::vector<SweepRow> rows;
    std::vector<std::string> notes;
};
SweepTable sweepTable(const SweepState& state, Language language);

}  // namespace bscope
