// RunConfig: everything a run depends on, and problems(): everything that is illegal in it, each with the
// nearest legal value. The window, the command line and the engine all call the same function.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schedule/problem.h"
#include "schedule/program.h"
#include "schedule/schedule.h"

namespace bscope {

enum class ClockChoice : std::uint8_t { Auto, Measured, Reconstructed };
enum class Durations : std::uint8_t { Raw, Calibrated };  // calibrated: median per stage and operation

enum class DeviceChoice : std::uint8_t { Cpu, Cuda, Auto };  // auto: GPUs when there are any
enum class Dtype : std::uint8_t { Fp32, Bf16 };              // of what enters a product; bf16 on GPUs only
// What multiplies matrices on the CPU: the engine's own loops (AVX2), oneDNN, or the one that is quicker on
// this kind of processor. Each adds in an order of its own, so that the bits differ.
enum class MatrixLibrary : std::uint8_t { Auto, Loops, OneDnn };

// What full recomputation computes again in one go, and so keeps the input of: a stage, by an R directly
// before its B or I; or each layer, inside B or I directly before the layer's own backward.
enum class CheckpointEvery : std::uint8_t { Stage, Layer };

// GPT shape: changing any of these starts a new run.
struct ModelConfig {
    int layers = 8;    // L, transformer blocks
    int hidden = 256;  // C
    int heads = 4;
    int sequence = 128;    // T, tokens per sample
    int vocabulary = 256;  // V, byte-level text needs 256
    auto operator<=>(const ModelConfig&) const = default;
};

// One-way link between two different ranks: arrival = sender's end + latency + bytes / bandwidth.
struct LinkModel {
    double latency_us = 0.0;
    double gbps = 0.0;                      // 1e9 bits per second; 0 = infinitely fast
    double transferNs(double bytes) const;  // at most 1e15, whatever the values
    auto operator<=>(const LinkModel&) const = default;
};

struct TrainingConfig {
    double learning_rate = 1e-3;
    double weight_decay = 0.01;
    double clip_norm = 1.0;  // global gradient norm; 0 = no clipping
    auto operator<=>(const TrainingConfig&) const = default;
};

struct RunConfig {
    std::string schedule = "1f1b";
    ScheduleParams params;  // p, v, m, group size, d, t, ZeRO, segments
    int micro_batch = 4;    // B, samples per micro-batch
    ModelConfig model;
    Recompute recompute = Recompute::None;
    CheckpointEvery checkpoint_every = CheckpointEvery::Stage;  // of full recomputation alone
    // t > 1: LayerNorms and the residual stream on T / t tokens of a shard (arXiv:2205.05198).
    bool sequence_parallel = false;
    std::vector<int> layers_per_stage;  // empty = as even as possible; else one entry a stage
    LinkModel link;
    std::vector<std::pair<int, double>> slow_ranks;  // rank of the world, factor >= 1
    ClockChoice clock = ClockChoice::Auto;
    Durations durations = Durations::Raw;
    TrainingConfig training;
    std::uint64_t seed = 1;
    std::string data_file;       // empty = the built-in text
    double memory_cap_mb = 0.0;  // activation bytes of any one rank, 1e6 bytes; 0 = no cap
    DeviceChoice device = DeviceChoice::Cpu;
    Dtype dtype = Dtype::Fp32;
    MatrixLibrary matrix_library = MatrixLibrary::Auto;
    bool cuda_graphs = false;  // GPUs: what a stage's operation launches again and again goes in one call
    // GPUs: one iteration in so many runs untraced, to learn what tracing costs; 0 = none.
    int trace_cost = 0;
    bool operator==(const RunConfig&) const = default;
    // No R then: B and I compute each layer again and last longer by that.
    bool recomputesInBackward() const {
        return recompute == Recompute::Full && checkpoint_every == CheckpointEvery::Layer;
    }
    // What recomputes by operations of its own; what to lower() with.
    Recompute recomputedApart() const { return recomputesInBackward() ? Recompute::None : recompute; }
    // Samples of an iteration, of legal values.
    std::int64_t samples() const { return std::int64_t{params.microbatches()} * micro_batch; }
};

// Every illegal value, none twice. Of files it reads the schedule's alone, and does not look at this
// machine's cores.
std::vector<Problem> problems(const RunConfig& config);
// The same when its order is given: neither the catalog nor a file is read. Of the order it says what a
// Schedule must be to be lowered and run.
std::vector<Problem> problems(const RunConfig& config, const Schedule& order);
// What is illegal whatever the order is.
std::vector<Problem> valueProblems(const RunConfig& config);

// (stages,) number of transformer blocks of each stage of one chain: as given, or the even split (the first
// stages take the remainder).
std::vector<int> layersPerStage(const RunConfig& config, int stages);
// How few of them a stage, of so many, may have: the ends may hold embedding and head alone.
int leastLayers(int stage, int stages);

// The words of a choice in files, on the command line and in the stream, by its value.
template <class Choice>
inline constexpr std::array<const char*, 0> kWords{};
template <>
inline constexpr std::array kWords<Recompute>{"none", "full", "selective"};
template <>
inline constexpr std::array kWords<CheckpointEvery>{"stage", "layer"};
template <>
inline constexpr std::array kWords<ClockChoice>{"auto", "measured", "reconstructed"};
template <>
inline constexpr std::array kWords<Durations>{"raw", "calibrated"};
template <>
inline constexpr std::array kWords<DeviceChoice>{"cpu", "cuda", "auto"};
template <>
inline constexpr std::array kWords<Dtype>{"fp32", "bf16"};
template <>
inline constexpr std::array kWords<MatrixLibrary>{"auto", "loops", "onednn"};

template <class Choice>
requires(!kWords<Choice>.empty()) const char* toText(Choice value) {
    return kWords<Choice>.at(static_cast<std::size_t>(value));
}

// Inverse of toText; nullopt for another word.
template <class Choice>
requires(!kWords<Choice>.empty()) std::optional<Choice> parseWord(std::string_view word) {
    for (std::size_t value = 0; value < kWords<Choice>.size(); ++value)
        if (word == kWords<Choice>[value]) return static_cast<Choice>(value);
    return std::nullopt;
}

}  // namespace bscope
