// The GPUs of this machine: shares are completed from what their tracers recorded.
#include <exception>

#include "gpu/rank_gpus.h"
#include "gpu/trace_assembler.h"
#include "plan/rank_failure.h"
#include "workers/substrate.h"

namespace bscope {

namespace {

class GpuSubstrate final : public Substrate {
public:
    GpuSubstrate(Gpus& gpus, const Plan& plan, Provenance provenance)
        : all_(gpus),
          plan_(plan),
          gpus_(gpus, plan, provenance),
          clock_(gpus_.makeClock()),
          assembler_(plan, provenance) {}

    std::string name() const override { return gpuNames(all_, plan_, clock_->provenance()); }
    Clock& clock() override { return *clock_; }
    Device& messageDevice() override { return gpus_.deviceOf(0); }
    LocalHub::Copy messageCopy() override {
        return [this](void* to, const void* from, std::size_t bytes) { gpus_.copyInOrder(to, from, bytes); };
    }
    void placeLayers(const std::vector<Model*>& models) override { gpus_.placeLayers(models); }
    Communicator& communicator(int rank, Communicator& host) override {
        return gpus_.communicator(rank, host);
    }
    void instrument(int rank, Worker& worker, Recorder& recorder) override {
        gpus_.instrument(rank, worker, recorder);
    }

    // What fails here may have left the world half split.
    void prepare() override {
        if (!gpus_.needsLinks()) return;
        try {
            gpus_.openLinks(all_.world(plan_.config.dtype));
        } catch (const std::exception& error) {
            all_.dropWorld();
            const auto* const link = dynamic_cast<const LinkFailure*>(&error);
            throw runFailure(rankFailure(link ? link->rank : -1, {}, std::current_exception()));
        }
    }

    void begin(const Work& work) override {
        gpus_.beginIteration(work.iteration);
        clock_->beginIteration(work.start_ns);
        if (plan_.stream) assembler_.begin(gpus_.times());
    }

    void complete(int iteration, std::int64_t run_ns, std::vector<RankIteration>& shares) override {
        plan_.stream ? gpus_.endShares(shares) : gpus_.endIteration(shares);
        assembler_.complete(iteration, gpus_.times(), run_ns, shares);
    }

    void abort(const Sentence& reason) override { gpus_.abort(reason); }
    void awaitWork() noexcept override { gpus_.awaitStreams(); }
    void addFacts(WorkerGroupFacts& facts) const override { facts.tracing = assembler_.facts(); }

private:
    Gpus& all_;
    const Plan& plan_;
    RankGpus gpus_;
    const std::unique_ptr<Clock> clock_;
    TraceAssembler assembler_;
};

}  // namespace

std::unique_ptr<Substrate> makeGpuSubstrate(Gpus& gpus, const Plan& plan, Provenance provenance) {
    return std::make_unique<GpuSubstrate>(gpus, plan, provenance);
}

}  // namespace bscope
