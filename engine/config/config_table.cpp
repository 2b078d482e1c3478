// The rows, and the queries on them.
#include "config/config_table.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

namespace bscope {

namespace {

constexpr int kByteVocabulary = 256;
// Limits that keep every tensor size inside its type; far beyond what this machine could hold.
constexpr int kMaxLayers = 4096, kMaxHidden = 65536, kMaxSequence = 1 << 20, kMaxVocabulary = 1 << 20,
              kMaxMicroBatch = 65536;
// A thousand seconds, and a megabit in a second: what a whole iteration takes then stays far below 2^63 ns.
constexpr double kMaxLatency_us = 1e9, kLeastGbps = 1e-3;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr ValueRange kAny{-kNoLimit, kNoLimit};
constexpr ValueRange kZeroOrMore{0, kNoLimit};

constexpr ValueRange rangeOf(int ScheduleParams::*size) {
    const SizeRange* const own = std::ranges::find(kSizeRanges, size, &SizeRange::size);
    return {static_cast<double>(own->least), static_cast<double>(own->greatest)};
}

template <auto First, auto... Rest>
constexpr auto& memberOf(auto& object) {
    if constexpr (sizeof...(Rest) == 0)
        return object.*First;
    else
        return memberOf<Rest...>(object.*First);
}

// The field that these members lead to.
template <auto... Path>
constexpr auto place() {
    using T = std::remove_cvref_t<decltype(memberOf<Path...>(std::declval<RunConfig&>()))>;
    if constexpr (std::is_enum_v<T>)
        return WordPlace{
            [](const RunConfig& config) { return static_cast<std::size_t>(memberOf<Path...>(config)); },
            [](RunConfig& config, std::size_t value) { memberOf<Path...>(config) = static_cast<T>(value); },
            kWords<T>};
    else
        return Place<T>{[](RunConfig& config) -> T& { return memberOf<Path...>(config); },
                        [](const RunConfig& config) -> const T& { return memberOf<Path...>(config); }};
}

using R = RunConfig;
using P = ScheduleParams;
using M = ModelConfig;
using L = LinkModel;
using T = TrainingConfig;
using enum ChangeCost;

// clang-format off
// name, group, title, place, range, cost of a change, option
constexpr ConfigRow kTable[] = {
    {"schedule", "", "schedule", place<&R::schedule>(), kAny, NewPipeline,
     {"--schedule", "NAME", "schedule by name; bscope schedule --list shows them"}},
    {"p", "", "p", place<&R::params, &P::p>(), rangeOf(&P::p), NewPipeline,
     {"-p", "P", "pipeline ranks"}},
    {"v", "", "v", place<&R::params, &P::v>(), rangeOf(&P::v), NewPipeline,
     {"-v", "V", "virtual stages per rank (the usual of --schedule)"}},
    {"m", "", "m", place<&R::params, &P::m>(), rangeOf(&P::m), NewPipeline,
     {"-m", "M", "micro-batches per iteration"}},
    {"d", "", "d", place<&R::params, &P::d>(), rangeOf(&P::d), NewPipeline,
     {"-d", "D", "data-parallel replicas of the pipeline, each of p ranks and m micro-batches"}},
    {"zero", "", "ZeRO", place<&R::params, &P::zero>(), rangeOf(&P::zero), NewPipeline,
     {"--zero", "STAGE", "d > 1: ZeRO stage; with 1 each copy of a stage has a d-th of the optimizer state"}},
    {"t", "", "t", place<&R::params, &P::t>(), rangeOf(&P::t), NewPipeline,
     {"-t,--tensor", "T", "tensor-parallel shards of every stage: p d t ranks"}},
    {"segments", "", "segments", place<&R::params, &P::segments>(), rangeOf(&P::segments), NewPipeline,
     {"--segments", "Q", "seq1f1b: segments that every sequence is cut into"}},
    {"sequence_parallel", "", "sequence parallelism", place<&R::sequence_parallel>(), kAny, NewPipeline,
     {"--sequence-parallel", "", "t > 1: LayerNorms and the residual stream on T / t tokens of every shard"}},
    {"group_size", "", "group size", place<&R::params, &P::group_size>(), rangeOf(&P::group_size), NewPipeline,
     {"--group-size", "N", "interleaved: micro-batches per group, 0 = default"}},
    {"vertical_sync", "", "vertical sync", place<&R::params, &P::vertical_sync>(), kAny, NewPipeline,
     {"--vertical-sync", "", "PipeDream: a micro-batch uses the same version of the weights everywhere"}},
    {"micro_batch", "", "micro-batch", place<&R::micro_batch>(), {1, kMaxMicroBatch}, NewPipeline,
     {"--micro-batch", "B", "samples per micro-batch"}},
    {"layers", "model", "layers", place<&R::model, &M::layers>(), {1, kMaxLayers}, NewRun,
     {"--layers", "L", "transformer blocks"}},
    {"hidden", "model", "hidden size", place<&R::model, &M::hidden>(), {1, kMaxHidden}, NewRun,
     {"--hidden", "C", "hidden size"}},
    {"heads", "model", "heads", place<&R::model, &M::heads>(), {1, kMaxHidden}, NewRun,
     {"--heads", "H", "attention heads"}},
    {"sequence", "model", "sequence", place<&R::model, &M::sequence>(), {1, kMaxSequence}, NewRun,
     {"--seq", "T", "tokens per sample"}},
    {"vocabulary", "model", "vocabulary", place<&R::model, &M::vocabulary>(), {kByteVocabulary, kMaxVocabulary},
     NewRun, {}},
    {"recompute", "", "checkpointing", place<&R::recompute>(), kAny, NewPipeline,
     {"--recompute", "MODE", "activation checkpointing: none, full or selective"}},
    {"checkpoint_every", "", "checkpoint every", place<&R::checkpoint_every>(), kAny, NewPipeline,
     {"--checkpoint-every", "WHAT", "full recomputation: keep the input of every stage, or of every layer"}},
    {"layers_per_stage", "", "split", place<&R::layers_per_stage>(), kAny, NewPipeline,
     {"--layers-per-stage", "3,2,2,1",
      "the split, or Megatron-LM's layout of it, such as Et*3|tt|tt|tL; even when absent"}},
    {"latency_us", "link", "link latency", place<&R::link, &L::latency_us>(), {0, kMaxLatency_us}, NewPipeline,
     {"--link-latency-us", "X", "latency of a message between two ranks"}},
    {"gbps", "link", "link speed", place<&R::link, &L::gbps>(),
     {kLeastGbps, kNoLimit, "{0} = {1} must be 0, infinitely fast, or at least {2}"}, NewPipeline,
     {"--link-gbps", "X", "bandwidth of a link, 1e9 bits per second; 0 = infinitely fast"}},
    {"slow_ranks", "", "slow rank", place<&R::slow_ranks>(), kAny, NewPipeline,
     {"--slow-rank", "R=1.5", "slow a rank down by a factor; may be repeated"}},
    {"clock", "", "clock", place<&R::clock>(), kAny, NewPipeline,
     {"--clock", "CLOCK", "auto, measured (a core or GPU a rank) or reconstructed (a device clock a rank)"}},
    {"durations", "", "durations", place<&R::durations>(), kAny, NewPipeline,
     {"--durations", "KIND", "raw, or calibrated: median per stage and operation"}},
    {"learning_rate", "training", "learning rate", place<&R::training, &T::learning_rate>(), kZeroOrMore, Nothing,
     {"--lr", "X", "learning rate of AdamW"}},
    {"weight_decay", "training", "weight decay", place<&R::training, &T::weight_decay>(), kZeroOrMore, Nothing,
     {"--weight-decay", "X", "weight decay of AdamW"}},
    {"clip_norm", "training", "gradient clipping", place<&R::training, &T::clip_norm>(), kZeroOrMore, Nothing,
     {"--clip", "X", "greatest norm of all gradients together; 0 = no clipping"}},
    {"seed", "", "seed", place<&R::seed>(), kAny, NewRun,
     {"--seed", "N", "seed of the weights and of the order of the data"}},
    {"data_file", "", "data", place<&R::data_file>(), kAny, NewRun,
     {"--data", "FILE", "text to train on; a built-in one when absent"}},
    {"memory_cap_mb", "", "cap", place<&R::memory_cap_mb>(), kZeroOrMore, NewPipeline,
     {"--memory-cap-mb", "X", "refuse what needs more activation memory on a rank; 1e6 bytes, 0 = no cap"}},
    {"device", "", "device", place<&R::device>(), kAny, NewPipeline,
     {"--device", "DEVICE", "cpu, cuda (GPUs), or auto: GPUs when there are any"}},
    {"dtype", "", "number type", place<&R::dtype>(), kAny, NewPipeline,
     {"--dtype", "TYPE", "fp32, or bf16 on GPUs: the operands of matrix products"}},
    {"matrix_library", "", "matrix products", place<&R::matrix_library>(), kAny, NewPipeline,
     {"--matrix-library", "LIBRARY", "CPU: what multiplies matrices: auto, loops (the engine's own, AVX2) or onednn"}},
    {"trace_cost", "", "trace cost", place<&R::trace_cost>(),
     {2, kNoLimit, "{0} = {1}: one iteration in that many runs untraced, so it must be 0 (none) or at least {2}"},
     NewPipeline,
     {"--trace-cost", "N", "GPUs: leave tracing off in one iteration of N (with a flush) and report what it costs"}},
    {"cuda_graphs", "", "CUDA graphs", place<&R::cuda_graphs>(), kAny, NewPipeline,
     {"--cuda-graphs", "", "GPUs: launch the kernels of an operation in one call, as a CUDA graph"}},
};
// clang-format on

// How many members an aggregate has: as many as it can be made of.
struct Anything {
    template <class Value>
    operator Value() const;
};
template <class Aggregate, class... Members>
consteval std::size_t memberCount() {
    if constexpr (requires { Aggregate{Members{}..., Anything{}}; })
        return memberCount<Aggregate, Members..., Anything>();
    else
        return sizeof...(Members);
}
static_assert(std::size(kTable) == memberCount<R>() - 4 + memberCount<P>() + memberCount<M>() +
                                       memberCount<L>() + memberCount<T>(),
              "every field of RunConfig and of its four parts has a row in kTable");

void check(const ConfigRow& row, double value, std::vector<Problem>& found) {
    const auto& [least, greatest, sentence_with_zero] = row.range;
    const bool finite = greatest != kNoLimit || std::isfinite(value);
    if (finite && value >= least && value <= greatest) return;
    const std::string text = numberText(value);
    if (sentence_with_zero != nullptr) {
        if (value == 0) return;
        const long nearest = value > 0 ? std::lround(std::ceil(least)) : 0;
        found.push_back({row.name, sentence_with_zero, {row.name, text, numberText(least)}, {nearest}});
    } else if (greatest == kNoLimit) {
        found.push_back({row.name, "{0} = {1} must be zero or more", {row.name, text}, {0}});
    } else {
        const double nearest = value > least ? std::min(value, greatest) : least;
        found.push_back(outsideRange(row.name, text, numberText(least), numberText(greatest),
                                     static_cast<long>(nearest)));
    }
}

}  // namespace

std::string numberText(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (!text.empty() && text.back() == '.') text.pop_back();
    return text;
}

std::span<const ConfigRow> configTable() {
    return kTable;
}

const ConfigRow* findConfigRow(std::string_view name) {
    const auto found = std::ranges::find(kTable, name, &ConfigRow::name);
    return found == std::end(kTable) ? nullptr : found;
}

bool differs(const ConfigRow& row, const RunConfig& a, const RunConfig& b) {
    return std::visit([&](const auto& place) { return place.of(a) != place.of(b); }, row.place);
}

ChangeCost costOfChange(const RunConfig& before, const RunConfig& after) {
    ChangeCost cost = ChangeCost::Nothing;
    for (const ConfigRow& row : kTable)
        if (differs(row, before, after)) cost = std::max(cost, row.cost);
    return cost;
}

std::optional<double> numberIn(const ConfigRow& row, const RunConfig& config) {
    return std::visit(
        [&config](const auto& place) -> std::optional<double> {
            if constexpr (requires { static_cast<double>(place.of(config)); })
                return static_cast<double>(place.of(config));
            else
                return std::nullopt;
        },
        row.place);
}

bool setNumber(const ConfigRow& row, RunConfig& config, double value) {
    return std::visit(
        [&](const auto& place) {
            if constexpr (requires { place.set(config, std::size_t{}); })
                place.set(config, static_cast<std::size_t>(value));
            else if constexpr (requires { static_cast<double>(place.of(config)); })
                place.in(config) = static_cast<std::decay_t<decltype(place.of(config))>>(value);
            else
                return false;
            return true;
        },
        row.place);
}

void checkRange(const ConfigRow& row, const RunConfig& config, std::vector<Problem>& found) {
    if (const auto* integer = std::get_if<Place<int>>(&row.place)) check(row, integer->of(config), found);
    if (const auto* number = std::get_if<Place<double>>(&row.place)) check(row, number->of(config), found);
}

std::string joinedWords(const WordPlace& choice) {
    std::string joined;
    for (const char* word : choice.words) joined += (joined.empty() ? "" : ", ") + std::string(word);
    return joined;
}

Problem unknownWord(const ConfigRow& row, const std::string& word) {
    return {row.name,
            "{0} = {1} is unknown; legal: {2}",
            {row.name, word, joinedWords(std::get<WordPlace>(row.place))},
            {}};
}

bool setWord(const WordPlace& choice, RunConfig& config, std::string_view word) {
    const auto found =
        std::ranges::find(choice.words, word, [](const char* each) { return std::string_view(each); });
    if (found == choice.words.end()) return false;
    choice.set(config, static_cast<std::size_t>(found - choice.words.begin()));
    return true;
}

}  // namespace bscope
