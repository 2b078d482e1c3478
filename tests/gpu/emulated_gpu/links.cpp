// Links between ranks of one process. A send is done when its receiver has taken the bytes, a receive spins
// until the sender offers them, each in its stream's thread, as the kernels of NCCL do; so messages that do
// not meet hang.
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>

#include "emulated.h"

namespace emulated {

namespace {

struct Offer {
    const void* data;
    std::uint64_t bytes;
    bool taken = false;
};

// What the ranks of one communicator share.
struct World {
    explicit World(int its_size) : size(its_size) {}
    const int size;
    std::mutex mutex;
    std::condition_variable changed;
    int joined = 0;
    bool aborted = false;
    std::string error;
    std::map<std::pair<int, int>, std::deque<std::shared_ptr<Offer>>> offers;  // by sender and receiver
    std::uint64_t sums = 0;
    std::map<int, float*> terms;  // by rank
};

struct Worlds {
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<World>> by_id;
};

Worlds& worlds() {
    static Worlds* const only = new Worlds;
    return *only;
}

std::shared_ptr<World> worldOf(const BscopeUniqueId& id, int size) {
    const std::lock_guard<std::mutex> lock(worlds().mutex);
    auto& known = worlds().by_id[std::string(id.bytes, sizeof(id.bytes))];
    std::shared_ptr<World> world = known.lock();
    if (!world) known = world = std::make_shared<World>(size);
    return world;
}

// True for the n-th message since the environment first asked for one.
bool isTheOne(const char* name, std::atomic<long>& count) {
    const long wanted = setting(name, 0);
    if (wanted == 0) count = 0;
    return wanted != 0 && ++count == wanted;
}

}  // namespace

}  // namespace emulated

struct BscopeLink {
    BscopeStream* stream;
    int rank;
    std::shared_ptr<emulated::World> world;
};

namespace emulated {

namespace {

using Lock = std::unique_lock<std::mutex>;

// Both sides see an error; the one that it happens to never comes to an end by itself.
void send(World& world, int from, const BscopeTransfer& transfer, std::shared_ptr<Offer>& offered) {
    static std::atomic<long> errors{0}, silences{0};
    std::this_thread::sleep_for(std::chrono::microseconds(setting("BSCOPE_EMULATED_LINK_DELAY_US", 0)));
    const bool fails = isTheOne("BSCOPE_EMULATED_LINK_ERROR", errors);
    const bool silent = isTheOne("BSCOPE_EMULATED_LINK_SILENT", silences);
    offered = std::make_shared<Offer>(Offer{transfer.data, transfer.bytes});
    const Lock lock(world.mutex);
    if (fails) world.error = "NCCL: unhandled system error (emulated)";
    if (!fails && !silent) world.offers[{from, transfer.peer}].push_back(offered);
    world.changed.notify_all();
}

void receive(World& world, int to, const BscopeTransfer& transfer) {
    Lock lock(world.mutex);
    auto& queue = world.offers[{transfer.peer, to}];
    world.changed.wait(lock, [&] { return world.aborted || !queue.empty(); });
    if (world.aborted) return;
    const std::shared_ptr<Offer> offer = queue.front();
    if (offer->bytes != transfer.bytes)
        throw std::runtime_error("a message has another size than its receive");
    std::memcpy(transfer.data, offer->data, offer->bytes);
    offer->taken = true;
    queue.pop_front();
    world.changed.notify_all();
}

BscopeError exchange(BscopeLink* link, const BscopeTransfer* transfers, std::uint64_t count) {
    const std::vector<BscopeTransfer> all(transfers, transfers + count);
    link->stream->hand(BSCOPE_KERNEL, "_ZN8emulated8exchangeEv", 0,
                       [world = link->world, rank = link->rank, all] {
                           std::vector<std::shared_ptr<Offer>> offers;
                           for (const BscopeTransfer& each : all)
                               if (each.receives == 0) send(*world, rank, each, offers.emplace_back());
                           for (const BscopeTransfer& each : all)
                               if (each.receives != 0) receive(*world, rank, each);
                           Lock lock(world->mutex);
                           for (const auto& offer : offers)
                               world->changed.wait(lock, [&] { return world->aborted || offer->taken; });
                       });
    return nullptr;
}

// Ranks in order, so that the same numbers give the same bits.
void sum(World& world, int rank, float* values, std::uint64_t count) {
    Lock lock(world.mutex);
    const std::uint64_t mine = world.sums;
    world.terms[rank] = values;
    if (static_cast<int>(world.terms.size()) == world.size) {
        std::vector<float> total(count, 0.0F);
        for (const auto& [of, term] : world.terms)
            for (std::uint64_t i = 0; i < count; ++i) total[i] += term[i];
        for (const auto& [of, term] : world.terms) std::memcpy(term, total.data(), count * sizeof(float));
        world.terms.clear();
        ++world.sums;
        world.changed.notify_all();
    }
    world.changed.wait(lock, [&] { return world.aborted || world.sums != mine; });
}

BscopeError open(BscopeStream* stream, const BscopeUniqueId* id, std::int32_t rank, std::int32_t size,
                 BscopeLink** opened) {
    return guarded([&] {
        auto link = std::make_unique<BscopeLink>(BscopeLink{stream, rank, worldOf(*id, size)});
        World& world = *link->world;
        Lock lock(world.mutex);
        ++world.joined;
        world.changed.notify_all();
        const bool all = world.changed.wait_for(lock, std::chrono::seconds(8),
                                                [&] { return world.joined >= world.size || world.aborted; });
        if (!all || world.aborted)
            throw std::runtime_error("NCCL: no answer from the other ranks (emulated)");
        *opened = link.release();
    });
}

void abort(BscopeLink* link) {
    const Lock lock(link->world->mutex);
    link->world->aborted = true;
    link->world->changed.notify_all();
}

}  // namespace

void addLinks(BscopePlugin& plugin) {
    plugin.link_unique_id = [](BscopeUniqueId* id) -> BscopeError {
        static std::atomic<int> next{0};
        *id = {};
        std::to_string(++next).copy(id->bytes, sizeof(id->bytes) - 1);
        return nullptr;
    };
    plugin.link_open = &open;
    plugin.link_split = [](BscopeLink*, std::int32_t, std::int32_t, BscopeLink**) -> BscopeError {
        return lastError("the emulated GPU does not split links");
    };
    plugin.link_close = [](BscopeLink* link) {
        abort(link);
        link->stream->drain();
        delete link;
    };
    plugin.link_exchange = &exchange;
    plugin.link_all_reduce_sum = [](BscopeLink* link, float* values, std::uint64_t count) -> BscopeError {
        link->stream->hand(
            BSCOPE_KERNEL, "_ZN8emulated10all_reduceEv", 0,
            [world = link->world, rank = link->rank, values, count] { sum(*world, rank, values, count); });
        return nullptr;
    };
    plugin.link_state = [](BscopeLink* link) -> BscopeError {
        const Lock lock(link->world->mutex);
        return link->world->error.empty() ? nullptr : lastError(link->world->error);
    };
    plugin.link_abort = &abort;
}

}  // namespace emulated
