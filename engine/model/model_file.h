// A Model as safetensors: weights under their own names (docs: tensor names), gradients alone under the same
// names, optimizer state beside the weights as NAME.adam_m and NAME.adam_v, and metadata with the shape.
// Between iterations only, one thread.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "model/model.h"
#include "model/safetensors.h"
#include "model/text_data.h"

namespace bscope {

enum class ModelContent { Weights, Gradients, WeightsAndOptimizer };

// Adds to the metadata: format, layers, hidden, heads, sequence, vocabulary. Throws TensorFileError.
void saveModel(const std::filesystem::path& file, const Model& model, ModelContent content,
               std::map<std::string, std::string> metadata = {});
// Fills the model's weights, and the optimizer state where the file has it (else zero). Returns the metadata.
// Throws TensorFileError naming the first tensor or shape that does not fit; the model is then unchanged.
std::map<std::string, std::string> loadModel(const std::filesystem::path& file, Model& model);

// `tokens` and `targets`, int64 (samples, T).
void saveBatch(const std::filesystem::path& file, const Batch& batch);

}  // namespace bscope
