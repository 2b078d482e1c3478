// Facts of the format: nsys export --type sqlite. NVTX_EVENTS with eventType 59 are ranges, their text in the
// row or in StringIds; kernels and runtime calls share correlationId within a process; processes are
// globalPid / 2^24 % 2^24. Times are ns since the session began, utcEpochNs is the time of that.
#include "import/formats/files_progress.h"
#include "import/formats/sqlite_file.h"
#include "import/trace/import_error.h"
#include "import/ranks_of_run.h"
#include "import/trace/raw_trace.h"
#include "import/readers.h"

#ifdef BUBBLESCOPE_SQLITE

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

namespace bscope {
namespace {

constexpr std::int64_t kNvtxRange = 59, kPidShift = 1 << 24;

std::int64_t processOf(std::int64_t global) {
    return global / kPidShift % kPidShift;
}

// "rank 1: 2F0", as this program names its own.
std::optional<std::pair<int, Action>> ownRange(std::string_view name) {
    constexpr std::string_view prefix = "rank ";
    const std::size_t colon = name.find(": ");
    if (!name.starts_with(prefix) || colon == std::string_view::npos) return std::nullopt;
    int rank = 0;
    const char* const end = name.data() + colon;
    const auto [at, error] = std::from_chars(name.data() + prefix.size(), end, rank);
    const auto action = actionOf(name.substr(colon + 2));
    if (error != std::errc() || at != end || rank < 0 || rank >= kMaxRanks || !action) return std::nullopt;
    return std::pair(rank, *action);
}

// Megatron-LM names its messages: what comes after the receive is known.
std::optional<Op> afterMessage(std::string_view name) {
    if (name.find("p2p_communication.") == std::string_view::npos) return std::nullopt;
    if (name.ends_with("recv_forward")) return Op::Forward;
    if (name.ends_with("recv_backward") && !name.ends_with("recv_forward_backward")) return Op::Backward;
    return Op::OptimizerStep;  // a send: nothing begins
}

class NsysReader {
public:
    NsysReader(std::filesystem::path file, const std::function<bool()>& go_on)
        : file_(std::move(file)), database_(file_, go_on) {}

    std::vector<RawTrace> read() {
        if (tableOf("NVTX_EVENTS").empty())
            throw ImportError(sentence(
                "{0} holds no NVTX ranges: record with nsys profile --trace=cuda,nvtx, export with nsys "
                "export --type sqlite",
                file_.string()));
        if (const std::string table = tableOf("TARGET_INFO_SESSION_START_TIME"); !table.empty())
            database_.each("SELECT utcEpochNs FROM " + table + " LIMIT 1",
                           [&](sqlite3_stmt* row) { epoch_ns_ = sqlite3_column_int64(row, 0); });
        readRanges();
        readRuntime();
        readKernels();
        std::vector<RawTrace> traces;
        for (auto& [key, trace] : traces_) {
            if (!trace.namesOperations()) takeFromMessages(trace, messages_[key]);
            if (!trace.namesOperations() && trace.kernels.empty())
                continue;  // a process that only started others
            trace.file = file_.string();
            trace.rank = key.second >= 0 ? key.second : rankOf(static_cast<int>(traces.size()));
            traces.push_back(std::move(trace));
        }
        return traces;
    }

private:
    using Key = std::pair<std::int64_t, int>;  // process, own rank

    // As this version of nsys calls a table: NAME, NAME_V2, NAME_V3; empty: there is none.
    std::string tableOf(const std::string& name) {
        for (const char* version : {"", "_V3", "_V2"})
            if (database_.has(name + version)) return name + version;
        return {};
    }
    struct Message : HostRange {
        Op next = Op::Forward;
    };

    int rankOf(int order) const {
        const int named = traces_.size() == 1 ? rankInName(file_) : -1;
        return named >= 0 ? named : order;
    }
    std::int64_t timeAt(sqlite3_stmt* row, int column) const {
        std::int64_t time_ns = sqlite3_column_int64(row, column);
        if (__builtin_add_overflow(time_ns, epoch_ns_, &time_ns) || time_ns <= -kFarthest_ns ||
            time_ns >= kFarthest_ns)
            throw ImportError(ofFile(file_, sentence("its times are outside the range of a clock")));
        return time_ns;
    }
    HostRange rangeAt(sqlite3_stmt* row, int column) const {
        return {timeAt(row, column), timeAt(row, column + 1)};
    }

