// NCCL of the fake, for ranks that are threads of one process. Every communicator is non-blocking: what was
// begun goes on when somebody asks. A message is a kernel at either end that keeps multiprocessors from when
// it begins until both have met; aborting a communicator ends its kernels with nonsense.
#include <nccl.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "fake.h"

using namespace fake;

namespace {

constexpr int kMostProcessors = 32;  // of an exchange whose configuration sets no bound

struct Communicator;

struct Message {
    Communicator* from;  // who handed it over
    void* data;
    std::size_t bytes;
    bool begun = false, met = false, silent = false;
};
using MessageHandle = std::shared_ptr<Message>;

// The ranks of one communicator.
struct Group {
    int size = 0;
    std::map<int, Communicator*> ranks;  // that have come
    struct Split {
        struct Seat {
            Communicator* parent;
            int color, key;
            ncclComm_t* written;
        };
        std::vector<Seat> seats;
        bool made = false, fails = false;
    };
    std::vector<std::shared_ptr<Split>> splits;
    std::map<std::pair<int, int>, std::deque<MessageHandle>> sends, receives;  // by sender, receiver
};

struct Communicator {
    std::shared_ptr<Group> group;
    int rank = 0, device = 0, processors = kMostProcessors;
    bool clusters = true;
    ncclResult_t state = ncclInProgress;
    bool aborted = false, freed = false;
    Communicator* child = nullptr;  // whose abort flag is set with this one's
    int splits = 0;                 // begun
    int delay = 0;                  // how often more it is asked before it goes on
    std::shared_ptr<Group::Split> split;
    struct Launch {
        Stream* stream;
        std::vector<MessageHandle> messages;
    };
    std::vector<Launch> launches;
};

struct Nccl {
    std::map<std::string, std::shared_ptr<Group>> groups;
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

// What waits for a peer that has not handed anything over.
std::string unmatched() {
    for (const Communicator* self : nccl().all) {
        if (self->freed || self->aborted) continue;
        for (const auto* ways : {&self->group->receives, &self->group->sends})
            for (const auto& [pair, messages] : *ways) {
                const bool receives = ways == &self->group->receives;
                if ((receives ? pair.second : pair.first) != self->rank || messages.empty()) continue;
                const auto& others = receives ? self->group->sends : self->group->receives;
                const auto found = others.find(pair);
                if (found == others.end() || found->second.size() < messages.size())
                    return std::string(receives ? "a receive" : "a send") + " of GPU " +
                           std::to_string(self->device);
            }
    }
    return "";
}

// The oldest of either side meet.
void meet(Group& group, std::pair<int, int> way) {
    auto &sends = group.sends[way], &receives = group.receives[way];
    while (!sends.empty() && !receives.empty() && sends.front()->begun && receives.front()->begun) {
        Message &from = *sends.front(), &to = *receives.front();
        if (from.bytes != to.bytes)
            World::only().broken("a message of " + std::to_string(from.bytes) + " bytes meets a receive of " +
                                 std::to_string(to.bytes));
        std::memcpy(to.data, from.data, std::min(from.bytes, to.bytes));
        from.met = to.met = true;
        sends.pop_front();
        receives.pop_front();
    }
}

void handOver(World& world, Communicator& self, const Communicator::Launch& launch) {
    Operation operation{.what = "a transfer",
                        .traced = {Kind::Kernel, "transfer", 0},
                        .processors = static_cast<unsigned>(self.processors)};
    const auto messages = launch.messages;
    Communicator* const whose = &self;
    for (const MessageHandle& each : messages) {
        bool receives = false;
        for (const auto& [way, list] : self.group->receives)
            receives = receives || std::find(list.begin(), list.end(), each) != list.end();
        operation.accesses.push_back(
            world.touch(each->data, each->bytes, receives, *launch.stream->device, "a transfer"));
    }
    operation.run = [messages, whose] {
        for (const MessageHandle& each : messages) each->begun = !each->silent;
        for (int i = 0; i < whose->group->size; ++i) {
            meet(*whose->group, {whose->rank, i});
            meet(*whose->group, {i, whose->rank});
        }
    };
    operation.finished = [messages, whose] {
        return whose->aborted ||
               std::all_of(messages.begin(), messages.end(), [](const auto& each) { return each->met; });
    };
    world.hand(*launch.stream, std::move(operation));
}

void finishSplit(World& world, Group& group, Group::Split& split) {
    split.made = true;
    if (const long wanted = setting("BSCOPE_FAKE_SPLIT_FAILS", 0); wanted == 0)
        nccl().splits = 0;
    else
        split.fails = ++nccl().splits == wanted;
    std::map<int, std::vector<Group::Split::Seat>> colors;
    for (const auto& seat : split.seats)
        if (seat.color != NCCL_SPLIT_NOCOLOR) colors[seat.color].push_back(seat);
    world.allocates("ncclCommSplit");
    for (auto& [color, seats] : colors) {
        std::sort(seats.begin(), seats.end(), [](const auto& a, const auto& b) {
            return std::pair(a.key, a.parent->rank) < std::pair(b.key, b.parent->rank);
        });
        const auto made = std::make_shared<Group>();
        made->size = static_cast<int>(seats.size());
        for (std::size_t i = 0; i < seats.size(); ++i) {
            Communicator* const child = of(*seats[i].written);  // made when the split began
            child->group = made;
            child->rank = static_cast<int>(i);
            child->state = split.fails ? ncclSystemError : ncclSuccess;
            made->ranks[child->rank] = child;
        }
    }
    static_cast<void>(group);
}

// How far it is; a call of NCCL goes on in its own time.
void goOn(World& world, Communicator& self) {
    if (self.state != ncclInProgress || self.aborted) return;
    if (self.delay > 0) {
        --self.delay;
        return;
    }
    if (self.split) {
        Group::Split& split = *self.split;
        if (static_cast<int>(split.seats.size()) < self.group->size) return;
        if (!split.made) finishSplit(world, *self.group, split);
        self.state = split.fails ? ncclSystemError : ncclSuccess;
        if (!split.fails) self.child = nullptr;
        self.split.reset();
        return;
    }
    if (static_cast<int>(self.group->ranks.size()) < self.group->size) return;
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
    for (Communicator* const self : all) {
        if (!self->group) continue;
        for (auto* const ways : {&self->group->sends, &self->group->receives})
            for (auto& [way, messages] : *ways)
                std::erase_if(messages, [&](const auto& each) { return each->from == self; });
    }
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
    if (peer < 0 || peer >= self->group->size) return ncclInvalidArgument;
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
    const auto message = std::make_shared<Message>(Message{self, data, bytes});
    const std::pair way = receives ? std::pair(peer, self->rank) : std::pair(self->rank, peer);
    (receives ? self->group->receives : self->group->sends)[way].push_back(message);
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
    static std::atomic<int> next{0};
    std::memset(id, 0, sizeof(*id));
    std::snprintf(id->internal, sizeof(id->internal), "fake %d", ++next);
    return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int size, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
    FAKE_ENTER;
    world.unmatched = &unmatched;
    const Device& on = world.current(__func__);
    world.allocates(__func__);
    if (!config || config->blocking != 0) world.broken("ncclCommInitRankConfig: it would wait for all ranks");
    auto& group = nccl().groups[std::string(id.internal, sizeof(id.internal))];
    if (!group) group = std::make_shared<Group>();
    group->size = size;
    for (const auto& [other, each] : group->ranks)
        if (each->device == on.index) world.broken("ncclCommInitRankConfig: two ranks on one GPU");
    auto* const self = new Communicator;
    self->group = group;
    self->rank = rank;
    self->device = on.index;
    self->processors = processorsOf(config);
    self->clusters = !config || config->cgaClusterSize != 0;
    self->delay = static_cast<int>(world.chance() % 3);
    group->ranks[rank] = self;
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
    auto& splits = self->group->splits;
    const auto which = static_cast<std::size_t>(self->splits++);
    while (splits.size() <= which) splits.push_back(std::make_shared<Group::Split>());
    self->split = splits[which];
    self->state = ncclInProgress;
    self->delay = static_cast<int>(world.chance() % 3);
    if (color != NCCL_SPLIT_NOCOLOR) {
        auto* const child = new Communicator;
        child->group = std::make_shared<Group>();
        child->device = self->device;
        child->processors = processorsOf(config);
        child->clusters = !config || config->cgaClusterSize != 0;
        nccl().all.push_back(child);
        self->child = child;
        *written = reinterpret_cast<ncclComm_t>(child);
    }
    self->split->seats.push_back({self, color, key, written});
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
