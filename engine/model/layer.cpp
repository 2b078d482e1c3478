// A layer's parameters side by side in one allocation per kind, and the numbers they start from.
#include "model/layer.h"

#include <functional>
#include <numeric>
#include <utility>

#include "model/random.h"

namespace bscope {

namespace {

std::vector<float> initialValues(const Parameter& parameter, std::uint64_t seed) {
    std::vector<float> values(parameter.size(), parameter.initial);
    if (parameter.initial_deviation > 0.0F) {
        const std::uint64_t key = randomKey(seed, parameter.name);
        const double deviation = static_cast<double>(parameter.initial_deviation);
        for (std::size_t i = 0; i < values.size(); i += 2) {
            const auto [first, second] = randomNormals(key, i / 2);
            values[i] = static_cast<float>(deviation * first);
            if (i + 1 < values.size()) values[i + 1] = static_cast<float>(deviation * second);
        }
    }
    return values;
}

}  // namespace

std::size_t Parameter::size() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Layer::Layer(Device& device, std::vector<Parameter> parameters, std::uint64_t seed)
    : device_(&device), parameters_(std::move(parameters)) {
    for (Parameter& parameter : parameters_) {
        parameter.offset = floats_;
        floats_ += parameter.size();
    }
    const std::size_t bytes = floats_ * sizeof(float);
    weights_ = Buffer(device, bytes);
    computed_with_ = weights();
    gradients_ = Buffer(device, bytes);
    adam_m_ = Buffer(device, bytes);
    adam_v_ = Buffer(device, bytes);
    for (const Buffer* zero : {&gradients_, &adam_m_, &adam_v_}) device.fillZero(zero->as<float>(), bytes);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const std::vector<float> values = initialValues(parameters_[i], seed);
        device.copy(weight(i), values.data(), values.size() * sizeof(float));
    }
}

// By way of the host: each device knows how to reach that.
void Layer::moveTo(Device& device) {
    if (&device == device_) return;
    Buffer* const buffers[] = {&weights_, &gradients_, &adam_m_, &adam_v_};
    std::vector<float> values(floats_);
    std::vector<Buffer> moved;
    for (const Buffer* buffer : buffers) {
        device_->copy(values.data(), buffer->as<float>(), buffer->bytes());
        moved.emplace_back(device, buffer->bytes());
        device.copy(moved.back().as<float>(), values.data(), buffer->bytes());
    }
    for (std::size_t i = 0; i < moved.size(); ++i) *buffers[i] = std::move(moved[i]);
    device_ = &device;
    computed_with_ = weights();
}

}  // namespace bscope
