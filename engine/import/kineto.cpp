// Facts of the format: kineto/libkineto/src/output_json.cpp; names of operations: record_function in
// torch/distributed/pipelining/schedules.py. ts and dur are microseconds with three decimals, relative to
// baseTimeNanoseconds where the file has it; of a file without it, whose times are absolute, a double keeps a
// quarter of a microsecond.
//
// An operation's time is that of its kernels: those whose launch (the runtime event of the same correlation)
// lies in the operation's host range, on any thread, since autograd launches from its own. Without kernels,
// on CPUs, it is the host range less the receive that the operation waits for.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <tuple>
#include <unordered_map>

#include "import/import_error.h"
#include "import/readers.h"
#include "import/trace_json.h"

namespace bscope {
namespace {

using simdjson::dom::element;

// Microseconds as numbers, or as text in some programs' traces.
std::optional<std::int64_t> nanoseconds(simdjson::simdjson_result<element> field) {
    double us = 0;
    std::string_view text;
    if (field.get(us) != simdjson::SUCCESS) {
        if (field.get(text) != simdjson::SUCCESS) return std::nullopt;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), us);
        if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    }
    if (!(std::abs(us) < 4e15)) return std::nullopt;
    return std::llround(us * 1000);
}

struct Range {
    std::int64_t start_ns = 0, end_ns = 0;
};

struct NamedRange : Range {
    std::vector<Action> actions;  // one, or the two of an overlapped cell
};

struct Kernel : Range {
    std::int64_t correlation = -1;
    enum class Kind : std::uint8_t { Compute, Collective, SendRecv } kind = Kind::Compute;
};

struct Launch {
    std::int64_t time_ns = 0, correlation = -1;
};

struct Step : Range {
    int number = 0;
};

// What one file holds of what matters here.
struct Trace {
    std::string file, host;
    int rank = -1;
    std::vector<int> pipeline_group;  // global ranks in the order of the stages; empty: not told
    std::int64_t base_ns = 0;
    bool whole = true;
    std::vector<Step> steps;
    std::vector<NamedRange> named;
    std::vector<Range> plain_forwards, plain_backwards;  // ScheduleGPipe: index is the order
    std::vector<int> plain_forward_mb, plain_backward_mb;
    std::vector<Range> sends, receives;  // gloo
    std::vector<Range> optimizer;
    std::vector<Launch> launches;
    std::vector<Kernel> kernels;
    int device_messages = 0;
};

