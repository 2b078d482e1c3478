#include "mpi/mpi_communicator.h"

#include <cstring>
#include <utility>

#include "plan/message_tags.h"

namespace bscope {

namespace {

constexpr std::size_t kHeaderBytes = sizeof(std::int64_t);  // sent_ns stands before the tensor
constexpr int kStages = 4095, kMicrobatches = 1 << 16;
constexpr int kReplicas = 1024, kReductions = 2 * kReplicas;  // a slice and a sum of each
// Beyond the tags of tensors.
enum SpecialTag : int { kAddend = kStages << 17, kSum, kHere, kBegin, kNews, kLast };

// One number a message of an iteration. Those of a stream come round again: messages of one number keep their
// order, and there are never so many under way.
int tagNumber(const MessageTag& tag) {
    if (tag.stage < 0 || tag.stage >= kStages || tag.from >= kReplicas)
        throw std::logic_error("message " + messageText(tag) + " has no MPI tag");
    const int piece = tag.segment < 0 ? tag.microbatch : tag.microbatch * kMaxSegments + tag.segment;
    const int number = isOfReduction(tag.kind) ? tag.from + (tag.kind == MessageKind::Sum ? kReplicas : 0)
                                               : kReductions + piece % (kMicrobatches - kReductions);
    const int direction = tag.kind == MessageKind::Activation ? 0 : 1;
    return (tag.stage * 2 + direction) * kMicrobatches + number;
}

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm comm, std::chrono::milliseconds patience, Channel::Look look,
                                 Channel::Gone gone)
    : channel_(comm, patience, std::move(look), std::move(gone)) {}

void MpiCommunicator::postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                               std::int64_t sent_ns) {
    std::vector<char> message = channel_.takeBuffer(kHeaderBytes + bytes);
    std::memcpy(message.data(), &sent_ns, kHeaderBytes);
    std::memcpy(message.data() + kHeaderBytes, data, bytes);
    channel_.post(peer, tagNumber(tag), std::move(message));
}

void MpiCommunicator::postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) {
    const auto [at, is_new] = receives_.try_emplace(
        tag, Receive{peer, into, channel_.takeBuffer(kHeaderBytes + bytes), MPI_REQUEST_NULL});
    if (!is_new) throw std::logic_error("receive " + messageText(tag) + " is posted twice");
    Receive& receive = at->second;
    checkMpi(MPI_Irecv(receive.message.data(), countOf(receive.message.size()), MPI_BYTE, peer,
                       tagNumber(tag), channel_.comm(), &receive.request),
             "receive");
}

bool MpiCommunicator::arrived(const MessageTag& tag) {
    const auto found = receives_.find(tag);
    if (found == receives_.end()) return false;
    int done = 0;
    MPI_Status status;
    checkMpi(MPI_Request_get_status(found->second.request, &done, &status), "receive");
    return done != 0;
}

std::int64_t MpiCommunicator::wait(const MessageTag& tag) {
    const auto found = receives_.find(tag);
    if (found == receives_.end())
        throw std::logic_error("receive " + messageText(tag) + " is waited for but was never posted");
    Receive& receive = found->second;
    channel_.workEnds();
    channel_.waitUntil([&] { return channel_.isDone(receive.request); }, messageText(tag), receive.peer);
    channel_.workBegins();
    std::int64_t sent_ns = 0;
    std::memcpy(&sent_ns, receive.message.data(), kHeaderBytes);
    std::memcpy(receive.into, receive.message.data() + kHeaderBytes, receive.message.size() - kHeaderBytes);
    receives_.erase(found);
    return sent_ns;
}

void MpiCommunicator::allReduceSum(std::span<double> values) {
    channel_.workEnds();
    const std::size_t bytes = values.size_bytes();
    const auto packed = [&] {
        std::vector<char> message = channel_.takeBuffer(bytes);
        std::memcpy(message.data(), values.data(), bytes);
        return message;
    };
    if (rank() > 0) {
        channel_.post(0, kAddend, packed());
        const std::vector<char> sum = channel_.receive(0, kSum, "OPT").message;
        std::memcpy(values.data(), sum.data(), bytes);
        return;
    }
    std::vector<double> addend(values.size());
    for (int peer = 1; peer < size(); ++peer) {
        const std::vector<char> message = channel_.receive(peer, kAddend, "OPT").message;
        std::memcpy(addend.data(), message.data(), bytes);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] += addend[i];
    }
    for (int peer = 1; peer < size(); ++peer) channel_.post(peer, kSum, packed());
}

std::int64_t MpiCommunicator::begin(const std::function<std::int64_t()>& moment,
                                    std::chrono::steady_clock::duration at_least) {
    const Sentence what = sentence("the start of an iteration");
    channel_.workEnds();  // the warm-up, if there was one
    channel_.iterationBegins();
    if (rank() > 0) {
        channel_.post(0, kHere, {});
        const std::vector<char> message =
            channel_.receive(0, kBegin, what, at_least, Channel::Pace::Spin).message;
        std::int64_t begun = 0;
        std::memcpy(&begun, message.data(), sizeof(begun));
        channel_.workBegins();
        return begun;
    }
    for (int peer = 1; peer < size(); ++peer) channel_.receive(peer, kHere, what, at_least);
    const std::int64_t now = moment();
    for (int peer = 1; peer < size(); ++peer) {
        std::vector<char> message = channel_.takeBuffer(sizeof(now));
        std::memcpy(message.data(), &now, sizeof(now));
        channel_.post(peer, kBegin, std::move(message));
    }
    channel_.workBegins();
    return now;
}

void MpiCommunicator::sendNews(const std::vector<char>& message) {
    for (int peer = 0; peer < size(); ++peer)
        if (peer != rank()) channel_.post(peer, kNews, message);
}

std::vector<std::vector<char>> MpiCommunicator::takeNews() {
    std::vector<std::vector<char>> heard;
    while (auto received = channel_.poll(MPI_ANY_SOURCE, kNews))
        heard.push_back(std::move(received->message));
    return heard;
}

// Messages of one sender are matched in their order, so behind its last one there is nothing more.
void MpiCommunicator::settle() {
    for (auto& posted : receives_) {
        auto& receive = posted.second;  // Clang 14 captures no structured binding
        checkMpi(MPI_Cancel(&receive.request), "settle");
        channel_.waitUntil([&] { return channel_.isDone(receive.request); }, sentence("settling"),
                           receive.peer);
    }
    receives_.clear();
    for (int peer = 0; peer < size(); ++peer)
        if (peer != rank()) channel_.post(peer, kLast, {});
    for (int peer = 0; peer < size(); ++peer)
        while (peer != rank() && channel_.receive(peer, MPI_ANY_TAG, sentence("settling")).tag != kLast) {
        }
    channel_.flush();
}

}  // namespace bscope
