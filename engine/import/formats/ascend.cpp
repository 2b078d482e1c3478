// Facts of the format: documentation of msprof-analyze's pp_chart and of Ascend's PyTorch profiler. The
// ranges that pp_chart has people put around forward_step and backward_step are on the track "Ascend
// Hardware" of trace_view.json, a JSON array whose times are texts in microseconds; its analysis writes them
// into the table StepTaskInfo of each rank's database, times in nanoseconds; the profiler's steps are in its
// table STEP_TIME. Messages are hcom_send__,
// hcom_receive__ and three numbers. What Ascend calls a bubble is the time of its receives, transfer
// included.
#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <regex>

#include "import/formats/event_pairs.h"
#include "import/formats/files_progress.h"
#include "import/formats/sqlite_file.h"
#include "import/formats/trace_json.h"
#include "import/formats/trace_values.h"
#include "import/trace/import_error.h"
#include "import/ranks_of_run.h"
#include "import/trace/raw_trace.h"
#include "import/readers.h"

namespace bscope {
namespace {

// The operations of a range: one, or the two of an overlapped cell; none: something else.
std::vector<Action> ascendActions(std::string_view name) {
    const auto says = [name](std::string_view word) { return name.find(word) != std::string_view::npos; };
    int microbatch = -1;
    constexpr std::string_view key = "'current_microbatch': ";
    if (const std::size_t at = name.find(key); at != std::string_view::npos)
        std::from_chars(name.data() + at + key.size(), name.data() + name.size(), microbatch);
    if (says("forward_backward")) return {{-1, Op::Forward, -1, true}, {-1, Op::Backward, -1}};
    if (says("WeightGradStore")) return {{-1, Op::BackwardWeight, microbatch}};
    if (says("backward")) return {{-1, Op::Backward, microbatch}};
    if (says("forward")) return {{-1, Op::Forward, microbatch}};
    return {};
}

bool isReceiveOfAscend(std::string_view name) {
    static const std::regex form("hcom_[Rr](ecv|eceive)__[0-9]+_[0-9]+_[0-9]+");
    return name.starts_with("hcom_") && std::regex_match(name.begin(), name.end(), form);
}

// A file of one rank: operations in time, and the receives that Ascend counts.
struct AscendRank {
    RawTrace trace;
    std::vector<HostRange> receives;
};

void takeRange(RawTrace& trace, std::string_view name, const HostRange& when) {
    OperationRange range;
    range.actions = ascendActions(name);
    if (!range.actions.empty()) trace.add(std::move(range), when);
}

// Backwards are halves where every one has its weight gradient.
void splitBackwards(TracedRank& rank) {
    const auto count = [&rank](Op op) { return std::ranges::count(rank.ops, op, &TracedOp::op); };
    const auto backwards = count(Op::Backward), weights = count(Op::BackwardWeight);
    if (weights == 0) return;
    if (weights != backwards)
        throw ImportError(sentence(
            "{0} holds {1} backwards and {2} weight gradients: which backwards were split is not recorded",
            rank.file, backwards, weights));
    for (TracedOp& op : rank.ops)
        if (op.op == Op::Backward) op.op = Op::BackwardInput;
}

// Ascend's own number, over the rank's time from its first to its last operation.
void addBubbleOfAscend(TracedRank& rank, const std::vector<HostRange>& receives) {
    if (receives.empty()) return;
    std::map<int, HostRange> spans;
    for (const TracedOp& op : rank.ops) {
        HostRange& span = spans.try_emplace(op.iteration, HostRange{op.start_ns, op.end_ns}).first->second;
        span.start_ns = std::min(span.start_ns, op.start_ns);
        span.end_ns = std::max(span.end_ns, op.end_ns);
    }
    for (const auto& [iteration, span] : spans) {
        double received_ns = 0;
        for (const HostRange& each : receives)
            received_ns += static_cast<double>(std::max<std::int64_t>(
                0, std::min(each.end_ns, span.end_ns) - std::max(each.start_ns, span.start_ns)));
        if (span.end_ns > span.start_ns)
            rank.bubble_of_source[iteration] = received_ns / static_cast<double>(span.end_ns - span.start_ns);
    }
}

TracedRun ascendRun(std::vector<AscendRank> files, std::optional<int> replica) {
    TracedRun run;
    run.source = "Ascend PyTorch profiler";
    run.chunks_inferred = true;
    std::vector<TracedRank> ranks;
    for (AscendRank& file : files) {
        if (files.size() > 1 && file.trace.rank < 0)
            throw ImportError(sentence(
                "{0} does not say its rank: neither its folders (rank0...) nor a profiler_info_0.json "
                "beside them name it",
                file.trace.file));
        if (!file.trace.whole) run.notes.push_back(cutOffNote(file.trace.file));
        file.trace.named.swap(file.trace.plain);  // every range is an operation of its own
        TracedRank& rank = ranks.emplace_back(namedOperations(file.trace));
        splitBackwards(rank);
        addBubbleOfAscend(rank, file.receives);
    }
    takeReplica(run, std::move(ranks), {}, replica);
    return run;
}

// Of one trace_view.json. Which process is the device may stand after its events.
class AscendTrace {
public:
    void event(std::string_view text) {
        simdjson::dom::element event;
        if (parser_.parse(text.data(), text.size(), false).get(event) != simdjson::SUCCESS) return;
        const std::string_view phase = textOf(event, "ph"), name = textOf(event, "name");
        if (phase == "M" && name == "process_name") {
            std::string_view process;
            if (event["args"]["name"].get(process) == simdjson::SUCCESS && process == "Ascend Hardware")
                device_ = processOf(event);
        }
        if (phase != "X") return;
        const auto start = nanoseconds(event["ts"]), duration = nanoseconds(event["dur"]);
        if (!start || !duration || *duration < 0) return;
        const HostRange when{*start, *start + *duration};
        if (isReceiveOfAscend(name))
            rank_.receives.push_back(when);
        else if (!ascendActions(name).empty())
            ranges_.push_back({std::string(name), processOf(event), when});
        else if (constexpr std::string_view step = "ProfilerStep#"; name.starts_with(step))
            takeStep(name.substr(step.size()), when);
    }

