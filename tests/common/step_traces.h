// Traces that number forwards and backwards in their arguments, as tests write them, of schedules that were
// played: MegatronApp's pairs of begin and end in one file or a file a rank, and the whole events of the
// straggler analysis of a fleet.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "import_files.h"

namespace bscope {

struct StepTraceForm {
    int tensor_ranks = 1;
    int first_iteration = 0, iteration_stride = 1;
    // What is written for a micro-batch of an operation in an iteration.
    std::function<int(const Event& event, int iteration)> microbatch = [](const Event& event, int) {
        return event.microbatch;
    };
};

// (iterations, replicas) timelines, of ranks 0..p-1 each. An iteration begins a second after the last ended.
using StepIterations = std::vector<std::vector<Timeline>>;

inline std::int64_t endOf(const std::vector<Timeline>& replicas) {
    std::int64_t end = 0;
    for (const Timeline& each : replicas) end = std::max(end, each.end_ns());
    return end;
}

// Every operation as {"ph", "name", ...} parts around the common ones: what `write` gets of it.
template <class Write>
void forEachStep(const StepIterations& iterations, const Write& write) {
    std::int64_t begin_ns = 0;
    for (std::size_t i = 0; i < iterations.size(); ++i) {
        for (std::size_t d = 0; d < iterations[i].size(); ++d)
            for (int rank = 0; rank < iterations[i][d].ranks(); ++rank)
                for (const Event& event : iterations[i][d].compute(rank))
                    if (isCompute(event.op))
                        write(static_cast<int>(i), static_cast<int>(d), rank, event, begin_ns);
        begin_ns += endOf(iterations[i]) + 1'000'000'000;
    }
}

inline std::string listed(const std::vector<std::string>& events) {
    std::string text = "[";
    for (std::size_t at = 0; at < events.size(); ++at) text += (at > 0 ? ",\n" : "") + events[at];
    return text + "]";
}

inline std::string stepName(Op op) {
    return op == Op::Forward ? "forward" : "backward";
}

// pid = replica * p + rank, tid = tensor rank; all events by time, the numbers with the ends alone.
inline std::string megatronAppText(const StepIterations& iterations, const StepTraceForm& form = {}) {
    std::multimap<std::pair<std::int64_t, int>, std::string> events;  // ends before beginnings
    forEachStep(iterations, [&](int i, int d, int rank, const Event& event, std::int64_t begin_ns) {
        const int p = iterations[static_cast<std::size_t>(i)][static_cast<std::size_t>(d)].ranks();
        const std::string iteration =
            R"("args": {"iteration": )" + std::to_string(form.first_iteration + i * form.iteration_stride);
        for (int tensor = 0; tensor < form.tensor_ranks; ++tensor) {
            const auto text = [&](const char* phase, std::int64_t time_ns, const std::string& arguments) {
                return R"({"name": ")" + stepName(event.op) +
                       R"(", "cname": "thread_state_running", "ph": ")" + phase + R"(", "ts": )" +
                       std::to_string((begin_ns + time_ns) / 1000 + tensor) + R"(, "pid": )" +
                       std::to_string(d * p + rank) + R"(, "tid": )" + std::to_string(tensor) + ", " +
                       iteration + arguments + "}}";
            };
            events.emplace(std::pair(begin_ns + event.start_ns, 1), text("B", event.start_ns, ""));
            events.emplace(std::pair(begin_ns + event.end_ns, 0),
                           text("E", event.end_ns,
                                R"(, "microbatch": )" + std::to_string(form.microbatch(event, i)) +
                                    R"(, "model_chunk": )" + std::to_string(event.stage / p) +
                                    R"(, "pp_rank": )" + std::to_string(rank)));
        }
    });
    std::vector<std::string> ordered;
    for (const auto& [time, text] : events) ordered.push_back(text);
    return listed(ordered);
}

