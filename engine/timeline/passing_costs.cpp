#include "timeline/passing_costs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "timeline/iteration_events.h"
#include "timeline/median.h"
#include "words/number_text.h"

namespace bscope {

namespace {

using Link = std::pair<int, int>;  // ranks, from and to

struct Passed {
    std::vector<double> handovers;
    std::map<Link, std::vector<double>> messages;
};

// Whether the next operation of a rank belongs to the one before it, so that nothing is handed over between.
bool goOnTogether(const Event& before, const Event& event) {
    return before.op == Op::Recompute && before.stage == event.stage && before.microbatch == event.microbatch;
}

void collect(const IterationEvents& events, Passed& passed) {
    for (int rank = 0; rank < events.ranks(); ++rank) {
        std::optional<Event> before;
        for (const Event& event : events.compute(rank)) {
            if (!isCompute(event.op)) continue;
            const EventRef receive = events.receiveOf(event);
            const EventRef producer = receive ? events.producerOf(*receive) : EventRef();
            const bool waited = producer && (!before || producer->end_ns >= before->end_ns);
            if (waited && event.start_ns >= producer->end_ns)
                passed.messages[{producer->rank, rank}].push_back(
                    static_cast<double>(event.start_ns - producer->end_ns));
            // There in good time, or none from another rank; one whose producer is not known may have kept it.
            const bool was_there = receive ? producer && before && producer->end_ns <= before->start_ns : true;
            if (before && was_there && !goOnTogether(*before, event))
                passed.handovers.push_back(static_cast<double>(event.start_ns - before->end_ns));
            before = event;
        }
    }
}

}  // namespace

PassingCosts passingCosts(const Timeline& timeline, std::span<const int> iterations, bool one_clock) {
    Passed passed;
    for (const int iteration : iterations) collect(IterationEvents(timeline, iteration), passed);
    PassingCosts costs;
    if (passed.handovers.size() >= std::size_t{PassingCosts::kLeastPassings}) {
        costs.handovers = static_cast<int>(passed.handovers.size());
        costs.handover_ns = std::max(0.0, median(std::move(passed.handovers)));
    }
    std::vector<double> of_links;
    std::size_t samples = 0;
    if (one_clock)
        for (const auto& [link, times] : passed.messages) of_links.insert(of_links.end(), times.begin(), times.end());
    if (one_clock) samples = of_links.size();
    for (const auto& [link, times] : passed.messages) {
        const auto back = passed.messages.find({link.second, link.first});
        if (one_clock || link.first > link.second || back == passed.messages.end()) continue;
        of_links.push_back((median(times) + median(back->second)) / 2);
        samples += times.size() + back->second.size();
    }
    if (samples < std::size_t{PassingCosts::kLeastPassings}) return costs;
    costs.messages = static_cast<int>(samples);
    costs.message_ns = std::max(0.0, median(std::move(of_links)));
    return costs;
}

Sentence passingWords(const Costs& costs) {
    const std::string handover_ms = millisecondsText(costs.handover_ns / 1e6),
                      message_ms = millisecondsText(costs.hopNs() / 1e6);
    if (costs.handover_ns > 0 && costs.hopNs() > 0)
        return sentence("handing over an operation {0} ms, a message {1} ms (medians, from the files)",
                        handover_ms, message_ms);
    if (costs.handover_ns > 0)
        return sentence("handing over an operation {0} ms (median, from the files), messages free",
                        handover_ms);
    if (costs.hopNs() > 0)
        return sentence("a message {0} ms (median, from the files), handing over free", message_ms);
    return sentence("messages and handing over free");
}

}  // namespace bscope
