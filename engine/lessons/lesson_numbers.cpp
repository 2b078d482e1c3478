#include "lessons/lesson_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

namespace bscope {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double ofIdeal(double of_total) {
    return of_total / (1 - of_total);
}

double theoryOf(const IterationReport& report) {
    return report.theory_bubble_of_total.value_or(kNone);
}

double busyMs(const LessonRun& run) {
    double busy_ms = 0;
    for (const RankReport& rank : run.report.ranks) busy_ms += rank.busy_ms;
    return busy_ms;
}

// Of all ranks together over so long.
double idleMs(const LessonRun& run, double length_ms) {
    return static_cast<double>(run.report.ranks.size()) * length_ms - busyMs(run);
}

// Idle share of the longest rank's span, from its first start to its last end of a compute operation, as if
// every rank had that span: what papers on zero bubble call the bubble.
double spanBubble(const LessonRun& run) {
    const double spans = static_cast<double>(run.report.ranks.size()) * run.report.span_ms;
    return spans > 0 ? 100 * idleMs(run, run.report.span_ms) / spans : kNone;
}

// Of one micro-batch, both ways.
double messages(const LessonRun& run) {
    if (!run.ran) return kNone;
    std::size_t count = 0;
    for (int rank = 0; rank < run.ran->ranks(); ++rank) count += run.ran->receives(rank).size();
    return run.report.m > 0 ? static_cast<double>(count) / (run.report.m * run.report.d * run.report.t)
                            : kNone;
}

double messageKb(const LessonRun& run) {
    for (int rank = 0; run.ran && rank < run.ran->ranks(); ++rank)
        if (!run.ran->receives(rank).empty())
            return static_cast<double>(run.ran->receives(rank).front().bytes) / 1e3;
    return kNone;
}

// From a rank's last backward pass to the end of its reduction of gradients over replicas, messages included,
// where that takes least: there it waits for no other copy.
double reduceMs(const LessonRun& run) {
    if (!run.ran) return kNone;
    std::optional<std::int64_t> least;
    for (int rank = 0; rank < run.ran->ranks(); ++rank) {
        std::optional<std::int64_t> from, to;
        for (const Event& event : run.ran->compute(rank)) {
            if (event.op == Op::ReduceGradients)
                to = std::max(to.value_or(event.end_ns), event.end_ns);
            else if (isCompute(event.op))
                from = std::max(from.value_or(event.end_ns), event.end_ns);
        }
        if (from && to) least = std::min(least.value_or(*to - *from), *to - *from);
    }
    return static_cast<double>(least.value_or(0)) / 1e6;
}

// Forwards that a rank begins before its first backward.
double warmUp(const LessonRun& run, std::size_t rank) {
    if (!run.ran) return kNone;
    int forwards = 0;
    for (const Event& event : run.ran->compute(static_cast<int>(rank))) {
        if (event.op == Op::Backward || event.op == Op::BackwardInput) break;
        forwards += event.op == Op::Forward ? 1 : 0;
    }
    return forwards;
}

double megabytes(std::int64_t bytes) {
    return static_cast<double>(bytes) / 1e6;
}

struct OfRun {
    std::string_view name;
    int decimals;
    double (*value)(const LessonRun&);
};

struct OfRank {
    std::string_view name;
    int decimals;
    double (*value)(const LessonRun&, std::size_t rank);
};

// clang-format off
constexpr OfRun kOfRun[] = {
    {"iteration_ms", 1, [](const LessonRun& run) { return run.report.iteration_ms; }},
    {"span_ms", 1, [](const LessonRun& run) { return run.report.span_ms; }},
    {"idle_ms", 1, [](const LessonRun& run) { return idleMs(run, run.report.iteration_ms); }},
    {"reduce_ms", 1, reduceMs},
    {"bubble", 1, [](const LessonRun& run) { return 100 * run.report.bubble_of_total; }},
    {"bubble_ideal", 1, [](const LessonRun& run) { return 100 * run.report.bubble_of_ideal; }},
    {"efficiency", 1, [](const LessonRun& run) { return 100 * (1 - run.report.bubble_of_total); }},
    {"span_bubble", 1, spanBubble},
    {"theory", 1, [](const LessonRun& run) { return 100 * theoryOf(run.report); }},
    {"theory_ideal", 1, [](const LessonRun& run) { return 100 * ofIdeal(theoryOf(run.report)); }},
    {"tokens_per_s", 0, [](const LessonRun& run) { return run.report.tokens_per_s; }},
    {"problems", 0, [](const LessonRun& run) { return run.problems < 0 ? kNone : run.problems; }},
    {"loss", 3, [](const LessonRun& run) { return run.report.loss; }},
    {"messages", 0, messages},
    {"message_kb", 1, messageKb},
    {"p", 0, [](const LessonRun& run) { return static_cast<double>(run.report.p); }},
    {"m", 0, [](const LessonRun& run) { return static_cast<double>(run.report.m); }},
    {"v", 0, [](const LessonRun& run) { return static_cast<double>(run.report.v); }},
    {"d", 0, [](const LessonRun& run) { return static_cast<double>(run.report.d); }},
    {"t", 0, [](const LessonRun& run) { return static_cast<double>(run.report.t); }},
    {"segments", 0, [](const LessonRun& run) { return static_cast<double>(run.report.segments); }},
};

constexpr OfRank kOfRank[] = {
    {"bubble", 1, [](const LessonRun& run, std::size_t rank) { return 100 * run.report.ranks[rank].bubble_of_total; }},
    {"busy_ms", 1, [](const LessonRun& run, std::size_t rank) { return run.report.ranks[rank].busy_ms; }},
    {"wait_ms", 1, [](const LessonRun& run, std::size_t rank) { return run.report.ranks[rank].wait_ms; }},
    {"transfer_ms", 1, [](const LessonRun& run, std::size_t rank) { return run.report.ranks[rank].transfer_ms; }},
    {"shards_wait_ms", 1, [](const LessonRun& run, std::size_t rank) { return run.report.ranks[rank].shards_wait_ms; }},
    {"shards_transfer_ms", 1, [](const LessonRun& run, std::size_t rank) { return run.report.ranks[rank].shards_transfer_ms; }},
    {"shards_mb", 1, [](const LessonRun& run, std::size_t rank) { return megabytes(run.report.ranks[rank].shards_bytes); }},
    {"peak_mb", 1, [](const LessonRun& run, std::size_t rank) { return megabytes(run.report.ranks[rank].peak_activation_bytes); }},
    {"in_flight", 0, [](const LessonRun& run, std::size_t rank) { return static_cast<double>(run.report.ranks[rank].peak_in_flight); }},
    {"warmup", 0, warmUp},
    {"weight_mb", 1, [](const LessonRun& run, std::size_t rank) { return megabytes(run.report.ranks[rank].weight_bytes); }},
    {"gradient_mb", 1, [](const LessonRun& run, std::size_t rank) { return megabytes(run.report.ranks[rank].gradient_bytes); }},
    {"optimizer_mb", 1, [](const LessonRun& run, std::size_t rank) { return megabytes(run.report.ranks[rank].optimizer_bytes); }},
    {"stashed_mb", 1, [](const LessonRun& run, std::size_t rank) { return megabytes(run.report.ranks[rank].stashed_weight_bytes); }},
    {"versions", 0, [](const LessonRun& run, std::size_t rank) { return static_cast<double>(run.report.ranks[rank].weight_versions); }},
    {"staleness", 0, [](const LessonRun& run, std::size_t rank) { return static_cast<double>(run.report.ranks[rank].staleness); }},
};
// clang-format on

LessonError unknown(std::string_view name) {
    return LessonError(sentence("no lesson has a number named {0}", std::string(name)));
}

template <class Row>
const Row& rowOf(std::span<const Row> table, std::string_view row, std::string_view name) {
    const auto found = std::ranges::find(table, row, &Row::name);
    if (found == table.end()) throw unknown(name);
    return *found;
}

}  // namespace

LessonNumber lessonNumber(std::string_view name, const LessonRuns& runs) {
    const std::size_t dot = name.find('.');
    const auto run = runs.find(name.substr(0, dot));
    if (dot == std::string_view::npos || run == runs.end()) throw unknown(name);
    const std::string_view rest = name.substr(dot + 1);
    const std::size_t second = rest.find('.');
    const bool is_there = run->second.has_value();
    if (second == std::string_view::npos) {
        const OfRun& row = rowOf(std::span<const OfRun>(kOfRun), rest, name);
        return {is_there ? row.value(*run->second) : kNone, row.decimals, is_there};
    }
    const OfRank& row = rowOf(std::span<const OfRank>(kOfRank), rest.substr(0, second), name);
    const std::string_view digits = rest.substr(second + 1);
    std::size_t rank = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    if (error != std::errc() || end != digits.data() + digits.size()) throw unknown(name);
    if (is_there && rank >= run->second->report.ranks.size()) throw unknown(name);
    return {is_there ? row.value(*run->second, rank) : kNone, row.decimals, is_there};
}

}  // namespace bscope
