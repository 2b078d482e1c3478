// NCCL of the fake, for ranks that are threads of one process or of several. Every communicator is
// non-blocking: what was begun goes on when its state is queried. A message is a kernel at either end that
// keeps multiprocessors from when it begins until both have met; aborting a communicator ends its kernels
// with nonsense.
#include <nccl.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>

#include "fake.h"
#include "nccl_group.h"

using namespace fake;

namespace {

constexpr unsigned kCluster = 4;     // what NCCL asks for on sm_90 by default
constexpr int kMostProcessors = 32;  // of an exchange whose configuration sets no bound

struct Communicator {
    std::shared_ptr<Group> group;  // null: the split that makes it is not over
    int rank = 0, device = 0, processors = kMostProcessors;
    bool clusters = true;
    ncclResult_t state = ncclInProgress;
    bool aborted = false, freed = false;
    Communicator* child = nullptr;  // whose abort flag is set with this one's
    std::size_t splits = 0;         // begun
    bool is_splitting = false;      // the last of them is not over
    int delay = 0;                  // how often more it is asked before it goes on
    struct Launch {
        Stream* stream;
        std::vector<MessageHandle> messages;
    };
    std::vector<Launch> launches;
};

struct Nccl {
    std::map<std::string, NcclWorld> worlds;  // by unique id
    std::vector<Communicator*> all;
    int splits = 0;
};

Nccl& nccl() {
    static Nccl* const only = new Nccl;
    return *only;
}

struct OfThread {
    int depth = 0;
    std::vector<std::pair<Communicator*, Communicator::Launch>> exchanges;
    std::vector<Communicator*> aborted;
};
OfThread& ofThread() {
    static thread_local OfThread self;
    return self;
}

Communicator* of(ncclComm_t handle) {
    return reinterpret_cast<Communicator*>(handle);
}

// True when the call must not be made.
bool isRefused(World& world, Communicator* self, const char* call) {
    if (self == nullptr || self->freed) {
        world.broken(std::string(call) + " of a communicator that was aborted or never made");
        return true;
    }
    if (self->state == ncclInProgress) {
        world.broken(std::string(call) + " while the communicator has something under way");
        return true;
    }
    return false;
}

// What other processes have written meanwhile.
void listen() {
    for (auto& [id, one] : nccl().worlds) one.listen();
}

// What waits for a peer that has not handed anything over.
std::string unmatched() {
    listen();
    for (const Communicator* self : nccl().all) {
        if (self->freed || self->aborted || !self->group) continue;
        if (const std::string what = self->group->unmatched(self->rank); !what.empty())
            return what + " of GPU " + std::to_string(self->device);
    }
    return "";
}

void handOver(World& world, Communicator& self, const Communicator::Launch& launch) {
    Operation operation{.what = "a transfer",
                        .traced = {Kind::Kernel, "transfer", 0},
                        .processors = static_cast<unsigned>(self.processors),
                        .cluster = self.clusters ? kCluster : 1};
    const auto messages = launch.messages;
    Communicator* const whose = &self;
    for (const MessageHandle& each : messages)
        operation.accesses.push_back(
            world.touch(each->data, each->bytes, each->receives, *launch.stream->device, "a transfer"));
    operation.run = [messages, whose] {
        for (const MessageHandle& each : messages)
            if (!each->silent && !whose->aborted) whose->group->begin(*each);
    };
    operation.finished = [messages, whose] {
        return whose->aborted ||
               std::all_of(messages.begin(), messages.end(), [](const auto& each) { return each->met; });
    };
    world.hand(*launch.stream, std::move(operation));
}

// Once all ranks have come to it.
void finishSplit(World& world, Communicator& self) {
    Group& group = *self.group;
    const std::size_t split = self.splits - 1;
    if (group.settlesSplit(split)) {
        if (const long wanted = setting("BSCOPE_FAKE_SPLIT_FAILS", 0); wanted == 0)
            nccl().splits = 0;
        else
            group.splitFails(split) = ++nccl().splits == wanted;
        world.allocates("ncclCommSplit");
    }
    self.is_splitting = false;
    self.state = group.splitFails(split) ? ncclSystemError : ncclSuccess;
    if (!self.child) return;
    std::tie(self.child->group, self.child->rank) = group.partOf(split, self.rank);
    self.child->state = self.state;
    if (self.state == ncclSuccess) self.child = nullptr;
}

// How far it is; a call of NCCL goes on in its own time.
void goOn(World& world, Communicator& self) {
    if (self.state != ncclInProgress || self.aborted) return;
    if (self.delay > 0) {
        --self.delay;
        return;
    }
    listen();
    if (self.is_splitting) {
        if (self.group->isSplitComplete(self.splits - 1)) finishSplit(world, self);
        return;
    }
    if (!self.group->isComplete()) return;
    static Nth error("BSCOPE_FAKE_LINK_ERROR"), silence("BSCOPE_FAKE_LINK_SILENT");
    for (const auto& launch : std::exchange(self.launches, {})) {
        if (error.now()) {
            self.state = ncclSystemError;
            return;
        }
        if (silence.now())
            for (const MessageHandle& each : launch.messages) each->silent = true;
        handOver(world, self, launch);
    }
    self.state = ncclSuccess;
}

// Sets the flag of a child too that a split which did not end well has left behind.
void setAbortFlags(World& world, Communicator& self) {
    self.aborted = true;
    if (!self.child) return;
    if (self.child->freed)
        world.broken("ncclCommAbort: writes the abort flag of a child that was freed after a failed split");
    self.child->aborted = true;
}

void reclaim(World& world, const std::vector<Communicator*>& all) {
    for (Communicator* const self : all)
        if (self->group) self->group->leave(self->rank);
    world.allocates("ncclCommAbort");
    while (world.advance()) {
    }
    for (Communicator* const self : all) self->freed = true;
}

ncclResult_t begin(void* data, std::size_t bytes, int peer, ncclComm_t handle, cudaStream_t stream_handle,
                   bool receives, const char* call) {
    FAKE_ENTER;
    Communicator* const self = of(handle);
    Stream& stream = *fake::of(stream_handle);
    if (isRefused(world, self, call)) return ncclInvalidUsage;
    if (self->state != ncclSuccess) return self->state;
    if (peer < 0 || peer >= self->group->size()) return ncclInvalidArgument;
    if (stream.device->index != self->device)
        world.broken(std::string(call) + ": the stream is not of the communicator's GPU");
    if (stream.captured) world.broken(std::string(call) + " in a stream that is being captured");
    if (connections() < 32)
        world.broken(std::string(call) +
                     ": streams share hardware queues, where what spins stops the others");
    if (self->clusters)
        world.broken(std::string(call) +
                     ": with clusters it waits for multiprocessors side by side, which products keep");
    if (stream.priority > -5)
        world.broken(std::string(call) +
                     " on a stream without the highest priority: it stands behind kernels that compute");
    const MessageHandle message = self->group->hand(self->rank, peer, receives, data, bytes);
    auto& exchanges = ofThread().exchanges;
    const auto found = std::find_if(exchanges.begin(), exchanges.end(), [&](const auto& each) {
        return each.first == self && each.second.stream == &stream;
    });
    if (found != exchanges.end())
        found->second.messages.push_back(message);
    else
        exchanges.push_back({self, {&stream, {message}}});
    if (ofThread().depth == 0) world.broken(std::string(call) + " outside a group");
    return ncclSuccess;
}

int processorsOf(const ncclConfig_t* config) {
    return config && config->maxCTAs != NCCL_CONFIG_UNDEF_INT ? config->maxCTAs : kMostProcessors;
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t result) {
    return result == ncclSystemError ? "unhandled system error (fake)" : "an error (fake)";
}
const char* ncclGetLastError(ncclComm_t) {
    return "";
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    FAKE_ENTER;
    std::memset(id, 0, sizeof(*id));
    Journal::make().copy(id->internal, sizeof(id->internal) - 1);
    return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int size, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
    FAKE_ENTER;
    world.unmatched = &unmatched;
    const Device& on = world.current(__func__);
    world.allocates(__func__);
    if (!config || config->blocking != 0) world.broken("ncclCommInitRankConfig: it would wait for all ranks");
    world.listen = &listen;
    const std::string name(id.internal, strnlen(id.internal, sizeof(id.internal)));
    std::shared_ptr<Group> group;
    try {
        group = nccl().worlds.try_emplace(name, name).first->second.group(NcclWorld::kWhole, size);
    } catch (const std::exception&) {
        return ncclSystemError;
    }
    listen();
    group->come(rank, on.index, size);
    auto* const self = new Communicator;
    self->group = group;
    self->rank = rank;
    self->device = on.index;
    self->processors = processorsOf(config);
    self->clusters = !config || config->cgaClusterSize != 0;
    self->delay = static_cast<int>(world.chance() % 3);
    nccl().all.push_back(self);
    *made = reinterpret_cast<ncclComm_t>(self);
    return ncclInProgress;
}

ncclResult_t ncclCommSplit(ncclComm_t handle, int color, int key, ncclComm_t* written, ncclConfig_t* config) {
    FAKE_ENTER;
    Communicator* const self = of(handle);
    if (isRefused(world, self, __func__)) return ncclInvalidUsage;
    if (self->state != ncclSuccess) return self->state;
    if (world.thread().device != self->device)
        world.broken("ncclCommSplit: the current GPU is not the communicator's");
    *written = nullptr;
    self->group->sit(self->rank, self->splits++, {color, key});
    self->is_splitting = true;
    self->state = ncclInProgress;
    self->delay = static_cast<int>(world.chance() % 3);
    if (color != NCCL_SPLIT_NOCOLOR) {
        auto* const child = new Communicator;
        child->device = self->device;
        child->processors = processorsOf(config);
        child->clusters = !config || config->cgaClusterSize != 0;
        nccl().all.push_back(child);
        self->child = child;
        *written = reinterpret_cast<ncclComm_t>(child);
    }
    return ncclInProgress;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t handle, ncclResult_t* state) {
    FAKE_ENTER;
    Communicator* const self = of(handle);
    if (!self || self->freed) {
        world.broken("ncclCommGetAsyncError of a communicator that was aborted or never made");
        return ncclInvalidArgument;
    }
    if (ofThread().depth > 0) world.broken("ncclCommGetAsyncError within a group: nothing has begun yet");
    goOn(world, *self);
    world.advance();
    *state = self->state;
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t handle) {
    FAKE_ENTER;
    Communicator* const self = of(handle);
    if (!self || self->freed) {
        world.broken("ncclCommAbort: aborted twice");
        return ncclInvalidArgument;
    }
    setAbortFlags(world, *self);
    if (ofThread().depth > 0)
        ofThread().aborted.push_back(self);
    else
        reclaim(world, {self});
    return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
    ++ofThread().depth;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
    FAKE_ENTER;
    OfThread& self = ofThread();
    if (self.depth == 0) {
        world.broken("ncclGroupEnd without ncclGroupStart");
        return ncclInvalidUsage;
    }
    if (--self.depth > 0) return ncclSuccess;
    for (auto& [whose, launch] : std::exchange(self.exchanges, {})) {
        whose->launches.push_back(std::move(launch));
        whose->state = ncclInProgress;
        whose->delay = static_cast<int>(world.chance() % 3);
    }
    if (!self.aborted.empty()) reclaim(world, std::exchange(self.aborted, {}));
    return ncclInProgress;
}

ncclResult_t ncclSend(const void* data, std::size_t count, ncclDataType_t, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    return begin(const_cast<void*>(data), count, peer, comm, stream, false, __func__);
}

ncclResult_t ncclRecv(void* data, std::size_t count, ncclDataType_t, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    return begin(data, count, peer, comm, stream, true, __func__);
}

}  // extern "C"
