// Facts of the format: kineto/libkineto/src/output_json.cpp; names of operations: record_function in
// torch/distributed/pipelining/schedules.py. ts and dur are microseconds with three decimals, relative to
// baseTimeNanoseconds where the file has it; of a file without it, whose times are absolute, a double keeps a
// quarter of a microsecond.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "import/formats/documents.h"
#include "import/formats/event_pairs.h"
#include "import/formats/files_progress.h"
#include "import/formats/perfetto_events.h"
#include "import/formats/trace_json.h"
#include "import/formats/trace_values.h"
#include "import/formats/windows.h"
#include "import/ranks_of_run.h"
#include "import/readers.h"
#include "import/trace/import_error.h"
#include "import/trace/raw_trace.h"

namespace bscope {
namespace {

using simdjson::dom::element;

// Of PyTorch's own calls, which are most of a file: none, those of its operators, or those of extensions and
// compiled regions as well, where ranges say what they are a part of.
enum class Calls : std::uint8_t { None, Operators, All };

class Reader {
public:
    Reader(RawTrace& trace, Calls calls) : trace_(trace), calls_(calls) {}

    void event(std::string_view text) {
        if (!mayMatter(text)) return;
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
            if (range && correlation)
                trace_.launches.push_back({range->start_ns, *correlation, threadOf(event)});
        } else if (category == "cpu_op") {
            call(textOf(event, "name"), event);
        }
    }

