#include "server/history.h"

#include <utility>

namespace bscope {

void History::add(const OutFrame& frame) {
    switch (frame.body) {
        case wire::Message::kIterationStart:
            dropFrom(frame.iteration);
            current_.start = frame;
            current_.starts_here = true;
            break;
        case wire::Message::kEvents:
        case wire::Message::kMemory:
        case wire::Message::kKernels:
            failure_.reset();
            if (current_.bytes + frame.bytes->size() > kIterationBytes / (frame.kernels > 0 ? 2 : 1)) break;
            current_.bytes += frame.bytes->size();
            current_.batches.push_back(frame);
            break;
        case wire::Message::kIterationReport:
            reports_.push_back(frame);
            if (reports_.size() > kReports) reports_.pop_front();
            complete_ = std::exchange(current_, Iteration());
            current_.start = complete_.start;
            break;
        case wire::Message::kSweep:
            sweep_ = frame;
            break;
        case wire::Message::kFailure:
            failure_ = frame;
            current_.batches.clear();  // of an iteration that will never be complete
            current_.bytes = 0;
            break;
        default:
            break;
    }
}

void History::dropFrom(std::int32_t iteration) {
    if (iteration == 0) *this = History();
    const bool drops_last = !reports_.empty() && reports_.back().iteration >= iteration;
    if (drops_last) complete_ = {complete_.start, complete_.starts_here, {}, 0};
    std::erase_if(reports_, [&](const OutFrame& report) { return report.iteration >= iteration; });
    current_ = Iteration();
}

std::vector<OutFrame> History::catchUp() const {
    std::vector<OutFrame> frames;
    const auto append = [&](const auto& more) { frames.insert(frames.end(), more.begin(), more.end()); };
    if (!reports_.empty()) {
        if (complete_.start) frames.push_back(*complete_.start);
        frames.insert(frames.end(), reports_.begin(), reports_.end() - 1);
        append(complete_.batches);
        frames.push_back(reports_.back());
    }
    if (current_.start && (current_.starts_here || reports_.empty())) frames.push_back(*current_.start);
    append(current_.batches);
    if (sweep_) frames.push_back(*sweep_);
    if (failure_) frames.push_back(*failure_);
    return frames;
}

}  // namespace bscope
