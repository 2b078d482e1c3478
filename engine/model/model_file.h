// A Model as safetensors. Every tensor is F32, Linear weights are (out, in); names and shapes:
// - tok_embedding.weight (V, C), pos_embedding.weight (T, C)
// - blocks.N.ln1.weight|bias (C), blocks.N.ln2.weight|bias (C)
// - blocks.N.attn.qkv.weight (3C, C), .bias (3C): rows of q, k, v in that order, heads contiguous in each
// - blocks.N.attn.proj.weight (C, C), .bias (C)
// - blocks.N.mlp.fc.weight (4C, C), .bias (4C); blocks.N.mlp.proj.weight (C, 4C), .bias (C)
// - ln_f.weight|bias (C), head.weight (V, C)
// Gradients stand alone under the same names; optimizer state stands beside the weights as NAME.adam_m and
// NAME.adam_v. Metadata has the shape. Between iterations only, one thread.
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
