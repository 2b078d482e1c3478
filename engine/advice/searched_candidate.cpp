// An order that is searched for a run's costs, as a candidate of the advisor.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "advice/advisor.h"
#include "schedule/index.h"

namespace bscope {

Costs withHandoverInside(Costs costs) {
    for (StageCosts& stage : costs.stages)
        for (const DurationField& field : kDurationFields)  // of what does not run nothing is handed over
            if (stage.*field.ns > 0) stage.*field.ns += costs.handover_ns;
    costs.handover_ns = 0;
    return costs;
}

SearchRequest searchRequestOf(const RunConfig& config, const Schedule& schedule, Costs costs) {
    SearchRequest request;
    request.params = config.params;
    request.params.group_size = 0;
    request.costs = std::move(costs);
    for (StageCosts& stage : request.costs.stages) {
        stage.backward_ns += stage.recompute_ns;
        stage.input_ns += stage.recompute_ns;
        stage.recompute_ns = 0;
    }
    request.costs = withHandoverInside(std::move(request.costs));
    if (config.memory_cap_mb <= 0) return request;
    std::vector<double> held(at(config.params.p), 0);
    for (std::size_t stage = 0; stage < request.costs.stages.size(); ++stage)
        held[at(schedule.placement[stage])] +=
            static_cast<double>(request.costs.stages[stage].activation_bytes);
    const double most = *std::ranges::max_element(held);
    if (most > 0) request.memory_cap = config.memory_cap_mb * 1e6 / most;
    return request;
}

std::optional<Candidate> searchedCandidate(const AdviceRequest& request, const Prediction& now,
                                           std::chrono::milliseconds budget, const std::stop_token& stop) {
    const Schedule& ran = request.schedule();
    if (ran.replicas() > 1 || ran.params.t > 1 || ran.params.segments > 1 || ran.isForwardOnly() ||
        ran.weights != WeightRule::Flush)
        return std::nullopt;
    RunConfig config = request.config();
    config.memory_cap_mb = request.memory_cap_bytes / 1e6;
    SearchRequest wanted = searchRequestOf(config, ran, costsOfSetting(request, {request.config()}, ran));
    if (!request.knows_model) wanted.memory_cap = request.most_in_flight;
    if (!searchProblems(wanted).empty()) return std::nullopt;
    std::stop_source enough;
    const std::stop_callback cancelled(stop, [&enough] { enough.request_stop(); });
    std::mutex mutex;
    std::condition_variable_any woken;
    const std::jthread timer([&](const std::stop_token& over) {
        std::unique_lock lock(mutex);
        woken.wait_for(lock, over, budget, [] { return false; });
        enough.request_stop();
    });
    SearchResult found = searchSchedule(wanted, enough.get_token());
    Candidate candidate{Candidate::Kind::Searched,
                        sentence("an order searched for these costs"),
                        {request.config()},
                        std::nullopt,
                        0,
                        {}};
    candidate.setting.config.schedule = found.schedule.name;
    candidate.setting.config.params = found.schedule.params;
    candidate.setting.order = std::make_shared<const Schedule>(std::move(found.schedule));
    predictCandidate(request, now, candidate);
    if (!candidate.predicted || candidate.gain <= 0) return std::nullopt;
    return candidate;
}

}  // namespace bscope
