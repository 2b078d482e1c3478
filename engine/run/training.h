// Training: what lives on through every change of the pipeline: the model with its optimizer state, and where
// in the data it stands. Between iterations, one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "config/run_config.h"
#include "kernels/device.h"
#include "model/model.h"
#include "model/text_data.h"
#include "run/workload.h"

namespace bscope {

struct Training final : Workload {
    // Throws std::runtime_error when the data cannot be read.
    Training(Device& device, const RunConfig& config);

    Model model;
    TextData data;
    int iteration = 0;                 // the next one
    std::int64_t optimizer_steps = 0;  // done
    std::uint64_t next_sample = 0;

    // The micro-batches of that config from the next sample on, also when the training has gone on meanwhile.
    // The training must outlive it.
    std::function<Batch(int microbatch)> microbatches(const RunConfig& config) const;

    int nextIteration() const override { return iteration; }
    Work nextWork(const Plan& plan) const override;
    // The loss and the norm of the gradients; the training has used an iteration's samples and made its
    // steps.
    void complete(const Plan& plan, std::span<const RankIteration> shares, IterationReport& report) override;

    // No weight and no moment is infinite or not a number.
    bool isFinite() const;
    // Weights, optimizer state and position. Throw RunFailure, save() as StateNotWritten; a failed load
    // changes nothing.
    void save(const std::filesystem::path& file) const;
    void load(const std::filesystem::path& file);
};

// Throws std::runtime_error when it cannot be read.
TextData readData(const RunConfig& config);

// The data file cannot be read or is too short for one sample; at most one.
std::vector<Problem> dataProblems(const RunConfig& config);

}  // namespace bscope
