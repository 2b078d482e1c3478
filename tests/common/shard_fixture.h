// What the tests of tensor parallelism share: a tiny sharded model, its collectives, and what it trains.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "catalog/catalog.h"
#include "run_fixture.h"

namespace bscope {

inline RunConfig sharded(const char* schedule, int p, int m, int t, int d = 1) {
    RunConfig config = tinyConfig(schedule, p, m, defaultChunks(*findSchedule(schedule)));
    config.model.heads = 4;
    config.params.d = d;
    config.params.t = t;
    return config;
}

// With the collectives over shards, by rank.
class CollectiveCollector : public EventCollector {
public:
    void kernels(int rank, std::span<const KernelEvent> batch) override {
        collectives[rank].insert(collectives[rank].end(), batch.begin(), batch.end());
    }
    std::map<int, std::vector<KernelEvent>> collectives;
};

// And gradient norms.
inline std::vector<double> lossesOf(const RunConfig& config, int iterations) {
    EventCollector observer;
    Run run(config, observer);
    std::vector<double> losses;
    for (int i = 0; i < iterations; ++i) {
        const IterationReport report = run.iterate();
        losses.push_back(report.loss);
        losses.push_back(report.grad_norm);
    }
    return losses;
}

}  // namespace bscope
