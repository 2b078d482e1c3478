#include "schedule/run_config.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "schedule/catalog.h"
#include "schedule/nearest.h"
#include "schedule/utf8.h"

namespace bscope {

namespace {

constexpr int kByteVocabulary = 256;
// Limits that keep every tensor size inside its type; far beyond what this machine could hold.
constexpr int kMaxLayers = 4096, kMaxHidden = 65536, kMaxSequence = 1 << 20, kMaxVocabulary = 1 << 20,
              kMaxMicroBatch = 65536;

std::string number(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (!text.empty() && text.back() == '.') text.pop_back();
    return text;
}

class Check {
public:
    explicit Check(const RunConfig& config) : config_(config) {}

    std::vector<Problem> run() {
        found_ = scheduleProblems(config_.schedule, config_.params);
        checkModel();
        checkSplit();
        checkSlowRanks();
        checkTexts();
        atLeastZero("latency_us", config_.link.latency_us);
        atLeastZero("gbps", config_.link.gbps);
        atLeastZero("learning_rate", config_.training.learning_rate);
        atLeastZero("weight_decay", config_.training.weight_decay);
        atLeastZero("clip_norm", config_.training.clip_norm);
        atLeastZero("memory_cap_mb", config_.memory_cap_mb);
        checkDevice();
        return std::move(found_);
    }

private:
    bool inRange(const char* field, int value, int least, int greatest) {
        if (value >= least && value <= greatest) return true;
        found_.push_back({field,
                          std::string(field) + " = {0} must lie between {1} and {2}",
                          {std::to_string(value), std::to_string(least), std::to_string(greatest)},
                          {std::clamp(value, least, greatest)}});
        return false;
    }

    void atLeastZero(const char* field, double value) {
        if (value >= 0 && std::isfinite(value)) return;
        found_.push_back({field, std::string(field) + " = {0} must be zero or more", {number(value)}, {0}});
    }

    void checkModel() {
        const ModelConfig& model = config_.model;
        inRange("micro_batch", config_.micro_batch, 1, kMaxMicroBatch);
        inRange("sequence", model.sequence, 1, kMaxSequence);
        inRange("vocabulary", model.vocabulary, kByteVocabulary, kMaxVocabulary);
        const bool hidden_legal = inRange("hidden", model.hidden, 1, kMaxHidden);
        const bool heads_legal = inRange("heads", model.heads, 1, kMaxHidden);
        if (!hidden_legal || !heads_legal || model.hidden % model.heads == 0) return;
        found_.push_back({"heads",
                          "hidden = {0} must be a multiple of heads = {1}",
                          {std::to_string(model.hidden), std::to_string(model.heads)},
                          nearestLegal(model.heads, 1, model.hidden,
                                       [&](long heads) { return model.hidden % heads == 0; })});
    }

    void checkSplit() {
        const int layers = config_.model.layers;
        const bool layers_legal = inRange("layers", layers, 1, kMaxLayers);
        const ScheduleParams& params = config_.params;
        if (params.p < 1 || params.v < 1 || params.p > kMaxRanks || params.v > kMaxChunks) return;
        const CatalogEntry* entry = findSchedule(config_.schedule);
        const int chunks =
            entry != nullptr && entry->replicas > 1 ? 1 : params.v;  // of one replica on a rank
        const int stages = params.p * chunks;
        if (layers_legal && layers < stages)
            found_.push_back({"layers",
                              "{0} layers cannot fill {1} stages (p = {2} times v = {3})",
                              {std::to_string(layers), std::to_string(stages), std::to_string(params.p),
                               std::to_string(chunks)},
                              {stages}});
        const std::vector<int>& split = config_.layers_per_stage;
        if (split.empty()) return;
        if (split.size() != static_cast<std::size_t>(stages))
            found_.push_back({"layers_per_stage",
                              "the split names {0} stages, the pipeline has {1} (p = {2} times v = {3})",
                              {std::to_string(split.size()), std::to_string(stages), std::to_string(params.p),
                               std::to_string(chunks)},
                              {}});
        for (std::size_t stage = 0; stage < split.size(); ++stage)
            if (split[stage] < 1)
                found_.push_back({"layers_per_stage",
                                  "stage {0} has {1} layers, it needs at least one",
                                  {std::to_string(stage), std::to_string(split[stage])},
                                  {1}});
        const long sum = std::accumulate(split.begin(), split.end(), 0L);
        if (sum != layers)
            found_.push_back({"layers_per_stage",
                              "the split adds up to {0} layers, the model has {1}",
                              {std::to_string(sum), std::to_string(layers)},
                              {}});
    }

