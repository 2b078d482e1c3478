// A layer's parameters side by side in one allocation per kind, and the numbers they start from.
#include "model/layer.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "host/all_cores.h"
#include "model/random.h"

namespace bscope {

namespace {

// Numbers first, first + 1, ... of a full tensor; they are drawn in pairs.
void drawNormals(std::uint64_t key, double deviation, std::size_t first, std::span<float> values) {
    for (std::size_t i = 0; i < values.size();) {
        const auto [even, odd] = randomNormals(key, (first + i) / 2);
        if ((first + i) % 2 == 0) values[i++] = static_cast<float>(deviation * even);
        if (i < values.size()) values[i++] = static_cast<float>(deviation * odd);
    }
}

// What a parameter starts from, on the host; `values` holds its size.
void startFrom(const Parameter& parameter, std::uint64_t seed, const Shard& shard, std::span<float> values) {
    if (parameter.initial_deviation <= 0.0F)
        return std::fill(values.begin(), values.end(), parameter.initial);
    const std::uint64_t key = randomKey(seed, parameter.name);
    const double deviation = static_cast<double>(parameter.initial_deviation);
    constexpr std::size_t kPart = std::size_t{1} << 16;  // numbers
    struct Part {
        std::size_t first, at, floats;
    };
    std::vector<Part> parts;
    eachRun(parameter, shard.index, shard.of, [&](std::size_t first, std::size_t at, std::size_t floats) {
        for (std::size_t begin = 0; begin < floats; begin += kPart)
            parts.push_back({first + begin, at + begin, std::min(kPart, floats - begin)});
    });
    onAllCores(parts.size(), [&](std::size_t i) {
        const Part& part = parts[i];
        drawNormals(key, deviation, part.first, values.subspan(part.at, part.floats));
    });
}

}  // namespace

std::size_t Parameter::size() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

void Pass::addUpShards(float* x) const {
    if (!shape.sequence_parallel) return addUp(x, rows() * shape.C);
    if (workplace.shards() != nullptr) workplace.shards()->scatter(x, rows() * shape.C);
}

void Pass::addUp(float* x, std::size_t floats) const {
    if (shape.t > 1 && workplace.shards() != nullptr) workplace.shards()->addUp(x, floats);
}

void Pass::gatherParts(float* x, std::size_t floats) const {
    if (workplace.shards() != nullptr) workplace.shards()->gather(x, floats);
}

void Pass::gather(const float* own_rows, float* all) const {
    ops().run(CopyFloats{.to = own(all), .from = own_rows, .count = ownFloats()});
    gatherParts(all, rows() * shape.C);
}

ConstOperand Pass::allRows(ConstOperand own_rows) const {
    if (!shape.sequence_parallel) return own_rows;
    gather(own_rows.fp32(), workplace.workspace());
    return workplace.workspace();
}

Slot Pass::gathered(Slot own_rows) const {
    if (!shape.sequence_parallel) return own_rows;
    Slot all = take(rows() * shape.C);
    gather(own_rows.data(), all.data());
    return all;
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

Layer::Layer(Device& device, std::vector<Parameter> parameters, std::uint64_t seed, const Shard& shard)
    : device_(&device), parameters_(std::move(parameters)) {
    for (Parameter& parameter : parameters_) {
        parameter.offset = floats_;
        floats_ += parameter.size();
    }
    state_ = {0, floats_};
    weights_ = WeightMemory(device, floats_);
    std::unique_ptr<float[]> elsewhere;
    if (!device.isHost()) elsewhere = std::make_unique_for_overwrite<float[]>(floats_);
    float* const values = elsewhere ? elsewhere.get() : weights();
    for (const Parameter& parameter : parameters_)
        startFrom(parameter, seed, shard, {values + parameter.offset, parameter.size()});
    if (elsewhere) device.copy(weights(), values, floats_ * sizeof(float));
}

const Layer::Trained& Layer::trained() const {
    if (!trained_) {
        Trained made{
            {*device_, floats_ * sizeof(float)}, {*device_, state_.bytes()}, {*device_, state_.bytes()}};
        for (const Buffer* zero : {&made.gradients, &made.adam_m, &made.adam_v})
            if (zero->bytes() > 0) device_->fillZero(zero->as<void>(), zero->bytes());
        trained_ = std::move(made);
    }
    return *trained_;
}

void Layer::moveTo(Device& device) {
    if (&device == device_) return;
    WeightMemory weights(device, floats_);
    const std::size_t bytes = floats_ * sizeof(float);
    copyBetween(device, weights.fp32(), *device_, weights_.fp32(), bytes);
    if (trained_) {
        const auto moved = [&](const Buffer& from) {
            Buffer to(device, from.bytes());
            copyBetween(device, to.as<void>(), *device_, from.as<void>(), from.bytes());
            return to;
        };
        Trained there{moved(trained_->gradients), moved(trained_->adam_m), moved(trained_->adam_v)};
        trained_ = std::move(there);
    }
    weights_ = std::move(weights);
    device_ = &device;
    computed_with_ = &weights_;
}

}  // namespace bscope
