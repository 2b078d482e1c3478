#include "view/signs.h"

namespace bscope {

namespace {

constexpr int kShades = 3;  // more chunks repeat them

void addBoxes(Signs& signs, const PreparedView& view, const EventSlice& events) {
    for (const Event& event : events) {
        const int chunk = view.chunkLetterOf(event.stage);
        const bool shaded = isCompute(event.op) && event.op != Op::Recompute;
        int& shades = signs.shades[static_cast<std::size_t>(event.op)];
        shades = std::max(shades, shaded ? std::clamp(chunk + 1, 1, kShades) : 1);
        if (isCompute(event.op))
            signs.stages = std::max(signs.stages, view.places().of(event.stage).position + 1);
        if (event.microbatch < 0 || event.op == Op::Recompute) continue;
        signs.chunk_letters = signs.chunk_letters || chunk >= 0;
        signs.weight_versions = signs.weight_versions || event.weight_version != kNoVersion;
    }
}

void addMessages(Signs& signs, const EventSlice& receives) {
    signs.transfer = signs.transfer || !receives.empty();
    signs.wait = signs.wait ||
                 std::ranges::any_of(receives, [](const Event& e) { return e.transfer_ns > e.start_ns; });
}

void addIdle(Signs& signs, CauseFamily family) {
    switch (family) {
        case CauseFamily::FillDrain:
            signs.fill_drain = true;
            return;
        case CauseFamily::Dependency:
            signs.dependency = true;
            return;
        case CauseFamily::Network:
            signs.network = true;
            return;
        case CauseFamily::Other:
            signs.other_causes = true;
    }
}

}  // namespace

Signs& Signs::operator|=(const Signs& other) {
    for (std::size_t op = 0; op < shades.size(); ++op) shades[op] = std::max(shades[op], other.shades[op]);
    stages = std::max(stages, other.stages);
    for (bool Signs::*sign :
         {&Signs::chunk_letters, &Signs::weight_versions, &Signs::neighbours, &Signs::kernels,
          &Signs::shard_sums,    &Signs::fill_drain,      &Signs::dependency, &Signs::network,
          &Signs::other_causes,  &Signs::transfer,        &Signs::wait,       &Signs::wait_and_transfer,
          &Signs::outlines,      &Signs::planned_boxes,   &Signs::memory,     &Signs::cap,
          &Signs::held,          &Signs::reserved,        &Signs::changes,    &Signs::end})
        this->*sign = this->*sign || other.*sign;
    for (std::size_t kind = 0; kind < other_checkpointing.size(); ++kind)
        other_checkpointing[kind] = other_checkpointing[kind] || other.other_checkpointing[kind];
    return *this;
}

Signs signsNow(const PreparedView& view, bool stacked) {
    Signs signs;
    const bool complete = view.hasRun() && !view.running();
    for (int rank = 0; rank < view.lanes(); ++rank) {
        if (view.hasRun() && rank < view.view().ran->ranks()) {
            addBoxes(signs, view, view.ran(rank));
            if (!stacked) addMessages(signs, view.receives(rank));
        }
        if (!complete && rank < view.view().planned->ranks()) {
            addBoxes(signs, view, view.planned(rank));
            signs.planned_boxes = signs.planned_boxes || !view.planned(rank).empty();
        }
        for (const IdlePeriod& period : view.lane(rank).idle)
            if (const Gap* gap = view.gapOf(period)) addIdle(signs, familyOf(gap->cause));
        for (const int direction : {-1, +1})
            signs.neighbours = signs.neighbours || !view.neighbour(rank, direction).empty();
    }
    signs.wait_and_transfer = (signs.wait || signs.transfer) && !view.view().knowsTransfers();
    const bool opens = view.hasRun() && view.view().kernels && view.view().kernels->size() > 0;
    const bool in_shards = view.view().config.params.t > 1;
    signs.kernels = opens && !in_shards;
    signs.shard_sums = opens && in_shards;
    signs.outlines = view.hasRun() && !stacked;
    signs.end = !view.view().isStream();
    signs.memory = view.memoryScale() > 0;
    signs.changes = view.hasRun() && view.view().compared != nullptr;
    signs.cap = signs.memory && view.memoryCap() > 0;
    signs.held = view.knowsHeld();
    signs.reserved = signs.held && std::ranges::any_of(view.view().held, [](const ResidentBytes& of) {
                         return of.reserved > 0;
                     });
    for (const CheckpointingPlan& other : view.view().checkpointing)
        signs.other_checkpointing[static_cast<std::size_t>(other.recompute)] = true;
    return signs;
}

Signs signsOf(const PreparedView& view, bool stacked) {
    Signs signs = signsNow(view, stacked);
    const IterationView& its = view.view();
    for (int rank = 0; view.hasRun() && view.running() && !stacked && rank < its.planned->ranks(); ++rank)
        addMessages(signs, ofIteration(its.planned->receives(rank), its.iteration));
    signs.wait_and_transfer = (signs.wait || signs.transfer) && !its.knowsTransfers();
    if (view.running() && !its.isStream())
        for (const IdleGap& gap : its.plan_summary.gaps)
            addIdle(signs,
                    gap.phase == IdlePhase::Between ? CauseFamily::Dependency : CauseFamily::FillDrain);
    return signs;
}

}  // namespace bscope
