#include "config/run_config.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "catalog/catalog.h"
#include "catalog/nearest.h"
#include "config/config_table.h"
#include "schedule/formats/utf8.h"
#include "schedule/validate.h"

namespace bscope {

namespace {

constexpr double kMaxSlowFactor = 1e6;

class Check {
public:
    // chunks: stages of a chain on a rank, 0 when they are not known.
    Check(const RunConfig& config, int chunks, std::vector<Problem> of_schedule)
        : config_(config), chunks_(chunks), found_(std::move(of_schedule)) {}

    std::vector<Problem> run() {
        // The sizes were looked at with the schedule.
        for (const ConfigRow& row : configTable())
            if (std::ranges::find(found_, row.name, &Problem::field) == found_.end())
                checkRange(row, config_, found_);
        checkHeads();
        checkShards();
        checkSegments();
        checkSplit();
        checkSlowRanks();
        checkTexts();
        checkDevice();
        return std::move(found_);
    }

private:
    bool inRange(const char* name) const {
        std::vector<Problem> found;
        checkRange(*findConfigRow(name), config_, found);
        return found.empty();
    }

    void checkHeads() {
        const ModelConfig& model = config_.model;
        if (!inRange("hidden") || !inRange("heads") || model.hidden % model.heads == 0) return;
        found_.push_back({"heads",
                          "hidden = {0} must be a multiple of heads = {1}",
                          {std::to_string(model.hidden), std::to_string(model.heads)},
                          nearestLegal(model.heads, 1, model.hidden,
                                       [&](long heads) { return model.hidden % heads == 0; })});
    }

    // Every shard has as many rows of a micro-batch.
    void checkSequenceParallel() {
        const int t = config_.params.t, sequence = config_.model.sequence;
        if (!config_.sequence_parallel || !inRange("t")) return;
        if (t == 1)
            found_.push_back(
                {"sequence_parallel",
                 "sequence parallelism needs t > 1: it cuts the tokens over the shards of a stage",
                 {},
                 {}});
        else if (inRange("sequence") && sequence % t != 0)
            found_.push_back({"sequence",
                              "sequence = {0} must be a multiple of t = {1} with sequence parallelism",
                              {std::to_string(sequence), std::to_string(t)},
                              nearestLegal(sequence, 1, 2L * std::max(sequence, t),
                                           [&](long tokens) { return tokens % t == 0; })});
    }

    // Segments are as long as each other, and a cut sequence needs keys and values of what is before.
    void checkSegments() {
        const int segments = config_.params.segments, sequence = config_.model.sequence;
        if (segments == 1 || !inRange("segments")) return;
        const std::string count = std::to_string(segments);
        const int parts = config_.sequence_parallel && inRange("t") ? config_.params.t : 1;
        if (inRange("sequence") && sequence % (segments * parts) != 0)
            found_.push_back({"segments",
                              parts == 1 ? "sequence = {0} must be a multiple of segments = {1}"
                                         : "sequence = {0} must be a multiple of segments = {1} times t = "
                                           "{2} with sequence parallelism",
                              {std::to_string(sequence), count, std::to_string(parts)},
                              nearestLegal(segments, 1, kMaxSegments,
                                           [&](long each) { return sequence % (each * parts) == 0; })});
        if (config_.recompute == Recompute::Full)
            found_.push_back({"recompute",
                              "full recomputation needs segments = 1: it would drop the keys and values that "
                              "later segments read; selective keeps them",
                              {},
                              {}});
        if (config_.device == DeviceChoice::Cuda)
            found_.push_back({"segments",
                              "segments = {0} must be 1 on GPUs: cut sequences run on the CPU alone",
                              {count},
                              {1}});
    }

    // Every shard of a block has whole heads.
    void checkShards() {
        const int t = config_.params.t;
        checkSequenceParallel();
        if (t == 1 || !inRange("t")) return;
        const std::string shards = std::to_string(t);
        const int heads = config_.model.heads, vocabulary = config_.model.vocabulary;
        const std::vector<long> nearest = nearestLegal(
            t, 1, heads, [&](long shard) { return heads % shard == 0 && vocabulary % shard == 0; });
        if (inRange("heads") && heads % t != 0)
            found_.push_back({"t",
                              "heads = {0} must be a multiple of t = {1}: a shard has whole heads",
                              {std::to_string(heads), shards},
                              nearest});
        if (inRange("vocabulary") && vocabulary % t != 0)
            found_.push_back(
                {"t",
                 "vocabulary = {0} must be a multiple of t = {1}: every shard has as many of its "
                 "rows",
                 {std::to_string(vocabulary), shards},
                 nearest});
        if (config_.device == DeviceChoice::Cuda)
            found_.push_back({"t", "t = {0} must be 1 on GPUs: shards run on the CPU alone", {shards}, {1}});
        if (config_.durations == Durations::Calibrated)
            found_.push_back({"durations",
                              "calibrated durations need t = 1: they are those of whole operations, and "
                              "shards meet within one",
                              {},
                              {}});
    }

