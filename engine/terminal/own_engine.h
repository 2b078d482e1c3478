// OwnEngine: `bscope serve` as a process of its own on the loopback, for one viewer. It ends with this
// object, and by itself when this process is gone. Everything on the thread of the context.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "terminal/engine_link.h"

namespace bscope::terminal {

class OwnEngine {
public:
    // listening: once, with where. ended: once, with the reason and what it said last.
    OwnEngine(asio::io_context& context, std::function<void(const EngineAddress&)> listening,
              std::function<void(const Sentence& why, const std::string& said)> ended);
    ~OwnEngine();
    OwnEngine(const OwnEngine&) = delete;
    OwnEngine& operator=(const OwnEngine&) = delete;

    // arguments: of a configuration, as bscope serve takes them. Throws SentenceError when no process can be
    // started.
    void start(const std::vector<std::string>& arguments);
    // A process of this one has ended: ours?
    void childEnded();

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace bscope::terminal
