// Links between ranks, in one process or several. A send is done when its receiver has taken the bytes, a
// receive spins until the sender offers them, each in its stream's thread, as the kernels of NCCL do; so
// messages that do not meet hang. A peer that is gone is noticed while a link comes up, and never later.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

#include "emulated.h"
#include "peers.h"

namespace emulated {

namespace {

constexpr int kWait_ms = 2;

std::atomic<long>& linksOpened() {
    static std::atomic<long> only{0};
    return only;
}

// True for the n-th time since the environment first asked for one.
bool isTheOne(const char* name, std::atomic<long>& count) {
    const long wanted = setting(name, 0);
    if (wanted == 0) count = 0;
    return wanted != 0 && ++count == wanted;
}

}  // namespace

}  // namespace emulated

struct BscopeLink {
    explicit BscopeLink(BscopeStream* its_stream) : stream(its_stream) {}
    void begin(const std::string& id, int rank, int size);
    void look();
    bool isReady();
    void finishSplit();
    void abort();

    struct Split {
        int color, key;
        BscopeLink* made;  // null: none here
    };
    BscopeStream* const stream;
    std::mutex mutex;
    std::optional<emulated::Peers> peers;  // once it is known who they are
    bool met = false, absent = false;
    std::atomic<bool> aborted{false};
    std::string error;
    int splits = 0;
    std::optional<Split> split;  // under way
    BscopeLink* from = nullptr;  // while it is being split off
};

namespace emulated {

namespace {

using Lock = std::unique_lock<std::mutex>;

// Until it is true or the link is aborted; asked under the lock.
template <class Condition>
void await(BscopeLink& link, Peer& peer, Condition condition) {
    Lock lock(link.mutex);
    while (!link.aborted && !condition()) {
        const bool sends = !peer.unsent.empty();
        pollfd news{peer.socket.number(), static_cast<short>(sends ? POLLIN | POLLOUT : POLLIN), 0};
        lock.unlock();
        if (::poll(&news, 1, kWait_ms) > 0 && (news.revents & POLLHUP) != 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(kWait_ms));
        lock.lock();
        peer.pump();
        if (peer.failed) link.error = "NCCL: unhandled system error (emulated)";
    }
}

// Both sides see an error; the one that it happens to never comes to an end by itself.
void send(BscopeLink& link, const BscopeTransfer& transfer) {
    static std::atomic<long> errors{0}, silences{0};
    std::this_thread::sleep_for(std::chrono::microseconds(setting("BSCOPE_EMULATED_LINK_DELAY_US", 0)));
    const bool fails = isTheOne("BSCOPE_EMULATED_LINK_ERROR", errors);
    const bool silent = isTheOne("BSCOPE_EMULATED_LINK_SILENT", silences);
    const Lock lock(link.mutex);
    Peer& peer = link.peers->at(transfer.peer);
    if (fails) link.error = "NCCL: unhandled system error (emulated)";
    if (fails) peer.send(Frame::Error);
    if (!fails && !silent) peer.send(Frame::Message, 0, 0, transfer.data, transfer.bytes);
}

void receive(BscopeLink& link, const BscopeTransfer& transfer) {
    Peer& peer = link.peers->at(transfer.peer);
    await(link, peer, [&] { return !peer.messages.empty(); });
    const Lock lock(link.mutex);
    if (link.aborted) return;
    const std::vector<char>& message = peer.messages.front();
    if (message.size() != transfer.bytes)
        throw std::runtime_error("a message has another size than its receive");
    std::memcpy(transfer.data, message.data(), message.size());
    peer.messages.pop_front();
    peer.send(Frame::Taken);
}

void finishSending(BscopeLink& link, const BscopeTransfer& transfer) {
    Peer& peer = link.peers->at(transfer.peer);
    await(link, peer, [&] { return peer.taken > 0; });
    const Lock lock(link.mutex);
    --peer.taken;
}

// What a rank sends itself: the sends of an exchange meet its receives in their order.
void copyWithin(const std::vector<BscopeTransfer>& transfers) {
    const auto find = [&](std::size_t from, int receives) {
        while (from < transfers.size() && transfers[from].receives != receives) ++from;
        return from;
    };
    for (std::size_t out = find(0, 0), in = find(0, 1); out < transfers.size() && in < transfers.size();
         out = find(out + 1, 0), in = find(in + 1, 1))
        std::memcpy(transfers[in].data, transfers[out].data, transfers[in].bytes);
}

BscopeError exchange(BscopeLink* link, const BscopeTransfer* transfers, std::uint64_t count) {
    std::vector<BscopeTransfer> all, own;
    for (const BscopeTransfer& each : std::span(transfers, count))
        (each.peer == link->peers->rank() ? own : all).push_back(each);
    link->stream->hand(BSCOPE_KERNEL, "_ZN8emulated8exchangeEv", 0, [link, all, own] {
        copyWithin(own);
        for (const BscopeTransfer& each : all)
            if (each.receives == 0) send(*link, each);
        for (const BscopeTransfer& each : all)
            if (each.receives != 0) receive(*link, each);
        for (const BscopeTransfer& each : all)
            if (each.receives == 0) finishSending(*link, each);
    });
    return nullptr;
}

BscopeError open(BscopeStream* stream, const BscopeUniqueId* id, std::int32_t rank, std::int32_t size,
                 BscopeLink** opened) {
    return guarded([&] {
        ++linksOpened();
        auto link = std::make_unique<BscopeLink>(stream);
        link->begin(id->bytes, rank, size);
        *opened = link.release();
    });
}

BscopeError split(BscopeLink* from, std::int32_t color, std::int32_t key, BscopeStream* stream,
                  BscopeLink** opened) {
    return guarded([&] {
        *opened = nullptr;
        const Lock lock(from->mutex);
        from->look();
        if (!from->met || from->split) throw std::runtime_error("NCCL: the link is not ready (emulated)");
        auto link = color < 0 ? nullptr : std::make_unique<BscopeLink>(stream);
        from->split = {color, key, link.get()};
        if (link) link->from = from;
        for (auto& [rank, peer] : from->peers->all()) peer.send(Frame::Split, color, key);
        *opened = link.release();
    });
}

}  // namespace

void addLinks(BscopePlugin& plugin) {
    plugin.link_unique_id = [](BscopeUniqueId* id) -> BscopeError {
        if (setting("BSCOPE_EMULATED_NO_NCCL", 0) != 0) return lastError("install NCCL 2");
        static std::atomic<int> next{0};
        *id = {};
        (std::to_string(::getpid()) + "-" + std::to_string(monotonic_ns()) + "-" + std::to_string(++next))
            .copy(id->bytes, sizeof(id->bytes) - 1);
        return nullptr;
    };
    plugin.link_open = &open;
    plugin.link_split = &split;
    plugin.link_close = [](BscopeLink* link) {
        std::this_thread::sleep_for(std::chrono::milliseconds(setting("BSCOPE_EMULATED_LINK_CLOSE_MS", 0)));
        link->abort();
        link->stream->drain();
        delete link;
    };
    plugin.link_exchange = &exchange;
    plugin.link_ready = [](BscopeLink* link, std::int32_t* ready) -> BscopeError {
        return guarded([&] {
            const Lock lock(link->mutex);
            *ready = link->isReady() ? 1 : 0;
        });
    };
    plugin.link_abort = [](BscopeLink* const* links, std::uint64_t count) {
        std::this_thread::sleep_for(std::chrono::milliseconds(setting("BSCOPE_EMULATED_LINK_ABORT_MS", 0)));
        for (BscopeLink* const link : std::span(links, count)) link->abort();
    };
}

}  // namespace emulated