    void checkDevice() {
        if (config_.dtype == Dtype::Bf16 && config_.device == DeviceChoice::Cpu)
            found_.push_back({"dtype", "bf16 needs a GPU: the CPU computes in fp32", {}, {}});
        if (config_.cuda_graphs && config_.device == DeviceChoice::Cpu)
            found_.push_back({"cuda_graphs", "CUDA graphs need a GPU", {}, {}});
        if (config_.trace_cost < 0 || config_.trace_cost == 1)
            found_.push_back({"trace_cost",
                              "trace_cost = {0}: one iteration in that many runs untraced, so it must be 0 "
                              "(none) or at least 2",
                              {std::to_string(config_.trace_cost)},
                              {config_.trace_cost < 0 ? 0 : 2}});
    }

    void checkSlowRanks() {
        const long ranks = static_cast<long>(config_.params.p) * config_.params.d;
        std::set<int> seen;
        for (const auto& [rank, factor] : config_.slow_ranks) {
            if (ranks >= 1 && (rank < 0 || rank >= ranks))
                found_.push_back({"slow_ranks",
                                  "there is no rank {0}, ranks go from 0 to {1}",
                                  {std::to_string(rank), std::to_string(ranks - 1)},
                                  {std::clamp<long>(rank, 0, ranks - 1)}});
            if (!seen.insert(rank).second)
                found_.push_back({"slow_ranks", "rank {0} is slowed down twice", {std::to_string(rank)}, {}});
            if (!(factor >= 1) || !std::isfinite(factor))
                found_.push_back({"slow_ranks",
                                  "rank {0} cannot be slowed down by {1}, the factor must be 1 or more",
                                  {std::to_string(rank), number(factor)},
                                  {1}});
        }
    }

    // They stand in the stream and in recordings.
    void checkTexts() {
        for (const auto& [field, text] :
             {std::pair("schedule", &config_.schedule), std::pair("data_file", &config_.data_file)}) {
            if (isUtf8(*text)) continue;
            std::string shown = *text;
            for (char& letter : shown)
                if (static_cast<unsigned char>(letter) >= 0x80) letter = '?';
            found_.push_back(
                {field, "{0} = {1} is unknown; legal: {2}", {field, shown, "a name in UTF-8"}, {}});
        }
    }

    const RunConfig& config_;
    std::vector<Problem> found_;
};

}  // namespace

double LinkModel::transferNs(double bytes) const {
    const double bits = 8 * bytes;
    return latency_us * 1e3 + (gbps > 0 ? bits / gbps : 0);
}

std::vector<Problem> problems(const RunConfig& config) {
    return Check(config).run();
}

std::vector<int> layersPerStage(const RunConfig& config, int stages) {
    if (!config.layers_per_stage.empty()) return config.layers_per_stage;
    std::vector<int> layers(static_cast<std::size_t>(stages), config.model.layers / stages);
    const int remainder = config.model.layers % stages;
    for (int stage = 0; stage < remainder; ++stage) ++layers[static_cast<std::size_t>(stage)];
    return layers;
}

const char* toText(Recompute value) {
    switch (value) {
        case Recompute::None:
            return "none";
        case Recompute::Full:
            return "full";
        case Recompute::Selective:
            return "selective";
    }
    return "";
}

const char* toText(ClockChoice value) {
    switch (value) {
        case ClockChoice::Auto:
            return "auto";
        case ClockChoice::Measured:
            return "measured";
        case ClockChoice::Reconstructed:
            return "reconstructed";
    }
    return "";
}

const char* toText(Durations value) {
    return value == Durations::Raw ? "raw" : "calibrated";
}

const char* toText(DeviceChoice value) {
    switch (value) {
        case DeviceChoice::Cpu:
            return "cpu";
        case DeviceChoice::Cuda:
            return "cuda";
        case DeviceChoice::Auto:
            return "auto";
    }
    return "";
}

const char* toText(Dtype value) {
    return value == Dtype::Fp32 ? "fp32" : "bf16";
}

}  // namespace bscope
