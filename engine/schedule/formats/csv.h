// csv: schedules as PyTorch writes them (torch.distributed.pipelining): a row a rank, a cell an action, CRLF.
// compute_only holds F, I, W, B and overlapped pairs `(0F7;7B3)OVERLAP_F_B`; compute_comms adds SEND, RECV,
// UNSHARD and RESHARD. Schedules with replicas have no such form (PyTorch would connect their chains) and are
// refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/lowering.h"
#include "schedule/schedule.h"

namespace bscope {

// How a cell of an overlapped pair ends: (0F7;7B3)OVERLAP_F_B.
inline constexpr std::string_view kOverlapEnd = ")OVERLAP_F_B";

std::string toText(const Cell& cell);
// The cells of one rank at the end of a text, overlapped pairs as one.
void appendRow(std::string& text, const std::vector<Action>& order, std::string_view separator);

// Those of a schedule throw std::invalid_argument where it has replicas.
std::string toComputeCsv(const Schedule& schedule);
// Lists as lowerCells() makes them (lowering.h); the halves of an overlapped pair are written as one cell.
std::string toCsv(const std::vector<std::vector<Cell>>& lists);
std::string toCommsCsv(const Schedule& schedule);

// Reads compute_only (schedule_file.h reads more and says more); empty cells and spaces around a cell are
// skipped, LF and CRLF are both fine, and the old spelling (BW for the whole backward, B for the input
// gradient) is translated. Which rank owns a stage follows from the rows. Throws std::invalid_argument
// listing everything that is wrong, each with row and cell.
Schedule readComputeCsv(std::string_view text, const std::string& name);

}  // namespace bscope
