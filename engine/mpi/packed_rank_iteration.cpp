#include "mpi/packed_rank_iteration.h"

namespace bscope {

namespace {

constexpr std::int64_t RankIteration::*kNumbers[] = {
    &RankIteration::end_ns,          &RankIteration::wall_ns,      &RankIteration::cpu_ns,
    &RankIteration::recording_ns,    &RankIteration::buffer_bytes, &RankIteration::weight_bytes,
    &RankIteration::launch_gap_ns,   &RankIteration::driver_bytes, &RankIteration::stashed_weight_bytes,
    &RankIteration::optimizer_bytes, &RankIteration::held_ns,      &RankIteration::reserved_bytes};

}  // namespace

void pack(Packer& into, const RankIteration& share) {
    into.add(share.events).add(share.memory).add(share.samples);
    for (const auto number : kNumbers) into.add(share.*number);
    into.add(share.gradient_norm).add(share.losses.size());
    for (const std::vector<double>& of_chain : share.losses) into.add(of_chain);
    into.add(share.weight_versions).add(share.staleness).add(share.held_back).add(share.throttles);
}

RankIteration unpackShare(Unpacker& from) {
    RankIteration share;
    share.events = from.nextVector<Event>();
    share.memory = from.nextVector<MemoryPoint>();
    share.samples = from.nextVector<DurationSample>();
    for (const auto number : kNumbers) share.*number = from.next<std::int64_t>();
    share.gradient_norm = from.next<double>();
    share.losses.resize(from.next<std::size_t>());
    for (std::vector<double>& of_chain : share.losses) of_chain = from.nextVector<double>();
    share.weight_versions = from.next<int>();
    share.staleness = from.next<int>();
    share.held_back = from.next<bool>();
    share.throttles = from.next<std::optional<std::int64_t>>();
    return share;
}

}  // namespace bscope
