#include "gpu/gpu_placement.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "plan/message_tags.h"
#include "trace/receive_split.h"

namespace bscope {

namespace {

// Steps of a stream have one name, but each makes another version.
WorkId tracedId(const Plan& plan, const LaunchedOperation& note) {
    if (!plan.stream || note.action.op != Op::OptimizerStep) return note.action;
    return {note.action, WorkPart::Main, note.used.version};
}

}  // namespace

GpuPlacement::GpuPlacement(const Plan& plan, const Calibration& calibration, Provenance provenance,
                           std::span<const std::unique_ptr<Recorder>> recorders)
    : plan_(plan),
      schedule_(plan.program.schedule),
      calibration_(calibration),
      provenance_(provenance),
      recorders_(recorders),
      device_clocks_(slowFactors(plan.config),
                     plan.config.durations == Durations::Calibrated ? &calibration : nullptr) {}

void GpuPlacement::begin(const HostToDevice& times) {
    times_ = times;
    done_.clear();
    received_.clear();
    gathered_.clear();
    folded_.clear();
    later_ = {};
    device_clocks_.begin(times.start_ns);
}

std::vector<GpuFacts> GpuPlacement::place(int iteration, std::span<RankIteration> shares,
                                          const GpuSpans& spans) {
    iteration_ = iteration;
    spans_ = &spans;
    shares_ = shares;
    notes_.clear();
    facts_.assign(recorders_.size(), {});
    for (RankIteration& share : shares) notes_.push_back(std::move(share.notes));
    for (const auto& recorder : recorders_) recorder->begin(iteration);
    if (provenance_ == Provenance::Reconstructed) {
        playAll();
        if (!plan_.stream) playOptimizers();
    } else {
        for (int rank = 0; plan_.stream && rank < plan_.ranks(); ++rank) noteProducts(rank);
        for (int rank = 0; rank < plan_.ranks(); ++rank) measure(rank);
    }
    for (int rank = 0; rank < plan_.ranks(); ++rank) {
        const auto index = static_cast<std::size_t>(rank);
        recorders_[index]->moveTo(shares[index]);
        shares[index].end_ns = device_clocks_.now_ns(rank);
    }
    return std::exchange(facts_, {});
}

// Of an action whose records were lost, what it usually lasts.
std::int64_t GpuPlacement::duration_ns(int rank, const WorkId& id) {
    if (const WorkSpan* span = spans_->find(rank, id)) return span->end_ns - span->start_ns;
    ++facts_[static_cast<std::size_t>(rank)].lost_actions;
    return std::llround(calibration_.median_ns(id.action.stage, id.action.op).value_or(0));
}

std::vector<RankWork> tracedWork(const Plan& plan, int rank, std::span<const LaunchedOperation> notes) {
    const Schedule& schedule = plan.program.schedule;
    std::vector<RankWork> actions;
    for (const LaunchedOperation& note : notes) {
        actions.emplace_back(rank, tracedId(plan, note));
        const auto input = inputOf(schedule, note.action);
        if (!input || note.action.op == Op::Recompute) continue;
        const int sender = senderStage(schedule, *input);
        if (schedule.placement.at(static_cast<std::size_t>(sender)) != rank)
            actions.emplace_back(rank, receivedAs(*input));
    }
    return actions;
}

RankWork sendingOf(const Plan& plan, const Action& receive) {
    const Schedule& schedule = plan.program.schedule;
    const Action sending = sentAs(schedule, messageOf(receive));
    return {schedule.placement.at(static_cast<std::size_t>(sending.stage)), sending};
}

bool GpuPlacement::isReady(const LaunchedOperation& note) const {
    if (note.action.op == Op::OptimizerStep) return plan_.stream.has_value();
    if (note.action.op == Op::ReduceGradients) return everyCopyIn(folded_, note.action.stage);
    const auto input = inputOf(schedule_, note.action);
    return !input || done_.contains(*input);
}

// Each rank's actions in its order, as soon as their inputs are there. The order between ranks does not
// matter.
void GpuPlacement::playAll() {
    std::vector<std::size_t> next(notes_.size(), 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t rank = 0; rank < notes_.size(); ++rank)
            for (; next[rank] < notes_[rank].size(); ++next[rank]) {
                const LaunchedOperation& note = notes_[rank][next[rank]];
                const bool reduces = note.action.op == Op::ReduceGradients;
                if (reduces) moved = beginReduction(static_cast<int>(rank), note.action) || moved;
                if (!isReady(note)) break;
                reduces ? playReduction(static_cast<int>(rank), note) : play(static_cast<int>(rank), note);
                moved = true;
            }
    }
    for (std::size_t rank = 0; rank < notes_.size(); ++rank) {
        const auto left = notes_[rank].size() - next[rank];
        if (left > 1 || (left == 1 && notes_[rank].back().action.op != Op::OptimizerStep))
            throw std::logic_error("what ran on the GPU does not follow from the program: " +
                                   toText(notes_[rank][next[rank]].action));
    }
}

