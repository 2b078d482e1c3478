// bscope verify: the pipeline must compute what one rank computes, bit by bit or within a stated tolerance.
#include <algorithm>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "catalog/catalog.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/options.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "cli/report/status_lines.h"
#include "plan/failure.h"
#include "run/verify.h"
#include "words/catalog.h"
#include "words/sentence_error.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

nlohmann::ordered_json resultJson(const VerifyResult& result) {
    return {
        {"schedule", result.schedule},
        {"p", result.params.p},
        {"m", result.params.m},
        {"v", result.params.v},
        {"d", result.params.d},
        {"zero", result.params.zero},
        {"t", result.params.t},
        {"segments", result.params.segments},
        {"sequence_parallel", result.sequence_parallel},
        {"recompute", toText(result.recompute)},
        {"checkpoint_every", toText(result.checkpoint_every)},
        {"device", toText(result.device)},
        {"iterations", result.loss.size()},
        {"tensors", result.tensors},
        {"delayed_updates", result.delayed_updates},
        {"bitwise_equal", result.bitwise_equal},
        {"bitwise_at_t", result.params.t > 1 ? orNull(result.bitwise_at_same_cut) : nullptr},
        {"bitwise_at_segments", result.params.segments > 1 ? orNull(result.bitwise_at_same_cut) : nullptr},
        {"bitwise_without_zero", orNull(result.bitwise_without_zero)},
        {"replicas_equal", result.replicas_equal},
        {"within_tolerance", result.within_tolerance},
        {"tolerance", result.tolerance},
        {"largest_difference", result.largest_difference},
        {"tensor", result.tensor},
        {"iteration", result.iteration},
        {"loss", result.loss}};
}

// With one stage of as many shards and segments.
Sentence outcomeAtT(const VerifyResult& result) {
    if (result.params.segments > 1)
        return *result.bitwise_at_same_cut
                   ? sentence("bitwise equal to p = 1 at t = {0} and q = {1} segments", result.params.t,
                              result.params.segments)
                   : sentence("DIFFERENT from p = 1 at t = {0} and q = {1} segments", result.params.t,
                              result.params.segments);
    return *result.bitwise_at_same_cut ? sentence("bitwise equal to p = 1 at t = {0}", result.params.t)
                                       : sentence("DIFFERENT from p = 1 at t = {0}", result.params.t);
}

Sentence outcomeWithoutZero(const VerifyResult& result) {
    return *result.bitwise_without_zero
               ? sentence("gradients, weights and optimizer state bitwise equal to the run without ZeRO")
               : sentence("DIFFERENT from the run without ZeRO");
}

// With one rank.
Sentence outcomeOf(const VerifyResult& result) {
    const std::size_t iterations = result.loss.size();
    if (result.bitwise_equal && result.delayed_updates)
        return sentence(
            "loss and {0} tensors of weights and optimizer state bitwise equal to one rank with "
            "the same delayed updates over {1} iterations",
            result.tensors, iterations);
    if (result.bitwise_equal)
        return sentence("loss and {0} gradients bitwise equal to one rank over {1} iterations",
                        result.tensors, iterations);
    const Sentence difference = sentence(
        "largest difference {0} of the tensor's largest value, in {1}, iteration {2} (tolerance {3})",
        shortNumber(result.largest_difference), result.tensor, result.iteration + 1,
        shortNumber(result.tolerance));
    return result.within_tolerance ? sentence("within tolerance: {0}", difference)
                                   : sentence("DIFFERENT: {0}", difference);
}

void printResult(const VerifyResult& result, Language language) {
    std::cout << padded(shown(result.schedule), 20) << sizesText(result.params, result.sequence_parallel)
              << " recompute " << toText(result.recompute)
              << (result.checkpoint_every == CheckpointEvery::Layer ? " every layer" : "") << ": "
              << (result.bitwise_at_same_cut ? say(outcomeAtT(result), language) + "; " : "")
              << (result.bitwise_without_zero ? say(outcomeWithoutZero(result), language) + "; " : "")
              << say(outcomeOf(result), language) << '\n';
    if (!result.replicas_equal)
        std::cout << say(sentence("the replicas have different weights"), language) << '\n';
}

constexpr int kIterations = 3;

Sentence refusalOf(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error)) return sentence("there is no memory left");
    const auto* const illegal = dynamic_cast<const ConfigError*>(&error);
    if (!illegal) return sentenceOf(error);
    std::vector<Sentence> all;
    for (const Problem& problem : illegal->problems()) all.push_back(problem.withLegal());
    return inARow(all);
}

// Every schedule that trains, with at least its usual v and at least a layer for every stage; what is not
// legal at this p and m is said and left out.
std::vector<RunConfig> everySchedule(const std::vector<RunConfig>& bases) {
    std::vector<RunConfig> configs;
    for (const CatalogEntry& entry : catalog()) {
        if (entry.forward_only) continue;
        for (RunConfig config : bases) {
            config.schedule = entry.name;
            config.params.segments =
                entry.usual_segments > 1 ? std::max(entry.usual_segments, config.params.segments) : 1;
            config.params.v = entry.fixed_v > 0 ? entry.fixed_v : std::max(entry.usual_v, config.params.v);
            config.model.layers = std::max(config.model.layers, config.params.p * config.params.v);
            const auto found = problems(config);
            if (found.empty())
                configs.push_back(config);
            else
                std::cerr << entry.name << " is left out: " << found.front().text() << '\n';
        }
    }
    return configs;
}

}  // namespace

int verifyCommand(const Arguments& arguments) {
    CommandLine line(
        "verify",
        "Trains the same model as one rank and as the pipeline and compares loss and every gradient; "
        "-t takes several values, and shards are compared with one stage of as many, too, bit by bit, and "
        "--zero 1 with the same pipeline without it.",
        "bscope verify --schedule all -p 4 -m 8 -t 1,2,4");
    ConfigOptions config_options(line, ConfigOptions::Configurations::Several);
    bool json = false, progress_lines = false;
    line.flag("--json", "one JSON object per schedule", json);
    line.flag("--progress",
              "for programs: report progress and a refusal on standard error, one JSON object per line",
              progress_lines);
    if (!line.parse(arguments)) return 0;
    std::vector<RunConfig> configs = config_options.resolveEach();
    line.check();

    if (config_options.allSchedules()) configs = everySchedule(configs);
    if (configs.empty()) throw SentenceError<>(sentence("no schedule can run with these settings"));
    bool all_within = true;
    for (const RunConfig& each : configs) {
        VerifyResult result;
        try {
            result = verify(each, kIterations, progress_lines ? reportProgress : VerifyProgress());
        } catch (const std::exception& error) {
            if (!progress_lines) throw;
            reportRefusal(refusalOf(error));
            return 1;
        }
        all_within = all_within && result.within_tolerance;
        if (json)
            std::cout << jsonText(resultJson(result)) << std::endl;
        else
            printResult(result, line.language());
    }
    return all_within ? 0 : 1;
}

}  // namespace bscope::cli
