#include "plan/failure.h"

#include <utility>

#include "words/number_text.h"

namespace bscope {

namespace {

std::string listed(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        if (!text.empty()) text += '\n';
        text += problem.text();
    }
    return text;
}

}  // namespace

ConfigError::ConfigError(std::vector<Problem> problems)
    : std::invalid_argument(listed(problems)), problems_(std::move(problems)) {}

RunFailure::RunFailure(const Sentence& sentence, Sentence what_to_do_now, int failed_rank,
                       std::string failed_action)
    : SentenceError(sentence),
      what_to_do(std::move(what_to_do_now)),
      rank(failed_rank),
      action(std::move(failed_action)) {}

namespace advice {

Sentence useLessMemory() {
    return sentence("Use fewer or smaller micro-batches, or checkpointing, or a smaller model.");
}
Sentence changeConfiguration() {
    return sentence("Change the configuration and run again.");
}
Sentence startProcessesAgain() {
    return sentence("Start the processes again with mpirun.");
}

}  // namespace advice

namespace {

// Of links that no rank in particular has failed to open.
Sentence linksSentence(const RankFailure& failure) {
    if (failure.kind == FailureKind::OutOfMemory)
        return sentence("A GPU has no memory left for the links to others.");
    return sentence("The links between GPUs do not come up: {0}.", failure.cause);
}

Sentence adviceFor(const RankFailure& failure) {
    switch (failure.kind) {
        case FailureKind::OutOfMemory:
            return advice::useLessMemory();
        case FailureKind::GpuLost:
            return sentence(
                "Restart the engine; with BSCOPE_CUDA_SYNCHRONOUS=1 in its environment it names the "
                "operation at fault.");
        case FailureKind::GpuStuck:
        case FailureKind::LinkBroken:
            break;
        case FailureKind::NothingToCome:
            return sentence("The schedule's program contradicts itself: choose another one.");
        case FailureKind::Stopped:
            return {};
        case FailureKind::Error:
            if (failure.rank < 0) break;
            return advice::changeConfiguration();
        case FailureKind::PeerSilent:
        case FailureKind::PeerGone:
            return advice::changeConfiguration();
    }
    return sentence("Look at the GPUs and the paths between them (bscope doctor), then run again.");
}

}  // namespace

RunFailure runFailure(const RankFailure& failure, const Sentence& advice) {
    const Sentence what_to_do = advice.empty() ? adviceFor(failure) : advice;
    if (failure.kind == FailureKind::Stopped) return RunFailure(failure.cause, what_to_do);
    if (failure.rank < 0) return RunFailure(linksSentence(failure), what_to_do);
    const Sentence what =
        failure.action.empty()
            ? sentence("Rank {0} stopped before its first operation: {1}.", failure.rank, failure.cause)
            : sentence("Rank {0} stopped in {1}: {2}.", failure.rank, failure.action, failure.cause);
    return RunFailure(what, what_to_do, failure.rank, failure.action);
}

Sentence whatStopped(const RankFailure& failure) {
    if (failure.action.empty())
        return sentence("rank {0} stopped before its first operation: {1}", failure.rank, failure.cause);
    return sentence("rank {0} stopped in {1}: {2}", failure.rank, failure.action, failure.cause);
}

StuckAction::StuckAction(const Action& its_action, const Sentence& cause, double seconds, bool gpu_is_lost)
    : SentenceError(sentence("{0}; no progress for {1} s", cause, fixedText(seconds, 1))),
      FailureDetail{gpu_is_lost ? FailureKind::GpuLost : FailureKind::GpuStuck, -1, toText(its_action)} {}

}  // namespace bscope
