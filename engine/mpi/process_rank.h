// ProcessRank: one rank of a pipeline as this process, the others being processes like it. What Pipeline is
// for threads. Every process has the whole training, but only the layers of its own stages learn;
// gatherModel() brings them together on rank 0. For synchronous schedules of one replica. One thread; all
// ranks make the same calls.
#pragma once

#include <memory>

#include "mpi/mpi_communicator.h"
#include "run/training.h"
#include "run/worker.h"
#include "timeline/timeline.h"

namespace bscope {

class ProcessRank {
public:
    // The observer hears of all ranks on rank 0, after each iteration, and nothing elsewhere.
    ProcessRank(Training& training, const Plan& plan, Provenance provenance, const std::vector<int>& cores,
                MpiCommunicator& communicator, RunObserver& observer);

    IterationStart describe() const;
    // The next iteration. The report is complete on rank 0 only. Throws what goes wrong.
    IterationReport iterate();
    // Weights, gradients and optimizer state of every rank's layers, on rank 0.
    void gatherModel();
    const Action& action() const { return worker_.action(); }

private:
    std::vector<char> packShare(const Share& share) const;
    IterationReport report(const std::vector<std::vector<char>>& packed, std::int64_t host_ns);

    Training& training_;
    const Plan& plan_;
    MpiCommunicator& communicator_;
    RunObserver& observer_;
    RunObserver deaf_;
    std::string device_name_;
    Calibration calibration_;
    std::unique_ptr<Clock> clock_;
    WatermarkBoard board_;
    Recorder recorder_;
    Worker worker_;
    bool warm_ = false;
    std::int64_t time_ns_ = 0;  // device clocks: where the next iteration starts
};

}  // namespace bscope