void BscopeLink::begin(const std::string& id, int rank, int size) {
    static std::atomic<long> refused{0}, away{0};
    if (emulated::isTheOne("BSCOPE_EMULATED_LINK_REFUSED", refused)) error = "NCCL: refused (emulated)";
    absent = emulated::isTheOne("BSCOPE_EMULATED_LINK_ABSENT", away);
    if (!absent) peers.emplace(id, rank, size);
}

void BscopeLink::look() {
    if (aborted) throw std::runtime_error("NCCL: the communicator was aborted (emulated)");
    if (!error.empty()) throw std::runtime_error(error);
}

bool BscopeLink::isReady() {
    look();
    if (!peers) return false;
    if (!met) met = peers->meet();
    if (met && split) finishSplit();
    return met && !split;
}

// Once everybody has said its color.
void BscopeLink::finishSplit() {
    bool complete = true;
    for (auto& [rank, peer] : peers->all()) {
        peer.pump();
        if (peer.splits.empty() && peer.gone)
            throw std::runtime_error("NCCL: remote process exited or there was a network error (emulated)");
        complete = complete && !peer.splits.empty();
    }
    if (!complete) return;
    std::vector<std::tuple<int, int>> group{{split->key, peers->rank()}};  // key, old rank
    for (auto& [rank, peer] : peers->all()) {
        const auto [color, key] = peer.splits.front();
        peer.splits.pop_front();
        if (color == split->color) group.emplace_back(key, rank);
    }
    std::sort(group.begin(), group.end());
    const auto mine = std::find(group.begin(), group.end(), std::tuple(split->key, peers->rank()));
    const std::string id = peers->id() + "." + std::to_string(++splits) + "." + std::to_string(split->color);
    if (BscopeLink* const made = split->made) {
        const std::lock_guard<std::mutex> lock(made->mutex);
        made->from = nullptr;
        made->begin(id, static_cast<int>(mine - group.begin()), static_cast<int>(group.size()));
    }
    split.reset();
}

void BscopeLink::abort() {
    aborted = true;
    if (BscopeLink* const old = from) {
        const std::lock_guard<std::mutex> lock(old->mutex);
        old->aborted = true;
        old->split.reset();
        from = nullptr;
    }
}

// How often a link was opened, not split off, in this process.
extern "C" __attribute__((visibility("default"))) long emulated_links_opened() {
    return emulated::linksOpened();
}
