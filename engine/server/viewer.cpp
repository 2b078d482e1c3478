#include "server/viewer.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "server/hello.h"
#include "words/sentence_error.h"

namespace bscope {
namespace {

constexpr std::chrono::seconds kAttachWithin{5};
constexpr std::chrono::seconds kRefuseAfter{1};
constexpr std::size_t kMaxMessageFromViewer = 1u << 16;
constexpr std::size_t kStalledBytes = 64u << 20;        // waiting for a viewer: above this it is let go
constexpr std::size_t kSystemBufferBytes = 256u << 10;  // what waits in the system cannot be left out
constexpr std::size_t kFramesPerWrite = 64;

}  // namespace

Viewer::Viewer(asio::ip::tcp::socket socket, ViewerOwner& owner, std::size_t queue_bytes)
    : socket_(std::move(socket)),
      owner_(owner),
      attach_timer_(socket_.get_executor()),
      frames_(kMaxMessageFromViewer),
      queue_(queue_bytes),
      system_buffer_bytes_(static_cast<int>(std::min(queue_bytes, kSystemBufferBytes))) {}

void Viewer::start() {
    asio::error_code ignored;  // an option the system refuses costs latency, nothing else
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    socket_.set_option(asio::socket_base::send_buffer_size(system_buffer_bytes_), ignored);
    attach_timer_.expires_after(kAttachWithin);
    attach_timer_.async_wait([self = shared_from_this()](const asio::error_code& error) {
        if (!error && !self->attached_) self->leave();
    });
    read();
}

void Viewer::read() {
    socket_.async_read_some(asio::buffer(chunk_),
                            [self = shared_from_this()](const asio::error_code& error, std::size_t size) {
                                if (error) return self->leave();
                                self->take({self->chunk_.data(), size});
                                if (self->listens()) self->read();
                            });
}

void Viewer::take(std::string_view bytes) {
    try {
        frames_.feed(bytes);
        while (listens()) {
            const auto message = frames_.next();
            if (!message) return;
            if (attached_)
                owner_.received(*this, *message);
            else if (message->has_attach())
                owner_.attachAsked(*this, message->attach());
            else
                refuse(sentence("The first message to an engine must be Attach."),
                       sentence("Connect with bubblescope."));
        }
    } catch (const WireError& error) {
        refuse(sentence("The engine ends the connection: {0}.", sentenceOf(error)),
               sentence("Connect with bubblescope of the same version."));
    }
}

void Viewer::send(OutFrame frame) {
    if (finishing_ || left_) return;
    queue_.push(std::move(frame));
    if (queue_.bytes() > kStalledBytes) return leave();
    write();
}

void Viewer::write() {
    if (writing_ || left_) return;
    if (queue_.empty()) {
        if (finishing_) leave();
        return;
    }
    in_flight_.clear();
    std::vector<asio::const_buffer> buffers;
    while (in_flight_.size() < kFramesPerWrite) {
        auto frame = queue_.pop();
        if (!frame) break;
        buffers.push_back(asio::buffer(*frame->bytes));
        in_flight_.push_back(std::move(*frame));
    }
    writing_ = true;
    asio::async_write(socket_, buffers,
                      [self = shared_from_this()](const asio::error_code& error, std::size_t) {
                          self->writing_ = false;
                          if (error) return self->leave();
                          self->write();
                      });
}

void Viewer::refuse(const Sentence& sentence, const Sentence& what_to_do) {
    send(makeFrame(failureMessage(sentence, what_to_do)));
    finish();
}

void Viewer::refuseLater(const Sentence& sentence, const Sentence& what_to_do) {
    refused_ = true;
    attach_timer_.expires_after(kRefuseAfter);
    attach_timer_.async_wait(
        [self = shared_from_this(), sentence, what_to_do](const asio::error_code& error) {
            if (!error) self->refuse(sentence, what_to_do);
        });
}

void Viewer::finish() {
    finishing_ = true;
    write();
}

void Viewer::leave() {
    if (std::exchange(left_, true)) return;
    attach_timer_.cancel();
    asio::error_code ignored;  // the other side may have closed already
    socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
    asio::post(socket_.get_executor(), [self = shared_from_this()] { self->owner_.gone(self); });
}

std::string Viewer::address() const {
    asio::error_code error;
    const auto endpoint = socket_.remote_endpoint(error);
    if (error) return "an address that is gone";
    std::ostringstream text;
    text << endpoint;
    return text.str();
}

std::uint64_t Viewer::newlyDropped() {
    const std::uint64_t before =
        std::exchange(reported_dropped_, queue_.droppedEvents() + queue_.droppedKernels());
    return reported_dropped_ - before;
}

}  // namespace bscope
