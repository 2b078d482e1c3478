#include "plan/failure.h"

#include <iomanip>
#include <sstream>

#include "kernels/plugin/plugin_abi.h"

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

RunFailure::RunFailure(std::string sentence, std::string what_to_do_now, int failed_rank,
                       std::string failed_action)
    : std::runtime_error(sentence),
      what_to_do(std::move(what_to_do_now)),
      rank(failed_rank),
      action(std::move(failed_action)) {}

namespace {

constexpr const char* kLookAtGpus =
    "Look at the GPUs and the paths between them (bscope doctor), then run again.";

// Of links that no rank in particular has failed to open.
std::string linksText(const RankFailure& failure) {
    if (failure.kind == FailureKind::OutOfMemory) return "A GPU has no memory left for the links to others.";
    return "The links between GPUs do not come up: " + failure.cause + ".";
}

std::string adviceFor(const RankFailure& failure) {
    // Nothing but a restart helps a process whose GPU is lost to it.
    if (failure.cause.find(BSCOPE_GPU_LOST) != std::string::npos)
        return "Restart the engine; with BSCOPE_CUDA_SYNCHRONOUS=1 in its environment it names the operation "
               "at fault.";
    switch (failure.kind) {
        case FailureKind::OutOfMemory:
            return "Use fewer or smaller micro-batches, or checkpointing, or a smaller model.";
        case FailureKind::GpuStuck:
        case FailureKind::LinkBroken:
            return kLookAtGpus;
        case FailureKind::NothingToCome:
            return "The schedule's program contradicts itself: choose another one.";
        case FailureKind::Stopped:
            return "Run again to go on with the same iteration.";
        case FailureKind::Error:
            if (failure.rank < 0) return kLookAtGpus;
            break;
        case FailureKind::PeerSilent:
        case FailureKind::PeerGone:
            break;
    }
    return "Change the configuration and run again.";
}

}  // namespace

RunFailure runFailure(const RankFailure& failure, const std::string& advice) {
    const std::string what_to_do = advice.empty() ? adviceFor(failure) : advice;
    if (failure.kind == FailureKind::Stopped) return RunFailure(failure.cause, what_to_do);
    if (failure.rank < 0) return RunFailure(linksText(failure), what_to_do);
    return RunFailure("R" + whatStopped(failure).substr(1) + ".", what_to_do, failure.rank, failure.action);
}

std::string whatStopped(const RankFailure& failure) {
    const std::string where = failure.action.empty() ? "before its first operation" : "in " + failure.action;
    return "rank " + std::to_string(failure.rank) + " stopped " + where + ": " + failure.cause;
}

StuckAction::StuckAction(const Action& its_action, const std::string& cause, double seconds)
    : std::runtime_error([&] {
          std::ostringstream text;
          text << cause << std::fixed << std::setprecision(1) << "; nothing has got on for " << seconds
               << " s";
          return text.str();
      }()),
      FailureDetail{FailureKind::GpuStuck, -1, toText(its_action)} {}

}  // namespace bscope