std::optional<int> numberAfter(std::string_view name, std::string_view prefix) {
    if (!name.starts_with(prefix)) return std::nullopt;
    int number = 0;
    const char* begin = name.data() + prefix.size();
    const char* end = name.data() + name.size();
    const auto [at, error] = std::from_chars(begin, end, number);
    return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

// "PP:2F0", "PP:0SEND_F1", "PP:(0F8;7B0)OVERLAP_F_B".
std::vector<Action> namedActions(std::string_view name) {
    if (!name.starts_with("PP:")) return {};
    name.remove_prefix(3);
    constexpr std::string_view overlap = ")OVERLAP_F_B";
    if (name.starts_with('(') && name.ends_with(overlap)) {
        name.remove_prefix(1);
        name.remove_suffix(overlap.size());
        const std::size_t middle = name.find(';');
        if (middle == std::string_view::npos) return {};
        auto first = parseAction(name.substr(0, middle)), second = parseAction(name.substr(middle + 1));
        if (!first || !second) return {};
        first->overlaps_next = true;
        return {*first, *second};
    }
    if (const auto action = parseAction(name)) return {*action};
    return {};
}

class Reader {
public:
    explicit Reader(Trace& trace) : trace_(trace) {}

    void event(std::string_view text) {
        element event;
        if (parser_.parse(text.data(), text.size(), false).get(event) != simdjson::SUCCESS) return;
        if (textOf(event, "ph") != "X") return;
        const std::string_view category = textOf(event, "cat");
        if (category == "user_annotation") {
            annotation(textOf(event, "name"), event);
        } else if (category == "kernel") {
            kernel(textOf(event, "name"), event);
        } else if (category == "cuda_runtime" || category == "cuda_driver" || category == "hip_runtime") {
            const auto range = rangeOf(event);
            const auto correlation = correlationOf(event);
            if (range && correlation) trace_.launches.push_back({range->start_ns, *correlation});
        }
    }

    void value(std::string_view key, std::string_view text) {
        if (key == "baseTimeNanoseconds") {
            std::from_chars(text.data(), text.data() + text.size(), trace_.base_ns);
        } else if (key == "host_name") {
            trace_.host = text;
        } else if (key == "distributedInfo") {
            simdjson::dom::parser parser;
            element info;
            if (parser.parse(text.data(), text.size()).get(info) == simdjson::SUCCESS) distributed(info);
        }
    }

private:
    static std::string_view textOf(const element& event, const char* key) {
        std::string_view text;
        return event[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
    }

    static std::optional<Range> rangeOf(const element& event) {
        const auto start = nanoseconds(event["ts"]);
        const auto duration = nanoseconds(event["dur"]);
        if (!start || !duration || *duration < 0) return std::nullopt;
        return Range{*start, *start + *duration};
    }

    static std::optional<std::int64_t> correlationOf(const element& event) {
        std::int64_t correlation = 0;
        if (event["args"]["correlation"].get(correlation) != simdjson::SUCCESS) return std::nullopt;
        return correlation;
    }

    void annotation(std::string_view name, const element& event) {
        const auto range = rangeOf(event);
        if (!range) return;
        if (auto actions = namedActions(name); !actions.empty()) {
            trace_.named.push_back({*range, std::move(actions)});
        } else if (const auto step = numberAfter(name, "ProfilerStep#")) {
            trace_.steps.push_back({*range, *step});
        } else if (name == "gloo:send") {
            trace_.sends.push_back(*range);
        } else if (name == "gloo:recv") {
            trace_.receives.push_back(*range);
        } else if (name.starts_with("Optimizer.step#")) {
            trace_.optimizer.push_back(*range);
        } else if (const auto forward = numberAfter(name, "Forward ")) {
            trace_.plain_forwards.push_back(*range);
            trace_.plain_forward_mb.push_back(*forward);
        } else if (const auto backward = numberAfter(name, "Backward ")) {
            trace_.plain_backwards.push_back(*range);
            trace_.plain_backward_mb.push_back(*backward);
        }
    }

    void kernel(std::string_view name, const element& event) {
        const auto range = rangeOf(event);
        if (!range) return;
        Kernel kernel{*range};
        kernel.correlation = correlationOf(event).value_or(-1);
        if (name.find("SendRecv") != std::string_view::npos) {
            kernel.kind = Kernel::Kind::SendRecv;
            ++trace_.device_messages;
        } else if (name.starts_with("nccl")) {
            kernel.kind = Kernel::Kind::Collective;
        }
        trace_.kernels.push_back(kernel);
    }

    void distributed(const element& info) {
        std::int64_t number = 0;
        if (info["rank"].get(number) == simdjson::SUCCESS && number >= 0 && number < (1 << 20))
            trace_.rank = static_cast<int>(number);
        simdjson::dom::array groups;
        if (info["pg_config"].get(groups) != simdjson::SUCCESS) return;
        for (const auto group : groups) {
            std::string_view name, description;
            if (group["pg_name"].get(name) != simdjson::SUCCESS) name = {};
            if (group["pg_desc"].get(description) != simdjson::SUCCESS) description = {};
            if (name != "torchtitan_real_pp" && description != "mesh_pp" &&
                description != "PIPELINE_MODEL_PARALLEL_GROUP")
                continue;
            trace_.pipeline_group = ranksOf(group["ranks"]);
        }
    }

    // A list, or a text that spells one.
    static std::vector<int> ranksOf(simdjson::simdjson_result<element> field) {
        std::vector<int> ranks;
        simdjson::dom::array list;
        std::string_view text;
        if (field.get(list) == simdjson::SUCCESS) {
            for (const auto each : list) {
                std::int64_t rank = 0;
                if (each.get(rank) == simdjson::SUCCESS) ranks.push_back(static_cast<int>(rank));
            }
        } else if (field.get(text) == simdjson::SUCCESS) {
            for (const char* at = text.data(); at < text.data() + text.size();) {
                int rank = 0;
                const auto [end, error] = std::from_chars(at, text.data() + text.size(), rank);
                if (error == std::errc()) ranks.push_back(rank);
                at = error == std::errc() ? end : at + 1;
            }
        }
        return ranks;
    }

    Trace& trace_;
    simdjson::dom::parser parser_;
};

template <class Item>
void sortByStart(std::vector<Item>& items) {
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.start_ns < b.start_ns; });
}

