#include "cli/input/import_replicas.h"

#include <algorithm>

#include "analysis/stragglers.h"
#include "import/trace/import_error.h"

namespace bscope::cli {
namespace {

bool isSamePipeline(const Schedule& a, const Schedule& b) {
    return a.params.p == b.params.p && a.params.v == b.params.v && a.params.m == b.params.m &&
           a.placement == b.placement;
}

ReplicaRun replicaOf(int number, const ImportedRun& run, std::optional<int> start_up) {
    ReplicaRun of;
    of.number = number;
    of.schedule = &run.schedule;
    of.recompute = run.recompute;
    of.timeline = &run.timeline;
    for (const IterationReport& report : run.reports)
        if (report.iteration != start_up) of.iterations.push_back(report.iteration);
    std::ranges::sort(of.iterations);
    return of;
}

}  // namespace

ImportedRun importWithGrid(TracedRun run, int shown, std::optional<int> iteration) {
    std::vector<OtherReplica> others = std::move(run.others);
    TracedRun like = run;
    like.ranks.clear();
    like.notes.clear();
    ImportedRun imported = importRun(std::move(run), iteration);
    std::vector<std::pair<int, ImportedRun>> peers;
    const auto leaveOut = [&imported](int number, const Sentence& why) {
        imported.origin.notes.push_back(sentence("replica {0} is not in the grid: {1}", number, why));
    };
    for (OtherReplica& other : others) {
        TracedRun one = like;
        one.ranks = std::move(other.ranks);
        try {
            // Replicas start up together: whether the first iteration counts is decided by the shown one.
            const int first = imported.reports.front().iteration;
            ImportedRun peer = importRun(std::move(one), imported.start_up ? iteration : first);
            if (isSamePipeline(peer.schedule, imported.schedule))
                peers.emplace_back(other.number, std::move(peer));
            else
                leaveOut(other.number, sentence("it ran another pipeline than the one that is shown"));
        } catch (const ImportError& error) {
            leaveOut(other.number, error.said);
        }
    }
    std::vector<ReplicaRun> runs = {replicaOf(shown, imported, imported.start_up)};
    for (const auto& [number, peer] : peers) runs.push_back(replicaOf(number, peer, imported.start_up));
    std::ranges::stable_sort(runs, {}, &ReplicaRun::number);
    const auto place = std::ranges::find(runs, shown, &ReplicaRun::number);
    imported.origin.grid =
        std::make_shared<const ReplicaGrid>(replicaGrid(runs, static_cast<int>(place - runs.begin())));
    return imported;
}

}  // namespace bscope::cli
