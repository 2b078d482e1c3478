#include "import/formats/windows.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "import/ranks_of_run.h"

namespace bscope {
namespace {

// When its first event began.
std::int64_t beginOf(const RawTrace& trace) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    const auto take = [&first](const auto& items) {
        for (const auto& each : items) first = std::min(first, each.start_ns);
    };
    take(trace.steps);
    take(trace.named);
    take(trace.plain);
    take(trace.sent);
    take(trace.received);
    take(trace.kernels);
    return first;
}

// From where its steps begin anew for the last time; nothing where they never do.
std::optional<std::int64_t> lastRunOf(const RawTrace& trace, int& runs) {
    std::vector<ProfilerStep> steps = trace.steps;
    std::ranges::stable_sort(steps, {}, [](const ProfilerStep& step) { return step.start_ns; });
    std::optional<std::int64_t> begin_ns;
    for (std::size_t at = 1; at < steps.size(); ++at)
        if (steps[at].number <= steps[at - 1].number && steps[at].start_ns >= steps[at - 1].end_ns) {
            begin_ns = steps[at].start_ns;
            ++runs;
        }
    return begin_ns;
}

// A file that holds several runs, one after another, is that of the last one.
void keepLastRun(RawTrace& trace, std::vector<Sentence>& notes) {
    int runs = 1;
    const auto begin_ns = lastRunOf(trace, runs);
    if (!begin_ns) return;
    const auto keep = [&begin_ns](auto& items) {
        std::erase_if(items, [&begin_ns](const auto& each) { return each.start_ns < *begin_ns; });
    };
    trace.forRanges(keep);
    std::erase_if(trace.launches, [&begin_ns](const Launch& launch) { return launch.time_ns < *begin_ns; });
    notes.push_back(severalRunsNote(trace.file, runs));
}

struct Window {
    std::vector<std::size_t> traces;
    std::set<int> ranks;
    std::int64_t begin_ns = std::numeric_limits<std::int64_t>::max();

    void take(std::size_t at, const RawTrace& trace) {
        traces.push_back(at);
        ranks.insert(trace.rank);
        begin_ns = std::min(begin_ns, beginOf(trace));
    }
};

// A folder each, where no folder has a rank twice; else the k-th of every rank.
std::vector<Window> windowsOf(const std::vector<RawTrace>& traces) {
    std::map<std::filesystem::path, Window> by_folder;
    bool apart = true;
    for (std::size_t at = 0; at < traces.size(); ++at) {
        Window& window = by_folder[std::filesystem::path(traces[at].file).parent_path()];
        apart = apart && !window.ranks.contains(traces[at].rank);
        window.take(at, traces[at]);
    }
    std::vector<Window> windows;
    if (apart) {
        for (auto& [folder, window] : by_folder) windows.push_back(std::move(window));
        return windows;
    }
    std::map<int, std::vector<std::size_t>> by_rank;
    for (std::size_t at = 0; at < traces.size(); ++at) by_rank[traces[at].rank].push_back(at);
    for (auto& [rank, of] : by_rank) {
        std::ranges::stable_sort(of, {}, [&traces](std::size_t at) { return beginOf(traces[at]); });
        windows.resize(std::max(windows.size(), of.size()));
        // From the newest on: an old one may be missing.
        for (std::size_t back = 0; back < of.size(); ++back) {
            const std::size_t at = of[of.size() - 1 - back];
            windows[back].take(at, traces[at]);
        }
    }
    return windows;
}

}  // namespace

std::vector<RawTrace> newestWindow(std::vector<RawTrace> traces, std::vector<Sentence>& notes) {
    for (RawTrace& trace : traces) keepLastRun(trace, notes);
    if (std::ranges::any_of(traces, [](const RawTrace& trace) { return !trace.holdsNothing(); }))
        std::erase_if(traces, [&notes](const RawTrace& trace) {
            if (!trace.holdsNothing()) return false;
            notes.push_back(sentence("{0} is left out: it holds nothing of a training", trace.file));
            return true;
        });
    std::set<int> ranks, job_ranks;
    for (const RawTrace& trace : traces) {
        ranks.insert(trace.rank);
        job_ranks.insert(trace.job_ranks);
    }
    if (ranks.size() == traces.size() || ranks.contains(-1) || job_ranks.size() > 1) return traces;
    std::vector<Window> windows = windowsOf(traces);
    if (windows.size() < 2) return traces;
    std::ranges::stable_sort(windows, {}, &Window::begin_ns);
    std::size_t most = 0;
    for (const Window& window : windows) most = std::max(most, window.ranks.size());
    const auto newest = std::find_if(windows.rbegin(), windows.rend(),
                                     [most](const Window& window) { return window.ranks.size() == most; });
    std::string others;
    constexpr std::size_t most_named = 8;
    std::size_t named = 0;
    for (const Window& window : windows) {
        if (&window == &*newest || named++ >= most_named) continue;
        others += (others.empty() ? "" : ", ") + traces[window.traces.front()].file;
    }
    notes.push_back(
        sentence("the files are of {0} recordings made one after another; shown is the newest that is whole, "
                 "with {1}. The others can be imported by their own names: {2}",
                 windows.size(), traces[newest->traces.front()].file, others));
    std::vector<RawTrace> taken;
    for (const std::size_t at : newest->traces) taken.push_back(std::move(traces[at]));
    return taken;
}

}  // namespace bscope
