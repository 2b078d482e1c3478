// NCCL behind the C interface. Every communicator is non-blocking: a call that has not finished is polled, so
// that an abort or a peer's error is seen while waiting, and a hang at the start becomes a sentence.
#include <nccl.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "kernels/cuda/handles.h"
#include "kernels/cuda/library.h"
#include "kernels/cuda/plugin_parts.h"

namespace bscope::cuda {

namespace {

struct Nccl {
    Library library{"libnccl.so.2", "communication between GPUs", "install NCCL 2 (libnccl2)"};
    decltype(ncclGetUniqueId)* uniqueId;
    decltype(ncclCommInitRankConfig)* open;
    decltype(ncclCommSplit)* split;
    decltype(ncclCommAbort)* abort;
    decltype(ncclSend)* send;
    decltype(ncclRecv)* receive;
    decltype(ncclAllReduce)* allReduce;
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
        library.find(allReduce, "ncclAllReduce");
        library.find(groupStart, "ncclGroupStart");
        library.find(groupEnd, "ncclGroupEnd");
        library.find(state, "ncclCommGetAsyncError");
        library.find(errorString, "ncclGetErrorString");
        library.find(lastError, "ncclGetLastError");
    }

    [[noreturn]] void fail(ncclResult_t result, ncclComm_t comm, const char* what) const {
        const char* const more = lastError(comm);
        throw std::runtime_error(std::string("NCCL: ") + errorString(result) + " (" + what + ")" +
                                 (more && *more ? std::string("; ") + more : std::string()));
    }
};

const Nccl& nccl() {
    static const Nccl* const only = new Nccl;
    return *only;
}

constexpr auto kPatience = std::chrono::seconds(60);  // for all ranks to meet
constexpr auto kPollEvery = std::chrono::microseconds(50);

}  // namespace

}  // namespace bscope::cuda

struct BscopeLink {
    BscopeStream* stream;
    std::atomic<ncclComm_t> comm{nullptr};  // null once aborted

    ncclComm_t get() const {
        const ncclComm_t now = comm.load();
        if (!now) throw std::runtime_error("NCCL: the communicator was aborted");
        return now;
    }

    // A call's result, waited for while NCCL still works on it.
    void finish(ncclResult_t result, const char* what) {
        const bscope::cuda::Nccl& nccl = bscope::cuda::nccl();
        const auto begin = std::chrono::steady_clock::now();
        while (result == ncclInProgress) {
            if (std::chrono::steady_clock::now() - begin > bscope::cuda::kPatience)
                throw std::runtime_error(std::string("NCCL: no answer from the other ranks for 60 s (") +
                                         what + ")");
            std::this_thread::sleep_for(bscope::cuda::kPollEvery);
            if (const ncclResult_t status = nccl.state(get(), &result); status != ncclSuccess)
                nccl.fail(status, get(), what);
        }
        if (result != ncclSuccess) nccl.fail(result, get(), what);
    }

    void abort() {
        if (const ncclComm_t now = comm.exchange(nullptr)) bscope::cuda::nccl().abort(now);
    }
};

namespace bscope::cuda {

namespace {

ncclConfig_t nonBlocking() {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    return config;
}

// A link under construction: aborted when that fails.
template <class Open>
BscopeLink* opened(BscopeStream* stream, const char* what, Open open) {
    auto link = std::make_unique<BscopeLink>();
    link->stream = stream;
    ncclComm_t comm = nullptr;
    const ncclResult_t result = open(&comm);
    if (!comm) nccl().fail(result == ncclSuccess ? ncclInternalError : result, nullptr, what);
    link->comm = comm;
    try {
        link->finish(result, what);
    } catch (...) {
        link->abort();
        throw;
    }
    return link.release();
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
                     BscopeLink** link) {
    return guarded([&] {
        stream->device->enter();
        ncclUniqueId given{};
        std::memcpy(&given, id, sizeof(given));
        ncclConfig_t config = nonBlocking();
        *link = opened(stream, "start of the communicator",
                       [&](ncclComm_t* comm) { return nccl().open(comm, size, given, rank, &config); });
    });
}

BscopeError linkSplit(BscopeLink* from, int32_t color, int32_t key, BscopeLink** link) {
    return guarded([&] {
        from->stream->device->enter();
        *link = nullptr;
        ncclConfig_t config = nonBlocking();
        if (color < 0) {
            ncclComm_t none = nullptr;
            from->finish(nccl().split(from->get(), NCCL_SPLIT_NOCOLOR, key, &none, &config), "split");
            return;
        }
        ncclComm_t comm = nullptr;
        from->finish(nccl().split(from->get(), color, key, &comm, &config), "split");
        *link = opened(from->stream, "split", [&](ncclComm_t* made) {
            *made = comm;
            return ncclInProgress;
        });
    });
}

// Aborting is what also ends a communicator whose peers are gone.
void linkClose(BscopeLink* link) {
    link->abort();
    delete link;
}

BscopeError linkExchange(BscopeLink* link, const BscopeTransfer* transfers, uint64_t count) {
    return guarded([&] {
        link->stream->device->enter();
        const ncclComm_t comm = link->get();
        const cudaStream_t stream = link->stream->stream;
        link->finish(nccl().groupStart(), "exchange");
        ncclResult_t result = ncclSuccess;
        for (uint64_t i = 0; i < count && (result == ncclSuccess || result == ncclInProgress); ++i) {
            const BscopeTransfer& one = transfers[i];
            result = one.receives != 0 ? nccl().receive(one.data, one.bytes, ncclInt8, one.peer, comm, stream)
                                       : nccl().send(one.data, one.bytes, ncclInt8, one.peer, comm, stream);
        }
        const ncclResult_t ended = nccl().groupEnd();
        if (result != ncclSuccess && result != ncclInProgress) nccl().fail(result, comm, "exchange");
        link->finish(ended, "exchange");
    });
}

BscopeError linkAllReduceSum(BscopeLink* link, float* values, uint64_t count) {
    return guarded([&] {
        link->stream->device->enter();
        link->finish(
            nccl().allReduce(values, values, count, ncclFloat32, ncclSum, link->get(), link->stream->stream),
            "sum over the replicas");
    });
}

BscopeError linkState(BscopeLink* link) {
    return guarded([&] {
        ncclResult_t result = ncclSuccess;
        if (nccl().state(link->get(), &result) != ncclSuccess) nccl().fail(result, link->get(), "state");
        if (result != ncclSuccess && result != ncclInProgress) nccl().fail(result, link->get(), "state");
    });
}

void linkAbort(BscopeLink* link) {
    link->abort();
}

}  // namespace

void addLinks(BscopePlugin& plugin) {
    plugin.link_unique_id = &uniqueId;
    plugin.link_open = &linkOpen;
    plugin.link_split = &linkSplit;
    plugin.link_close = &linkClose;
    plugin.link_exchange = &linkExchange;
    plugin.link_all_reduce_sum = &linkAllReduceSum;
    plugin.link_state = &linkState;
    plugin.link_abort = &linkAbort;
}

}  // namespace bscope::cuda
