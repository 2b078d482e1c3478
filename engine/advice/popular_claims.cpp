// The tree of many texts, by the size of the model alone, held against the predictions of a run.
#include <algorithm>

#include "advice/schedule_choice.h"
#include "words/number_text.h"

namespace bscope {

namespace {

constexpr double kQuicker = 0.99, kLess = 0.99;  // at most so many times the other

// The predictions of a run's schedules, the run's own among them.
class Predicted {
public:
    Predicted(const AdviceRequest& request, const Advice& advice, const DurationText& duration)
        : request_(request), advice_(advice), duration_(duration) {}

    const Prediction* of(const char* schedule) const {
        if (request_.config().schedule == schedule) return &advice_.now;
        for (const Candidate& each : advice_.candidates)
            if (isLegal(each) && each.setting.config.schedule == schedule) return &*each.predicted;
        return nullptr;
    }
    // The quickest with one copy of the weights of those that `counts` names; null: it names none.
    template <class Counts>
    const Candidate* quickest(const Counts& counts) const {
        const Candidate* found = nullptr;
        for (const Candidate& each : advice_.candidates)
            if (isLegal(each) && each.predicted->weight_copies == 1 && counts(each) &&
                (found == nullptr || each.predicted->nsPerSample() < found->predicted->nsPerSample()))
                found = &each;
        return found;
    }

    std::string time(const Prediction& predicted) const { return duration_(predicted.iteration_ns); }

private:
    bool isLegal(const Candidate& each) const {
        return each.predicted && changesScheduleAlone(each, request_.config());
    }

    const AdviceRequest& request_;
    const Advice& advice_;
    const DurationText& duration_;
};

double held(const Prediction& predicted) {
    return predicted.peak_bytes.empty() ? predicted.most_in_flight
                                        : static_cast<double>(predicted.greatestPeak());
}

Sentence heldText(const Prediction& predicted) {
    return predicted.peak_bytes.empty() ? sentence("{0} in flight", fixedText(held(predicted), 2))
                                        : sentence("{0} MB", megabytesText(held(predicted)));
}

Sentence nameOf(const Candidate& candidate) {
    return sentence(titleOf(candidate.setting.config.schedule).c_str());
}

bool isQuicker(const Prediction& a, const Prediction& b) {
    return a.nsPerSample() < kQuicker * b.nsPerSample();
}

PopularClaim smallModel(const Predicted& predicted, const Prediction& plain) {
    PopularClaim out{sentence("A small model: GPipe"), {}, false};
    const Prediction* gpipe = predicted.of("gpipe");
    if (gpipe == nullptr) {
        out.found = sentence("GPipe is not legal here");
        return out;
    }
    out.holds = isQuicker(*gpipe, plain);
    out.found = sentence("GPipe {0} with {1} on the fullest rank, 1F1B {2} with {3}", predicted.time(*gpipe),
                         heldText(*gpipe), predicted.time(plain), heldText(plain));
    return out;
}

PopularClaim littleMemory(const Predicted& predicted, const Prediction& plain) {
    PopularClaim out{sentence("Little memory: 1F1B"), {}, true};
    const Candidate* less = predicted.quickest(
        [&](const Candidate& each) { return held(*each.predicted) < kLess * held(plain); });
    if (less == nullptr) {
        out.found =
            sentence("with one copy of the weights nothing holds less than 1F1B, {0}", heldText(plain));
        return out;
    }
    out.holds = isQuicker(plain, *less->predicted);
    out.found = sentence("1F1B holds {0}; {1} holds {2}, {3} against {4}", heldText(plain), nameOf(*less),
                         heldText(*less->predicted), predicted.time(*less->predicted), predicted.time(plain));
    return out;
}

PopularClaim largeModel(const Predicted& predicted, const Prediction& plain) {
    PopularClaim out{sentence("A very large model: interleaved 1F1B"), {}, false};
    const Prediction* chunks = predicted.of("interleaved");
    if (chunks == nullptr) {
        out.found = sentence("Interleaved 1F1B is not legal here");
        return out;
    }
    const Candidate* quickest = predicted.quickest(
        [](const Candidate& each) { return each.setting.config.schedule != "interleaved"; });
    out.holds =
        isQuicker(*chunks, plain) && (quickest == nullptr || !isQuicker(*quickest->predicted, *chunks));
    if (quickest != nullptr && isQuicker(*quickest->predicted, *chunks))
        out.found =
            sentence("Interleaved 1F1B {0} with {1}, 1F1B {2} with {3}; {4} takes {5} with {6}",
                     predicted.time(*chunks), heldText(*chunks), predicted.time(plain), heldText(plain),
                     nameOf(*quickest), predicted.time(*quickest->predicted), heldText(*quickest->predicted));
    else
        out.found = sentence("Interleaved 1F1B {0} with {1}, 1F1B {2} with {3}", predicted.time(*chunks),
                             heldText(*chunks), predicted.time(plain), heldText(plain));
    return out;
}

}  // namespace

std::string inMilliseconds(std::int64_t ns) {
    return millisecondsText(static_cast<double>(ns) / 1e6) + " ms";
}

std::vector<PopularClaim> popularClaims(const AdviceRequest& request, const Advice& advice,
                                        const DurationText& duration) {
    const Predicted predicted(request, advice, duration);
    const Prediction* plain = predicted.of("1f1b");
    if (plain == nullptr || request.schedule().isForwardOnly()) return {};
    return {smallModel(predicted, *plain), littleMemory(predicted, *plain), largeModel(predicted, *plain)};
}

}  // namespace bscope
