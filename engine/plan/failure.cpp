#include "plan/failure.h"

#include <iomanip>
#include <new>
#include <sstream>

#include "kernels/communicator.h"
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

std::string adviceFor(const std::string& sentence, const std::string& otherwise) {
    return sentence.find(BSCOPE_GPU_LOST) == std::string::npos
               ? otherwise
               : "Restart the engine; with BSCOPE_CUDA_SYNCHRONOUS=1 in its environment it names the "
                 "operation "
                 "at fault.";
}

StuckAction::StuckAction(const Action& its_action, const std::string& cause, double seconds)
    : std::runtime_error([&] {
          std::ostringstream text;
          text << cause << std::fixed << std::setprecision(1) << "; nothing has got on for " << seconds
               << " s";
          return text.str();
      }()),
      action(its_action) {}

void throwRunFailure(const std::vector<WorkerError>& errors) {
    std::string aborted;
    for (const WorkerError& each : errors) {
        const bool has_begun = each.action.stage >= 0;
        const std::string action = has_begun ? toText(each.action) : "";
        const std::string where = "Rank " + std::to_string(each.rank) + " stopped " +
                                  (has_begun ? "in " + action : "before its first operation") + ": ";
        try {
            std::rethrow_exception(each.error);
        } catch (const CommunicationAborted& error) {
            aborted = error.what();
        } catch (const CommunicationHang& error) {
            throw RunFailure(where + error.what() + ".",
                             "The schedule's program contradicts itself: choose another one.", each.rank,
                             action);
        } catch (const StuckAction& error) {
            throw RunFailure("Rank " + std::to_string(each.rank) + " stopped in " + toText(error.action) +
                                 ": " + error.what() + ".",
                             adviceFor(error.what(),
                                       "Look at the GPUs and the paths between them (bscope "
                                       "doctor), then run again."),
                             each.rank, toText(error.action));
        } catch (const std::bad_alloc&) {
            throw RunFailure(where + "there is no memory left.",
                             "Use fewer or smaller micro-batches, or checkpointing, or a smaller model.",
                             each.rank, action);
        } catch (const std::exception& error) {
            throw RunFailure(where + error.what() + ".",
                             adviceFor(error.what(), "Change the configuration and run again."), each.rank,
                             action);
        }
    }
    throw RunFailure(aborted, "Run again to go on with the same iteration.");
}

}  // namespace bscope
