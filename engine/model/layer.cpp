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

WeightMemory::WeightMemory(Device& device, std::size_t floats)
    : precision_(device.operandPrecision()), fp32_(device, floats * sizeof(float)) {
    if (precision_ != Precision::Fp32) operands_ = Buffer(device, floats * bytesOf(precision_));
}

Operand WeightMemory::operands() const {
    return precision_ == Precision::Fp32 ? Operand(fp32()) : Operand(operands_.as<void>(), precision_);
}

void WeightMemory::copyOf(Device& device, const WeightMemory& other) {
    device.copy(fp32(), other.fp32(), fp32_.bytes());
    if (operandBytes() > 0) device.copy(operands_.as<void>(), other.operands_.as<void>(), operandBytes());
}

Layer::Layer(Device& device, std::vector<Parameter> parameters, std::uint64_t seed)
    : device_(&device), parameters_(std::move(parameters)) {
    for (Parameter& parameter : parameters_) {
        parameter.offset = floats_;
        floats_ += parameter.size();
    }
    const std::size_t bytes = floats_ * sizeof(float);
    weights_ = WeightMemory(device, floats_);
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
    WeightMemory weights(device, floats_);
    Buffer* const buffers[] = {&gradients_, &adam_m_, &adam_v_};
    std::vector<Buffer> moved;
    for (const Buffer* buffer : buffers) moved.emplace_back(device, buffer->bytes());
    std::vector<float> values(floats_);
    const auto carry = [&](float* to, const float* from) {
        device_->copy(values.data(), from, values.size() * sizeof(float));
        device.copy(to, values.data(), values.size() * sizeof(float));
    };
    carry(weights.fp32(), weights_.fp32());
    for (std::size_t i = 0; i < moved.size(); ++i) carry(moved[i].as<float>(), buffers[i]->as<float>());
    weights_ = std::move(weights);
    for (std::size_t i = 0; i < moved.size(); ++i) *buffers[i] = std::move(moved[i]);
    device_ = &device;
    computed_with_ = &weights_;
}

}  // namespace bscope
