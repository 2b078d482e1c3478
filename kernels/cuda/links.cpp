// NCCL behind the C interface. Every communicator is non-blocking: NCCL works in threads of its own, and the
// caller polls for completion. The end of a split is reported by the old communicator; the handle of the new
// one is valid from then on.
#include <nccl.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "kernels/cuda/handles.h"
#include "kernels/cuda/library.h"
#include "kernels/cuda/plugin_parts.h"

namespace bscope::cuda {

namespace {

struct Nccl {
    Library library{
        "libnccl.so.2",
        "communication between GPUs needs {0}, which cannot be loaded; install NCCL 2 (libnccl2)"};
    decltype(ncclGetUniqueId)* uniqueId;
    decltype(ncclCommInitRankConfig)* open;
    decltype(ncclCommSplit)* split;
    decltype(ncclCommAbort)* abort;
    decltype(ncclSend)* send;
    decltype(ncclRecv)* receive;
    decltype(ncclGroupStart)* groupStart;
    decltype(ncclGroupEnd)* groupEnd;
    decltype(ncclCommGetAsyncError)* state;
    decltype(ncclGetErrorString)* errorString;
    decltype(ncclGetLastError)* lastError;

    Nccl() {
        library.find(uniqueId, "ncclGetUniqueId");
        library.find(open, "ncclCommInitRankConfig");
        library.find(split, "ncclCommSplit");
        library.find(abort, "ncclCommAbort");
        library.find(send, "ncclSend");
        library.find(receive, "ncclRecv");
        library.find(groupStart, "ncclGroupStart");
        library.find(groupEnd, "ncclGroupEnd");
        library.find(state, "ncclCommGetAsyncError");
        library.find(errorString, "ncclGetErrorString");
        library.find(lastError, "ncclGetLastError");
    }

    [[noreturn]] void fail(ncclResult_t result, ncclComm_t comm, const char* what) const {
        const char* const more = lastError(comm);
        failIn(std::string("NCCL: ") + errorString(result) + " (" + what + ")" +
               (more && *more ? std::string("; ") + more : std::string()));
    }
};

const Nccl& nccl() {
    static const Nccl* const only = new Nccl;
    return *only;
}

}  // namespace

}  // namespace bscope::cuda

struct BscopeLink {
    BscopeStream* stream = nullptr;
    BscopeLink* from = nullptr;   // of a link that is split off
    ncclComm_t comm = nullptr;    // written by NCCL when a split is over; null again once aborted
    ncclComm_t no_part = nullptr;  // where NCCL writes that this rank has no part in a split
    bool aborted = false;
    bool was_ready = false;  // its split is over, and went well
    std::mutex mutex;        // held for one call at a time, none of which waits

    ncclComm_t made() { return std::atomic_ref(comm).load(std::memory_order_acquire); }
    bool hangsOnItsParent() {
        const std::lock_guard lock(mutex);
        return !aborted && from != nullptr && !was_ready;
    }

    // Calls with the communicator, which cannot be aborted meanwhile.
    template <class Call>
    void with(const char* what, Call call) {
        const std::lock_guard lock(mutex);
        if (aborted) throw std::runtime_error("NCCL: the communicator was aborted");
        const ncclComm_t now = made();
        const ncclResult_t result = call(now);
        if (result != ncclSuccess && result != ncclInProgress) bscope::cuda::nccl().fail(result, now, what);
    }

    // The communicator to abort now; no later call uses it.
    ncclComm_t giveUp() {
        const std::lock_guard lock(mutex);
        aborted = true;
        return std::atomic_ref(comm).exchange(nullptr, std::memory_order_acq_rel);
    }
};

