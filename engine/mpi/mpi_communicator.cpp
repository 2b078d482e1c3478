#include "mpi/mpi_communicator.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <iomanip>
#include <sstream>
#include <thread>
#include <utility>

namespace bscope {

namespace {

constexpr auto kPollEvery = std::chrono::microseconds(20);
constexpr std::size_t kHeaderBytes = sizeof(std::int64_t);  // sent_ns stands before the tensor

std::string receiveText(const MessageTag& tag) {
    return std::to_string(tag.stage) + (tag.direction == Direction::Forward ? "RECV_F" : "RECV_B") +
           std::to_string(tag.microbatch);
}

// One number a message of an iteration; messages of one number arrive in the order in which they were sent.
int tagNumber(const MessageTag& tag) {
    if (tag.stage < 0 || tag.stage >= 1 << 13 || tag.microbatch < 0 || tag.microbatch >= 1 << 16)
        throw std::logic_error("message " + receiveText(tag) + " has no MPI tag");
    return (tag.stage * 2 + static_cast<int>(tag.direction)) << 16 | tag.microbatch;
}

int countOf(std::size_t bytes) {
    if (bytes > INT_MAX) throw std::length_error("MPI carries messages of up to 2 GB");
    return static_cast<int>(bytes);
}

void check(int result, const char* what) {
    if (result == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(result, text, &length);
    throw std::runtime_error(std::string("MPI: ") + text + " (" + what + ")");
}

double secondsSince(std::chrono::steady_clock::time_point moment) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - moment).count();
}

}  // namespace

MpiCommunicator::MpiCommunicator(std::chrono::milliseconds patience) : patience_(patience) {
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "start");
    check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "start");
    check(MPI_Comm_rank(comm_, &rank_), "start");
    check(MPI_Comm_size(comm_, &size_), "start");
}

// After a failure the processes are about to be ended, and what is under way is left as it is.
MpiCommunicator::~MpiCommunicator() {
    if (aborted_) return;
    for (Send& send : sends_) MPI_Wait(&send.request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm_);
}

void MpiCommunicator::progressSends() {
    while (!sends_.empty()) {
        int done = 0;
        check(MPI_Test(&sends_.front().request, &done, MPI_STATUS_IGNORE), "send");
        if (!done) return;
        spare_.push_back(std::move(sends_.front().message));
        sends_.pop_front();
    }
}

// Polls until the request is done; says who waits for whom in what, and how long, when it never will be.
void MpiCommunicator::finish(MPI_Request& request, const std::string& what, int peer,
                             std::chrono::steady_clock::duration at_least) {
    const auto since = std::chrono::steady_clock::now();
    longest_work_ = std::max(longest_work_, since - last_call_);
    // The others may have more to do than this rank had, but not very much more.
    const auto patience =
        std::max<std::chrono::steady_clock::duration>({patience_, 20 * longest_work_, at_least});
    const auto sentence = [&](const char* ending) {
        std::ostringstream text;
        text << std::fixed << std::setprecision(1) << "rank " << rank_ << " waited " << secondsSince(since)
             << " s for " << (peer < 0 ? std::string("all ranks") : "rank " + std::to_string(peer)) << " in "
             << what << ending;
        return text.str();
    };
    for (int done = 0;;) {
        check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what.c_str());
        if (done) {
            last_call_ = std::chrono::steady_clock::now();
            return;
        }
        progressSends();
        if (aborted_) {
            const std::lock_guard lock(mutex_);
            throw CommunicationAborted(sentence(" when ") + reason_);
        }
        if (std::chrono::steady_clock::now() - since > patience) {
            aborted_ = true;
            throw CommunicationHang(sentence("; it does not answer"), peer, secondsSince(since));
        }
        std::this_thread::sleep_for(kPollEvery);
    }
}

void MpiCommunicator::postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                               std::int64_t sent_ns) {
    progressSends();
    std::vector<char> message;
    if (!spare_.empty()) {
        message = std::move(spare_.back());
        spare_.pop_back();
    }
    message.resize(kHeaderBytes + bytes);
    std::memcpy(message.data(), &sent_ns, kHeaderBytes);
    std::memcpy(message.data() + kHeaderBytes, data, bytes);
    sends_.push_back({std::move(message), MPI_REQUEST_NULL});
    Send& send = sends_.back();
    check(MPI_Isend(send.message.data(), countOf(send.message.size()), MPI_BYTE, peer, tagNumber(tag), comm_,
                    &send.request),
          "send");
}

void MpiCommunicator::postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) {
    const auto [at, is_new] = receives_.try_emplace(
        tag, Receive{peer, into, std::vector<char>(kHeaderBytes + bytes), MPI_REQUEST_NULL});
    if (!is_new) throw std::logic_error("receive " + receiveText(tag) + " is posted twice");
    Receive& receive = at->second;
    check(MPI_Irecv(receive.message.data(), countOf(receive.message.size()), MPI_BYTE, peer, tagNumber(tag),
                    comm_, &receive.request),
          "receive");
}

bool MpiCommunicator::arrived(const MessageTag& tag) {
    const auto found = receives_.find(tag);
    if (found == receives_.end()) return false;
    int done = 0;
    MPI_Status status;
    check(MPI_Request_get_status(found->second.request, &done, &status), "receive");
    return done != 0;
}

std::int64_t MpiCommunicator::wait(const MessageTag& tag) {
    const auto found = receives_.find(tag);
    if (found == receives_.end())
        throw std::logic_error("receive " + receiveText(tag) + " is waited for but was never posted");
    Receive& receive = found->second;
    finish(receive.request, receiveText(tag), receive.peer);
    std::int64_t sent_ns = 0;
    std::memcpy(&sent_ns, receive.message.data(), kHeaderBytes);
    std::memcpy(receive.into, receive.message.data() + kHeaderBytes, receive.message.size() - kHeaderBytes);
    receives_.erase(found);
    return sent_ns;
}

void MpiCommunicator::allReduceSum(std::span<double> values) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(MPI_IN_PLACE, values.data(), countOf(values.size()), MPI_DOUBLE, MPI_SUM, comm_,
                         &request),
          "sum over all ranks");
    finish(request, "OPT", -1);
}

void MpiCommunicator::abort(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (aborted_) return;
    reason_ = reason;
    aborted_ = true;
}

void MpiCommunicator::barrier(std::chrono::steady_clock::duration at_least) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(comm_, &request), "barrier");
    finish(request, "the start of an iteration", -1, at_least);
}

std::vector<std::vector<char>> MpiCommunicator::gather(const std::vector<char>& mine) {
    const std::string what = "the report of an iteration";
    const int count = countOf(mine.size());
    std::vector<int> counts(rank_ == 0 ? static_cast<std::size_t>(size_) : 0), offsets(counts.size());
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Igather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm_, &request), "gather");
    finish(request, what, -1);
    std::size_t total = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        offsets[i] = countOf(total);
        total += static_cast<std::size_t>(counts[i]);
    }
    std::vector<char> all(total);
    check(MPI_Igatherv(mine.data(), count, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, 0,
                       comm_, &request),
          "gather");
    finish(request, what, -1);
    std::vector<std::vector<char>> each;
    for (std::size_t i = 0; i < counts.size(); ++i)
        each.emplace_back(all.begin() + offsets[i], all.begin() + offsets[i] + counts[i]);
    return each;
}

std::int64_t MpiCommunicator::fromFirst(std::int64_t value) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(&value, 1, MPI_INT64_T, 0, comm_, &request), "broadcast");
    finish(request, "the end of an iteration", -1);
    return value;
}

}  // namespace bscope
