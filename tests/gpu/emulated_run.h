// What the tests of runs on the emulated GPU share: settings that end with their scope, and an observer that
// keeps kernels too.
#pragma once

#include <QCoreApplication>
#include <QtGlobal>
#include <string>
#include <vector>

#include "run_fixture.h"

namespace bscope {

// A variable of the environment, gone at the end of the scope.
class Setting {
public:
    Setting(const char* name, const QByteArray& value) : name_(name) { qputenv(name, value); }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting() { qunsetenv(name_); }

private:
    const char* name_;
};

inline QByteArray emulatedGpu() {
    return (QCoreApplication::applicationDirPath() + "/bscope_emulated_gpu.so").toLocal8Bit();
}

inline RunConfig onGpus(RunConfig config) {
    config.device = DeviceChoice::Cuda;
    config.clock = ClockChoice::Auto;
    return config;
}

class GpuCollector final : public Collector {
public:
    void kernels(int rank, std::span<const KernelEvent> batch) override {
        kernels_by_rank[rank].insert(kernels_by_rank[rank].end(), batch.begin(), batch.end());
    }
    std::map<int, std::vector<KernelEvent>> kernels_by_rank;
};

}  // namespace bscope
