// FlightDump: what one rank of a PyTorch program recorded of its communication (the flight recorder of
// torch.distributed: TORCH_NCCL_TRACE_BUFFER_SIZE, TORCH_NCCL_DEBUG_INFO_TEMP_FILE, or TORCH_FR_*), and its
// reader. Field by field as in torch/csrc/distributed/c10d/FlightRecorderDetail.hpp, versions 2.0 and newer.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hang/dump_tree.h"
#include "words/sentence.h"

namespace bscope {

struct FlightGroup {
    std::string name, description;
    std::vector<int> ranks;  // sorted; those of the world
    bool operator==(const FlightGroup&) const = default;
};

enum class FlightKind : std::uint8_t { Send, Receive, Collective, Coalesced };

struct FlightEntry {
    FlightKind kind = FlightKind::Collective;
    std::string name;                                  // without its library: "send 0->1", "all_reduce"
    int group = -1;                                    // index into FlightDump::groups
    int peer = -1;                                     // of a send or receive: rank of the world
    std::int64_t record = 0, collective = 0, p2p = 0;  // record_id, collective_seq_id, p2p_seq_id
    std::vector<std::vector<std::int64_t>> sizes;      // of inputs of a send, of outputs of a receive
    std::string type;                                  // of the first of them: "Float"
    bool is_p2p = false;
    bool is_done = false;
    bool has_started = false;
    int batch = -1;                                 // entries of one coalesced operation have the same one
    std::int64_t created_ns = 0, completed_ns = 0;  // of the computer's clock; 0: not known
    std::string where;                              // the innermost frame: "send at p2p.py:12"
};

inline bool isMessage(const FlightEntry& entry) {
    return entry.kind == FlightKind::Send || entry.kind == FlightKind::Receive;
}

// "0, 1, 2", at most 16 of them.
std::string rankList(const std::vector<int>& ranks);

struct FlightDump {
    std::string file;
    int rank = -1;
    std::string version;
    std::vector<FlightGroup> groups;
    std::vector<FlightEntry> entries;  // in the order of record_id
    bool is_whole = false;             // begins with the first operation of the program
    bool is_counted = true;            // says with which operation it begins
    std::vector<Sentence> notes;
};

// The number at the end of a name without its ending: nccl_trace_rank_3, rank_3.json; -1 when there is none.
int rankOfFileName(std::string_view name);

// Every dump of a file: one, those of a JSON list or of a JSON object by rank, or the columns of a table
// (flight_table.h). Throws SentenceError that says
// what is wrong and what would be legal.
std::vector<FlightDump> readFlightDumps(std::string bytes, const std::string& file);

}  // namespace bscope
