// EngineLink: an end of the stream: attaches to a server, gives whole messages, and says why it was lost. It
// reads no faster than its owner takes, so that an engine, which never waits for a viewer, drops and counts.
// Everything on the thread of the context.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "wire/bubblescope.pb.h"
#include "wire/engine_address.h"
#include "words/sentence.h"

namespace asio {
class io_context;
}

namespace bscope::terminal {

// Why there is no connection. transient: trying again may help.
struct LinkLoss {
    Sentence what, what_to_do;
    bool transient = true;
};

class EngineLink {
public:
    // The first message is the engine's Hello. lost() comes once a connection.
    EngineLink(asio::io_context& context, std::function<void(const wire::Message&)> received,
               std::function<void(const LinkLoss&)> lost);
    ~EngineLink();
    EngineLink(const EngineLink&) = delete;
    EngineLink& operator=(const EngineLink&) = delete;

    // Whatever was connected before is closed.
    void connectTo(const EngineAddress& address);
    void send(const wire::Message& message);
    void close();

private:
    class Connection;
    asio::io_context& context_;
    std::function<void(const wire::Message&)> received_;
    std::function<void(const LinkLoss&)> lost_;
    std::shared_ptr<Connection> connection_;
};

}  // namespace bscope::terminal
