#include "puzzle/exhaustive_search.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "schedule/index.h"

namespace bscope {

namespace {

constexpr int kMostStages = 4, kMostMicrobatches = 15;  // 12 bits a stage, 3 a rank

// After a step. A rank is in the middle of the backward of a stage, or free: -1.
struct Reached {
    std::array<int, kMostStages> forwards{}, gradients{}, weights{};
    std::array<int, kMostStages> running{-1, -1, -1, -1};
};

std::uint64_t packed(const Reached& reached) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kMostStages; ++i) {
        bits = bits << 4 | static_cast<std::uint64_t>(reached.forwards[i]);
        bits = bits << 4 | static_cast<std::uint64_t>(reached.gradients[i]);
        bits = bits << 4 | static_cast<std::uint64_t>(reached.weights[i]);
        bits = bits << 3 | static_cast<std::uint64_t>(reached.running[i] + 1);
    }
    return bits;
}

Reached unpacked(std::uint64_t bits) {
    Reached reached;
    const auto take = [&bits](int width) {
        const int value = static_cast<int>(bits & ((1U << width) - 1));
        bits >>= width;
        return value;
    };
    for (std::size_t i = kMostStages; i-- > 0;) {
        reached.running[i] = take(3) - 1;
        reached.weights[i] = take(4);
        reached.gradients[i] = take(4);
        reached.forwards[i] = take(4);
    }
    return reached;
}

class Exhaustive {
public:
    Exhaustive(const PuzzleLevel& level, int most_chunks)
        : level_(level), most_chunks_(most_chunks), stages_(level.p * level.v) {
        const std::vector<int> placement = level.empty().placement;
        for (int stage = 0; stage < stages_; ++stage) of_rank_[at(placement[at(stage)])].push_back(stage);
    }

    std::optional<bool> within(int steps, std::size_t most_states) const {
        std::vector<std::uint64_t> now{packed({})}, next;
        for (int done = 0; done <= steps; ++done) {
            next.clear();
            std::size_t kept = 0;
            for (const std::uint64_t bits : now) {
                const Reached reached = unpacked(bits);
                if (isComplete(reached)) return true;
                if (leastLeft(reached) > steps - done) continue;
                choose(reached, reached, 0, next);
                if (next.size() < std::max<std::size_t>(2 * kept, 1 << 16)) continue;
                kept = unique(next);
                if (kept > most_states) return std::nullopt;
            }
            if (unique(next) > most_states) return std::nullopt;
            now.swap(next);
        }
        return false;
    }

private:
    static std::size_t unique(std::vector<std::uint64_t>& states) {
        std::sort(states.begin(), states.end());
        states.erase(std::unique(states.begin(), states.end()), states.end());
        return states.size();
    }

    int gradientSteps() const { return level_.split ? 1 : 2; }
    // Of a stage, what gives its activations back.
    int released(const Reached& reached, int stage) const {
        return level_.split ? reached.weights[at(stage)] : reached.gradients[at(stage)];
    }

    bool isComplete(const Reached& reached) const {
        for (int stage = 0; stage < stages_; ++stage)
            if (released(reached, stage) < level_.m) return false;
        return true;
    }

    // No fewer steps are left: the work of each rank, and behind the last gradient of a rank those of the
    // stages before; or the way of the last micro-batch.
    int leastLeft(const Reached& reached) const {
        int least = 0;
        const int after_all = level_.split ? 1 : 0;  // the last weight gradient of the first stage
        for (int rank = 0; rank < level_.p; ++rank) {
            int chain = 0, weights = 0;
            for (const int stage : of_rank_[at(rank)]) {
                chain += level_.m - reached.forwards[at(stage)];
                chain += gradientSteps() * (level_.m - reached.gradients[at(stage)]);
                if (level_.split) weights += level_.m - reached.weights[at(stage)];
            }
            const int running = reached.running[at(rank)] >= 0 ? 1 : 0;
            least = std::max(least, chain + weights - running);
            const int first = of_rank_[at(rank)].front();
            if (reached.gradients[at(first)] < level_.m)
                least = std::max(least, chain - running + first * gradientSteps() + after_all);
        }
        for (int stage = 0; stage < stages_; ++stage)
            if (reached.forwards[at(stage)] < level_.m)
                return std::max(least, stages_ - stage + stages_ * gradientSteps() + after_all);
        return least;
    }

    // What the ranks from this one on do in a step, from what was reached before it.
    void choose(const Reached& before, const Reached& after, int rank,
                std::vector<std::uint64_t>& next) const {
        if (rank == level_.p) return next.push_back(packed(after));
        Reached chosen = after;
        if (const int stage = before.running[at(rank)]; stage >= 0) {
            chosen.running[at(rank)] = -1;
            ++chosen.gradients[at(stage)];
            return choose(before, chosen, rank + 1, next);
        }
        choose(before, chosen, rank + 1, next);  // waits
        int in_flight = 0;
        for (const int stage : of_rank_[at(rank)])
            in_flight += before.forwards[at(stage)] - released(before, stage);
        for (const int stage : of_rank_[at(rank)]) {
            const auto i = at(stage);
            const bool has_input = stage == 0 || before.forwards[i - 1] > before.forwards[i];
            if (before.forwards[i] < level_.m && has_input && in_flight < most_chunks_) {
                chosen = after;
                ++chosen.forwards[i];
                choose(before, chosen, rank + 1, next);
            }
            const bool has_gradient = stage + 1 == stages_ || before.gradients[i + 1] > before.gradients[i];
            if (before.gradients[i] < before.forwards[i] && has_gradient) {
                chosen = after;
                if (level_.split)
                    ++chosen.gradients[i];
                else
                    chosen.running[at(rank)] = stage;
                choose(before, chosen, rank + 1, next);
            }
            if (level_.split && before.weights[i] < before.gradients[i]) {
                chosen = after;
                ++chosen.weights[i];
                choose(before, chosen, rank + 1, next);
            }
        }
    }

    const PuzzleLevel& level_;
    int most_chunks_, stages_;
    std::array<std::vector<int>, kMostStages> of_rank_;  // (ranks,) stages, ascending
};

}  // namespace

std::optional<bool> someOrderTakes(const PuzzleLevel& level, int steps, int most_chunks,
                                   std::size_t most_states) {
    if (level.p * level.v > kMostStages || level.m > kMostMicrobatches) return std::nullopt;
    return Exhaustive(level, most_chunks).within(steps, most_states);
}

}  // namespace bscope
