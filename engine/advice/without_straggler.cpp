#include "advice/without_straggler.h"

#include <stdexcept>
#include <utility>

#include "schedule/index.h"
#include "words/number_text.h"

namespace bscope {

std::optional<WithoutStraggler> withoutStraggler(AdviceRequest request, const Straggler& found) {
    if (!request.known.order) return std::nullopt;
    WithoutStraggler out;
    out.candidate.setting.config = request.config();
    out.candidate.setting.order = request.known.order;
    if (found.kind == Straggler::Kind::Rank) {
        if (found.index < 0 || found.index >= request.config().params.layout().world()) return std::nullopt;
        request.known.slowness.resize(at(request.config().params.layout().world()), 1);
        request.known.slowness[at(found.index)] = found.factor;
        out.candidate.kind = Candidate::Kind::Rank;
        out.candidate.change = sentence("rank {0} as fast as the others", found.index);
        out.candidate.setting.repaired_rank = found.index;
    } else if (found.kind == Straggler::Kind::Stage) {
        if (found.index < 0 || found.index >= request.schedule().stageCount()) return std::nullopt;
        out.candidate.kind = Candidate::Kind::Split;
        out.candidate.change = sentence("stage {0} as light as the others", found.index);
        out.candidate.setting.lightened_stage = found.index;
        out.candidate.setting.lightened_by = found.factor;
    } else if (found.kind == Straggler::Kind::Link) {
        const int ranks = request.config().params.layout().world();
        if (found.index < 0 || found.to < 0 || found.index >= ranks || found.to >= ranks) return std::nullopt;
        request.known.costs.slow_link = {found.index, found.to, found.excess_ns};
        out.candidate.kind = Candidate::Kind::Link;
        out.candidate.change =
            sentence("messages from rank {0} to rank {1} as quick as the others", found.index, found.to);
        out.candidate.setting.even = true;
    } else {
        if (found.index < 0 || found.index >= request.schedule().params.microbatches()) return std::nullopt;
        request.known.costs.long_microbatch = {found.index, found.factor};
        out.candidate.kind = Candidate::Kind::Microbatches;
        out.candidate.change = sentence("micro-batch {0} as short as the others", found.index);
        out.candidate.setting.even = true;
    }
    try {
        out.now = predictSetting(request, {.config = request.config(), .order = request.known.order});
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
    predictCandidate(request, out.now, out.candidate);
    if (!out.candidate.predicted) return std::nullopt;
    out.request = std::move(request);
    return out;
}

Sentence withoutWords(const WithoutStraggler& without) {
    const Prediction& then = *without.candidate.predicted;
    const auto ms = [](const Prediction& of) { return millisecondsText(static_cast<double>(of.iteration_ns) / 1e6); };
    const auto bubble = [](const Prediction& of) { return percentNumber(of.bubble_of_total); };
    return sentence("without it {0} ms instead of {1} ms, bubble {2} % instead of {3} % (predicted)", ms(then),
                    ms(without.now), bubble(then), bubble(without.now));
}

}  // namespace bscope
