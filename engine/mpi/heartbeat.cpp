#include "mpi/heartbeat.h"

#include <algorithm>
#include <utility>

#include "clock/start_thread.h"
#include "mpi/commands.h"
#include "mpi/packer.h"
#include "mpi/patience.h"

namespace bscope {

namespace {

constexpr auto kCheckEvery = std::chrono::milliseconds(100);
constexpr auto kBeatEvery = std::chrono::milliseconds(500);
constexpr auto kOwnPause = std::chrono::seconds(2);  // this process was stopped itself, or starved
constexpr auto kPoll = std::chrono::milliseconds(1);

}  // namespace

Heartbeat::Heartbeat(MPI_Comm comm, std::vector<ProcessPlace> places)
    : channel_(
          comm, kPatience, [] { return std::optional<Interruption>(); },
          [] { return std::optional<Interruption>(); }),
      places_(std::move(places)),
      heard_(places_.size(), SteadyClock::now()),
      has_parted_(places_.size(), false),
      lives_(places_.size()) {
    for (int rank = 0; rank < channel_.size(); ++rank)
        if (rank != channel_.rank() && (rank == 0 || channel_.rank() == 0)) peers_.push_back(rank);
    thread_ = startThread(sentence("the heartbeat of a process"), [this] { live(); });
}

Heartbeat::~Heartbeat() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    ends_.notify_all();
    thread_.join();
    if (std::any_of(peers_.begin(), peers_.end(),
                    [this](int peer) { return !has_parted_[static_cast<std::size_t>(peer)]; }))
        channel_.abandon();
}

void Heartbeat::abandon() {
    const std::lock_guard<std::mutex> lock(mutex_);
    abandoned_ = true;
}

// True when it is time to end.
bool Heartbeat::rest(SteadyClock::duration how_long) {
    std::unique_lock<std::mutex> lock(mutex_);
    return ends_.wait_for(lock, how_long, [this] { return ending_; });
}

// A process that was itself stopped for a while received no heartbeats meanwhile, and draws no conclusion.
void Heartbeat::live() try {
    auto looked = SteadyClock::now(), next_beat = looked;
    do {
        const auto now = SteadyClock::now();
        if (now - looked > kOwnPause) std::fill(heard_.begin(), heard_.end(), now);
        looked = now;
        takeBeats();
        judge();
        if (!lookAround() && now < next_beat) continue;
        beat(false);
        next_beat = now + kBeatEvery;
    } while (!rest(kCheckEvery));
    part();
} catch (const std::exception&) {  // MPI carries nothing any more
    for (const int peer : peers_) lose(peer, Life::Silent);
}

// What was sent is received by all before MPI ends.
void Heartbeat::part() {
    const auto is_waited_for = [this](int peer) {
        return !has_parted_[static_cast<std::size_t>(peer)] && of(peer) == Life::Here;
    };
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (abandoned_) return;
    }
    beat(true);
    while (std::any_of(peers_.begin(), peers_.end(), is_waited_for)) {
        takeBeats();
        judge();
        std::this_thread::sleep_for(kPoll);
    }
}

void Heartbeat::beat(bool is_last) {
    for (const int peer : peers_)
        if (of(peer) == Life::Here)
            channel_.post(peer, kPulseTag, Packer().add(is_last).add(ended_here_).take());
}

void Heartbeat::takeBeats() {
    while (const auto received = channel_.poll(MPI_ANY_SOURCE, kPulseTag)) {
        Unpacker from(received->message);
        const auto peer = static_cast<std::size_t>(received->peer);
        heard_[peer] = SteadyClock::now();
        has_parted_[peer] = from.next<bool>();
        for (const int rank : from.nextVector<int>()) lose(rank, Life::Ended);
    }
}

// True when a process has ended since.
bool Heartbeat::lookAround() {
    const std::size_t before = ended_here_.size();
    for (int rank = 0; rank < channel_.size(); ++rank) {
        if (of(rank) == Life::Ended || !isGone(places_[static_cast<std::size_t>(rank)])) continue;
        lose(rank, Life::Ended);
        ended_here_.push_back(rank);
    }
    return ended_here_.size() > before;
}

void Heartbeat::judge() {
    for (const int peer : peers_)
        if (of(peer) == Life::Here && SteadyClock::now() - heard_[static_cast<std::size_t>(peer)] > kPatience)
            lose(peer, Life::Silent);
}

}  // namespace bscope