namespace bscope::cuda {

namespace {

ncclConfig_t nonBlocking() {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    return config;
}

// A receive is posted early and spins: it must not take a GPU's processors from the kernels that compute.
ncclConfig_t ofTwo() {
    constexpr int kProcessors = 4;
    ncclConfig_t config = nonBlocking();
    config.maxCTAs = kProcessors;
    config.cgaClusterSize = 0;  // on sm_90 it would wait for four processors side by side
    return config;
}

// In one group, since aborting frees memory, which may wait for all of a GPU, and another link's receive may
// spin there: the group signals all of them to end before it frees anything. A communicator whose split
// failed may exist all the same, and the old one then still sets its abort flag when it is aborted itself
// (NCCL 2.28, init.cc): the old one is aborted first, in the same group.
void abortAll(std::span<BscopeLink* const> links) {
    const auto abort = [](const std::vector<ncclComm_t>& comms) {
        if (comms.empty()) return;
        nccl().groupStart();
        for (const ncclComm_t comm : comms) nccl().abort(comm);
        nccl().groupEnd();
    };
    std::vector<ncclComm_t> now, left;
    const auto giveUp = [](BscopeLink& link, std::vector<ncclComm_t>& to) {
        if (const ncclComm_t comm = link.giveUp()) to.push_back(comm);
    };
    for (BscopeLink* const link : links)
        if (link->hangsOnItsParent()) giveUp(*link->from, now);  // which ends the split
    for (BscopeLink* const link : links) giveUp(*link, now);
    abort(now);
    for (BscopeLink* const link : links) giveUp(*link, left);  // what the split has made all the same
    abort(left);
}

BscopeError uniqueId(BscopeUniqueId* id) {
    return guarded([&] {
        ncclUniqueId made{};
        if (const ncclResult_t result = nccl().uniqueId(&made); result != ncclSuccess)
            nccl().fail(result, nullptr, "a new communicator");
        static_assert(sizeof(made) == sizeof(*id));
        std::memcpy(id, &made, sizeof(made));
    });
}

BscopeError linkOpen(BscopeStream* stream, const BscopeUniqueId* id, int32_t rank, int32_t size,
                     BscopeLink** opened) {
    return guarded([&] {
        stream->device->enter();
        ncclUniqueId given{};
        std::memcpy(&given, id, sizeof(given));
        ncclConfig_t config = nonBlocking();
        auto link = std::make_unique<BscopeLink>();
        link->stream = stream;
        try {
            link->with("start of the communicator",
                       [&](ncclComm_t) { return nccl().open(&link->comm, size, given, rank, &config); });
        } catch (...) {
            BscopeLink* const failed[] = {link.get()};
            abortAll(failed);
            throw;
        }
        *opened = link.release();
    });
}

BscopeError linkSplit(BscopeLink* from, int32_t color, int32_t key, BscopeStream* stream,
                      BscopeLink** opened) {
    return guarded([&] {
        from->stream->device->enter();
        *opened = nullptr;
        ncclConfig_t config = ofTwo();
        auto link = std::make_unique<BscopeLink>();
        link->stream = stream;
        link->from = from;
        ncclComm_t* const written = color < 0 ? &from->no_part : &link->comm;
        from->with("split", [&](ncclComm_t comm) {
            return nccl().split(comm, color < 0 ? NCCL_SPLIT_NOCOLOR : color, key, written, &config);
        });
        if (color >= 0) *opened = link.release();
    });
}

// Aborting is what also ends a communicator whose peers are gone.
void linkClose(BscopeLink* link) {
    abortAll({&link, 1});
    delete link;
}

BscopeError linkExchange(BscopeLink* link, const BscopeTransfer* transfers, uint64_t count) {
    return guarded([&] {
        link->stream->device->enter();
        const cudaStream_t stream = link->stream->stream;
        link->with("exchange", [&](ncclComm_t comm) {
            ncclResult_t result = nccl().groupStart();
            for (uint64_t i = 0; i < count && result == ncclSuccess; ++i) {
                const BscopeTransfer& one = transfers[i];
                result = one.receives != 0
                             ? nccl().receive(one.data, one.bytes, ncclInt8, one.peer, comm, stream)
                             : nccl().send(one.data, one.bytes, ncclInt8, one.peer, comm, stream);
                if (result == ncclInProgress) result = ncclSuccess;
            }
            const ncclResult_t ended = nccl().groupEnd();
            return result == ncclSuccess ? ended : result;
        });
    });
}

BscopeError linkReady(BscopeLink* link, int32_t* ready) {
    return guarded([&] {
        *ready = 0;
        link->with("its work", [&](ncclComm_t comm) {
            if (comm == nullptr) return ncclSuccess;  // its split is under way
            ncclResult_t state = ncclSuccess;
            const ncclResult_t asked = nccl().state(comm, &state);
            if (asked == ncclSuccess && state == ncclSuccess) {
                *ready = 1;
                link->was_ready = true;
            }
            return asked == ncclSuccess ? state : asked;
        });
    });
}

void linkAbort(BscopeLink* const* links, uint64_t count) {
    abortAll({links, count});
}

}  // namespace

void addLinks(BscopePlugin& plugin) {
    plugin.link_unique_id = &uniqueId;
    plugin.link_open = &linkOpen;
    plugin.link_split = &linkSplit;
    plugin.link_close = &linkClose;
    plugin.link_exchange = &linkExchange;
    plugin.link_ready = &linkReady;
    plugin.link_abort = &linkAbort;
}

}  // namespace bscope::cuda
