// Viewer: one connection. Reads whole messages, the first of which must be Attach; sends what is queued for
// it and never blocks the engine or other viewers: a viewer that stalls loses events, which are counted, and
// one that reads nothing at all is disconnected. Everything on the server's thread.
#pragma once

#include <array>
#include <asio.hpp>
#include <memory>
#include <string>
#include <vector>

#include "server/frame_queue.h"

namespace bscope {

class Viewer;

// Whom a viewer reports to. gone() comes last and once, never from within a call of the owner.
class ViewerOwner {
public:
    virtual ~ViewerOwner() = default;
    virtual void attachAsked(Viewer& viewer, const wire::Attach& attach) = 0;
    virtual void received(Viewer& viewer, const wire::Message& message) = 0;
    virtual void gone(const std::shared_ptr<Viewer>& viewer) = 0;
};

class Viewer : public std::enable_shared_from_this<Viewer> {
public:
    // The owner outlives the viewer's connection.
    Viewer(asio::ip::tcp::socket socket, ViewerOwner& owner, std::size_t queue_bytes);

    void start();
    void accept(bool controls) { attached_ = true, controls_ = controls; }
    bool attached() const { return attached_; }
    bool controls() const { return controls_; }
    bool left() const { return left_; }
    std::string address() const;

    void send(OutFrame frame);
    // A sentence and what to do about it; then the connection ends.
    void refuse(const Sentence& sentence, const Sentence& what_to_do);
    // The same after a second in which its messages are not read: this limits guessing.
    void refuseLater(const Sentence& sentence, const Sentence& what_to_do);
    // Ends the connection when all that is queued has been sent.
    void finish();
    void leave();

    // Events and kernels left out since the last call.
    std::uint64_t newlyDropped();
    std::uint64_t droppedEvents() const { return queue_.droppedEvents(); }
    std::uint64_t droppedKernels() const { return queue_.droppedKernels(); }

private:
    bool listens() const { return !refused_ && !finishing_ && !left_; }
    void read();
    void take(std::string_view bytes);
    void write();

    asio::ip::tcp::socket socket_;
    ViewerOwner& owner_;
    asio::steady_timer attach_timer_;
    FrameReader frames_;
    FrameQueue queue_;
    int system_buffer_bytes_;
    std::array<char, 1u << 14> chunk_{};
    std::vector<OutFrame> in_flight_;
    bool writing_ = false, finishing_ = false, left_ = false, refused_ = false;
    bool attached_ = false, controls_ = false;
    std::uint64_t reported_dropped_ = 0;
};

}  // namespace bscope
