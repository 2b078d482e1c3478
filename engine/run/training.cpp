#include "run/training.h"

#include <cmath>

#include "files/user_file.h"
#include "model/model_file.h"
#include "plan/failure.h"
#include "plan/plan.h"
#include "run/iteration_report.h"

namespace bscope {

namespace {

// A number of the metadata; 0 when the file does not have it (weights alone).
std::uint64_t numberIn(const std::map<std::string, std::string>& metadata, const std::string& key) {
    const auto found = metadata.find(key);
    if (found == metadata.end()) return 0;
    try {
        return std::stoull(found->second);
    } catch (const std::logic_error&) {
        throw TensorFileError(sentence("{0} in the metadata is not a number: {1}", key, found->second));
    }
}

}  // namespace

TextData readData(const RunConfig& config) {
    return config.data_file.empty() ? TextData::builtIn(config.seed)
                                    : TextData::fromFile(config.data_file, config.seed);
}

Training::Training(Device& device, const RunConfig& config)
    : model(device, modelShape(config.model), config.seed), data(readData(config)) {}

std::function<Batch(int)> Training::microbatches(const RunConfig& config) const {
    const auto samples = static_cast<std::size_t>(config.micro_batch);
    const auto tokens = static_cast<std::size_t>(config.model.sequence);
    return [this, samples, tokens, first = next_sample](int microbatch) {
        return data.batch(first + static_cast<std::uint64_t>(microbatch) * samples, samples, tokens);
    };
}

Work Training::nextWork(const Plan& plan) const {
    const RunConfig& config = plan.config;
    Work work;
    work.iteration = iteration;
    work.optimizer_steps = optimizer_steps;
    work.training = config.training;
    if (plan.stream) {
        work.samples = microbatches(config);
        work.batch = work.samples(0);
    } else {
        work.batch = data.batch(next_sample, static_cast<std::size_t>(config.samples()), plan.shape.T);
    }
    return work;
}

void Training::complete(const Plan& plan, std::span<const RankIteration> shares, IterationReport& report) {
    addLossToReport(report, plan, shares);
    next_sample += static_cast<std::uint64_t>(plan.config.samples());
    optimizer_steps += plan.optimizerSteps();
    ++iteration;
}

bool Training::isFinite() const {
    for (std::size_t layer = 0; layer < model.layerCount(); ++layer)
        for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
            for (const TensorKind kind : {TensorKind::Weight, TensorKind::AdamM, TensorKind::AdamV})
                for (const float value : model.read(layer, i, kind))
                    if (!std::isfinite(value)) return false;
    return true;
}

void Training::save(const std::filesystem::path& file) const {
    if (!isFinite())
        throw StateNotWritten(sentence("The state could not be saved: {0}",
                                       sentence("its weights are not all finite numbers.")),
                              sentence("Load a saved state, or start a new run."));
    try {
        saveModel(file, model, ModelContent::WeightsAndOptimizer,
                  {{"iteration", std::to_string(iteration)},
                   {"optimizer_steps", std::to_string(optimizer_steps)},
                   {"next_sample", std::to_string(next_sample)}});
    } catch (const TensorFileError& error) {
        throw StateNotWritten(sentence("The state could not be saved: {0}", sentenceOf(error)),
                              sentence("Choose another place, or make room on the disk."));
    }
}

void Training::load(const std::filesystem::path& file) {
    try {
        const auto metadata = readTensorMetadata(file);
        const auto saved_iteration = static_cast<int>(numberIn(metadata, "iteration"));
        const auto saved_steps = static_cast<std::int64_t>(numberIn(metadata, "optimizer_steps"));
        const std::uint64_t saved_sample = numberIn(metadata, "next_sample");
        loadModel(file, model);
        iteration = saved_iteration;
        optimizer_steps = saved_steps;
        next_sample = saved_sample;
    } catch (const TensorFileError& error) {
        throw RunFailure(sentence("The state could not be loaded: {0}", sentenceOf(error)),
                         sentence("Choose a file saved by a run with the same model shape."));
    }
}

std::vector<Problem> dataProblems(const RunConfig& config) {
    std::uint64_t bytes = 0;
    if (config.data_file.empty()) {
        bytes = TextData::builtIn(config.seed).sizeBytes();
    } else {
        try {
            bytes = UserFile(config.data_file, NamedBy::Configuration).sizeBytes();
        } catch (const FileError& error) {
            return {{"data_file", "{0} cannot be read: {1}", {config.data_file, sentenceOf(error)}, {}}};
        }
        if (bytes > kMaxTextFileBytes)
            return {{"data_file",
                     "the text {0} has {1} bytes, at most {2} are read",
                     {config.data_file, std::to_string(bytes), std::to_string(kMaxTextFileBytes)},
                     {}}};
    }
    const auto needed = static_cast<std::uint64_t>(config.model.sequence) + 1;
    if (bytes >= needed) return {};
    return {{"data_file",
             "the text has {0} bytes, a sample of sequence {1} needs {2}",
             {std::to_string(bytes), std::to_string(config.model.sequence), std::to_string(needed)},
             {}}};
}

}  // namespace bscope
