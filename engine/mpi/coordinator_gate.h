// CoordinatorGate: rank 0's way through the gate of a stream over processes. Whenever it passes, it sends the
// other ranks what was admitted since, and takes in what they deliver; so everything that it sends into the
// stream follows its admission. Called by rank 0's thread alone, which alone uses the channel while a stream
// is running.
#pragma once

#include <functional>

#include "mpi/commands.h"
#include "mpi/process_rank.h"
#include "workers/local_gate.h"

namespace bscope {

class CoordinatorGate final : public StreamGate {
public:
    // channel: of commands.
    CoordinatorGate(LocalGate& gate, ProcessRank& rank, Channel& channel);

    // Sends the others the admissions that they do not have yet.
    void sendAdmissions();

    bool has(int microbatch) override;
    bool waitFor(int microbatch) override;
    Batch samples(int microbatch) override { return gate_.samples(microbatch); }
    void deliver(int rank, RankIteration share) override;

private:
    LocalGate& gate_;
    ProcessRank& rank_;
    Channel& channel_;
    const int end_of_chain_;  // the rank that has it
    Admission sent_;
};

}  // namespace bscope