    void readRanges() {
        const std::string table = tableOf("NVTX_EVENTS"), texts = tableOf("StringIds");
        const bool ids = !texts.empty() && database_.hasColumn(table, "textId");
        database_.each(std::string("SELECT n.start, n.end, n.globalTid, ") +
                           (ids ? "COALESCE(n.text, s.value) FROM " + table + " n LEFT JOIN " + texts +
                                      " s ON n.textId = s.id"
                                : "n.text FROM " + table + " n") +
                           " WHERE n.eventType = " + std::to_string(kNvtxRange) +
                           " AND n.end IS NOT NULL ORDER BY n.start",
                       [&](sqlite3_stmt* row) {
                           const HostRange range = rangeAt(row, 0);
                           if (range.end_ns >= range.start_ns)
                               takeRange(processOf(sqlite3_column_int64(row, 2)), range,
                                         SqliteFile::textAt(row, 3));
                       });
    }

    void takeRange(std::int64_t process, const HostRange& range, std::string_view name) {
        if (const auto own = ownRange(name)) {
            OperationRange reported{range, {own->second}, -1};
            if (isCompute(own->second.op))
                traces_[{process, own->first}].named.push_back(std::move(reported));
            else if (own->second.op == Op::OptimizerStep)
                traces_[{process, own->first}].optimizer.push_back(range);
            return;
        }
        RawTrace& trace = traces_[{process, -1}];
        if (auto named = namedRange(name)) {
            trace.add(std::move(*named), range);
        } else if (const auto next = afterMessage(name)) {
            messages_[{process, -1}].push_back({range, *next});
        } else if (name == "megatron.train_step" || name.starts_with("iter_") || name == "train_step") {
            trace.steps.push_back({range, static_cast<int>(trace.steps.size())});
        } else if (name == "Optimizer" || name.starts_with("Optimizer.step") ||
                   name == "megatron.optimizer_step") {
            trace.optimizer.push_back(range);
        }
    }

    // From one message to the next; what a receive announces is the operation.
    static void takeFromMessages(RawTrace& trace, const std::vector<Message>& messages) {
        for (std::size_t at = 0; at < messages.size(); ++at) {
            if (messages[at].next == Op::OptimizerStep) continue;
            const std::int64_t until =
                at + 1 < messages.size() ? messages[at + 1].start_ns : messages[at].end_ns;
            if (until <= messages[at].end_ns) continue;
            trace.plain.push_back({{messages[at].end_ns, until}, {{-1, messages[at].next, -1}}, -1});
            trace.from_messages = true;
        }
    }

    void readRuntime() {
        const std::string table = tableOf("CUPTI_ACTIVITY_KIND_RUNTIME");
        if (table.empty()) return;
        database_.each("SELECT start, end, correlationId, globalTid FROM " + table, [&](sqlite3_stmt* row) {
            const Launch launch{rangeAt(row, 0).start_ns, sqlite3_column_int64(row, 2),
                                sqlite3_column_int64(row, 3)};
            const std::int64_t process = processOf(launch.thread);
            for (auto& [key, trace] : traces_)
                if (key.first == process) trace.launches.push_back(launch);
        });
    }

    void readKernels() {
        const std::string table = tableOf("CUPTI_ACTIVITY_KIND_KERNEL"), texts = tableOf("StringIds");
        if (table.empty()) return;
        database_.each(std::string("SELECT k.start, k.end, k.correlationId, k.globalPid, ") +
                           (!texts.empty() ? "s.value FROM " + table + " k LEFT JOIN " + texts +
                                                 " s ON k.shortName = s.id"
                                           : "'' FROM " + table + " k"),
                       [&](sqlite3_stmt* row) {
                           const KernelRange kernel{rangeAt(row, 0), sqlite3_column_int64(row, 2),
                                                    kindOfKernel(SqliteFile::textAt(row, 4))};
                           const std::int64_t process = processOf(sqlite3_column_int64(row, 3));
                           for (auto& [key, trace] : traces_)
                               if (key.first == process) trace.kernels.push_back(kernel);
                       });
    }

    std::filesystem::path file_;
    SqliteFile database_;
    std::int64_t epoch_ns_ = 0;
    std::map<Key, RawTrace> traces_;
    std::map<Key, std::vector<Message>> messages_;
};

}  // namespace

TracedRun readNsys(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    FilesProgress progress(files, options.progress);
    std::vector<RawTrace> traces;
    for (const auto& file : files) {
        for (RawTrace& trace : NsysReader(file, [&] { return progress.goesOn(); }).read())
            traces.push_back(std::move(trace));
        progress.finish(file);
    }
    if (traces.empty())
        throw ImportError(
            sentence("{0} holds no operation of a pipeline: no NVTX range named F0.1.0 or PP:2F0, nor those "
                     "of Megatron-LM's p2p_communication (--nvtx-ranges)",
                     files.front().string()));
    return runOf(std::move(traces), "nsys (NVTX)", options.replica);
}

}  // namespace bscope

#else

namespace bscope {

TracedRun readNsys(std::span<const std::filesystem::path> files, const ReadOptions&) {
    throw ImportError(
        sentence("{0} is a database; this program was built without SQLite (Debian: libsqlite3-dev)",
                 files.front().string()));
}

}  // namespace bscope

#endif
