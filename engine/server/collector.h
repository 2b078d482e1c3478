// Collector: what probes of a training elsewhere send, a connection a rank, into files of one folder that
// `bscope import` reads; of the next training, once every rank has left, into the next folder. A probe that
// presents the token is admitted. Nothing that is sent names a file: a file's name is made of the rank, a
// checked number. run() serves on the calling thread; everything happens there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace bscope {

// The first line of a connection.
struct ProbeHello {
    std::string token;
    int rank = 0, world_size = 0;
    std::string probe;  // the same in every connection of one file; empty: there is one connection
};

struct CollectorOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;        // 0: the system chooses
    std::string token;             // what a probe must present; at least kLeastTokenLetters
    std::filesystem::path folder;  // exists, and holds no file of a probe; of the first training
    bool once = false;             // end when the first training has left
    std::uintmax_t most_bytes_a_rank = std::uintmax_t{4} << 30;
    // Nothing: the line is none. What it says is not checked yet.
    std::function<std::optional<ProbeHello>(const std::string&)> readHello;
    // Whether a line may stand in a file of the probe.
    std::function<bool(const std::string&)> isLine;
    std::function<void(const std::string&)> say;  // a sentence for a person
};

class Collector {
public:
    // Listens from here on. Throws std::runtime_error when it cannot.
    explicit Collector(const CollectorOptions& options);
    ~Collector();
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    std::string listeningOn() const;  // "127.0.0.1:40113"
    // Until a signal; with `once` until every rank of the run has come and gone.
    void run();
    const std::filesystem::path& folder() const;  // of the newest training
    int ranksWritten() const;
    int ranksAnnounced() const;  // of the run; 0: none came
    bool wroteEverything() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bscope
