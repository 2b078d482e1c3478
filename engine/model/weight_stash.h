// WeightStash: the versions of one rank's weights that an asynchronous schedule needs at the same time. The
// newest are the layers' own and are what the optimizer changes; older ones are copies that live until no
// micro-batch will read them any more. One thread at a time. When it goes, the layers compute with their own
// weights again.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "kernels/device.h"
#include "model/layer.h"

namespace bscope {

class WeightStash {
public:
    // The layers hold version `newest`. Device and layers must outlive this.
    WeightStash(Device& device, std::vector<Layer*> layers, int newest);
    ~WeightStash();
    WeightStash(const WeightStash&) = delete;
    WeightStash& operator=(const WeightStash&) = delete;

    // Memory for so many older versions.
    void reserve(int versions);
    // The layers hold that version, and no older one is held any more; the memory of those is kept.
    void restart(int newest);
    int newest() const { return newest_; }
    int held() const { return static_cast<int>(older_.size()) + 1; }
    std::size_t bytes() const { return older_.size() * version_bytes_; }  // of the older ones

    // The layers compute with that version from now on. Throws std::out_of_range when it is not held.
    void use(int version);
    // Before the optimizer changes the newest version: forgets what is older than `oldest`, and keeps a copy
    // of the newest unless it is.
    void beforeStep(int oldest);
    // After it has: the newest version has the next number.
    void stepped() { ++newest_; }

private:
    using Copies = std::vector<WeightMemory>;  // (layers,)
    Copies takeSpare();

    Device* device_;
    std::vector<Layer*> layers_;
    int newest_;
    std::size_t version_bytes_ = 0;
    std::map<int, Copies> older_;
    std::vector<Copies> spare_;
};

}  // namespace bscope
