// WorkerProcess: every process but the first: executes its commands until one says to quit. It holds a model
// while it is a rank of a pipeline, and no state of a training between pipelines. One thread.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "mpi/process_group.h"
#include "mpi/process_rank.h"

namespace bscope {

class Model;
class RemoteGate;

class WorkerProcess {
public:
    explicit WorkerProcess(ProcessGroup& group);
    ~WorkerProcess();

    // True after Quit. False when a process is gone for good; if the first process cannot report
    // that, being gone itself, this one has written it to standard error.
    bool executeToTheEnd();

private:
    struct Pipeline {
        std::unique_ptr<Model> model;
        std::unique_ptr<ProcessRank> rank;
        bool joined = false;  // one of its ranks
    };
    std::vector<char> nextCommand();
    bool execute(const std::vector<char>& command);
    void build(const BuildCommand& command);
    void join(int pipeline);
    void sitOut(const BuildCommand& command);
    void iterate(const IterateCommand& command);
    void stream(const StreamCommand& command);
    void listen(ProcessRank& rank, const std::function<bool()>& until);
    void conclude(const Reply& reply);
    void print(const Sentence& what);
    void giveLayers(int pipeline);
    void drop(int pipeline);
    void leave();
    void reply(const Reply& reply);
    std::optional<Interruption> takeCommands();
    std::optional<Interruption> lookAtWork();
    std::optional<Interruption> lookIdle();
    bool isDue();

    ProcessGroup& group_;
    std::unique_ptr<Device> device_;
    std::map<int, Pipeline> pipelines_;      // by number
    std::deque<std::vector<char>> waiting_;  // commands that came while another was executed
    RemoteGate* gate_ = nullptr;             // of the stream at work
    std::chrono::steady_clock::time_point last_look_;
    std::optional<std::chrono::steady_clock::time_point> answer_until_;  // after something was found wrong
    Sentence found_wrong_;
    Sentence printed_;  // last
};

}  // namespace bscope
