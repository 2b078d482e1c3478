// ThreadWorkers: the ranks of a plan as threads of this process: a worker a rank, with its communicator and
// its recorder, on a substrate: the cores or the GPUs of this machine. Layers are borrowed from the model and
// go back when the worker group is destroyed; further replicas, and shards, are the worker
// group's own and go with it. One
// thread; stop() from any.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "clock/throttle_counts.h"
#include "rank/worker.h"
#include "workers/local_communicator.h"
#include "workers/local_gate.h"
#include "workers/substrate.h"
#include "workers/thread_team.h"
#include "workers/worker_group.h"

namespace bscope {

class ThreadWorkers final : public WorkerGroup {
public:
    // Cores: usableCores(), at least one a rank for Measured. patience: how long all ranks may stand still.
    // gpus: where a plan for Cuda runs, and its layers go; without them they go back to where they were made.
    // cpu_folder: of ThrottleCounts.
    ThreadWorkers(Model& model, const Plan& plan, Provenance provenance, const std::vector<int>& cores,
                  LiveEvents& live, Gpus* gpus = nullptr,
                  std::chrono::milliseconds patience = std::chrono::seconds(2),
                  const std::filesystem::path& cpu_folder = kCpuFolder);
    ~ThreadWorkers() override;

    void begin(Work work) override;
    std::vector<RankIteration> next() override;
    void admit(const Admission& admission) override { gate_->admit(admission); }
    void stop(const Sentence& reason) override;
    void gatherLayers() override;
    WorkerGroupFacts facts() const override;

    // All copies of the weights, bit by bit; true when there is one.
    bool replicasAreEqual() const;

private:
    bool isCut() const;
    void makeReplicas(std::vector<Model*>& models);
    void keepSlices(std::size_t chain, Model& model) const;
    void warmUp();
    void launch(std::function<void(int rank)> work);
    void join();
    void awaitIteration(std::vector<RankIteration>& shares);
    void awaitOfStream(std::vector<RankIteration>& shares);
    bool streams() const { return gate_ != nullptr; }
    Worker& worker(int rank) const { return *workers_[static_cast<std::size_t>(rank)]; }

    Model& model_;
    Plan plan_;
    const std::unique_ptr<Substrate> substrate_;
    LocalHub hub_;
    std::vector<std::unique_ptr<Model>> replicas_;      // of all chains; of whole layers not the first
    std::vector<std::unique_ptr<Communicator>> hosts_;  // (ranks,) between the threads alone
    std::vector<std::unique_ptr<Recorder>> recorders_;  // (ranks,)
    std::vector<std::unique_ptr<Worker>> workers_;      // (ranks,)
    Work work_;                                         // at hand
    std::function<void(int)> job_;
    std::vector<std::optional<RankFailure>> failures_;  // (ranks,) of the job
    bool is_launched_ = false, is_warm_ = false;
    std::int64_t begun_ns_ = 0, run_ns_ = 0;  // monotonic
    int done_ = 0;                            // iterations of the work at hand
    std::mutex gate_mutex_;                   // of the pointer, which stop() reads
    std::unique_ptr<LocalGate> gate_;         // while a stream is running
    ThreadTeam team_;
};

}  // namespace bscope
