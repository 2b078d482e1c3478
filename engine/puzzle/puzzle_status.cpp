#include "puzzle/puzzle_status.h"

#include <algorithm>
#include <tuple>

#include "analysis/critical_path.h"
#include "puzzle/par.h"
#include "schedule/activation_ledger.h"
#include "schedule/index.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace bscope {

namespace {

constexpr std::int64_t kStep = 1'000'000'000;

int stepsOf(std::int64_t ns) {
    return static_cast<int>((ns + kStep / 2) / kStep);
}

bool isBackward(Op op) {
    return op == Op::Backward || op == Op::BackwardInput;
}

}  // namespace

int PuzzleStatus::peak() const {
    return in_flight.empty() ? 0 : *std::ranges::max_element(in_flight);
}

PuzzleStatus standingOf(const PuzzleLevel& level, const Schedule& schedule) {
    PuzzleStatus standing;
    PuzzleGrid grid(level);
    grid.open(schedule.orders);
    standing.missing = grid.missingCount();
    for (int rank = 0; rank < level.p; ++rank) {
        standing.in_flight.push_back(peakInFlight(schedule.orders[at(rank)]));
        if (standing.over_cap < 0 && level.cap > 0 && standing.in_flight.back() > level.cap)
            standing.over_cap = rank;
    }
    const Timeline timeline = predict(lower(schedule), level.costs());
    if (!hasComputed(timeline, 0)) return standing;
    const IterationSummary summary = summarize(timeline, 0);
    standing.steps = stepsOf(summary.iteration_ns);
    std::int64_t busy = 0;
    for (const RankSummary& rank : summary.ranks) busy += rank.busy_ns;
    standing.idle = stepsOf(level.p * summary.iteration_ns - busy);
    standing.bubble_of_total = summary.bubble_of_total;
    const EventGraph graph(timeline, 0, summary.start_ns);
    for (const int node : criticalPath(graph).nodes) {
        const Event& event = *graph.node(node).event;
        standing.critical.push_back({event.stage, event.op, event.microbatch});
    }
    if (standing.missing > 0 || standing.over_cap >= 0) return standing;
    const PuzzlePar& par = parOf(level);
    standing.stars = standing.steps > par.steps ? 1 : standing.peak() > par.peak ? 2 : 3;
    return standing;
}

std::vector<Action> possibleNext(const PuzzleGrid& grid) {
    struct Next {
        int start, kind;
        Action action;
    };
    std::vector<Next> found;
    const PuzzleGrid::Orders left = grid.left();
    for (int rank = 0; rank < grid.level().p; ++rank)
        for (const Action& action : left[at(rank)]) {
            PuzzleGrid after = grid;
            if (after.place(action, static_cast<int>(grid.order(rank).size()))) continue;
            if (grid.level().cap > 0 && peakInFlight(after.order(rank)) > grid.level().cap) continue;
            const Timeline timeline = predict(lower(after.schedule()), grid.level().costs());
            const int kind = isBackward(action.op) ? 0 : action.op == Op::Forward ? 1 : 2;
            const Event last = *std::ranges::find_if(timeline.compute(rank), [&](const Event& event) {
                return event.op == action.op && event.stage == action.stage &&
                       event.microbatch == action.microbatch;
            });
            found.push_back({stepsOf(last.start_ns), kind, action});
        }
    std::ranges::stable_sort(found, {}, [](const Next& next) {
        return std::tuple(next.start, next.kind, next.action.microbatch);
    });
    std::vector<Action> actions;
    for (const Next& next : found) actions.push_back(next.action);
    return actions;
}

Sentence boundSentence(const PuzzleLevel& level) {
    const LowerBound bound = boundOf(level);
    if (const PuzzlePar& par = parOf(level); par.steps_proved && par.steps > stepsOf(bound.ns))
        return sentence("No order takes fewer than {0} steps: every order was tried, step by step",
                        par.steps);
    const int steps = stepsOf(bound.ns), start = stepsOf(bound.start_ns), work = stepsOf(bound.work_ns);
    switch (bound.rule) {
        case LowerBound::Rule::OneMicrobatch:
            return sentence(
                "No order takes fewer than {0} steps: one micro-batch needs that many to pass through all "
                "stages and back",
                steps);
        case LowerBound::Rule::Work:
            return sentence(
                "No order takes fewer than {0} steps: rank {1} begins at step {2} at the earliest, "
                "and then has {3} steps of work",
                steps, bound.rank, start, work);
        case LowerBound::Rule::Gradients:
            return sentence(
                "No order takes fewer than {0} steps: rank {1} begins at step {2} at the earliest, "
                "its forwards and gradients take {3}, and {4} more pass after the last of them",
                steps, bound.rank, start, work, stepsOf(bound.after_ns));
        case LowerBound::Rule::Memory:
            return sentence(
                "No order takes fewer than {0} steps: rank {1} begins at step {2} at the earliest, "
                "and with the memory of this level all micro-batches take {3} steps there",
                steps, bound.rank, start, work);
        case LowerBound::Rule::Fill:
            return sentence(
                "No order takes fewer than {0} steps: the first backward of rank {1} begins at step {2} at "
                "the earliest, and at least {3} steps of work are left then",
                steps, bound.rank, start, work);
        case LowerBound::Rule::RoomForGradients:
            return sentence(
                "No order takes fewer than {0} steps: rank {1} begins at step {2} at the earliest, its "
                "forwards and gradients, with the weight gradients that make room for them, take {3}, and "
                "{4} more pass after the last gradient",
                steps, bound.rank, start, work, stepsOf(bound.after_ns));
        case LowerBound::Rule::FillAndGradients:
            return sentence(
                "No order takes fewer than {0} steps: the first backward of rank {1} begins at step {2} at "
                "the earliest; of its forwards and gradients, with the weight gradients that make room for "
                "them, at least {3} steps are left then, and {4} more pass after the last gradient",
                steps, bound.rank, start, work, stepsOf(bound.after_ns));
    }
    return {};
}

Sentence parSentence(const PuzzleLevel& level) {
    const PuzzlePar& par = parOf(level);
    if (par.steps_proved && par.peak_proved)
        return sentence("Par: {0} steps with {1} in flight. Both are proved: no order does better", par.steps,
                        par.peak);
    if (par.steps_proved)
        return sentence("Par: {0} steps, proved to be the fewest, with {1} in flight, the fewest found",
                        par.steps, par.peak);
    return sentence(
        "Par: {0} steps with {1} in flight, the best found; there is no proof that fewer are impossible",
        par.steps, par.peak);
}

Sentence starSentence(const PuzzleLevel& level, const PuzzleStatus& standing) {
    const PuzzlePar& par = parOf(level);
    if (!standing.isComplete()) return sentence("{0} operations are missing", standing.missing);
    if (standing.over_cap >= 0)
        return sentence("rank {0} holds {1} in flight, and this level allows {2}", standing.over_cap,
                        standing.in_flight[at(standing.over_cap)], level.cap);
    if (standing.steps < par.steps || (standing.steps == par.steps && standing.peak() < par.peak))
        return sentence("{0} steps with {1} in flight: better than the best that was known", standing.steps,
                        standing.peak());
    if (standing.stars == 3)
        return sentence("{0} steps with {1} in flight: the par is reached", standing.steps, standing.peak());
    if (standing.stars == 2)
        return sentence("{0} steps, as the par; with {1} in flight instead of {2} it gets the third star",
                        standing.steps, par.peak, standing.peak());
    return sentence("{0} steps; with {1} it gets the second star", standing.steps, par.steps);
}

}  // namespace bscope
