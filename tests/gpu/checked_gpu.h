// What tests of the plugin over the fake CUDA (fake_cuda/fake.h) share.
#pragma once

#include <QCoreApplication>
#include <QtGlobal>

#include "fake_cuda/fake_cuda.h"
#include "kernels/plugin/plugin.h"

namespace bscope {

inline QByteArray checkedPlugin() {
    return (QCoreApplication::applicationDirPath() + "/bscope_cuda_checked.so").toLocal8Bit();
}

// For a whole test program: before the first call of CUDA.
inline void useCheckedGpus(const QByteArray& count) {
    qputenv("BSCOPE_CUDA_PLUGIN", checkedPlugin());
    qputenv("BSCOPE_FAKE_GPUS", count);
    askForQueues();  // as the programs do
}

// The rules broken since the last time, one a line.
inline QByteArray brokenRules() {
    return fake_cuda_broken();
}

}  // namespace bscope