std::optional<MessageTag> GpuPlacement::firstUse(int rank, const Action& action) {
    const auto input = inputOf(schedule_, action);
    if (!input) return std::nullopt;
    return rankOf(senderStage(schedule_, *input)) != rank && received_.insert(*input).second ? input
                                                                                             : std::nullopt;
}

void GpuPlacement::play(int rank, const LaunchedOperation& note) {
    if (const auto input = firstUse(rank, note.action)) {
        const std::int64_t free_ns = device_clocks_.now_ns(rank), sent_ns = done_.at(*input);
        const std::size_t bytes = plan_.messageBytes(*input);
        const std::int64_t arrival_ns =
            sent_ns + std::llround(plan_.config.link.transferNs(static_cast<double>(bytes)));
        device_clocks_.waitUntil(rank, arrival_ns);
        recorders_[static_cast<std::size_t>(rank)]->receive(*input, bytes, free_ns, sent_ns, arrival_ns);
    }
    OpTime time = note.handed_over;
    device_clocks_.place(rank, note.action.stage, note.action.op, duration_ns(rank, tracedId(plan_, note)),
                         time);
    if (const auto output = outputOf(schedule_, note.action)) done_[*output] = time.end_ns;
    record(rank, note, time);
    consume(note.action);
}

// What is needed no more is forgotten: a stream has no end.
void GpuPlacement::consume(const Action& action) {
    const auto input = inputOf(schedule_, action);
    if (!input || action.op == Op::Recompute) return;
    done_.erase(*input);
    received_.erase(*input);
}

bool GpuPlacement::everyCopyIn(const std::map<int, OpTime>& parts, int stage) const {
    const std::vector<int> copies = schedule_.copiesOf(stage);
    return std::all_of(copies.begin(), copies.end(), [&](int copy) { return parts.contains(copy); });
}

// The parts of a reduction before the one that is shown, each once it can be; true when one was.
bool GpuPlacement::beginReduction(int rank, const Action& reduction) {
    const auto place = [&](WorkPart part, std::map<int, OpTime>& parts) {
        device_clocks_.place(rank, reduction.stage, reduction.op, duration_ns(rank, {reduction, part}),
                             parts[reduction.stage]);
        return true;
    };
    if (!gathered_.contains(reduction.stage)) return place(WorkPart::Gather, gathered_);
    if (folded_.contains(reduction.stage) || !everyCopyIn(gathered_, reduction.stage)) return false;
    waitForRound(rank, reduction.stage, gathered_);
    return place(WorkPart::Fold, folded_);
}

// As Worker::exchange(): the rank goes on when every copy's message is there.
void GpuPlacement::waitForRound(int rank, int stage, const std::map<int, OpTime>& parts) {
    std::int64_t sent_ns = 0;
    for (const int copy : schedule_.copiesOf(stage)) sent_ns = std::max(sent_ns, parts.at(copy).end_ns);
    device_clocks_.waitUntil(rank, sent_ns + std::llround(roundTransfer_ns(plan_, stage)));
}

void GpuPlacement::playReduction(int rank, const LaunchedOperation& note) {
    waitForRound(rank, note.action.stage, folded_);
    OpTime time = note.handed_over;
    device_clocks_.place(rank, note.action.stage, note.action.op, duration_ns(rank, note.action), time);
    time.duration_ns +=
        gathered_.at(note.action.stage).duration_ns + folded_.at(note.action.stage).duration_ns;
    record(rank, note, time);
}

