// Served: a server on a thread of its own, for tests and benchmarks in the same process.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "raw_viewer.h"
#include "server/server.h"

namespace bscope {

// The destructor shuts it down through its socket.
class Served {
public:
    explicit Served(const ServerOptions& options = paused(), const RunConfig& config = small())
        : token_(options.token), server_(options, config), port_(portOf(server_)), thread_([this] {
              server_.run();
              ended_ = true;
          }) {}
    ~Served() {
        // The seat of the controller may still be taken by a viewer whose end has not been noticed yet.
        while (!ended_) {
            try {
                RawViewer last(port());
                last.attach(token_);
                last.control(wire::Control::SHUTDOWN);
                last.next(std::chrono::milliseconds(100));
            } catch (const std::exception&) {
                break;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        thread_.join();
    }
    static ServerOptions paused() {
        ServerOptions options;
        options.paused = true;
        options.token = kTestToken;
        options.allowed = AllowedFiles({"/"});
        return options;
    }
    // Trains in milliseconds.
    static RunConfig small() {
        RunConfig config;
        config.params = {2, 1, 4, 0};
        config.micro_batch = 1;
        config.model = {4, 32, 2, 16, 256};
        config.clock = ClockChoice::Reconstructed;
        return config;
    }
    int port() const { return port_; }
    bool ended() const { return ended_; }

private:
    static int portOf(const Server& server) {
        const std::string text = server.listeningOn();
        return std::stoi(text.substr(text.rfind(':') + 1));
    }
    std::string token_;
    Server server_;
    int port_;
    std::atomic<bool> ended_ = false;
    std::thread thread_;
};

}  // namespace bscope
