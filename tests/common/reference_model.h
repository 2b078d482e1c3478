// A model and the reference beside it: weights that are worth a comparison, and the same in double precision.
#pragma once

#include "gpt_reference.h"
#include "model/model.h"

namespace bscope {

// Weights far from their start, so that biases and normalisations matter.
inline void disturb(Model& model) {
    for (std::size_t layer = 0; layer < model.layerCount(); ++layer)
        for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i) {
            std::vector<float> values = model.read(layer, i, TensorKind::Weight);
            const std::vector<float> noise = reference::noise(values.size(), layer * 100 + i);
            for (std::size_t k = 0; k < values.size(); ++k) values[k] += 0.4F * noise[k];
            model.write(layer, i, TensorKind::Weight, values);
        }
}

inline reference::Weights weightsOf(const Model& model) {
    reference::Weights weights;
    for (std::size_t layer = 0; layer < model.layerCount(); ++layer)
        for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
            weights[model.layer(layer).parameters()[i].name] =
                reference::toDouble(model.read(layer, i, TensorKind::Weight));
    return weights;
}

}  // namespace bscope
