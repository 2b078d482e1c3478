// A rank of the fake NCCL as a process of its own, for tst_fake_processes. Commands come as lines:
//   come ID RANK SIZE GPU   opens the communicator
//   split COLOR KEY         of the whole; what follows is for the part, once it is ready
//   receive BYTES PEER      hands over a receive, or a send of BYTES times the letter
//   send BYTES PEER LETTER
//   allocate                memory, which is kept
//   wait                    until all that was handed over is done
//   hear MS                 goes on so long, and does nothing else
//   abort                   all that it has opened
// Each is answered with a line: "in progress" or "ready", how it ended, or the first letter received; and the
// rules that were broken behind a bar.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <sstream>
#include <string>

#include "fake_calls.h"

using namespace bscope;

namespace {

class Rank {
public:
    std::string run(const std::string& command, std::istringstream& words);

private:
    std::string come(std::istringstream& words);
    std::string split(std::istringstream& words);
    std::string exchange(bool receives, std::istringstream& words);
    std::string stateOf(ncclComm_t comm) const;

    ncclComm_t whole_ = nullptr, part_ = nullptr;
    cudaStream_t stream_ = nullptr;
    char* memory_ = nullptr;
};

ncclConfig_t nonBlocking() {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    config.maxCTAs = 4;
    config.cgaClusterSize = 0;
    return config;
}

std::string Rank::stateOf(ncclComm_t comm) const {
    ncclResult_t state = ncclInProgress;
    ncclCommGetAsyncError(comm, &state);
    return state == ncclSuccess ? "ready" : state == ncclInProgress ? "in progress" : "error";
}

std::string Rank::come(std::istringstream& words) {
    ncclUniqueId id{};
    std::string name;
    int rank = 0, size = 0, gpu = 0;
    words >> name >> rank >> size >> gpu;
    name.copy(id.internal, sizeof(id.internal) - 1);
    succeeds(cudaSetDevice(gpu));
    stream_ = makeStream();
    memory_ = makeMemory();
    ncclConfig_t config = nonBlocking();
    if (ncclCommInitRankConfig(&whole_, size, id, rank, &config) != ncclInProgress) return "error";
    return stateOf(whole_);
}

std::string Rank::split(std::istringstream& words) {
    int color = 0, key = 0;
    words >> color >> key;
    ncclConfig_t config = nonBlocking();
    if (ncclCommSplit(whole_, color, key, &part_, &config) != ncclInProgress) return "error";
    return stateOf(whole_);
}

std::string Rank::exchange(bool receives, std::istringstream& words) {
    std::size_t bytes = 0;
    int peer = 0;
    char letter = 'a';
    words >> bytes >> peer >> letter;
    const ncclComm_t comm = part_ ? part_ : whole_;
    if (!receives) succeeds(cudaMemsetAsync(memory_, letter, bytes, stream_));
    ncclGroupStart();
    const ncclResult_t result = receives ? ncclRecv(memory_, bytes, ncclInt8, peer, comm, stream_)
                                         : ncclSend(memory_, bytes, ncclInt8, peer, comm, stream_);
    ncclGroupEnd();
    for (int i = 0; i < 10; ++i) stateOf(comm);
    return result == ncclSuccess || result == ncclInProgress ? "handed over" : "error";
}

std::string Rank::run(const std::string& command, std::istringstream& words) {
    if (command == "come") return come(words);
    if (command == "split") return split(words);
    if (command == "receive" || command == "send") return exchange(command == "receive", words);
    if (command == "allocate") return makeMemory() ? "allocated" : "none";
    if (command == "wait") {
        succeeds(cudaStreamSynchronize(stream_));
        return std::string(1, memory_[0]);
    }
    if (command == "hear") {
        int ms = 0;
        words >> ms;
        std::string state = "in progress";
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
        while (state == "in progress" && std::chrono::steady_clock::now() < until) state = stateOf(whole_);
        return state;
    }
    if (command == "abort") {
        ncclGroupStart();
        if (whole_) ncclCommAbort(whole_);
        if (part_) ncclCommAbort(part_);
        ncclGroupEnd();
        return "aborted";
    }
    return "no such command";
}

}  // namespace

int main() {
    Rank rank;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        const std::string answer = rank.run(command, words);
        std::string rules = brokenRules().constData();
        std::replace(rules.begin(), rules.end(), '\n', ';');
        std::cout << answer << "|" << rules << std::endl;
    }
}
