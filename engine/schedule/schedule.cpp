#include "schedule/schedule.h"

#include <algorithm>

namespace bscope {

std::string sizesText(const ScheduleParams& params, bool sequence_parallel) {
    const auto size = [](const char* name, int value) { return name + std::to_string(value); };
    return size("p=", params.p) + size(" m=", params.m) + size(" v=", params.v) +
           (params.d > 1 ? size(" d=", params.d) : "") +
           (params.zero > 0 ? size(" ZeRO-", params.zero) : "") +
           (params.t > 1 ? size(" t=", params.t) : "") + (sequence_parallel ? " SP" : "") +
           (params.segments > 1 ? size(" q=", params.segments) : "");
}

namespace {

// Stages are numbered consecutively along a chain, except in an order from a file.
std::vector<int>::const_iterator placeIn(const std::vector<int>& chain, int stage) {
    const std::ptrdiff_t guess = stage - chain.front();
    if (guess >= 0 && guess < std::ssize(chain) && chain[static_cast<std::size_t>(guess)] == stage)
        return chain.begin() + guess;
    return std::find(chain.begin(), chain.end(), stage);
}

// The stage `offset` places further in its chain, -1 past the ends.
int neighbour(const Schedule& schedule, int stage, int offset) {
    for (const std::vector<int>& chain : schedule.chains) {
        const auto found = placeIn(chain, stage);
        if (found == chain.end()) continue;
        const auto position = found - chain.begin() + offset;
        const bool inside = position >= 0 && position < static_cast<std::ptrdiff_t>(chain.size());
        return inside ? chain[static_cast<std::size_t>(position)] : -1;
    }
    return -1;
}

// Of a stage in its chain.
int placeInChain(const Schedule& schedule, int stage) {
    const std::vector<int>& own = schedule.chains.at(static_cast<std::size_t>(schedule.chainOf(stage)));
    return static_cast<int>(placeIn(own, stage) - own.begin());
}

int stageAt(const Schedule& schedule, int chain, int position) {
    return schedule.chains.at(static_cast<std::size_t>(chain)).at(static_cast<std::size_t>(position));
}

}  // namespace

bool Schedule::has(Op op) const {
    return std::any_of(orders.begin(), orders.end(), [&](const std::vector<Action>& order) {
        return std::any_of(order.begin(), order.end(), [&](const Action& a) { return a.op == op; });
    });
}

bool Schedule::isForwardOnly() const {
    return !has(Op::Backward) && !has(Op::BackwardInput);
}

bool Schedule::hasSplitBackward() const {
    return has(Op::BackwardInput) || has(Op::BackwardWeight);
}

int Schedule::microbatchesOfChain(int chain) const {
    return chain_microbatches.empty() ? params.m / replicas()
                                      : chain_microbatches.at(static_cast<std::size_t>(chain));
}

int Schedule::microbatchesPerChain() const {
    if (chain_microbatches.empty()) return params.m / replicas();
    return *std::max_element(chain_microbatches.begin(), chain_microbatches.end());
}

int Schedule::previousStage(int stage) const {
    return neighbour(*this, stage, -1);
}
int Schedule::nextStage(int stage) const {
    return neighbour(*this, stage, 1);
}

namespace {

constexpr Action kNone{-1, Op::Forward};

// Across the ends of a chain, to the step that is linked.
Action linked(const std::vector<int>& steps, const Action& forward, int stage) {
    if (steps.empty()) return kNone;
    const int step = steps.at(static_cast<std::size_t>(forward.microbatch));
    return step < 0 ? kNone : Action(stage, Op::Forward, step);
}

}  // namespace

Action Schedule::forwardBefore(const Action& forward) const {
    const int before = previousStage(forward.stage);
    if (before >= 0) return forward.as(Op::Forward, before);
    return links.previous.empty()
               ? kNone
               : linked(links.previous, forward,
                        chains.at(static_cast<std::size_t>(chainOf(forward.stage))).back());
}

Action Schedule::forwardAfter(const Action& forward) const {
    const int after = nextStage(forward.stage);
    if (after >= 0) return forward.as(Op::Forward, after);
    return links.next.empty() ? kNone
                              : linked(links.next, forward,
                                       chains.at(static_cast<std::size_t>(chainOf(forward.stage))).front());
}

int Schedule::chainOf(int stage) const {
    for (std::size_t chain = 0; chain < chains.size(); ++chain)
        if (placeIn(chains[chain], stage) != chains[chain].end()) return static_cast<int>(chain);
    return -1;
}

std::vector<int> Schedule::copiesOf(int stage) const {
    std::vector<int> copies;
    const int own = chainOf(stage), position = placeInChain(*this, stage);
    for (int replica = 0; replica < replicas(); ++replica)
        copies.push_back(stageAt(*this, replica * params.t + shardOf(own), position));
    return copies;
}

std::vector<int> Schedule::shardsOf(int stage) const {
    std::vector<int> shards;
    const int own = chainOf(stage), position = placeInChain(*this, stage);
    for (int shard = 0; shard < params.t; ++shard)
        shards.push_back(stageAt(*this, replicaOf(own) * params.t + shard, position));
    return shards;
}

int Schedule::firstMicrobatch(int chain) const {
    int first = 0;
    for (int before = shardOf(chain); before < chain; before += params.t)
        first += microbatchesOfChain(before);
    return first;
}

std::vector<int> loopPlacement(int p, int v) {
    std::vector<int> placement;
    placement.reserve(static_cast<std::size_t>(p) * static_cast<std::size_t>(v));
    for (int stage = 0; stage < p * v; ++stage) placement.push_back(stage % p);
    return placement;
}

std::vector<int> zigzagPlacement(int p, int v) {
    std::vector<int> placement = loopPlacement(p, v);
    for (int stage = 0; stage < p * v; ++stage)
        if ((stage / p) % 2 == 1) placement[static_cast<std::size_t>(stage)] = p - 1 - stage % p;
    return placement;
}

}  // namespace bscope