    void checkSplit() {
        const int layers = config_.model.layers;
        const ScheduleParams& params = config_.params;
        if (chunks_ == 0 || params.p < 1 || params.v < 1 || params.p > kMaxRanks || params.v > kMaxChunks)
            return;
        const int stages = params.p * chunks_;
        const std::vector<int>& split = config_.layers_per_stage;
        const bool is_split = split.size() == static_cast<std::size_t>(stages);  // then its sum is compared
        if (inRange("layers") && !is_split && layers < stages)
            found_.push_back({"layers",
                              "{0} layers cannot fill {1} stages (p = {2} times v = {3})",
                              {std::to_string(layers), std::to_string(stages), std::to_string(params.p),
                               std::to_string(chunks_)},
                              {stages}});
        if (split.empty()) return;
        if (!is_split)
            found_.push_back({"layers_per_stage",
                              "the split names {0} stages, the pipeline has {1} (p = {2} times v = {3})",
                              {std::to_string(split.size()), std::to_string(stages), std::to_string(params.p),
                               std::to_string(chunks_)},
                              {}});
        for (std::size_t stage = 0; stage < split.size(); ++stage)
            if (const int least = leastLayers(static_cast<int>(stage), static_cast<int>(split.size()));
                split[stage] < least)
                found_.push_back({"layers_per_stage",
                                  least == 0 ? "stage {0} has {1} layers, it needs none or more"
                                             : "stage {0} has {1} layers, it needs at least one",
                                  {std::to_string(stage), std::to_string(split[stage])},
                                  {least}});
        const long sum = std::accumulate(split.begin(), split.end(), 0L);
        if (sum != layers)
            found_.push_back({"layers_per_stage",
                              "the split adds up to {0} layers, the model has {1}",
                              {std::to_string(sum), std::to_string(layers)},
                              {}});
    }

    void checkDevice() {
        if (config_.params.zero > 0 && config_.device == DeviceChoice::Cuda)
            found_.push_back({"zero",
                              "zero = {0} must be 0 on GPUs: ZeRO runs on the CPU alone",
                              {std::to_string(config_.params.zero)},
                              {0}});
        if (config_.dtype == Dtype::Bf16 && config_.device == DeviceChoice::Cpu)
            found_.push_back({"dtype", "bf16 needs a GPU: the CPU computes in fp32", {}, {}});
        if (config_.cuda_graphs && config_.device == DeviceChoice::Cpu)
            found_.push_back({"cuda_graphs", "CUDA graphs need a GPU", {}, {}});
        if (config_.matrix_library != MatrixLibrary::Auto && config_.device == DeviceChoice::Cuda)
            found_.push_back({"matrix_library",
                              "on GPUs cuBLASLt multiplies: {0} = {1} is for the CPU",
                              {"matrix_library", toText(config_.matrix_library)},
                              {}});
    }

    void checkSlowRanks() {
        const ScheduleParams& params = config_.params;
        const long ranks = static_cast<long>(params.p) * params.d * params.t;
        std::set<int> seen;
        for (const auto& [rank, factor] : config_.slow_ranks) {
            if (ranks >= 1 && (rank < 0 || rank >= ranks))
                found_.push_back({"slow_ranks",
                                  "there is no rank {0}, ranks go from 0 to {1}",
                                  {std::to_string(rank), std::to_string(ranks - 1)},
                                  {std::clamp<long>(rank, 0, ranks - 1)}});
            if (!seen.insert(rank).second)
                found_.push_back({"slow_ranks", "rank {0} is slowed down twice", {std::to_string(rank)}, {}});
            if (!(factor >= 1 && factor <= kMaxSlowFactor))
                found_.push_back(
                    {"slow_ranks",
                     "rank {0} cannot be slowed down by {1}, the factor must lie between 1 and {2}",
                     {std::to_string(rank), numberText(factor), numberText(kMaxSlowFactor)},
                     {factor > 1 ? static_cast<long>(kMaxSlowFactor) : 1}});
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
                {field, "{0} = {1} is unknown; legal: {2}", {field, shown, sentence("a name in UTF-8")}, {}});
        }
    }