    // Numbers of a group become those of the job where one group alone has this rank at that place; without
    // groups they are the job's.
    void finish() {
        for (const NamedPeer& each : named_peers_) {
            std::set<int> numbers;
            for (const auto& group : trace_.groups)
                if (std::cmp_less(each.own, group.size()) && std::cmp_less(each.other, group.size()) &&
                    group[static_cast<std::size_t>(each.own)] == trace_.rank)
                    numbers.insert(group[static_cast<std::size_t>(each.other)]);
            if (trace_.groups.empty() && each.own == trace_.rank) numbers.insert(each.other);
            if (numbers.size() == 1)
                (each.sends ? trace_.peers.sends_to : trace_.peers.receives_from).insert(*numbers.begin());
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
    // By its category, without parsing: nearly all events of a trace are calls that are not needed.
    bool mayMatter(std::string_view text) {
        constexpr std::string_view key = "\"cat\":";
        const std::size_t at = text.find(key);
        if (at == std::string_view::npos) return false;
        const std::size_t begin = text.find('"', at + key.size());
        if (begin == std::string_view::npos) return false;
        const std::string_view category = text.substr(begin + 1);
        if (category.starts_with("cpu_op")) {
            trace_.has_calls = true;
            return calls_ != Calls::None;
        }
        return category.starts_with("user_annotation") || category.starts_with("kernel") ||
               category.starts_with("cuda_") || category.starts_with("hip_");
    }

    static std::optional<HostRange> rangeOf(const element& event) {
        const auto start = nanoseconds(event["ts"]);
        const auto duration = nanoseconds(event["dur"]);
        if (!start || !duration || *duration < 0) return std::nullopt;
        return HostRange{*start, *start + *duration};
    }

    static std::optional<std::int64_t> correlationOf(const element& event) {
        std::int64_t correlation = 0;
        if (event["args"]["correlation"].get(correlation) != simdjson::SUCCESS) return std::nullopt;
        return correlation;
    }

    void annotation(std::string_view name, const element& event) {
        const auto range = rangeOf(event);
        if (!range) return;
        if (auto named = namedRange(name)) {
            trace_.add(std::move(*named), *range);
        } else if (const auto step = numberAfterStep(name)) {
            trace_.steps.push_back({*range, *step});
        } else if (name.starts_with("Optimizer.step#")) {
            trace_.optimizer.push_back(*range);
        } else if (const std::string_view work = workOfGroup(name); !work.empty()) {
            groupWork(work, name.starts_with("gloo:"), *range);
            namedPeer(name);
        }
    }

    // "send" of "gloo:send", "nccl:send 0->1" and "ncclx:send", as backends name what they do, and of
    // "PP::fwd_send (stage 0)"; empty: another range.
    static std::string_view workOfGroup(std::string_view name) {
        if (name.starts_with("PP::")) {
            const std::string_view word = name.substr(4, name.substr(4).find(' '));
            return word.ends_with("send") ? "send" : word.ends_with("recv") ? "recv" : std::string_view();
        }
        const std::size_t colon = name.find(':');
        const auto of_backend = [](char letter) {
            return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
        };
        if (colon == std::string_view::npos || colon == 0 ||
            !std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(colon), of_backend))
            return {};
        const std::string_view rest = name.substr(colon + 1);
        return rest.substr(0, rest.find(' '));
    }

    // "nccl:send 0->1", "nccl:recv 1<-0": numbers within the group that sends.
    void namedPeer(std::string_view name) {
        const std::size_t space = name.rfind(' ');
        if (space == std::string_view::npos) return;
        const std::string_view ends = name.substr(space + 1);
        const std::size_t to = ends.find("->"), from = ends.find("<-"), arrow = std::min(to, from);
        if (arrow == std::string_view::npos) return;
        const auto numberOf = [](std::string_view digits) {
            int number = -1;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            return error == std::errc() && end == digits.data() + digits.size() ? number : -1;
        };
        const int own = numberOf(ends.substr(0, arrow)), other = numberOf(ends.substr(arrow + 2));
        if (own >= 0 && other >= 0) named_peers_.insert({own, other, to != std::string_view::npos});
    }

    // By the names that PyTorch gives them; gloo's ranges end when the message is there.
    void groupWork(std::string_view work, bool gloo, const HostRange& range) {
        if (work == "send") {
            trace_.sent.push_back(range);
            if (gloo) trace_.sends.push_back(range);
        } else if (work == "recv") {
            trace_.received.push_back(range);
            if (gloo) trace_.receives.push_back(range);
        } else {
            collective(work);
        }
    }

    void collective(std::string_view name) {
        const auto says = [name](std::initializer_list<std::string_view> words) {
            return std::any_of(words.begin(), words.end(), [name](std::string_view word) {
                return name.find(word) != std::string_view::npos;
            });
        };
        if (says({"all_reduce", "allreduce", "AllReduce"}))
            ++trace_.collectives.all_reduces;
        else if (says({"all_to_all", "alltoall", "AllToAll"}))
            ++trace_.collectives.all_to_alls;
        else if (says({"gather", "Gather", "scatter", "Scatter"}))
            ++trace_.collectives.gathers_and_scatters;
    }

    static std::optional<int> numberAfterStep(std::string_view name) {
        constexpr std::string_view prefix = "ProfilerStep#";
        if (!name.starts_with(prefix)) return std::nullopt;
        int number = 0;
        const auto [end, error] =
            std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
        return error == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
    }

    void call(std::string_view name, const element& event) {
        const auto range = rangeOf(event);
        if (!range) return;
        HostCall call{*range, threadOf(event), HostCall::Kind::Work, nodeOf(event)};
        if (name.starts_with("autograd::engine::evaluate_function")) {
            call.kind = HostCall::Kind::Autograd;
        } else if (name.starts_with("c10d::send") || name.starts_with("c10d::isend")) {
            call.kind = HostCall::Kind::Send;
        } else if (name.starts_with("c10d::recv") || name.starts_with("c10d::irecv")) {
            call.kind = HostCall::Kind::Receive;
        } else if (name.starts_with("c10d::")) {
            return collective(name);
        } else if (!name.starts_with("aten::")) {
            if (calls_ != Calls::All) return;
        } else if (computesNothing(name.substr(6))) {
            call.kind = HostCall::Kind::Bookkeeping;
        }
        // In ranges, what lies in the call before adds nothing.
        if (calls_ == Calls::All && call.kind != HostCall::Kind::Autograd && !call.isMessage() &&
            !trace_.calls.empty() && trace_.calls.back().thread == call.thread &&
            trace_.calls.back().start_ns <= call.start_ns && trace_.calls.back().end_ns >= call.end_ns)
            return;
        if (call.isMessage())
            (call.kind == HostCall::Kind::Send ? trace_.sent : trace_.received).push_back(*range);
        trace_.calls.push_back(call);
    }

    // Calls of ATen that make, name or cut tensors; or scale them in place, as gradients are when the last
    // backward of a chunk has run: between two operations, and no part of one.
    static bool computesNothing(std::string_view name) {
        static constexpr std::string_view kNames[] = {
            "empty",  "empty_like", "empty_strided", "new_empty",    "detach",       "detach_", "alias",
            "view",   "view_as",    "_unsafe_view",  "as_strided",   "_reshape_alias", "slice", "narrow",
            "select", "split",      "tensor_split",  "split_with_sizes", "chunk",    "unbind",  "item",
            "_local_scalar_dense",  "requires_grad_", "resize_",     "set_",         "lift_fresh",
            "resolve_conj",         "resolve_neg",    "to",          "_to_copy",     "contiguous",
            "ones_like", "div_", "mul_", "_foreach_div_", "_foreach_mul_",
            "_amp_foreach_non_finite_check_and_unscale_"};
        return std::ranges::find(kNames, name) != std::end(kNames);
    }

    static std::int64_t threadOf(const element& event) {
        std::int64_t thread = 0;
        return event["tid"].get(thread) == simdjson::SUCCESS ? thread : 0;
    }

    static std::int64_t nodeOf(const element& event) {
        std::int64_t node = -1;
        return event["args"]["Sequence number"].get(node) == simdjson::SUCCESS ? node : -1;
    }

    void kernel(std::string_view name, const element& event) {
        const auto range = rangeOf(event);
        if (!range) return;
        KernelRange kernel{*range, correlationOf(event).value_or(-1), kindOfKernel(name)};
        // NCCL sends and receives for all-to-alls, too.
        element arguments;
        const std::string_view of = event["args"].get(arguments) == simdjson::SUCCESS
                                        ? textOf(arguments, "Collective name")
                                        : std::string_view();
        if (kernel.kind == KernelRange::Kind::SendRecv && !of.empty() && of != "send" && of != "recv" &&
            of != "coalesced")
            kernel.kind = KernelRange::Kind::Collective;
        if (kernel.kind == KernelRange::Kind::SendRecv) ++trace_.device_messages;
        // Of messages that are sent as one (coalesced) the kernel has those of only one of them.
        if (of == "send") addPeer(trace_.peers.sends_to, arguments, "Dst Rank");
        if (of == "recv") addPeer(trace_.peers.receives_from, arguments, "Src Rank");
        if (kernel.kind == KernelRange::Kind::Collective) collective(of.empty() ? name : of);
        trace_.kernels.push_back(kernel);
    }

    // A number, or a text that is one.
    static void addPeer(std::set<int>& peers, const element& arguments, const char* key) {
        std::int64_t number = -1;
        if (arguments[key].get(number) != simdjson::SUCCESS) {
            const std::string_view text = textOf(arguments, key);
            if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) return;
        }
        if (number >= 0 && number < (1 << 20)) peers.insert(static_cast<int>(number));
    }

