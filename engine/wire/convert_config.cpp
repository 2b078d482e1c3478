// RunConfig and Problem between the stream's messages and the plain types.
#include <array>

#include "schedule/catalog.h"
#include "wire/convert.h"

namespace bscope {
namespace {

template <class Enum, std::size_t N>
std::optional<Enum> parseWord(std::string_view word, const std::array<Enum, N>& values) {
    for (const Enum value : values)
        if (word == toText(value)) return value;
    return std::nullopt;
}

template <class Enum>
void overlayWord(const char* field, const std::string& word, std::optional<Enum> parsed, const char* legal,
                 Enum& target, std::vector<Problem>& problems) {
    if (parsed)
        target = *parsed;
    else
        problems.push_back({field, "{0} = {1} is unknown; legal: {2}", {field, word, legal}, {}});
}

}  // namespace

std::optional<Recompute> parseRecompute(std::string_view word) {
    return parseWord(word, std::array{Recompute::None, Recompute::Full, Recompute::Selective});
}

std::optional<ClockChoice> parseClock(std::string_view word) {
    return parseWord(word, std::array{ClockChoice::Auto, ClockChoice::Measured, ClockChoice::Reconstructed});
}

std::optional<Durations> parseDurations(std::string_view word) {
    return parseWord(word, std::array{Durations::Raw, Durations::Calibrated});
}

std::optional<DeviceChoice> parseDevice(std::string_view word) {
    return parseWord(word, std::array{DeviceChoice::Cpu, DeviceChoice::Cuda, DeviceChoice::Auto});
}

std::optional<Dtype> parseDtype(std::string_view word) {
    return parseWord(word, std::array{Dtype::Fp32, Dtype::Bf16});
}

wire::RunConfig toWire(const RunConfig& config) {
    wire::RunConfig out;
    out.set_schedule(config.schedule);
    out.set_p(config.params.p);
    out.set_v(config.params.v);
    out.set_m(config.params.m);
    out.set_d(config.params.d);
    out.set_group_size(config.params.group_size);
    out.set_vertical_sync(config.params.vertical_sync);
    out.set_micro_batch(config.micro_batch);
    out.mutable_model()->set_layers(config.model.layers);
    out.mutable_model()->set_hidden(config.model.hidden);
    out.mutable_model()->set_heads(config.model.heads);
    out.mutable_model()->set_sequence(config.model.sequence);
    out.mutable_model()->set_vocabulary(config.model.vocabulary);
    out.set_recompute(toText(config.recompute));
    for (const int layers : config.layers_per_stage) out.add_layers_per_stage(layers);
    out.mutable_link()->set_latency_us(config.link.latency_us);
    out.mutable_link()->set_gbps(config.link.gbps);
    for (const auto& [rank, factor] : config.slow_ranks) {
        auto* slow = out.add_slow_ranks();
        slow->set_rank(rank);
        slow->set_factor(factor);
    }
    out.set_clock(toText(config.clock));
    out.set_durations(toText(config.durations));
    out.mutable_training()->set_learning_rate(config.training.learning_rate);
    out.mutable_training()->set_weight_decay(config.training.weight_decay);
    out.mutable_training()->set_clip_norm(config.training.clip_norm);
    out.set_seed(config.seed);
    out.set_data_file(config.data_file);
    out.set_memory_cap_mb(config.memory_cap_mb);
    out.set_device(toText(config.device));
    out.set_dtype(toText(config.dtype));
    out.set_trace_cost(config.trace_cost);
    out.set_cuda_graphs(config.cuda_graphs);
    return out;
}

// Another schedule without a v brings its usual one.
std::vector<Problem> overlay(const wire::RunConfig& from, RunConfig& config) {
    std::vector<Problem> problems;
    if (from.has_schedule() && from.schedule() != config.schedule) {
        config.schedule = from.schedule();
        if (const CatalogEntry* entry = findSchedule(config.schedule))
            config.params.v = defaultChunks(*entry);
    }
    if (from.has_p()) config.params.p = from.p();
    if (from.has_v()) config.params.v = from.v();
    if (from.has_m()) config.params.m = from.m();
    if (from.has_d()) config.params.d = from.d();
    if (from.has_group_size()) config.params.group_size = from.group_size();
    if (from.has_vertical_sync()) config.params.vertical_sync = from.vertical_sync();
    if (from.has_micro_batch()) config.micro_batch = from.micro_batch();
    const auto& model = from.model();
    if (model.has_layers()) config.model.layers = model.layers();
    if (model.has_hidden()) config.model.hidden = model.hidden();
    if (model.has_heads()) config.model.heads = model.heads();
    if (model.has_sequence()) config.model.sequence = model.sequence();
    if (model.has_vocabulary()) config.model.vocabulary = model.vocabulary();
    if (from.has_recompute())
        overlayWord("recompute", from.recompute(), parseRecompute(from.recompute()), "none, full, selective",
                    config.recompute, problems);
    if (from.layers_per_stage_size() > 0)
        config.layers_per_stage.assign(from.layers_per_stage().begin(), from.layers_per_stage().end());
    if (from.link().has_latency_us()) config.link.latency_us = from.link().latency_us();
    if (from.link().has_gbps()) config.link.gbps = from.link().gbps();
    if (from.slow_ranks_size() > 0) {
        config.slow_ranks.clear();
        for (const auto& slow : from.slow_ranks()) config.slow_ranks.emplace_back(slow.rank(), slow.factor());
    }
    if (from.has_clock())
        overlayWord("clock", from.clock(), parseClock(from.clock()), "auto, measured, reconstructed",
                    config.clock, problems);
    if (from.has_durations())
        overlayWord("durations", from.durations(), parseDurations(from.durations()), "raw, calibrated",
                    config.durations, problems);
    const auto& training = from.training();
    if (training.has_learning_rate()) config.training.learning_rate = training.learning_rate();
    if (training.has_weight_decay()) config.training.weight_decay = training.weight_decay();
    if (training.has_clip_norm()) config.training.clip_norm = training.clip_norm();
    if (from.has_seed()) config.seed = from.seed();
    if (from.has_data_file()) config.data_file = from.data_file();
    if (from.has_memory_cap_mb()) config.memory_cap_mb = from.memory_cap_mb();
    if (from.has_device())
        overlayWord("device", from.device(), parseDevice(from.device()), "cpu, cuda, auto", config.device,
                    problems);
    if (from.has_dtype())
        overlayWord("dtype", from.dtype(), parseDtype(from.dtype()), "fp32, bf16", config.dtype, problems);
    if (from.has_trace_cost()) config.trace_cost = from.trace_cost();
    if (from.has_cuda_graphs()) config.cuda_graphs = from.cuda_graphs();
    return problems;
}

RunConfig fromWire(const wire::RunConfig& config) {
    RunConfig out;
    if (const auto problems = overlay(config, out); !problems.empty())
        throw WireError(problems.front().text());
    return out;
}

wire::Problem toWire(const Problem& problem) {
    wire::Problem out;
    out.set_field(problem.field);
    out.set_message(problem.message);
    for (const auto& argument : problem.arguments) out.add_arguments(argument);
    for (const long legal : problem.legal) out.add_legal(legal);
    return out;
}

Problem fromWire(const wire::Problem& problem) {
    Problem out{
        problem.field(), problem.message(), {problem.arguments().begin(), problem.arguments().end()}, {}};
    for (const auto legal : problem.legal()) out.legal.push_back(static_cast<long>(legal));
    return out;
}

}  // namespace bscope
