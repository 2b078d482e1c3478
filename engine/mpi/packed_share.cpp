#include "mpi/packed_share.h"

namespace bscope {

void pack(Packer& into, const Share& share) {
    into.add(share.events).add(share.memory).add(share.samples);
    for (const std::int64_t number :
         {share.end_ns, share.wall_ns, share.cpu_ns, share.recording_ns, share.buffer_bytes,
          share.weight_bytes, share.launch_gap_ns, share.driver_bytes, share.stashed_weight_bytes,
          share.held_ns, share.reserved_bytes})
        into.add(number);
    into.add(share.gradient_norm).add(share.losses.size());
    for (const std::vector<double>& of_chain : share.losses) into.add(of_chain);
    into.add(share.weight_versions).add(share.staleness).add(share.held_back);
}

Share unpackShare(Unpacker& from) {
    Share share;
    share.events = from.nextVector<Event>();
    share.memory = from.nextVector<MemoryPoint>();
    share.samples = from.nextVector<DurationSample>();
    for (std::int64_t* number :
         {&share.end_ns, &share.wall_ns, &share.cpu_ns, &share.recording_ns, &share.buffer_bytes,
          &share.weight_bytes, &share.launch_gap_ns, &share.driver_bytes, &share.stashed_weight_bytes,
          &share.held_ns, &share.reserved_bytes})
        *number = from.next<std::int64_t>();
    share.gradient_norm = from.next<double>();
    share.losses.resize(from.next<std::size_t>());
    for (std::vector<double>& of_chain : share.losses) of_chain = from.nextVector<double>();
    share.weight_versions = from.next<int>();
    share.staleness = from.next<int>();
    share.held_back = from.next<bool>();
    return share;
}

}  // namespace bscope
