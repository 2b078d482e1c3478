#include "model/weight_stash.h"

#include <utility>

namespace bscope {

WeightStash::WeightStash(Device& device, std::vector<Layer*> layers, int newest)
    : device_(&device), layers_(std::move(layers)), newest_(newest) {
    for (const Layer* layer : layers_) version_bytes_ += layer->parameterFloats() * sizeof(float);
}

WeightStash::~WeightStash() {
    use(newest_);
}

void WeightStash::use(int version) {
    if (version == newest_) {
        for (Layer* layer : layers_) layer->computeWith(layer->weights());
        return;
    }
    const Copies& copies = older_.at(version);
    for (std::size_t i = 0; i < layers_.size(); ++i) layers_[i]->computeWith(copies[i].as<float>());
}

void WeightStash::beforeStep(int oldest) {
    while (!older_.empty() && older_.begin()->first < oldest)
        spare_.push_back(std::move(older_.extract(older_.begin()).mapped()));
    if (newest_ < oldest) return;
    Copies copies;
    if (!spare_.empty()) {
        copies = std::move(spare_.back());
        spare_.pop_back();
    } else {
        for (const Layer* layer : layers_)
            copies.emplace_back(*device_, layer->parameterFloats() * sizeof(float));
    }
    for (std::size_t i = 0; i < layers_.size(); ++i)
        device_->copy(copies[i].as<void>(), layers_[i]->weights(), copies[i].bytes());
    older_.emplace(newest_, std::move(copies));
}

}  // namespace bscope
