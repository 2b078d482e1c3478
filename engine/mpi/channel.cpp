#include "mpi/channel.h"

#include <algorithm>
#include <climits>
#include <thread>
#include <utility>

#include "mpi/patience.h"
#include "words/number_text.h"

namespace bscope {

namespace {

constexpr auto kPollEvery = std::chrono::microseconds(20);
constexpr auto kPollIdle = std::chrono::milliseconds(1);
constexpr auto kIdleAfter = std::chrono::milliseconds(100);
constexpr auto kSpinFor = std::chrono::milliseconds(5);
constexpr std::size_t kSpareBuffers = 64;

double seconds(SteadyClock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

}  // namespace

Sentence brokenWait(int rank, double waited_s, int peer, const Argument& what, const Sentence& why) {
    return sentence("rank {0} waited {1} s for {2} in {3}: {4}", rank, fixedText(waited_s, 1), rankName(peer),
                    what, why);
}

namespace {

Sentence silentWait(int rank, double waited_s, int peer, const Argument& what) {
    return sentence("rank {0} waited {1} s for {2} in {3}; it does not answer", rank, fixedText(waited_s, 1),
                    rankName(peer), what);
}

}  // namespace

void checkMpi(int result, const char* what) {
    if (result == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(result, text, &length);
    throw std::runtime_error(std::string("MPI: ") + text + " (" + what + ")");
}

int countOf(std::size_t bytes) {
    if (bytes > INT_MAX) throw std::length_error("MPI carries messages of up to 2 GB");
    return static_cast<int>(bytes);
}

Channel::Channel(MPI_Comm comm, std::chrono::milliseconds patience, Look look, Gone gone)
    : comm_(comm), patience_(patience), look_(std::move(look)), gone_(std::move(gone)) {
    checkMpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "start");
    checkMpi(MPI_Comm_rank(comm_, &rank_), "start");
    checkMpi(MPI_Comm_size(comm_, &size_), "start");
}

Channel::~Channel() {
    if (abandoned_) return;
    for (Send& send : sends_) MPI_Wait(&send.request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm_);
}

void Channel::progressSends() {
    while (!sends_.empty()) {
        if (!isDone(sends_.front().request)) return;
        if (spare_.size() < kSpareBuffers) spare_.push_back(std::move(sends_.front().message));
        sends_.pop_front();
    }
}

bool Channel::isDone(MPI_Request& request) {
    int done = 0;
    checkMpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "test");
    return done != 0;
}

std::vector<char> Channel::takeBuffer(std::size_t bytes) {
    std::vector<char> buffer;
    if (!spare_.empty()) {
        buffer = std::move(spare_.back());
        spare_.pop_back();
    }
    buffer.resize(bytes);
    return buffer;
}

void Channel::post(int peer, int tag, std::vector<char> message) {
    progressSends();
    sends_.push_back({std::move(message), MPI_REQUEST_NULL});
    Send& send = sends_.back();
    checkMpi(MPI_Isend(send.message.data(), countOf(send.message.size()), MPI_BYTE, peer, tag, comm_,
                       &send.request),
             "send");
}

std::optional<Channel::Received> Channel::poll(int peer, int tag) {
    int found = 0, count = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    checkMpi(MPI_Improbe(peer, tag, comm_, &found, &handle, &status), "probe");
    if (!found) return std::nullopt;
    checkMpi(MPI_Get_count(&status, MPI_BYTE, &count), "probe");
    Received received{status.MPI_SOURCE, status.MPI_TAG, std::vector<char>(static_cast<std::size_t>(count))};
    MPI_Request request = MPI_REQUEST_NULL;
    checkMpi(MPI_Imrecv(received.message.data(), count, MPI_BYTE, &handle, &request), "receive");
    for (auto since = SteadyClock::now(), looked = since; !isDone(request);) {  // it is on its way
        const auto now = SteadyClock::now();
        if (now - looked < kLookEvery) continue;
        looked = now;
        const double waited_s = seconds(now - since);
        const Sentence what = sentence("the middle of a message");
        if (const auto gone = gone_())
            throw WaitBroken(brokenWait(rank_, waited_s, received.peer, what, gone->reason), *gone,
                             received.peer);
        if (now - since > patience_)
            throw PeerIsSilent(silentWait(rank_, waited_s, received.peer, what), received.peer, waited_s);
    }
    return received;
}

Channel::Received Channel::receive(int peer, int tag, const Argument& what, SteadyClock::duration at_least,
                                   Pace pace) {
    std::optional<Received> received = poll(peer, tag);
    if (!received)
        waitUntil([&] { return (received = poll(peer, tag)).has_value(); }, what, peer, at_least, pace);
    return std::move(*received);
}

void Channel::workEnds() {
    if (work_since_) longest_work_ = std::max(longest_work_, SteadyClock::now() - *work_since_);
    work_since_.reset();
}

void Channel::iterationBegins() {
    longest_before_ = std::exchange(longest_work_, {});
}

void Channel::waitUntil(const std::function<bool()>& done, const Argument& what, int peer,
                        SteadyClock::duration at_least, Pace pace) {
    const auto since = SteadyClock::now();
    // The others may have more to do than this rank had, but not very much more.
    const auto patience =
        std::max<SteadyClock::duration>({patience_, 20 * std::max(longest_work_, longest_before_), at_least});
    while (!done()) {
        progressSends();
        const auto waited = SteadyClock::now() - since;
        if (const auto interruption = look_())
            throw WaitBroken(brokenWait(rank_, seconds(waited), peer, what, interruption->reason),
                             *interruption, peer);
        if (waited > patience)
            throw PeerIsSilent(silentWait(rank_, seconds(waited), peer, what), peer, seconds(waited));
        if (pace == Pace::Spin && waited < kSpinFor) continue;
        const bool idle = pace == Pace::Idle && waited > kIdleAfter;
        std::this_thread::sleep_for(idle ? SteadyClock::duration(kPollIdle)
                                         : SteadyClock::duration(kPollEvery));
    }
}

void Channel::glance(const Argument& what, int peer, std::optional<Interruption::Kind> only) {
    progressSends();
    if (const auto interruption = look_(); interruption && (!only || interruption->kind == *only))
        throw WaitBroken(brokenWait(rank_, 0, peer, what, interruption->reason), *interruption, peer);
}

void Channel::flush() {
    waitUntil(
        [this] {
            progressSends();
            return sends_.empty();
        },
        sentence("sending"), -1);
}

}  // namespace bscope
