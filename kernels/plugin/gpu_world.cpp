#include "kernels/plugin/gpu_world.h"

#include <algorithm>
#include <stdexcept>

namespace bscope {

GpuWorld::GpuWorld(const BscopePlugin& api, const std::vector<Seat>& seats, int size,
                   const BscopeUniqueId& id)
    : api_(api) {
    for (const Seat& seat : seats) {
        std::unique_ptr<Stream> stream = seat.device->makeStream();
        BscopeLink* opened = nullptr;
        check(api.link_open(cudaStreamOf(*stream), &id, seat.rank, size, &opened));
        ranks_.push_back(seat.rank);
        members_.push_back({std::move(stream), GpuLink(api, opened)});
    }
}

const GpuWorld::Member& GpuWorld::at(int rank) const {
    const auto found = std::find(ranks_.begin(), ranks_.end(), rank);
    if (found == ranks_.end()) throw std::logic_error("this member of the GPUs' world is elsewhere");
    return members_[static_cast<std::size_t>(found - ranks_.begin())];
}

GpuLink GpuWorld::split(int rank, int color, int key, BscopeStream* stream) {
    BscopeLink* made = nullptr;
    check(api_.link_split(at(rank).link.get(), color, key, stream, &made));
    return {api_, made};
}

void GpuWorld::sitOut(int rank) {
    split(rank, -1, 0, nullptr);
}

}  // namespace bscope
