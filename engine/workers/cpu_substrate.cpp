// The cores of this machine: events are reported while they happen.
#include <algorithm>
#include <optional>
#include <utility>

#include "clock/throttle_counts.h"
#include "model/model.h"
#include "rank/watermark_board.h"
#include "workers/substrate.h"

namespace bscope {

namespace {

class CpuSubstrate final : public Substrate {
public:
    CpuSubstrate(Device& device, const Plan& plan, Provenance provenance, const std::vector<int>& cores,
                 LiveEvents& live, const std::filesystem::path& cpu_folder)
        : device_(device),
          name_(deviceName(device, cores.size())),
          live_(live),
          board_(live, plan.ranks()),
          clock_(makeClock(provenance, plan.config, cores, calibration_)) {
        if (clock_->provenance() == Provenance::Measured)
            for (int rank = 0; rank < plan.ranks(); ++rank)
                throttle_counts_.push_back(std::make_unique<ThrottleCounts>(
                    std::vector{cores[static_cast<std::size_t>(rank)]}, cpu_folder));
        else
            throttle_counts_.push_back(std::make_unique<ThrottleCounts>(cores, cpu_folder));
    }

    std::string name() const override { return name_; }
    Clock& clock() override { return *clock_; }
    Device& messageDevice() override { return device_; }

    // Some may have been on a GPU; further replicas were made here.
    void placeLayers(const std::vector<Model*>& models) override {
        Model& model = *models.front();
        for (std::size_t i = 0; i < model.layerCount(); ++i) model.layer(i).moveTo(device_);
    }

    void instrument(int /*rank*/, Worker& /*worker*/, Recorder& recorder) override {
        recorder.reportTo(live_, board_);
    }

    void begin(const Work& work) override {
        for (const auto& counts : throttle_counts_) counts->look();
        clock_->beginIteration(work.start_ns);
        board_.begin(work.start_ns);
    }

    void complete(int /*iteration*/, std::int64_t /*run_ns*/, std::vector<RankIteration>& shares) override {
        std::vector<std::optional<std::int64_t>> counted;
        for (const auto& counts : throttle_counts_) counted.push_back(counts->look());
        for (std::size_t rank = 0; rank < shares.size(); ++rank) {
            shares[rank].throttles = counted[std::min(rank, counted.size() - 1)];
            calibration_.add(shares[rank].samples);
        }
        calibration_.endIteration();
    }

    void addFacts(WorkerGroupFacts& /*facts*/) const override {}

private:
    Device& device_;
    const std::string name_;
    LiveEvents& live_;
    WatermarkBoard board_;
    Calibration calibration_;  // of the clock
    const std::unique_ptr<Clock> clock_;
    // Where ranks have a core each (ranks,), otherwise one for all cores.
    std::vector<std::unique_ptr<ThrottleCounts>> throttle_counts_;
};

}  // namespace

std::unique_ptr<Substrate> makeCpuSubstrate(Device& device, const Plan& plan, Provenance provenance,
                                            const std::vector<int>& cores, LiveEvents& live,
                                            const std::filesystem::path& cpu_folder) {
    return std::make_unique<CpuSubstrate>(device, plan, provenance, cores, live, cpu_folder);
}

}  // namespace bscope