// ---- from what a file holds to operations
// --------------------------------------------------------------------

// The last range that starts at or before the time and reaches it; nullptr when none does. Sorted, not
// nested.
template <class Item>
const Item* containing(const std::vector<Item>& items, std::int64_t time_ns) {
    auto after = std::upper_bound(items.begin(), items.end(), time_ns,
                                  [](std::int64_t time, const Item& item) { return time < item.start_ns; });
    if (after == items.begin()) return nullptr;
    --after;
    return time_ns <= after->end_ns ? &*after : nullptr;
}

class Operations {
public:
    explicit Operations(Trace& trace) : trace_(trace) {
        sortByStart(trace_.named);
        sortByStart(trace_.steps);
        sortByStart(trace_.receives);
        sortByStart(trace_.sends);
    }

    TracedRank find() {
        TracedRank rank;
        rank.rank = trace_.rank;
        rank.file = trace_.file;
        if (hasKernels()) sumKernels();
        for (const NamedRange& range : trace_.named) {
            const Action& action = range.actions.front();
            if (isReceive(action.op))
                receive(rank, range);
            else if (isSend(action.op))
                send(rank, range);
            else if (isCompute(action.op))
                compute(rank, range);
        }
        if (trace_.named.empty()) plain(rank);
        for (const Range& range : trace_.optimizer) {
            TracedOp op;
            op.op = Op::OptimizerStep;
            op.iteration = iterationAt(range.start_ns);
            op.start_ns = range.start_ns;
            op.end_ns = range.end_ns;
            rank.ops.push_back(op);
        }
        std::erase_if(rank.ops, [](const TracedOp& op) { return op.iteration < 0; });
        std::erase_if(rank.receives, [](const TracedReceive& each) { return each.iteration < 0; });
        std::erase_if(rank.sends, [](const TracedSend& each) { return each.iteration < 0; });
        sortByStart(rank.ops);
        return rank;
    }

    bool hasKernels() const { return !trace_.kernels.empty() && !trace_.launches.empty(); }

private:
    // The profiler's step; without steps how often this action came before. -1: outside every step.
    int iterationAt(std::int64_t time_ns) const {
        if (trace_.steps.empty()) return 0;
        const Step* step = containing(trace_.steps, time_ns);
        return step == nullptr ? -1 : step->number;
    }
    int iterationOf(const NamedRange& range) {
        if (!trace_.steps.empty()) return iterationAt(range.start_ns);
        const Action& action = range.actions.front();
        return seen_[{action.stage, static_cast<int>(action.op), action.microbatch}]++;
    }

    // (named,) first and last compute kernel, and the message's kernel.
    void sumKernels() {
        on_device_.assign(trace_.named.size(), {});
        message_.assign(trace_.named.size(), {});
        std::unordered_map<std::int64_t, std::size_t> owner;  // correlation -> named range
        for (const Launch& launch : trace_.launches) {
            const NamedRange* range = containing(trace_.named, launch.time_ns);
            if (range != nullptr)
                owner[launch.correlation] = static_cast<std::size_t>(range - trace_.named.data());
        }
        for (const Kernel& kernel : trace_.kernels) {
            const auto found = owner.find(kernel.correlation);
            if (found == owner.end()) continue;
            std::optional<Range>& of =
                kernel.kind == Kernel::Kind::SendRecv ? message_[found->second] : on_device_[found->second];
            if (!of) {
                // A collective at the beginning gathers weights for the operation: it is not yet the
                // operation.
                if (kernel.kind == Kernel::Kind::Collective) continue;
                of = kernel;
            }
            if (kernel.kind != Kernel::Kind::Collective)
                of->start_ns = std::min(of->start_ns, kernel.start_ns);
            of->end_ns = std::max(of->end_ns, kernel.end_ns);
        }
    }
    std::size_t indexOf(const NamedRange& range) const {
        return static_cast<std::size_t>(&range - trace_.named.data());
    }

