#include "mpi/remote_gate.h"

namespace bscope {

void RemoteGate::execute(const AdmitCommand& command) {
    const auto part = [this](const std::vector<std::int32_t>& all, std::size_t number) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(number * tokens_);
        return std::vector<std::int32_t>(begin, begin + static_cast<std::ptrdiff_t>(tokens_));
    };
    for (std::size_t i = 0; i < command.tokens.size() / tokens_; ++i) {
        Batch& batch = samples_[command.first + static_cast<int>(i)];
        batch.tokens = part(command.tokens, i);
        batch.targets = part(command.targets, i);
    }
    admission_ = command.admission;
}

bool RemoteGate::has(int microbatch) {
    if (!admission_.knows(microbatch)) listen_([] { return true; });
    return microbatch < admission_.limit;
}

bool RemoteGate::waitFor(int microbatch) {
    if (!admission_.knows(microbatch)) listen_([&] { return admission_.knows(microbatch); });
    return microbatch < admission_.limit;
}

Batch RemoteGate::samples(int microbatch) {
    return std::move(samples_.extract(microbatch).mapped());
}

}  // namespace bscope
