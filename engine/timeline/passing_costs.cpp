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

// Whether the next operation of a rank belongs to the one before it, so that nothing is handed over between.
bool goOnTogether(const Event& before, const Event& event) {
    return before.op == Op::Recompute && before.stage == event.stage &&
           before.microbatch == event.microbatch && before.segment == event.segment;
}

// Each operation that computes, with the one before it on its rank and what made its input on another one.
template <class Visit>
void visitOperations(const IterationEvents& events, const Visit& visit) {
    for (int rank = 0; rank < events.ranks(); ++rank) {
        std::optional<Event> before;
        for (const Event& event : events.compute(rank)) {
            if (!isCompute(event.op)) continue;
            const EventRef receive = events.receiveOf(event);
            visit(event, before, bool(receive), receive ? events.producerOf(*receive) : EventRef());
            before = event;
        }
    }
}

// Where no message can have kept the rank: none from another rank, or one that was made before the operation
// before it began.
void collectHandovers(const IterationEvents& events, std::vector<double>& handovers) {
    visitOperations(events, [&](const Event& event, const std::optional<Event>& before, bool receives,
                                EventRef producer) {
        if (!before || goOnTogether(*before, event)) return;
        if (receives && !(producer && producer->end_ns <= before->start_ns)) return;
        handovers.push_back(static_cast<double>(event.start_ns - before->end_ns));
    });
}

// Which operations say what a message takes: where the rank could have gone on before the message was made; or, so
// that the spread of handing over does not count as a message, where it went on much later than it could have.
enum class Waited : std::uint8_t { BeforeItWasMade, MuchLonger };

void collectMessages(const IterationEvents& events, double handover_ns, Waited waited,
                     std::map<Link, std::vector<double>>& messages) {
    constexpr double much = 1.5;
    visitOperations(events, [&](const Event& event, const std::optional<Event>& before, bool,
                                EventRef producer) {
        if (!producer || event.start_ns < producer->end_ns) return;
        const auto sinceFree = [&](std::int64_t time_ns) {
            return static_cast<double>(time_ns - before->end_ns);
        };
        if (before && (waited == Waited::BeforeItWasMade ? sinceFree(producer->end_ns) < handover_ns
                                                         : sinceFree(event.start_ns) <= much * handover_ns))
            return;
        messages[{producer->rank, event.rank}].push_back(
            static_cast<double>(event.start_ns - producer->end_ns));
    });
}

}  // namespace

PassingCosts passingCosts(const Timeline& timeline, std::span<const int> iterations, bool one_clock) {
    PassingCosts costs;
    std::vector<double> handovers;
    for (const int iteration : iterations) collectHandovers(IterationEvents(timeline, iteration), handovers);
    if (handovers.size() >= std::size_t{PassingCosts::kLeastPassings}) {
        costs.handovers = static_cast<int>(handovers.size());
        costs.handover_ns = std::max(0.0, median(std::move(handovers)));
    }
    for (const Waited waited : {Waited::BeforeItWasMade, Waited::MuchLonger}) {
        std::map<Link, std::vector<double>> messages;
        for (const int iteration : iterations)
            collectMessages(IterationEvents(timeline, iteration), costs.handover_ns, waited, messages);
        std::vector<double> of_links;
        std::size_t samples = 0;
        for (const auto& [link, times] : messages) {
            if (one_clock) {
                of_links.insert(of_links.end(), times.begin(), times.end());
                samples += times.size();
                continue;
            }
            const auto back = messages.find({link.second, link.first});
            if (link.first > link.second || back == messages.end()) continue;
            of_links.push_back((median(times) + median(back->second)) / 2);
            samples += times.size() + back->second.size();
        }
        if (samples < std::size_t{PassingCosts::kLeastPassings}) continue;
        costs.messages = static_cast<int>(samples);
        costs.message_ns = std::max(0.0, median(std::move(of_links)));
        break;
    }
    return costs;
}

Sentence passingWords(const Costs& costs) {
    const std::string handover_ms = millisecondsText(costs.handover_ns / 1e6),
                      message_ms = millisecondsText(costs.hopNs() / 1e6);
    if (costs.handover_ns > 0 && costs.hopNs() > 0)
        return sentence("{0} ms between operations, {1} ms a message (medians, from the files)", handover_ms,
                        message_ms);
    if (costs.handover_ns > 0)
        return sentence("{0} ms between operations (median, from the files), messages free", handover_ms);
    if (costs.hopNs() > 0)
        return sentence("{0} ms a message (median, from the files), nothing between operations", message_ms);
    return sentence("nothing between operations, messages free");
}

}  // namespace bscope