    AscendRank finish() {
        for (const Range& range : ranges_)
            if (range.process == device_) takeRange(rank_.trace, range.name, range.when);
        return std::move(rank_);
    }

private:
    struct Range {
        std::string name, process;
        HostRange when;
    };
    // A number or a text; empty: absent.
    static std::string processOf(const simdjson::dom::element& event) {
        simdjson::dom::element process;
        return event["pid"].get(process) == simdjson::SUCCESS ? std::string(simdjson::minify(process))
                                                              : std::string();
    }
    void takeStep(std::string_view number, const HostRange& when) {
        ProfilerStep step{when, 0};
        const auto [at, error] = std::from_chars(number.data(), number.data() + number.size(), step.number);
        if (error == std::errc() && step.number >= 0) rank_.trace.steps.push_back(step);
    }

    simdjson::dom::parser parser_;
    std::string device_;
    std::vector<Range> ranges_;
    AscendRank rank_;
};

// WORKER_ascend_pt/profiler_info_R.json stands beside ASCEND_PROFILER_OUTPUT, or a folder's name has rank0.
int rankOfFolder(const std::filesystem::path& file) {
    static const std::regex info("profiler_info_([0-9]{1,6})\\.json");
    const std::filesystem::path folder = file.parent_path().parent_path();
    std::error_code error;
    for (std::filesystem::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        const std::string name = each->path().filename().string();
        std::smatch match;
        if (std::regex_match(name, match, info)) return std::stoi(match[1]);
    }
    for (std::filesystem::path at = file.parent_path(); at.has_filename(); at = at.parent_path())
        if (const int rank = rankInName(at); rank >= 0) return rank;
    return -1;
}

}  // namespace

bool isAscendTrace(const std::filesystem::path& file) {
    return file.filename() == "trace_view.json";
}

bool isAscendDatabase(const std::filesystem::path& file) {
    static const std::regex form("ascend_pytorch_profiler(_[0-9]{1,6})?\\.db");
    return std::regex_match(file.filename().string(), form);
}

TracedRun readAscendTraces(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    FilesProgress progress(files, options.progress);
    std::vector<AscendRank> ranks;
    std::vector<Sentence> notes;
    for (const auto& file : files) {
        FileText text(file);
        std::deque<AscendTrace> readers(1);
        EventPairs pairs([&](std::string_view event) { readers.back().event(event); });
        TraceJson json([&](std::string_view event) { pairs.event(event); },
                       [](std::string_view, std::string_view) {},
                       [&] { readers.emplace_back(), pairs.forget(); });
        const bool whole = json.read(text, [&] { progress.report(text.position()); });
        std::size_t traces = 0;  // documents with operations, of which the last one counts
        AscendRank& rank = ranks.emplace_back();
        for (AscendTrace& reader : readers) {
            AscendRank found = reader.finish();
            found.trace.whole = whole || &reader != &readers.back();
            if (!found.trace.namesOperations() && &reader != &readers.front()) continue;
            traces += found.trace.namesOperations();
            rank = std::move(found);
        }
        if (traces > 1) notes.push_back(severalTracesNote(file, traces));
        rank.trace.file = file.string();
        rank.trace.rank = rankOfFolder(file);
        progress.finish(file);
        if (!rank.trace.namesOperations())
            throw ImportError(sentence(
                "{0} holds no forward and no backward on its track \"Ascend Hardware\": put mstx "
                "ranges around forward_step and backward_step, as msprof-analyze's pp_chart asks for",
                file.string()));
    }
    TracedRun run = ascendRun(std::move(ranks), options.replica);
    std::ranges::move(notes, std::back_inserter(run.notes));
    return run;
}

#ifdef BUBBLESCOPE_SQLITE

TracedRun readAscendDatabases(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    static const std::regex form("ascend_pytorch_profiler_([0-9]{1,6})\\.db");
    FilesProgress progress(files, options.progress);
    std::vector<AscendRank> ranks;
    for (const auto& file : files) {
        SqliteFile database(file, [&] { return progress.goesOn(); });
        if (!database.has("StepTaskInfo"))
            throw ImportError(
                sentence("{0} has no table StepTaskInfo: run msprof-analyze cluster -m pp_chart on it first",
                         file.string()));
        AscendRank& rank = ranks.emplace_back();
        rank.trace.file = file.string();
        const std::string leaf = file.filename().string();
        std::smatch match;
        if (std::regex_match(leaf, match, form)) rank.trace.rank = std::stoi(match[1]);
        std::string first_name;
        const auto rangeAt = [](sqlite3_stmt* row) {
            const std::int64_t start = sqlite3_column_int64(row, 1), end = sqlite3_column_int64(row, 2);
            return start >= 0 && end >= start && end < kFarthest_ns ? std::optional(HostRange{start, end})
                                                                    : std::nullopt;
        };
        database.each("SELECT name, startNs, endNs FROM StepTaskInfo ORDER BY startNs",
                      [&](sqlite3_stmt* row) {
                          const std::string_view name = SqliteFile::textAt(row, 0);
                          if (first_name.empty()) first_name = name;
                          if (const auto when = rangeAt(row)) takeRange(rank.trace, name, *when);
                      });
        if (!rank.trace.namesOperations())
            throw ImportError(sentence(
                "no name in the table StepTaskInfo of {0} says forward or backward; the first is \"{1}\"",
                file.string(), first_name));
        // The profiler's steps are the iterations; without them all is one.
        if (database.hasColumn("STEP_TIME", "id") && database.hasColumn("STEP_TIME", "startNs") &&
            database.hasColumn("STEP_TIME", "endNs"))
            database.each("SELECT id, startNs, endNs FROM STEP_TIME", [&](sqlite3_stmt* row) {
                const std::int64_t number = sqlite3_column_int64(row, 0);
                const auto when = rangeAt(row);
                if (when && number >= 0 && number < (1 << 30))
                    rank.trace.steps.push_back({*when, static_cast<int>(number)});
            });
        if (database.hasColumn("COMMUNICATION_OP", "opName") && database.hasColumn("STRING_IDS", "value"))
            database.each(
                "SELECT s.value, c.startNs, c.endNs FROM COMMUNICATION_OP c JOIN STRING_IDS s ON c.opName = "
                "s.id",
                [&](sqlite3_stmt* row) {
                    const auto when = rangeAt(row);
                    if (when && isReceiveOfAscend(SqliteFile::textAt(row, 0))) rank.receives.push_back(*when);
                });
        progress.finish(file);
    }
    return ascendRun(std::move(ranks), options.replica);
}

#else

TracedRun readAscendDatabases(std::span<const std::filesystem::path> files, const ReadOptions&) {
    throw ImportError(
        sentence("{0} is a database; this program was built without SQLite (Debian: libsqlite3-dev)",
                 files.front().string()));
}

#endif

}  // namespace bscope