    void distributed(const element& info) {
        std::int64_t number = 0;
        if (info["rank"].get(number) == simdjson::SUCCESS && number >= 0 && number < (1 << 20))
            trace_.rank = static_cast<int>(number);
        if (info["world_size"].get(number) == simdjson::SUCCESS && number > 0 && number < (1 << 20))
            trace_.job_ranks = static_cast<int>(number);
        simdjson::dom::array groups;
        if (info["pg_config"].get(groups) != simdjson::SUCCESS) return;
        for (const auto group : groups) {
            std::string_view name, description;
            if (group["pg_name"].get(name) != simdjson::SUCCESS) name = {};
            if (group["pg_desc"].get(description) != simdjson::SUCCESS) description = {};
            const bool named = name == "torchtitan_real_pp" || description == "mesh_pp" ||
                               description == "PIPELINE_MODEL_PARALLEL_GROUP";
            const std::vector<int> ranks = ranksOf(group["ranks"]);
            if (trace_.rank >= 0 && std::ranges::find(ranks, trace_.rank) == ranks.end()) continue;
            if (ranks.size() > 1 && std::ranges::find(trace_.groups, ranks) == trace_.groups.end())
                trace_.groups.push_back(ranks);
            if (named) trace_.pipeline_group = ranks;
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

    struct NamedPeer {
        int own = 0, other = 0;  // within the group
        bool sends = false;
        auto operator<=>(const NamedPeer&) const = default;
    };

    RawTrace& trace_;
    Calls calls_;
    simdjson::dom::parser parser_;
    std::set<NamedPeer> named_peers_;
};

// Times count from the base, which is the same for the ranks of one job.
void countFromBase(RawTrace& trace) {
    const auto shifted = [&](std::int64_t& time_ns) {
        if (__builtin_add_overflow(time_ns, trace.base_ns, &time_ns) || time_ns <= -kFarthest_ns ||
            time_ns >= kFarthest_ns)
            throw ImportError(ofFile(trace.file, sentence("its times are outside the range of a clock")));
    };
    trace.forRanges([&](auto& items) {
        for (auto& item : items) shifted(item.start_ns), shifted(item.end_ns);
    });
    for (Launch& launch : trace.launches) shifted(launch.time_ns);
}

// Every document of the file; nearly always there is one.
std::vector<RawTrace> readTraces(const std::filesystem::path& file, Calls calls,
                                 const FilesProgress& progress) {
    std::deque<RawTrace> traces;
    std::deque<Reader> readers;
    EventPairs pairs([&](std::string_view event) { readers.back().event(event); });
    const auto begin = [&] {
        if (!traces.empty() && traces.back().holdsNothing() && !traces.back().has_calls)
            readers.pop_back(), traces.pop_back();
        traces.emplace_back().file = file.string();
        readers.emplace_back(traces.back(), calls);
        pairs.forget();
    };
    begin();
    FileText text(file);
    TraceJson json([&](std::string_view event) { pairs.event(event); },
                   [&](std::string_view key, std::string_view value) { readers.back().value(key, value); },
                   begin);
    const auto report = [&] { progress.report(text.position()); };
    if (perfettoKind(text.beginning()) == PerfettoKind::Profiler)
        traces.back().whole = readPerfetto(
            text, [&](std::string_view event) { readers.back().event(event); },
            [&](std::string_view key, std::string_view value) { readers.back().value(key, value); }, report);
    else
        traces.back().whole = json.read(text, report);
    for (Reader& reader : readers) reader.finish();
    for (RawTrace& trace : traces) countFromBase(trace);
    return {std::move_iterator(traces.begin()), std::move_iterator(traces.end())};
}

// Those of one file that count: the last one of every rank.
std::vector<RawTrace> tracesOf(const std::filesystem::path& file, const FilesProgress& progress,
                               std::vector<Sentence>& notes) {
    std::vector<RawTrace> traces = readTraces(file, Calls::None, progress);
    // Where nothing else says what is an operation, or when it ran.
    const auto any = [&traces](auto holds) { return std::ranges::any_of(traces, holds); };
    const bool named = any([](const RawTrace& trace) { return trace.namesOperations(); });
    if (any([named](const RawTrace& trace) {
            return trace.has_calls && (named ? !trace.hasKernels() : trace.hasMessages());
        }))
        traces = readTraces(file, named ? Calls::All : Calls::Operators, progress);
    return lastDocuments(std::move(traces), notes);
}

}  // namespace

TracedRun readKineto(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    FilesProgress progress(files, options.progress);
    std::vector<RawTrace> traces;
    std::vector<Sentence> notes;
    for (const auto& file : files) {
        std::ranges::move(tracesOf(file, progress, notes), std::back_inserter(traces));
        progress.finish(file);
    }
    traces = newestWindow(std::move(traces), notes);
    TracedRun run = runOf(std::move(traces), "Kineto (PyTorch profiler)", options.replica);
    run.notes.insert(run.notes.begin(), notes.begin(), notes.end());
    return run;
}

}  // namespace bscope
