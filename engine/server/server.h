// Server: an engine for viewers on a socket. A viewer that presents the token is admitted; the first to
// attach controls, others watch; all get the same stream, one who comes later gets what is needed to draw at
// once. The engine never waits for a viewer. Connections that have not shown the token have a small share and
// little time, so that they keep no viewer out. run() serves on the calling thread; everything here happens
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "config/run_config.h"
#include "run/checkpointer.h"
#include "server/allowed_files.h"
#include "words/catalog.h"

namespace bscope {

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;        // 0: the system chooses
    std::string token;             // what a viewer must present; at least kLeastTokenLetters
    AllowedFiles allowed;          // what a viewer may name
    bool paused = false;           // do not train before the controller says so
    bool exit_when_alone = false;  // end when the last viewer leaves
    bool exit_with_input =
        false;  // end when standard input is closed: when the program that started this ends
    std::filesystem::path record;  // the stream to a file; empty = no
    std::filesystem::path load;    // the state to begin with; empty = new weights
    CheckpointPolicy keep;
    Language language = Language::English;  // of what stands on standard error
    std::size_t viewer_queue_bytes =
        8u << 20;  // of a viewer that stalls; beyond it events are left out and counted
};

// True for an address that only this machine can reach. Throws std::invalid_argument when it is none in
// numbers.
bool isLoopback(const std::string& address);

class Server {
public:
    // Listens. Throws ConfigError, RunFailure (the state to load), WireError (the recording),
    // std::runtime_error (the address), std::invalid_argument (a token that is too short). launcher as for
    // Run; when it is lost, viewers get a Failure and run() returns.
    Server(const ServerOptions& options, const RunConfig& config, Launcher* launcher = nullptr);
    ~Server();

    std::string listeningOn() const;  // "127.0.0.1:40123"
    // Until a controller sends SHUTDOWN, a signal (SIGINT, SIGTERM) comes, or no viewer is left.
    void run();
    // After run(): the recording, if there is one, and the state that was to be kept last are whole.
    bool wroteEverything() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bscope
