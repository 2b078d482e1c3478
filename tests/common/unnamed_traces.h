// Traces of PyTorch's profiler on CPUs over gloo that name no operation, of a schedule that was played:
// calls, messages and the profiler's steps, as a training of the user's own leaves them.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "import_files.h"

namespace bscope {

inline constexpr int kHost_us = 10;

struct UnnamedTraces {
    std::vector<int> files = {};    // places that have a file; empty: all
    std::vector<int> numbers = {};  // (p,) number in the job of every place; empty: the place
    int world_size = 0;             // of the job; 0: the files do not say it
    std::string groups = {};        // of pg_config: "[0,1],[2,3]"
    int steps = 3;                  // iterations
    bool marks_steps = true;        // ProfilerStep#2 and following
    int runs_a_step = 1;            // of the schedule
    bool plain = false;             // ranges "Forward 3" and "Backward 3" around receive, work and send
    bool has_nodes = false;         // calls have the numbers of autograd's nodes
    int host_us = kHost_us;         // of an operation, before its first and behind its last call
    // Whose receive is posted before the operation in front of it, as schedules do that look ahead.
    std::function<bool(int place, const Event&)> early = {};
    // More events of a place in an iteration that begins at `from_us` and ends at `until_us`.
    std::function<void(int place, int step, int from_us, int until_us, std::vector<std::string>&)> more = {};
};

// A millisecond for every second of the timeline. An operation of the timeline lies kMargin_us within its
// time: that long its messages take before it, and its first and last call lie host_us within that. A step of
// the profiler begins kBefore_us before its first operation.
inline constexpr int kMargin_us = 50, kBefore_us = 5000;
inline int toUs(std::int64_t ns) {
    return static_cast<int>(ns / 1'000'000);
}

// `node`: the first one of the forward, -1: not recorded. Its receive is posted when the operation before it
// has ended, at `free_us`; gives the end of this one.
inline int addUnnamedOperation(std::vector<std::string>& events, const Event& event, int at_us, int free_us,
                               bool receives, bool sends, const UnnamedTraces& how, int node = -1) {
    const int start = at_us + toUs(event.start_ns) + kMargin_us,
              end = at_us + toUs(event.end_ns) - kMargin_us;
    const bool forward = event.op == Op::Forward;
    if (receives) {
        events.push_back(kinetoX("cpu_op", "aten::empty", free_us + 16, 2));
        events.push_back(kinetoX("cpu_op", "c10d::recv_", free_us + 20, 5));
        events.push_back(kinetoX("user_annotation", "gloo:recv", free_us + 22, start - free_us - 22));
    }
    if (how.plain)
        events.push_back(kinetoX("user_annotation",
                                 (forward ? "Forward " : "Backward ") + std::to_string(event.microbatch),
                                 free_us + 15, end - free_us + 5));
    if (forward) {
        const int middle = (start + end) / 2;
        events.push_back(kinetoX("cpu_op", "aten::linear", start + how.host_us,
                                 middle - start - 2 * how.host_us, 1, 0, node));
        events.push_back(kinetoX("cpu_op", "aten::relu", middle, end - middle - how.host_us, 1, 0,
                                 node < 0 ? -1 : node + 2));
    } else {
        events.push_back(kinetoX("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0",
                                 start + how.host_us, end - start - 2 * how.host_us, 1, 0,
                                 node < 0 ? -1 : node + 1));
    }
    if (sends) {
        events.push_back(kinetoX("cpu_op", "c10d::send", end, 5));
        events.push_back(kinetoX("user_annotation", "gloo:send", end + 3, 12));
    }
    return end;
}

inline void putUnnamedTraces(const std::filesystem::path& folder, const Timeline& timeline,
                             const UnnamedTraces& how = {}) {
    const int p = timeline.ranks();
    std::int64_t last_ns = 0;
    for (int place = 0; place < p; ++place)
        last_ns = std::max(last_ns, timeline.compute(place).back().end_ns);
    std::map<int, int> ranks;  // by stage
    for (int place = 0; place < p; ++place)
        for (const Event& event : timeline.compute(place))
            if (isCompute(event.op)) ranks[event.stage] = place;
    const auto crosses = [&ranks](int stage, int next) {
        return ranks.contains(stage) && ranks.contains(next) && ranks.at(stage) != ranks.at(next);
    };
    const int run_us = toUs(last_ns) + 500, step_us = how.runs_a_step * run_us;
    std::filesystem::create_directories(folder);
    for (int place = 0; place < p; ++place) {
        if (!how.files.empty() && std::ranges::find(how.files, place) == how.files.end()) continue;
        std::vector<std::string> events;
        std::map<std::pair<int, int>, int> nodes;  // the first one of a forward, by its stage and micro-batch
        int next_node = 0;
        for (int step = 0; step < how.steps; ++step) {
            const int from = kBefore_us + step * (step_us + kBefore_us + 1000);
            if (how.marks_steps)
                events.push_back(kinetoX("user_annotation", "ProfilerStep#" + std::to_string(step + 2),
                                         from - kBefore_us, step_us + kBefore_us + 400));
            int free = from - 100, before = free;  // when the last operation ended, and the one before it
            for (int run = 0; run < how.runs_a_step; ++run)
                for (const Event& event : timeline.compute(place)) {
                    if (!isCompute(event.op)) continue;
                    const bool forward = event.op == Op::Forward;
                    const bool from_before = crosses(event.stage - 1, event.stage),
                               from_behind = crosses(event.stage, event.stage + 1);
                    int& node = nodes[{event.stage, event.microbatch}];
                    if (forward) node = std::exchange(next_node, next_node + 3);
                    const int posted = how.early && how.early(place, event) ? before : free;
                    before =
                        std::exchange(free, addUnnamedOperation(events, event, from + run * run_us, posted,
                                                                forward ? from_before : from_behind,
                                                                forward ? from_behind : from_before, how,
                                                                how.has_nodes ? node : -1));
                }
            if (how.more) how.more(place, step, from, from + step_us, events);
        }
        const auto at = static_cast<std::size_t>(place);
        const int number = how.numbers.empty() ? place : how.numbers[at];
        std::string info = R"({"rank":)" + std::to_string(number);
        if (how.world_size > 0) info += R"(,"world_size":)" + std::to_string(how.world_size);
        if (!how.groups.empty()) {
            info += R"(,"pg_config":[)";
            std::size_t count = 0;
            for (std::size_t open = how.groups.find('['); open != std::string::npos;
                 open = how.groups.find('[', open + 1)) {
                info += std::string(count > 0 ? "," : "") + R"({"pg_name":")" + std::to_string(count) +
                        R"(","pg_desc":"undefined","ranks":)" +
                        how.groups.substr(open, how.groups.find(']', open) - open + 1) + "}";
                ++count;
            }
            info += "]";
        }
        info += "}";
        std::string text = kinetoFile(events, info);
        text.insert(1, quoted("host_name") + ":" + quoted("one") + ",");
        put(folder / ("rank" + std::to_string(number) + ".json"), text);
    }
}

}  // namespace bscope
