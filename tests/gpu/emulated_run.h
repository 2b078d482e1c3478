// What the tests of runs on the emulated GPU share: settings that end with their scope, and an observer that
// keeps kernels too.
#pragma once

#include <QCoreApplication>
#include <QtGlobal>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "run_fixture.h"
#include "setting.h"

namespace bscope {

inline QByteArray emulatedGpu() {
    return (QCoreApplication::applicationDirPath() + "/bscope_emulated_gpu.so").toLocal8Bit();
}

// For a whole test program.
inline void useEmulatedGpus(const QByteArray& count) {
    qputenv("BSCOPE_CUDA_PLUGIN", emulatedGpu());
    qputenv("BSCOPE_EMULATED_GPUS", count);
}

inline RunConfig onGpus(RunConfig config) {
    config.device = DeviceChoice::Cuda;
    config.clock = ClockChoice::Auto;
    return config;
}

// What computes what the receive brings, and what uses it; of a pipeline with one stage a rank.
using Boxes = std::map<std::tuple<int, Op, int>, const Event*>;
inline const Event& producerOf(const Boxes& boxes, const Event& receive) {
    const bool forward = receive.op == Op::RecvForward;
    return *boxes.at(
        {receive.stage + (forward ? -1 : 1), forward ? Op::Forward : Op::Backward, receive.microbatch});
}
inline const Event& userOf(const Boxes& boxes, const Event& receive) {
    const Op op = receive.op == Op::RecvForward ? Op::Forward : Op::Backward;
    return *boxes.at({receive.stage, op, receive.microbatch});
}

class GpuCollector final : public EventCollector {
public:
    void kernels(int rank, std::span<const KernelEvent> batch) override {
        kernels_by_rank[rank].insert(kernels_by_rank[rank].end(), batch.begin(), batch.end());
    }
    std::map<int, std::vector<KernelEvent>> kernels_by_rank;
};

}  // namespace bscope
