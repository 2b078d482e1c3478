#include "terminal/engine_link.h"

#include <array>
#include <asio.hpp>
#include <chrono>
#include <deque>
#include <utility>

#include "wire/failure_words.h"
#include "wire/frame.h"

namespace bscope::terminal {
namespace {

using asio::ip::tcp;
constexpr std::chrono::seconds kAttachTimeout{8};

}  // namespace

// Lives as long as something of it is under way.
class EngineLink::Connection : public std::enable_shared_from_this<EngineLink::Connection> {
public:
    Connection(EngineLink& owner, EngineAddress address)
        : owner_(&owner),
          address_(std::move(address)),
          resolver_(owner.context_),
          socket_(owner.context_),
          timeout_(owner.context_) {}

    void start() {
        timeout_.expires_after(kAttachTimeout);
        timeout_.async_wait([self = shared_from_this()](const asio::error_code& error) {
            if (!error && !self->attached_) self->lose(self->noAnswer());
        });
        resolver_.async_resolve(address_.host, std::to_string(address_.port),
                                [self = shared_from_this()](const asio::error_code& error,
                                                            const tcp::resolver::results_type& found) {
                                    if (error) return self->lose(self->noAnswer());
                                    asio::async_connect(
                                        self->socket_, found,
                                        [self](const asio::error_code& failed, const tcp::endpoint&) {
                                            if (failed) return self->lose(self->noAnswer());
                                            self->attach();
                                        });
                                });
    }

    void send(const std::string& frame) {
        waiting_.push_back(frame);
        if (waiting_.size() == 1) write();
    }

    // Nothing is reported any more.
    void abandon() {
        owner_ = nullptr;
        shut();
    }

private:
    LinkLoss noAnswer() const {
        return {sentence("No engine answered at {0}.", address_.text()),
                sentence("Check the address, and that bscope serve is listening there."), true};
    }
    LinkLoss noEngine() const {
        return {sentence("The program at {0} does not answer like an engine.", address_.text()),
                sentence("Check that bscope serve of this version is listening there."), false};
    }

    void attach() {
        asio::error_code ignored;
        socket_.set_option(tcp::no_delay(true), ignored);
        wire::Message message;
        message.mutable_attach()->set_protocol_version(kProtocolVersion);
        message.mutable_attach()->set_token(address_.token);
        send(encode(message));
        read();
    }

    void write() {
        asio::async_write(socket_, asio::buffer(waiting_.front()),
                          [self = shared_from_this()](const asio::error_code& error, std::size_t) {
                              if (error) return self->lose(self->broken());
                              self->waiting_.pop_front();
                              if (!self->waiting_.empty()) self->write();
                          });
    }

    void read() {
        socket_.async_read_some(asio::buffer(chunk_), [self = shared_from_this()](
                                                          const asio::error_code& error, std::size_t bytes) {
            if (error) return self->lose(self->broken());
            if (self->take({self->chunk_.data(), bytes})) self->read();
        });
    }

    LinkLoss broken() const {
        return {sentence("The connection to the engine at {0} is lost.", address_.text()), {}, true};
    }

    // False: the connection is over.
    bool take(std::string_view bytes) {
        try {
            frames_.feed(bytes);
            while (auto message = frames_.next()) {
                if (!attached_ && !accept(*message)) return false;
                if (owner_ == nullptr) return false;
                owner_->received_(*message);
            }
        } catch (const WireError&) {
            lose(noEngine());
        }
        return owner_ != nullptr;
    }

    bool accept(const wire::Message& first) {
        if (first.has_failure()) {
            lose({whatOf(first.failure()), adviceOf(first.failure()), false});
        } else if (!first.has_hello()) {
            lose(noEngine());
        } else if (const Sentence mismatch = versionMismatch(first.hello().protocol_version());
                   !mismatch.empty()) {
            lose({mismatch, {}, false});
        } else {
            attached_ = true;
            timeout_.cancel();
        }
        return attached_;
    }

    void lose(const LinkLoss& why) {
        shut();
        if (EngineLink* owner = std::exchange(owner_, nullptr)) owner->lost_(why);
    }

    void shut() {
        asio::error_code ignored;
        timeout_.cancel();
        resolver_.cancel();
        socket_.close(ignored);
    }

    EngineLink* owner_;  // null: it has another connection, or none
    EngineAddress address_;
    tcp::resolver resolver_;
    tcp::socket socket_;
    asio::steady_timer timeout_;
    FrameReader frames_;
    std::array<char, 1u << 16> chunk_{};
    std::deque<std::string> waiting_;
    bool attached_ = false;
};

EngineLink::EngineLink(asio::io_context& context, std::function<void(const wire::Message&)> received,
                       std::function<void(const LinkLoss&)> lost)
    : context_(context), received_(std::move(received)), lost_(std::move(lost)) {}

EngineLink::~EngineLink() {
    close();
}

void EngineLink::connectTo(const EngineAddress& address) {
    close();
    connection_ = std::make_shared<Connection>(*this, address);
    connection_->start();
}

void EngineLink::send(const wire::Message& message) {
    if (connection_) connection_->send(encode(message));
}

void EngineLink::close() {
    if (connection_) connection_->abandon();
    connection_.reset();
}

}  // namespace bscope::terminal