    void receive(TracedRank& rank, const NamedRange& range) {
        const Action& action = range.actions.front();
        std::optional<Range> arrival;
        if (hasKernels()) {
            arrival = message_[indexOf(range)];
        } else {
            const auto first =
                std::lower_bound(trace_.receives.begin(), trace_.receives.end(), range.start_ns,
                                 [](const Range& each, std::int64_t time) { return each.start_ns < time; });
            if (first != trace_.receives.end() && first->start_ns <= range.end_ns) arrival = *first;
        }
        if (!arrival) return;
        TracedReceive& told = rank.receives.emplace_back();
        told.op = action.op;
        told.stage = action.stage;
        told.microbatch = action.microbatch;
        told.iteration = iterationOf(range);
        told.start_ns = arrival->start_ns;
        told.end_ns = arrival->end_ns;
        arrivals_[{told.iteration, action.stage, action.microbatch, action.op == Op::RecvForward}] =
            arrival->end_ns;
    }

    void send(TracedRank& rank, const NamedRange& range) {
        const Action& action = range.actions.front();
        TracedSend& told = rank.sends.emplace_back();
        told.op = action.op;
        told.stage = action.stage;
        told.microbatch = action.microbatch;
        told.iteration = iterationOf(range);
        told.start_ns = range.start_ns;
        if (hasKernels() && message_[indexOf(range)]) told.start_ns = message_[indexOf(range)]->start_ns;
    }

    void compute(TracedRank& rank, const NamedRange& range) {
        const int iteration = iterationOf(range);
        Range when = range;
        if (hasKernels()) {
            const auto& kernels = on_device_[indexOf(range)];
            if (!kernels) return;
            when = *kernels;
        } else {
            for (const Action& action : range.actions) {
                const auto arrival =
                    arrivals_.find({iteration, action.stage, action.microbatch, action.op == Op::Forward});
                if (arrival != arrivals_.end())
                    when.start_ns = std::clamp(arrival->second, when.start_ns, when.end_ns);
            }
        }
        const std::int64_t each =
            (when.end_ns - when.start_ns) / static_cast<std::int64_t>(range.actions.size());
        for (const Action& action : range.actions) {
            TracedOp& op = rank.ops.emplace_back();
            op.op = action.op;
            op.stage = action.stage;
            op.microbatch = action.microbatch;
            op.iteration = iteration;
            op.overlaps_next = action.overlaps_next;
            op.start_ns = when.start_ns;
            op.end_ns = action.overlaps_next ? when.start_ns + each : when.end_ns;
            when.start_ns = op.end_ns;
        }
    }

    // ScheduleGPipe names neither stage nor messages: the receive that comes first and the send that comes
    // last within the range are not the operation.
    void plain(TracedRank& rank) {
        const auto add = [&](Op op, const std::vector<Range>& ranges, const std::vector<int>& microbatches) {
            for (std::size_t at = 0; at < ranges.size(); ++at) {
                TracedOp& told = rank.ops.emplace_back();
                told.op = op;
                told.microbatch = microbatches[at];
                told.iteration = trace_.steps.empty() ? seen_[{0, static_cast<int>(op), microbatches[at]}]++
                                                      : iterationAt(ranges[at].start_ns);
                told.start_ns = ranges[at].start_ns;
                told.end_ns = ranges[at].end_ns;
                for (const Range& receive : trace_.receives)
                    if (receive.start_ns >= told.start_ns && receive.end_ns <= told.end_ns)
                        told.start_ns = receive.end_ns;
                for (const Range& sent : trace_.sends)
                    if (sent.start_ns > told.start_ns && sent.start_ns < told.end_ns) {
                        told.end_ns = sent.start_ns;
                        break;
                    }
            }
        };
        add(Op::Forward, trace_.plain_forwards, trace_.plain_forward_mb);
        add(Op::Backward, trace_.plain_backwards, trace_.plain_backward_mb);
    }

    Trace& trace_;
    std::map<std::tuple<int, int, int>, int> seen_;
    std::map<std::tuple<int, int, int, bool>, std::int64_t>
        arrivals_;  // iteration, stage, micro-batch, forward
    std::vector<std::optional<Range>> on_device_, message_;
};

int rankInName(const std::filesystem::path& file) {
    static const std::regex pattern("rank[-_]?([0-9]{1,6})", std::regex::icase);
    const std::string name = file.filename().string();
    std::smatch match;
    return std::regex_search(name, match, pattern) ? std::stoi(match[1]) : -1;
}

