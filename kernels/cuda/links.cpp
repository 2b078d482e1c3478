// NCCL behind the C interface. Every communicator is non-blocking: a call that has not finished is polled, so
// that an abort or a peer's error is seen while waiting, and a hang at the start becomes a sentence.
#include <nccl.h>

#include <chrono>
#include <cstring>
#include <mutex>
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

constexpr auto kMeetingPatience = std::chrono::seconds(60);  // for all ranks to come
constexpr auto kPatience = std::chrono::seconds(8);          // for a call on a communicator that stands
constexpr auto kPollEvery = std::chrono::microseconds(50);

}  // namespace

}  // namespace bscope::cuda

struct BscopeLink {
    BscopeStream* stream;
    ncclComm_t comm = nullptr;  // null once aborted
    std::mutex mutex;           // held for one call at a time, so that an abort need not wait for the work

    // Calls with the communicator, which cannot be aborted meanwhile.
    template <class Call>
    ncclResult_t with(Call call) {
        const std::lock_guard lock(mutex);
        if (!comm) throw std::runtime_error("NCCL: the communicator was aborted");
        return call(comm);
    }

    // A call's result, waited for while NCCL still works on it.
    void finish(ncclResult_t result, const char* what, std::chrono::seconds patience) {
        const bscope::cuda::Nccl& nccl = bscope::cuda::nccl();
        const auto begin = std::chrono::steady_clock::now();
        while (result == ncclInProgress) {
            if (std::chrono::steady_clock::now() - begin > patience)
                throw std::runtime_error("NCCL: no answer from the other ranks for " +
                                         std::to_string(patience.count()) + " s (" + what + ")");
            std::this_thread::sleep_for(bscope::cuda::kPollEvery);
            const ncclResult_t asked = with([&](ncclComm_t now) { return nccl.state(now, &result); });
            if (asked != ncclSuccess) result = asked;
        }
        if (result != ncclSuccess) fail(result, what);
    }

    [[noreturn]] void fail(ncclResult_t result, const char* what) {
        const std::lock_guard lock(mutex);
        bscope::cuda::nccl().fail(result, comm, what);
    }

    void abort() {
        const std::lock_guard lock(mutex);
        if (comm) bscope::cuda::nccl().abort(comm);
        comm = nullptr;
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
        link->finish(result, what, kMeetingPatience);
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
        ncclComm_t comm = nullptr;
        const ncclResult_t result = from->with([&](ncclComm_t now) {
            return nccl().split(now, color < 0 ? NCCL_SPLIT_NOCOLOR : color, key, &comm, &config);
        });
        from->finish(result, "split", kMeetingPatience);
        if (color < 0) return;
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
        const cudaStream_t stream = link->stream->stream;
        const ncclResult_t handed_over = link->with([&](ncclComm_t comm) {
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
        link->finish(handed_over, "exchange", kPatience);
    });
}

BscopeError linkAllReduceSum(BscopeLink* link, float* values, uint64_t count) {
    return guarded([&] {
        link->stream->device->enter();
        const ncclResult_t handed_over = link->with([&](ncclComm_t comm) {
            return nccl().allReduce(values, values, count, ncclFloat32, ncclSum, comm, link->stream->stream);
        });
        link->finish(handed_over, "sum over the replicas", kPatience);
    });
}

BscopeError linkState(BscopeLink* link) {
    return guarded([&] {
        ncclResult_t result = ncclSuccess;
        const ncclResult_t asked = link->with([&](ncclComm_t comm) { return nccl().state(comm, &result); });
        if (asked != ncclSuccess) result = asked;
        if (result != ncclSuccess && result != ncclInProgress) link->fail(result, "state");
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
