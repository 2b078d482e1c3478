#include "mpi/told_gate.h"

namespace bscope {

void ToldGate::obey(const AdmitOrder& order) {
    const auto part = [this](const std::vector<std::int32_t>& all, std::size_t number) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(number * tokens_);
        return std::vector<std::int32_t>(begin, begin + static_cast<std::ptrdiff_t>(tokens_));
    };
    for (std::size_t i = 0; i < order.tokens.size() / tokens_; ++i) {
        Batch& batch = samples_[order.first + static_cast<int>(i)];
        batch.tokens = part(order.tokens, i);
        batch.targets = part(order.targets, i);
    }
    admission_ = order.admission;
}

bool ToldGate::has(int microbatch) {
    if (!admission_.knows(microbatch)) listen_([] { return true; });
    return microbatch < admission_.limit;
}

bool ToldGate::waitFor(int microbatch) {
    if (!admission_.knows(microbatch)) listen_([&] { return admission_.knows(microbatch); });
    return microbatch < admission_.limit;
}

Batch ToldGate::samples(int microbatch) {
    return std::move(samples_.extract(microbatch).mapped());
}

}  // namespace bscope