Trace readTrace(const std::filesystem::path& file, const std::function<void(const FileText&)>& progress) {
    Trace trace;
    trace.file = file.string();
    FileText text(file);
    Reader reader(trace);
    TraceJson json([&](std::string_view event) { reader.event(event); },
                   [&](std::string_view key, std::string_view value) { reader.value(key, value); });
    try {
        trace.whole = json.read(text, [&] { progress(text); });
    } catch (const ImportError& error) {
        throw ImportError(file.string() + ": " + error.what());
    }
    if (trace.rank < 0) trace.rank = rankInName(file);
    // Times count from the base, which is the same for the ranks of one job.
    const auto shift = [&](auto& items) {
        for (auto& item : items) {
            item.start_ns += trace.base_ns;
            item.end_ns += trace.base_ns;
        }
    };
    shift(trace.steps);
    shift(trace.named);
    shift(trace.plain_forwards);
    shift(trace.plain_backwards);
    shift(trace.sends);
    shift(trace.receives);
    shift(trace.optimizer);
    shift(trace.kernels);
    for (Launch& launch : trace.launches) launch.time_ns += trace.base_ns;
    return trace;
}

}  // namespace

TracedRun readKineto(std::span<const std::filesystem::path> files, const ImportProgress& progress) {
    std::uintmax_t total = 0, before = 0;
    std::error_code error;
    for (const auto& file : files) total += std::filesystem::file_size(file, error);
    TracedRun run;
    run.source = "Kineto (PyTorch profiler)";
    std::vector<Trace> traces;
    for (const auto& file : files) {
        Trace trace = readTrace(file, [&](const FileText& text) {
            if (progress && !progress(before + text.position(), total)) throw ImportError("cancelled");
        });
        before += std::filesystem::file_size(file, error);
        if (!trace.whole) run.notes.push_back(trace.file + " is cut off: what comes before its end is shown");
        for (const Trace& other : traces)
            if (other.rank == trace.rank)
                throw ImportError(other.file + " and " + trace.file + " are both of rank " +
                                  std::to_string(trace.rank) + "; import the files of one run");
        traces.push_back(std::move(trace));
    }
    const bool one_host = std::all_of(traces.begin(), traces.end(), [&](const Trace& trace) {
        return !trace.host.empty() && trace.host == traces.front().host;
    });
    run.clocks = one_host ? Clocks::Shared : Clocks::PerRank;
    std::sort(traces.begin(), traces.end(), [](const Trace& a, const Trace& b) { return a.rank < b.rank; });
    if (traces.size() > 1 && traces.front().rank < 0)
        throw ImportError(traces.front().file +
                          " does not say its rank, neither inside nor in its name (rank0...)");

    // Of several pipelines side by side the one of the first rank is taken.
    const std::vector<int>& group = traces.front().pipeline_group;
    std::set<std::string> left_out;
    for (Trace& trace : traces) {
        int position = static_cast<int>(run.ranks.size());
        if (!group.empty()) {
            const auto found = std::find(group.begin(), group.end(), trace.rank);
            if (found == group.end()) {
                left_out.insert(trace.file);
                continue;
            }
            position = static_cast<int>(found - group.begin());
        }
        Operations operations(trace);
        TracedRank rank = operations.find();
        run.times_of_kernels |= operations.hasKernels();
        rank.rank = position;
        const bool computes = std::any_of(rank.ops.begin(), rank.ops.end(),
                                          [](const TracedOp& op) { return isCompute(op.op); });
        if (!computes)
            throw ImportError(
                trace.file + (trace.device_messages > 0 || !trace.receives.empty() || !trace.sends.empty()
                                  ? " names no operation of a pipeline, only messages. PyTorch names "
                                    "operations (PP:2F0) in its multi-stage "
                                    "schedules; record with one of those, or name them with "
                                    "torch.profiler.record_function(\"PP:0F0\")"
                                  : " holds no operation of a pipeline: no range named PP:2F0 or Forward 3"));
        run.ranks.push_back(std::move(rank));
    }
    if (!group.empty() && group.size() != run.ranks.size())
        throw ImportError("the pipeline has " + std::to_string(group.size()) +
                          " ranks and the files are of " + std::to_string(run.ranks.size()) +
                          " of them; add the others");
    if (!left_out.empty())
        run.notes.push_back(std::to_string(left_out.size()) +
                            " files are of other replicas of the pipeline and left out");
    return run;
}

}  // namespace bscope