// benchmark-data-D-pipeline-R-tensor-0.json: nanoseconds since the rank's iteration began, no process, and a
// forward between two iterations, of an evaluation.
inline void putMegatronAppRanks(const std::filesystem::path& folder, const StepIterations& iterations) {
    const int p = iterations.front().front().ranks();
    for (std::size_t d = 0; d < iterations.front().size(); ++d)
        for (int rank = 0; rank < p; ++rank) {
            std::vector<std::string> rows;
            for (const std::vector<Timeline>& replicas : iterations) {
                rows.push_back(R"({"name": "iteration", "ph": "B", "pad_before": 1000000000})");
                for (const Event& event : replicas[d].compute(rank)) {
                    if (!isCompute(event.op)) continue;
                    rows.push_back(R"({"name": ")" + stepName(event.op) + R"(", "ph": "B", "rel_ts": )" +
                                   std::to_string(event.start_ns) + "}");
                    rows.push_back(R"({"microbatch": )" + std::to_string(event.microbatch) +
                                   R"(, "model_chunk": )" + std::to_string(event.stage / p) +
                                   R"(, "pp_rank": )" + std::to_string(rank) + R"(, "name": ")" +
                                   stepName(event.op) + R"(", "ph": "E", "rel_ts": )" +
                                   std::to_string(event.end_ns) + "}");
                }
                const std::string length = std::to_string(endOf(replicas));
                rows.push_back(R"({"name": "iteration", "ph": "E", "rel_ts": )" + length +
                               R"(, "duration_wall": )" + length + "}");
                rows.push_back(R"({"name": "forward", "ph": "B", "rel_ts": 5})");
                rows.push_back(R"({"microbatch": 0, "name": "forward", "ph": "E", "rel_ts": 9})");
            }
            put(folder / ("benchmark-data-" + std::to_string(d) + "-pipeline-" + std::to_string(rank) +
                          "-tensor-0.json"),
                listed(rows));
        }
}

// pid = replica; five threads a rank, whose names, at the end, tell its place; messages and an optimizer step
// beside the operations.
inline std::string stragglerText(const StepIterations& iterations, const StepTraceForm& form = {}) {
    std::vector<std::string> events;
    const auto add = [&](const std::string& name, int process, int thread, std::int64_t start_ns,
                         std::int64_t length_ns, const std::string& arguments) {
        const auto us = [](std::int64_t ns) { return std::to_string(static_cast<double>(ns) / 1e3); };
        events.push_back(R"({"name":")" + name + R"(","cat":")" + name + R"(","pid":)" +
                         std::to_string(process) + R"(,"tid":)" + std::to_string(thread) + R"(,"ts":)" +
                         us(start_ns) + R"(,"dur":)" + us(length_ns) + R"(,"ph":"X","args":{)" + arguments +
                         "}}");
    };
    const int p = iterations.front().front().ranks();
    const auto thread = [&](int d, int rank, int tensor) {
        return 5 * ((d * p + rank) * form.tensor_ranks + tensor);
    };
    forEachStep(iterations, [&](int i, int d, int rank, const Event& event, std::int64_t begin_ns) {
        const std::string step =
            R"("step":)" + std::to_string(form.first_iteration + i * form.iteration_stride);
        const bool splits = event.op == Op::BackwardWeight;
        for (int tensor = 0; tensor < form.tensor_ranks; ++tensor) {
            const int at = thread(d, rank, tensor);
            add(splits ? "backward-wgrad-compute" : stepName(event.op) + "-compute", d, at,
                begin_ns + event.start_ns, event.duration_ns(),
                step + R"(,"model_chunk":)" + std::to_string(event.stage / p) + R"(,"mb_id":)" +
                    std::to_string(form.microbatch(event, i)) + R"(,"seq_id":0)");
            add(stepName(event.op) + "-send", d, at + 1, begin_ns + event.end_ns, 1000,
                step + R"(,"model_chunk":null,"mb_id":null,"seq_id":0)");
        }
    });
    for (std::size_t d = 0; d < iterations.front().size(); ++d) {
        for (int rank = 0; rank < p; ++rank)
            for (int tensor = 0; tensor < form.tensor_ranks; ++tensor)
                for (int kind = 0; kind < 2; ++kind)
                    events.push_back(R"({"name":"thread_name","pid":)" + std::to_string(d) + R"(,"tid":)" +
                                     std::to_string(thread(static_cast<int>(d), rank, tensor) + kind) +
                                     R"(,"ph":"M","args":{"name":"PP rank )" + std::to_string(rank) +
                                     ", TP rank " + std::to_string(tensor) +
                                     (kind == 0 ? ", compute\"}}" : ", pp-comm\"}}"));
        events.push_back(R"({"name":"process_name","pid":)" + std::to_string(d) +
                         R"(,"ph":"M","args":{"name":"DP rank [)" + std::to_string(d) + "]\"}}");
    }
    return listed(events);
}

}  // namespace bscope
