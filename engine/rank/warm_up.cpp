#include "rank/warm_up.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace bscope {

namespace {

using Sizes = std::map<std::int64_t, int>;  // how many slots of so many bytes

// What the arena's records say: slots still held, and the most of each size held at one time.
class Census {
public:
    void count(const std::vector<ArenaRecord>& records) {
        for (const ArenaRecord& record : records) {
            int& held = held_[std::abs(record.bytes)];
            held += record.bytes > 0 ? 1 : -1;
            int& most = most_[std::abs(record.bytes)];
            most = std::max(most, held);
        }
    }
    const Sizes& held() const { return held_; }
    const Sizes& most() const { return most_; }

private:
    Sizes held_, most_;
};

// Takes slots and touches memory that was never touched: the first touch of a page costs as much as using it.
class Toucher {
public:
    Toucher(Device& device, Arena& arena) : device_(device), arena_(arena) {}

    std::vector<Slot> take(const Sizes& sizes) {
        std::vector<Slot> slots;
        for (const auto& [bytes, count] : sizes)
            for (int i = 0; i < count; ++i) {
                Slot slot = arena_.take(static_cast<std::size_t>(bytes) / sizeof(float));
                if (touched_.insert(slot.data()).second)
                    device_.fillZero(slot.data(), static_cast<std::size_t>(bytes));
                slots.push_back(std::move(slot));
            }
        return slots;
    }

private:
    Device& device_;
    Arena& arena_;
    std::set<float*> touched_;
};

enum class BackwardKind : std::uint8_t { None, Whole, Split };

// May walk the whole schedule.
BackwardKind backwardKind(const Plan& plan) {
    if (plan.forward_only) return BackwardKind::None;
    return plan.program.schedule.hasSplitBackward() ? BackwardKind::Split : BackwardKind::Whole;
}

// Of the arena, which stays when a wait for the GPU is broken off: the GPU may still be using it then.
Slot zeros(Workplace& workplace, std::size_t floats) {
    Slot slot = workplace.arena().take(floats);
    workplace.device().fillZero(slot.data(), floats * sizeof(float));
    return slot;
}

void runOnce(const Plan& plan, Workplace& workplace, Stage& stage, BackwardKind kind, const BatchView& batch,
             Census& all, Sizes& held) {
    Arena& arena = workplace.arena();
    const std::size_t message = plan.messageBytes() / sizeof(float);
    const Slot input = zeros(workplace, message), output = zeros(workplace, message);
    arena.drainRecords();  // messages are not activations
    stage.beginIteration(batch, 1);
    stage.forward(0, input.data(), output.data());
    Census forward;
    std::vector<ArenaRecord> records = arena.drainRecords();
    forward.count(records);
    held = forward.held();
    if (kind != BackwardKind::None) stage.recompute(0);
    if (kind == BackwardKind::Whole) stage.backward(0, input.data(), output.data());
    if (kind == BackwardKind::Split) {
        stage.backwardInput(0, input.data(), output.data());
        stage.backwardWeight(0);
    }
    workplace.stream().synchronize();  // the memory of the messages is the next stage's
    const std::vector<ArenaRecord> backward = arena.drainRecords();
    records.insert(records.end(), backward.begin(), backward.end());
    all.count(records);
}

// The step's kernels: the norm of what is there, and a step of one number that belongs to no layer.
void stepOnce(const std::vector<std::unique_ptr<Stage>>& stages, Workplace& workplace) {
    for (const auto& stage : stages)
        if (stage) stage->sumSquares();
    const Slot numbers = zeros(workplace, 4);
    float* const all = numbers.data();
    workplace.ops().run(AdamW{
        .weight = all, .m = all + 1, .v = all + 2, .gradient = all + 3, .count = 1, .step = AdamWStep{}});
    workplace.stream().synchronize();
}

}  // namespace

void warmUp(const Plan& plan, int rank, RankStages& rank_stages, const BatchView& batch) {
    const std::vector<std::unique_ptr<Stage>>& stages = rank_stages.all();
    Workplace& workplace = rank_stages.workplace();
    Arena& arena = workplace.arena();
    Census census;
    std::vector<Sizes> held(stages.size());
    const BackwardKind kind = backwardKind(plan);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        if (stages[stage]) runOnce(plan, workplace, *stages[stage], kind, batch, census, held[stage]);
    if (kind != BackwardKind::None) stepOnce(stages, workplace);
    workplace.stream().synchronize();

    // The program again, taking and giving back only: beside what one operation needs for itself, every
    // micro-batch in flight holds its slots.
    Toucher toucher(workplace.device(), arena);
    std::vector<Slot> at_work = toucher.take(census.most());
    std::map<Action, std::vector<Slot>> in_flight;  // by the forward
    for (const Action& action : plan.executed().actions[static_cast<std::size_t>(rank)]) {
        if (kind == BackwardKind::None) break;
        const Action key = action.as(Op::Forward);
        if (action.op == Op::Forward)
            in_flight[key] = toucher.take(held[static_cast<std::size_t>(action.stage)]);
        if (action.op == Op::Backward || action.op == Op::BackwardWeight) in_flight.erase(key);
    }
    in_flight.clear();
    at_work.clear();
    arena.drainRecords();
}

}  // namespace bscope
