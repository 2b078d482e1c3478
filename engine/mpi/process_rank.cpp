#include "mpi/process_rank.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "run/iteration_report.h"
#include "run/thread_time.h"

namespace bscope {

namespace {

// Values one after another in bytes, read back in the same order; all processes run the same program.
class Packer {
public:
    template <class Value>
    void add(const std::vector<Value>& values) {
        static_assert(std::is_trivially_copyable_v<Value>);
        const std::size_t count = values.size(), at = bytes_.size();
        bytes_.resize(at + sizeof(count) + count * sizeof(Value));
        std::memcpy(bytes_.data() + at, &count, sizeof(count));
        if (count > 0) std::memcpy(bytes_.data() + at + sizeof(count), values.data(), count * sizeof(Value));
    }
    std::vector<char> take() { return std::move(bytes_); }

private:
    std::vector<char> bytes_;
};

class Unpacker {
public:
    explicit Unpacker(const std::vector<char>& bytes) : at_(bytes.data()) {}
    template <class Value>
    std::vector<Value> next() {
        std::size_t count = 0;
        std::memcpy(&count, at_, sizeof(count));
        std::vector<Value> values(count);
        if (count > 0) std::memcpy(values.data(), at_ + sizeof(count), count * sizeof(Value));
        at_ += sizeof(count) + count * sizeof(Value);
        return values;
    }

private:
    const char* at_;
};

}  // namespace

ProcessRank::ProcessRank(Training& training, const Plan& plan, Provenance provenance,
                         const std::vector<int>& cores, MpiCommunicator& communicator, RunObserver& observer)
    : training_(training),
      plan_(plan),
      communicator_(communicator),
      observer_(observer),
      device_name_(deviceName(training.model.device(), cores.size()) + ", " +
                   std::to_string(communicator.size()) + " processes"),
      clock_(makeClock(provenance, plan.config, cores, calibration_)),
      board_(deaf_, plan.ranks()),
      recorder_(deaf_, board_, communicator.rank(), plan.forwardOnly()),
      worker_(plan, communicator.rank(), {&training.model}, *clock_, communicator, recorder_) {}

IterationStart ProcessRank::describe() const {
    return {training_.iteration,   plan_.config,
            clock_->provenance(),  time_ns_,
            device_name_,          plan_.program.schedule.placement,
            plan_.layers_per_stage};
}

// Clocks begin together: everybody leaves the barrier at the same time, up to a message's latency.
IterationReport ProcessRank::iterate() {
    const TrainingConfig& config = plan_.config.training;
    const auto samples = static_cast<std::size_t>(plan_.config.params.m * plan_.config.micro_batch);
    const Batch batch = training_.data.batch(training_.next_sample, samples, plan_.shape.T);
    if (!warm_) {
        training_.model.device().prepareThread();
        clock_->prepareThread(communicator_.rank());
        const Batch one = training_.data.batch(
            training_.next_sample, static_cast<std::size_t>(plan_.config.micro_batch), plan_.shape.T);
        worker_.warmUp({one.tokens, one.targets});
        warm_ = true;
    }
    const AdamWStep step = adamWStep(config, training_.optimizer_steps + 1);
    communicator_.barrier();
    clock_->beginIteration(time_ns_);
    board_.begin(time_ns_);
    const std::int64_t host_start_ns = monotonic_ns();
    worker_.run({batch.tokens, batch.targets}, training_.iteration, step, config.clip_norm);
    const auto packed = communicator_.gather(packShare(worker_.takeShare()));
    IterationReport result;
    if (communicator_.rank() == 0) result = report(packed, monotonic_ns() - host_start_ns);
    time_ns_ = communicator_.fromFirst(time_ns_);
    training_.next_sample += samples;
    if (!plan_.forwardOnly()) ++training_.optimizer_steps;
    ++training_.iteration;
    return result;
}

std::vector<char> ProcessRank::packShare(const Share& share) const {
    std::vector<double> losses;
    const int last = plan_.program.schedule.chains.front().back();
    if (const auto& stage = worker_.stages().all()[static_cast<std::size_t>(last)])
        for (int mb = 0; mb < plan_.config.params.m; ++mb) losses.push_back(stage->loss(mb));
    Packer packer;
    packer.add(share.events);
    packer.add(share.memory);
    packer.add(share.samples);
    packer.add(losses);
    packer.add(std::vector<std::int64_t>{share.end_ns, share.wall_ns, share.cpu_ns, share.recording_ns,
                                         share.buffer_bytes,
                                         static_cast<std::int64_t>(worker_.stages().weightBytes())});
    return packer.take();
}

IterationReport ProcessRank::report(const std::vector<std::vector<char>>& packed, std::int64_t host_ns) {
    Timeline timeline(plan_.ranks(), clock_->provenance());
    std::vector<Share> shares(packed.size());
    std::vector<std::int64_t> weight_bytes;
    double loss = 0;
    for (std::size_t rank = 0; rank < packed.size(); ++rank) {
        Unpacker unpacker(packed[rank]);
        Share& share = shares[rank];
        share.events = unpacker.next<Event>();
        share.memory = unpacker.next<MemoryPoint>();
        share.samples = unpacker.next<DurationSample>();
        for (const double of_microbatch : unpacker.next<double>())
            loss += of_microbatch;  // one rank has them
        const auto numbers = unpacker.next<std::int64_t>();
        share.end_ns = numbers[0];
        share.wall_ns = numbers[1];
        share.cpu_ns = numbers[2];
        share.recording_ns = numbers[3];
        share.buffer_bytes = numbers[4];
        weight_bytes.push_back(numbers[5]);
        for (const Event& event : share.events) timeline.append(event);
        for (const MemoryPoint& point : share.memory) timeline.append(point);
        observer_.events(static_cast<int>(rank), share.events);
        observer_.memory(static_cast<int>(rank), share.memory);
        calibration_.add(share.samples);
        time_ns_ = std::max(time_ns_, share.end_ns);
    }
    observer_.watermark(time_ns_);
    calibration_.endIteration();
    IterationReport report =
        describeIteration(plan_, timeline, training_.iteration, calibratedCosts(plan_, calibration_));
    report.device = device_name_;
    report.loss = loss / plan_.config.params.m;
    report.grad_norm = worker_.gradientNorm();
    addSharesToReport(report, shares, weight_bytes, host_ns);
    return report;
}

void ProcessRank::gatherModel() {
    Model& model = training_.model;
    const auto layersOf = [&](int rank) {
        std::vector<std::size_t> layers;
        for (std::size_t stage = 0; stage < plan_.ranges.size(); ++stage) {
            if (plan_.program.schedule.placement[stage] != rank) continue;
            const StageRange& range = plan_.ranges[stage];  // the embedding is layer 0, the head the last
            if (range.embedding) layers.push_back(0);
            for (std::size_t block = 0; block < range.blocks; ++block)
                layers.push_back(range.first_block + block + 1);
            if (range.head) layers.push_back(model.layerCount() - 1);
        }
        return layers;
    };
    constexpr TensorKind kKinds[] = {TensorKind::Weight, TensorKind::Gradient, TensorKind::AdamM,
                                     TensorKind::AdamV};
    for (const TensorKind kind : kKinds) {
        Packer packer;
        for (const std::size_t layer : layersOf(communicator_.rank()))
            for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
                packer.add(model.read(layer, i, kind));
        const auto packed = communicator_.gather(packer.take());
        for (std::size_t rank = 1; rank < packed.size(); ++rank) {
            Unpacker unpacker(packed[rank]);
            for (const std::size_t layer : layersOf(static_cast<int>(rank)))
                for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
                    model.write(layer, i, kind, unpacker.next<float>());
        }
    }
}

}  // namespace bscope
