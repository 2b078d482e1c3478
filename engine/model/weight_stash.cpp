#include "model/weight_stash.h"

#include <utility>

namespace bscope {

WeightStash::WeightStash(Device& device, std::vector<Layer*> layers, int newest)
    : device_(&device), layers_(std::move(layers)), newest_(newest) {
    for (const Layer* layer : layers_) version_bytes_ += layer->newest().bytes();
}

WeightStash::~WeightStash() {
    use(newest_);
}

void WeightStash::reserve(int versions) {
    std::vector<Copies> all;
    for (int i = 0; i < versions; ++i) all.push_back(takeSpare());
    for (Copies& copies : all) spare_.push_back(std::move(copies));
}

void WeightStash::restart(int newest) {
    for (auto& [version, copies] : older_) spare_.push_back(std::move(copies));
    older_.clear();
    newest_ = newest;
    use(newest_);
}

WeightStash::Copies WeightStash::takeSpare() {
    Copies copies;
    if (spare_.empty()) {
        for (const Layer* layer : layers_) copies.emplace_back(*device_, layer->parameterFloats());
    } else {
        copies = std::move(spare_.back());
        spare_.pop_back();
    }
    return copies;
}

void WeightStash::use(int version) {
    if (version == newest_) {
        for (Layer* layer : layers_) layer->computeWith(layer->newest());
        return;
    }
    const Copies& copies = older_.at(version);
    for (std::size_t i = 0; i < layers_.size(); ++i) layers_[i]->computeWith(copies[i]);
}

void WeightStash::beforeStep(int oldest) {
    while (!older_.empty() && older_.begin()->first < oldest)
        spare_.push_back(std::move(older_.extract(older_.begin()).mapped()));
    if (newest_ < oldest) return;
    Copies copies = takeSpare();
    for (std::size_t i = 0; i < layers_.size(); ++i) copies[i].copyOf(*device_, layers_[i]->newest());
    older_.emplace(newest_, std::move(copies));
}

}  // namespace bscope
