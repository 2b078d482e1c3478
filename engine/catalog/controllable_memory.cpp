// V-Half and V-Min (arXiv:2405.15362): building blocks whose lifetimes hold one half and about one third of
// 1F1B's activations. 1F1B-V is the same idea with an unsplit backward. Offsets assume F = I = W.
#include <array>

#include "catalog/building_blocks.h"
#include "catalog/generators.h"

namespace bscope::generators {

namespace {

using Block = BuildingBlocks::Block;

Schedule splitBackward(const ScheduleParams& params, const std::vector<Block>& blocks) {
    BuildingBlocks pattern(blocks, params.m, BuildingBlocks::Backward::Split);
    pattern.fillWeights();
    pattern.sweep(BuildingBlocks::Sweep::WarmUpAndCoolDown);
    pattern.squeeze();
    pattern.dropWeights();
    pattern.sweep(BuildingBlocks::Sweep::CoolDown);
    pattern.fillWeights();
    pattern.squeeze();
    pattern.dropWeights();
    return pattern.finish(params);
}

// Which slots of the period a rank has given away.
class Period {
public:
    void take(int slot, int length) {
        for (int t = slot; t < slot + length; ++t) taken_[index(t)] = true;
    }
    // Two neighbouring slots are free, and taking them leaves no free slot alone.
    bool hasRoomForBackward(int slot) const {
        if (taken_[index(slot)] || taken_[index(slot + 1)]) return false;
        int run = 0;  // free slots before this pair, back to a taken one
        while (run < BuildingBlocks::kPeriod - 2 && !taken_[index(slot - 1 - run)]) ++run;
        return run % 2 == 0;
    }

private:
    static std::size_t index(int slot) {
        return static_cast<std::size_t>((slot + BuildingBlocks::kPeriod) % BuildingBlocks::kPeriod);
    }
    std::array<bool, BuildingBlocks::kPeriod> taken_ = {};
};

// F at every slot down and up the V; each B follows as soon as two slots of the period are free on its rank.
std::vector<Block> wholeBackwardBlocks(int p) {
    std::vector<Block> blocks(static_cast<std::size_t>(p));
    std::vector<Period> periods(static_cast<std::size_t>(p));
    for (int r = 0; r < p; ++r) {
        const auto rank = static_cast<std::size_t>(r);
        blocks[rank] = {r, 2 * p - 1 - r, 0, 0};
        periods[rank].take(r, 1);
        periods[rank].take(2 * p - 1 - r, 1);
    }
    int slot = 2 * p;
    const auto place = [&](int r, BuildingBlocks::Kind kind) {
        const auto rank = static_cast<std::size_t>(r);
        while (!periods[rank].hasRoomForBackward(slot)) ++slot;
        periods[rank].take(slot, 2);
        blocks[rank][static_cast<std::size_t>(kind)] = slot;
        slot += 2;
    };
    for (int r = 0; r < p; ++r) place(r, BuildingBlocks::BackwardB);
    for (int r = p - 1; r >= 0; --r) place(r, BuildingBlocks::BackwardA);
    return blocks;
}

}  // namespace

Schedule vHalf(const ScheduleParams& params) {
    const int p = params.p, gap = p % 2 == 0 ? 3 : 0;
    std::vector<Block> blocks;
    for (int r = 0; r < p; ++r)
        blocks.push_back({2 * r, 3 * p - 2 - r, 3 * p + gap - 1 + 2 * r, 6 * p + gap - 2 - r});
    return splitBackward(params, blocks);
}

Schedule vMin(const ScheduleParams& params) {
    const int p = params.p, gap = p % 3 == 0 ? 2 : 0;
    std::vector<Block> blocks;
    for (int r = 0; r < p; ++r) blocks.push_back({r, 2 * p - 1 - r, 2 * p + gap + r, 4 * p + gap - 1 - r});
    return splitBackward(params, blocks);
}

Schedule vOneFOneB(const ScheduleParams& params) {
    BuildingBlocks pattern(wholeBackwardBlocks(params.p), params.m, BuildingBlocks::Backward::Whole);
    pattern.sweep(BuildingBlocks::Sweep::Everything);
    pattern.squeeze();
    return pattern.finish(params);
}

}  // namespace bscope::generators
