// RunConfig: everything a run depends on, and problems(): everything that is illegal in it, each with the
// nearest legal value. The window, the command line and the engine all ask the same function.
#pragma once

#include <cstdint>
#include <string>
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
    ScheduleParams params;  // p, v, m, group size, d
    int micro_batch = 4;    // B, samples per micro-batch
    ModelConfig model;
    Recompute recompute = Recompute::None;
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
    bool cuda_graphs = false;  // GPUs: what a stage's operation launches again and again goes in one call
    // GPUs: one iteration in so many runs untraced, to learn what tracing costs; 0 = none.
    int trace_cost = 0;
    bool operator==(const RunConfig&) const = default;
    // Samples of an iteration, of legal values.
    std::int64_t samples() const { return std::int64_t{params.microbatches()} * micro_batch; }
};

// Every illegal value, none twice. Of files it reads the schedule's alone, and does not look at this
// machine's cores.
std::vector<Problem> problems(const RunConfig& config);
// The same when its order is given: neither the catalog nor a file is asked. Of the order it says what a
// Schedule must be to be lowered and run.
std::vector<Problem> problems(const RunConfig& config, const Schedule& order);
// What is illegal whatever the order is.
std::vector<Problem> valueProblems(const RunConfig& config);

// (stages,) number of transformer blocks of each stage of one chain: as given, or the even split (the first
// stages take the remainder).
std::vector<int> layersPerStage(const RunConfig& config, int stages);

const char* toText(Recompute value);     // "none" | "full" | "selective"
const char* toText(ClockChoice value);   // "auto" | "measured" | "reconstructed"
const char* toText(Durations value);     // "raw" | "calibrated"
const char* toText(DeviceChoice value);  // "cpu" | "cuda" | "auto"
const char* toText(Dtype value);         // "fp32" | "bf16"

}  // namespace bscope
