// The first line of the table of schedules as a sentence, with the conditions under which it is the first.
#include <cmath>
#include <utility>

#include "advice/schedule_choice.h"
#include "catalog/catalog.h"
#include "words/number_text.h"

namespace bscope {

namespace {

Sentence nameOf(const RunConfig& config) {
    const CatalogEntry* entry = findSchedule(config.schedule);
    if (entry == nullptr) return sentence("{0}", config.schedule);
    if (config.params.v <= 1) return sentence(entry->title);
    return sentence("{0}, v = {1}", sentence(entry->title), config.params.v);
}

Sentence conditions(const AdviceRequest& request) {
    Sentence all = request.one_copy ? sentence("one copy of the weights")
                                    : sentence("no more copies or versions of the weights than now");
    const auto also = [&all](Sentence another) {
        all = sentence("{0}, {1}", std::move(another), std::exchange(all, {}));
    };
    if (request.flush) also(sentence("a flush"));
    if (request.most_in_flight > 0)
        also(sentence("at most {0} micro-batches in flight per rank", shortText(request.most_in_flight, 3)));
    if (request.memory_cap_bytes > 0)
        also(sentence("at most {0} MB of activations per rank", megabytesText(request.memory_cap_bytes)));
    return all;
}

// Costs are medians of a few iterations: what is nearer than this is the same.
constexpr double kNoDifference = 0.01;

}  // namespace

Sentence choiceVerdict(const AdviceRequest& request, const Advice& advice, const DurationText& duration) {
    std::vector<const Candidate*> left;
    for (const Candidate& each : advice.candidates) {
        const bool is_in = changesScheduleAlone(each, request.config()) && each.predicted &&
                           each.excluded.empty() && each.gain > 0;
        if (is_in && each.predicted->weight_copies <= advice.now.weight_copies) left.push_back(&each);
    }
    if (left.empty())
        return sentence("With {0} nothing is predicted to be quicker than {1}.", conditions(request),
                        nameOf(request.config()));
    const auto line = [&](const Candidate& each) {
        Sentence name = nameOf(each.setting.config);
        const std::string time = duration(each.predicted->iteration_ns), saved = percentNumber(each.gain);
        return request.knows_model
                   ? sentence("{0}, {1}, {2} % less time per sample than now", std::move(name), time, saved)
                   : sentence("{0}, {1}, {2} % less time per micro-batch than now", std::move(name), time,
                              saved);
    };
    if (left.size() > 1) {
        const double apart = std::abs(static_cast<double>(left[1]->predicted->iteration_ns) /
                                          static_cast<double>(left[0]->predicted->iteration_ns) -
                                      1);
        if (apart < kNoDifference)
            return sentence("With {0}: {1}; {2} is no different (within {3} %).", conditions(request),
                            line(*left[0]), nameOf(left[1]->setting.config),
                            percentNumber(std::max(apart, 0.001)));
    }
    if (left.size() == 1) return sentence("With {0}: {1}.", conditions(request), line(*left[0]));
    return sentence("With {0}: {1}; next: {2}.", conditions(request), line(*left[0]), line(*left[1]));
}

}  // namespace bscope
