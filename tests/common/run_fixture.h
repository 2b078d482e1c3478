// What the tests of the run module share: a model that trains in milliseconds, and an observer that keeps
// everything and checks the promises made to every observer.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "run/run.h"

namespace bscope {

inline RunConfig tinyConfig(const char* schedule = "1f1b", int p = 2, int m = 4, int v = 1) {
    RunConfig config;
    config.schedule = schedule;
    config.params = {p, v, m, 0};
    config.micro_batch = 2;
    config.model = {8, 32, 2, 16, 256};
    config.clock = ClockChoice::Reconstructed;
    return config;
}

class EventCollector : public RunObserver {
public:
    void iterationStarted(const IterationStart& start) override { starts.push_back(start); }
    void events(int rank, std::span<const Event> batch) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        batches_in_bounds = batches_in_bounds && !batch.empty() && batch.size() <= 256;
        for (const Event& event : batch) {
            if (isCompute(event.op) && event.start_ns < settled_ns) watermark_kept = false;
            by_rank[rank].push_back(event);
        }
    }
    void memory(int rank, std::span<const MemoryPoint> batch) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        batches_in_bounds = batches_in_bounds && !batch.empty() && batch.size() <= 256;
        memory_by_rank[rank].insert(memory_by_rank[rank].end(), batch.begin(), batch.end());
    }
    void watermark(std::int64_t time_ns) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        watermark_kept = watermark_kept && time_ns >= settled_ns;
        settled_ns = time_ns;
    }
    void iterationFinished(const IterationReport& report) override { reports.push_back(report); }

    std::vector<Event> all(Op op) const {
        std::vector<Event> found;
        for (const auto& [rank, events] : by_rank)
            for (const Event& event : events)
                if (event.op == op) found.push_back(event);
        return found;
    }

    std::vector<IterationStart> starts;
    std::vector<IterationReport> reports;
    std::map<int, std::vector<Event>> by_rank;
    std::map<int, std::vector<MemoryPoint>> memory_by_rank;
    std::int64_t settled_ns = 0;
    bool batches_in_bounds = true, watermark_kept = true;

private:
    std::mutex mutex_;
};

}  // namespace bscope