    const RunConfig& config_;
    int chunks_;
    std::vector<Problem> found_;
};

Problem ofOrder(const std::string& sentence) {
    return {"schedule", "{0}", {sentence}, {}};
}

// That the parts of an order agree with each other and with the parameters; locateErrors() looks into it.
std::vector<std::string> shapeErrors(const ScheduleParams& params, const Schedule& order) {
    std::vector<std::string> found;
    const auto require = [&found](bool is_so, const char* sentence) {
        if (!is_so) found.push_back(sentence);
    };
    const std::size_t stages = order.placement.size(), chains = order.chains.size();
    const bool streams = order.step_every > 0;  // some batches of it are drawn
    ScheduleParams same = order.params;
    if (streams && same.m % params.m == 0) same.m = params.m;
    require(same == params, "the order is one for other parameters");
    require(order.orders.size() == static_cast<std::size_t>(params.layout().world()),
            "the order has another number of ranks");
    require(stages ==
                static_cast<std::size_t>(params.p) * static_cast<std::size_t>(params.v * params.d * params.t),
            "the order has another number of stages");
    require(chains > 0 && chains % static_cast<std::size_t>(params.t) == 0 && stages % chains == 0,
            "the stages do not divide evenly over the chains");
    int next = 0;
    bool consecutive = true;
    for (const std::vector<int>& chain : order.chains) {
        consecutive = consecutive && chain.size() * chains == stages;
        for (const int stage : chain) consecutive = consecutive && stage == next++;
    }
    require(consecutive, "the stages of the chains are not numbered consecutively");
    if (!found.empty()) return found;
    long microbatches = 0, forwards = 0;
    if (order.chain_microbatches.empty()) {
        require(order.params.m % order.replicas() == 0,
                "the micro-batches do not divide evenly over the chains");
        microbatches = order.params.m;
    } else {
        require(order.chain_microbatches.size() == chains, "not every chain has a number of micro-batches");
        for (std::size_t chain = 0; chain < order.chain_microbatches.size(); ++chain) {
            const int of_chain = order.chain_microbatches[chain];
            require(of_chain >= 0 && of_chain <= order.params.microbatches(),
                    "a chain has an impossible number of micro-batches");
            if (order.shardOf(static_cast<int>(chain)) == 0) microbatches += of_chain;
        }
    }
    require(microbatches == order.params.microbatches(), "the chains have another number of micro-batches");
    require(order.step_every >= 0 && (!streams || params.m % order.step_every == 0),
            "the micro-batches do not divide evenly over the optimizer steps");
    require(streams == (order.weights != WeightRule::Flush),
            "the order steps otherwise than its weights ask");
    require(!streams || (params.v == 1 && chains == 1), "a stream has one chain and one stage on a rank");
    if (!found.empty()) return found;
    // What is missing is found by counting first, so that little is looked at when little is there.
    long actions = 0;
    for (const std::vector<Action>& each : order.orders) actions += static_cast<long>(each.size());
    for (std::size_t chain = 0; chain < chains; ++chain)
        forwards += static_cast<long>(stages / chains) * order.microbatchesOfChain(static_cast<int>(chain));
    require(actions >= forwards, "operations are missing in the order");
    for (const std::vector<Action>& each : order.orders)
        require(each.empty() || !each.back().overlaps_next, "a last operation overlaps with a next one");
    return found;
}

std::vector<Problem> orderProblems(const ScheduleParams& params, const Schedule& order) {
    std::vector<Problem> found = sizeProblems(params);
    if (found.empty()) found = sizeProblems(order.params);
    if (!found.empty()) return found;
    std::vector<std::string> errors = shapeErrors(params, order);
    if (errors.empty()) errors = scheduleErrors(order);
    for (const std::string& error : errors) found.push_back(ofOrder(error));
    return found;
}

}  // namespace

double LinkModel::transferNs(double bytes) const {
    constexpr double kLongest_ns = 1e15;  // eleven days: sums over many messages stay in their type
    const double bits = 8 * bytes;
    const double transfer_ns = latency_us * 1e3 + (gbps > 0 ? bits / gbps : 0);
    return transfer_ns < kLongest_ns ? transfer_ns : kLongest_ns;
}

std::vector<Problem> problems(const RunConfig& config) {
    const CatalogEntry* entry = findSchedule(config.schedule);
    const int chunks = entry != nullptr && entry->replicas > 1 ? 1 : config.params.v;
    return Check(config, chunks, scheduleProblems(config.schedule, config.params)).run();
}

std::vector<Problem> problems(const RunConfig& config, const Schedule& order) {
    std::vector<Problem> found = orderProblems(config.params, order);
    const int chunks = found.empty() ? static_cast<int>(order.chains.front().size()) / config.params.p : 0;
    return Check(config, chunks, std::move(found)).run();
}

std::vector<Problem> valueProblems(const RunConfig& config) {
    return Check(config, 0, sizeProblems(config.params)).run();
}

int leastLayers(int stage, int stages) {
    return stages > 1 && (stage == 0 || stage + 1 == stages) ? 0 : 1;
}

std::vector<int> layersPerStage(const RunConfig& config, int stages) {
    if (!config.layers_per_stage.empty()) return config.layers_per_stage;
    std::vector<int> layers(static_cast<std::size_t>(stages), config.model.layers / stages);
    const int remainder = config.model.layers % stages;
    for (int stage = 0; stage < remainder; ++stage) ++layers[static_cast<std::size_t>(stage)];
    return layers;
}

}  // namespace bscope