bool GpuPlacement::addsToNorm(int rank) const {
    return std::ranges::any_of(schedule_.chains.front(), [&](int stage) { return rankOf(stage) == rank; });
}

// The norm needs every rank's gradients: all wait for the last, as the workers do.
void GpuPlacement::playOptimizers() {
    std::int64_t all_ns = 0;
    for (int rank = 0; rank < plan_.ranks(); ++rank) {
        const auto& notes = notes_[static_cast<std::size_t>(rank)];
        if (notes.empty() || notes.back().action.op != Op::OptimizerStep) return;
        const Action& step = notes.back().action;
        OpTime unseen;
        if (addsToNorm(rank))
            device_clocks_.place(rank, step.stage, step.op, duration_ns(rank, {step, WorkPart::Norm}),
                                 unseen);
        all_ns = std::max(all_ns, device_clocks_.now_ns(rank));
    }
    for (int rank = 0; rank < plan_.ranks(); ++rank) {
        device_clocks_.waitUntil(rank, all_ns);
        play(rank, notes_[static_cast<std::size_t>(rank)].back());
    }
}

void GpuPlacement::noteProducts(int rank) {
    for (const LaunchedOperation& note : notes_[static_cast<std::size_t>(rank)])
        if (const auto output = outputOf(schedule_, note.action))
            if (const WorkSpan* span = spans_->find(rank, tracedId(plan_, note)))
                done_[*output] = span->end_ns;
}

void GpuPlacement::measure(int rank) {
    for (const LaunchedOperation& note : notes_[static_cast<std::size_t>(rank)]) {
        const std::int64_t free_ns = device_clocks_.now_ns(rank);
        if (const auto input = firstUse(rank, note.action)) measureReceive(rank, *input, free_ns);
        const WorkSpan* span = spans_->find(rank, tracedId(plan_, note));
        if (span != nullptr) device_clocks_.waitUntil(rank, times_.device_ns(span->start_ns));
        OpTime time = note.handed_over;
        device_clocks_.place(rank, note.action.stage, note.action.op,
                             duration_ns(rank, tracedId(plan_, note)), time);
        if (note.action.op == Op::ReduceGradients)
            for (const WorkPart part : {WorkPart::Gather, WorkPart::Fold})
                time.duration_ns += duration_ns(rank, {note.action, part});
        record(rank, note, time);
        consume(note.action);
    }
}

// A receive without records (they were lost) is not reported. Where sends are not timed, a message sets out
// when it is made.
void GpuPlacement::measureReceive(int rank, const MessageTag& tag, std::int64_t free_ns) {
    const Action sending = sentAs(schedule_, tag);
    const WorkSpan* received = spans_->find(rank, receivedAs(tag));
    const WorkSpan* sent = spans_->find(rankOf(sending.stage), sending);
    const auto made = done_.find(tag);
    if (received == nullptr || (sent == nullptr && made == done_.end())) {
        ++facts_[static_cast<std::size_t>(rank)].lost_actions;
        return;
    }
    const ReceiveSplit split =
        splitReceive(received->start_ns, received->end_ns, sent != nullptr ? sent->start_ns : made->second);
    recorders_[static_cast<std::size_t>(rank)]->receive(tag, plan_.messageBytes(tag), free_ns,
                                                        times_.device_ns(received->start_ns + split.wait_ns),
                                                        times_.device_ns(received->end_ns));
}

void GpuPlacement::record(int rank, const LaunchedOperation& note, const OpTime& time) {
    recorders_[static_cast<std::size_t>(rank)]->operation(note.action, time, note.memory, note.used);
    const WorkId traced = tracedId(plan_, note);
    const WorkSpan* span = spans_->find(rank, traced);
    if (span == nullptr) return;
    GpuBox box{rank, iteration_, note.action, time};
    box.time.work_start_ns = span->start_ns;
    box.time.work_end_ns = span->end_ns;
    if (plan_.stream && provenance_ == Provenance::Measured) {
        later_.add({rank, GpuTrace::traceable(traced)}, box);
        return;
    }
    shares_[static_cast<std::size_t>(rank)].launch_gap_ns += span->gap_ns;
    appendKernels(box, *span, facts_[static_cast<std::size_t>(rank)].kernels);
}

}  // namespace bscope
