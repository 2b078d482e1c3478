#include "schedule/serving.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace bscope {

int ServingStep::tokens() const {
    return std::accumulate(parts.begin(), parts.end(), 0,
                           [](int sum, const ServedTokens& part) { return sum + part.count; });
}

int ServingStep::emitted() const {
    return static_cast<int>(std::ranges::count(parts, true, &ServedTokens::emits));
}

int ServingStep::decoded(const Serving& serving) const {
    return static_cast<int>(std::ranges::count_if(parts, [&](const ServedTokens& part) {
        return part.first >= serving.requests[static_cast<std::size_t>(part.request)].prompt;
    }));
}

namespace {

// The requests that a group has at the moment.
class Group {
public:
    explicit Group(const Serving& serving) : serving_(serving) {}

    // Takes what it may of the queue, whose first is `waiting`.
    void admit(std::size_t& waiting) {
        if (serving_.batching == Batching::Static && !at_work_.empty()) return;
        while (admitOne(waiting)) {
        }
    }

    // One of the queue, where there is a place.
    bool admitOne(std::size_t& waiting) {
        if (waiting == serving_.requests.size() ||
            at_work_.size() == static_cast<std::size_t>(serving_.places))
            return false;
        at_work_.push_back({static_cast<int>(waiting++), 0});
        return true;
    }

    bool isIdle() const { return at_work_.empty(); }

    std::vector<ServedTokens> nextParts() {
        int left = serving_.token_budget > 0 ? serving_.token_budget : std::numeric_limits<int>::max();
        std::vector<ServedTokens> parts;
        for (const bool decodes : {true, false})
            for (Answer& answer : at_work_) {
                const Request& request = serving_.requests[static_cast<std::size_t>(answer.request)];
                const bool is_decoding = answer.done >= request.prompt;
                if (is_decoding != decodes) continue;
                const int count = std::min(left, decodes ? 1 : request.prompt - answer.done);
                if (count == 0) continue;
                left -= count;
                parts.push_back({answer.request, answer.done, count, answer.done + count >= request.prompt});
                answer.done += count;
            }
        std::erase_if(at_work_, [this](const Answer& answer) {
            return answer.done == serving_.requests[static_cast<std::size_t>(answer.request)].kept();
        });
        return parts;
    }

private:
    struct Answer {
        int request = 0;
        int done = 0;  // tokens of prompt and answer that went through
    };
    const Serving& serving_;
    std::vector<Answer> at_work_;
};

}  // namespace

std::vector<ServingStep> servingSteps(const Serving& serving, std::size_t most) {
    std::vector<ServingStep> steps;
    std::vector<Group> groups(static_cast<std::size_t>(serving.groups), Group(serving));
    std::vector<int> last(groups.size(), -1);
    std::size_t waiting = 0;
    for (bool is_any = true; is_any;) {
        is_any = false;
        for (Group& group : groups) is_any |= group.admitOne(waiting);
    }
    for (bool is_any = true; is_any;) {
        is_any = false;
        for (std::size_t group = 0; group < groups.size(); ++group) {
            groups[group].admit(waiting);
            if (groups[group].isIdle()) continue;
            if (steps.size() > most) return steps;
            is_any = true;
            ServingStep step{static_cast<int>(group), last[group], groups[group].nextParts()};
            last[group] = static_cast<int>(steps.size());
            steps.push_back(std::move(step));
        }
    }
    return steps;
}

std::vector<int> keptTokens(const Serving& serving, const std::vector<ServingStep>& steps) {
    std::vector<int> during;
    int kept = 0;
    for (const ServingStep& step : steps) {
        for (const ServedTokens& part : step.parts)
            if (part.first == 0) kept += serving.requests[static_cast<std::size_t>(part.request)].kept();
        during.push_back(kept);
        for (const ServedTokens& part : step.parts) {
            const int all = serving.requests[static_cast<std::size_t>(part.request)].kept();
            if (part.first + part.count == all) kept -= all;
        }
    }
    return during;
}

int groupsAtWork(const std::vector<ServingStep>& steps) {
    int groups = 0;
    for (const ServingStep& step : steps) groups = std::max(groups, step.group + 1);
    return groups;
}

StepLinks linksOf(const std::vector<ServingStep>& steps) {
    StepLinks links;
    links.next.assign(steps.size(), -1);
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const int previous = steps[step].previous;
        links.previous.push_back(previous);
        if (previous >= 0) links.next[static_cast<std::size_t>(previous)] = static_cast<int>(step);
    }
    return links;
}

}  // namespace bscope
