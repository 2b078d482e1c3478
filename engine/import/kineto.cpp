// Facts of the format: kineto/libkineto/src/output_json.cpp; names of operations: record_function in
// torch/distributed/pipelining/schedules.py. ts and dur are microseconds with three decimals, relative to
// baseTimeNanoseconds where the file has it; of a file without it, whose times are absolute, a double keeps a
// quarter of a microsecond.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "import/files_progress.h"
#include "import/import_error.h"
#include "import/ranks_of_run.h"
#include "import/raw_trace.h"
#include "import/readers.h"
#include "import/trace_json.h"
#include "import/trace_values.h"

namespace bscope {
namespace {

using simdjson::dom::element;

class Reader {
public:
    Reader(RawTrace& trace, bool with_calls) : trace_(trace), with_calls_(with_calls) {}

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
        } else if (with_calls_ && category == "cpu_op") {
            call(textOf(event, "name"), event);
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
    bool mayMatter(std::string_view text) const {
        constexpr std::string_view key = "\"cat\":";
        const std::size_t at = text.find(key);
        if (at == std::string_view::npos) return false;
        const std::size_t begin = text.find('"', at + key.size());
        if (begin == std::string_view::npos) return false;
        const std::string_view category = text.substr(begin + 1);
        return category.starts_with("user_annotation") || category.starts_with("kernel") ||
               category.starts_with("cuda_") || category.starts_with("hip_") ||
               (with_calls_ && category.starts_with("cpu_op"));
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
        } else if (name == "gloo:send") {
            trace_.sends.push_back(*range);
        } else if (name == "gloo:recv") {
            trace_.receives.push_back(*range);
        } else if (name.starts_with("Optimizer.step#")) {
            trace_.optimizer.push_back(*range);
        }
    }

    static std::optional<int> numberAfterStep(std::string_view name) {
        constexpr std::string_view prefix = "ProfilerStep#";
        if (!name.starts_with(prefix)) return std::nullopt;
        int number = 0;
        const auto [end, error] =
            std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
        return error == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
    }

    // Only of files that name no operation.
    void call(std::string_view name, const element& event) {
        const auto range = rangeOf(event);
        if (!range) return;
        HostCall call{*range, threadOf(event), HostCall::Kind::Work};
        if (name.starts_with("autograd::engine::evaluate_function"))
            call.kind = HostCall::Kind::Autograd;
        else if (name.starts_with("c10d::send") || name.starts_with("c10d::recv"))
            call.kind = HostCall::Kind::Message;
        else if (!name.starts_with("aten::"))
            return;
        trace_.calls.push_back(call);
    }

    static std::int64_t threadOf(const element& event) {
        std::int64_t thread = 0;
        return event["tid"].get(thread) == simdjson::SUCCESS ? thread : 0;
    }

    void kernel(std::string_view name, const element& event) {
        const auto range = rangeOf(event);
        if (!range) return;
        KernelRange kernel{*range, correlationOf(event).value_or(-1), kindOfKernel(name)};
        if (kernel.kind == KernelRange::Kind::SendRecv) ++trace_.device_messages;
        trace_.kernels.push_back(kernel);
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
            if (name != "torchtitan_real_pp" && description != "mesh_pp" &&
                description != "PIPELINE_MODEL_PARALLEL_GROUP")
                continue;
            const std::vector<int> ranks = ranksOf(group["ranks"]);
            if (trace_.rank < 0 || std::ranges::find(ranks, trace_.rank) != ranks.end())
                trace_.pipeline_group = ranks;
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

    RawTrace& trace_;
    bool with_calls_;
    simdjson::dom::parser parser_;
};

RawTrace readTrace(const std::filesystem::path& file, bool with_calls, const FilesProgress& progress) {
    RawTrace trace;
    trace.file = file.string();
    FileText text(file);
    Reader reader(trace, with_calls);
    TraceJson json([&](std::string_view event) { reader.event(event); },
                   [&](std::string_view key, std::string_view value) { reader.value(key, value); });
    trace.whole = json.read(text, [&] { progress.tell(text.position()); });
    if (trace.rank < 0) trace.rank = rankInName(file);
    // Times count from the base, which is the same for the ranks of one job.
    const auto shifted = [&](std::int64_t& time_ns) {
        if (__builtin_add_overflow(time_ns, trace.base_ns, &time_ns) || time_ns <= -kFarthest_ns ||
            time_ns >= kFarthest_ns)
            throw ImportError(ofFile(file, sentence("its times are further away than a clock can tell")));
    };
    const auto shift = [&](auto& items) {
        for (auto& item : items) shifted(item.start_ns), shifted(item.end_ns);
    };
    shift(trace.steps);
    shift(trace.named);
    shift(trace.plain);
    shift(trace.calls);
    shift(trace.sends);
    shift(trace.receives);
    shift(trace.optimizer);
    shift(trace.kernels);
    for (Launch& launch : trace.launches) shifted(launch.time_ns);
    return trace;
}

}  // namespace

TracedRun readKineto(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    FilesProgress progress(files, options.progress);
    std::vector<RawTrace> traces;
    for (const auto& file : files) {
        RawTrace trace = readTrace(file, false, progress);
        if (!trace.namesOperations() && trace.hasMessages()) trace = readTrace(file, true, progress);
        progress.finish(file);
        traces.push_back(std::move(trace));
    }
    return runOf(std::move(traces), "Kineto (PyTorch profiler)", options.replica);
}

}  // namespace bscope
