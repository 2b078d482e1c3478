// A file is checked as a whole before the first number goes into the model.
#include "model/model_file.h"

#include <utility>

namespace bscope {

namespace {

constexpr const char* kMomentSuffix[] = {".adam_m", ".adam_v"};
constexpr TensorKind kMoments[] = {TensorKind::AdamM, TensorKind::AdamV};

template <typename Visit>  // visit(layer, parameter index, Parameter)
void forEachTensor(const Model& model, const Visit& visit) {
    for (std::size_t layer = 0; layer < model.layerCount(); ++layer)
        for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
            visit(layer, i, model.layer(layer).parameters()[i]);
}

std::string text(const std::vector<std::size_t>& shape) {
    std::string joined;
    for (const std::size_t n : shape) joined += (joined.empty() ? "" : ", ") + std::to_string(n);
    return "(" + joined + ")";
}

// Throws when the tensor is not what the parameter needs.
const std::vector<float>& fitting(const std::filesystem::path& file, const std::string& name,
                                  const Tensor& tensor, const Parameter& parameter) {
    const auto* values = std::get_if<std::vector<float>>(&tensor.values);
    if (!values) throw TensorFileError(sentence("{0}: tensor {1} is not F32", file.string(), name));
    if (tensor.shape != parameter.shape)
        throw TensorFileError(sentence("{0}: tensor {1} has shape {2}, the model needs {3}", file.string(),
                                       name, text(tensor.shape), text(parameter.shape)));
    return *values;
}

}  // namespace

void saveModel(const std::filesystem::path& file, const Model& model, ModelContent content,
               std::map<std::string, std::string> metadata) {
    TensorFile out{.tensors = {}, .metadata = std::move(metadata)};
    const ModelShape& shape = model.shape();
    out.metadata.insert({{"format", "bubblescope"},
                         {"layers", std::to_string(shape.L)},
                         {"hidden", std::to_string(shape.C)},
                         {"heads", std::to_string(shape.heads)},
                         {"sequence", std::to_string(shape.T)},
                         {"vocabulary", std::to_string(shape.V)}});
    const TensorKind kind = content == ModelContent::Gradients ? TensorKind::Gradient : TensorKind::Weight;
    forEachTensor(model, [&](std::size_t layer, std::size_t i, const Parameter& parameter) {
        out.tensors[parameter.name] = {.shape = parameter.shape, .values = model.read(layer, i, kind)};
        if (content != ModelContent::WeightsAndOptimizer) return;
        for (std::size_t k = 0; k < 2; ++k)
            out.tensors[parameter.name + kMomentSuffix[k]] = {.shape = parameter.shape,
                                                              .values = model.read(layer, i, kMoments[k])};
    });
    writeTensors(file, out);
}

std::map<std::string, std::string> loadModel(const std::filesystem::path& file, Model& model) {
    std::uint64_t numbers = 0;  // of weights; two moments for each
    forEachTensor(model,
                  [&](std::size_t, std::size_t, const Parameter& parameter) { numbers += parameter.size(); });
    TensorFile in = readTensors(file, 3 * sizeof(float) * numbers);
    const auto heads = in.metadata.find("heads");
    if (heads != in.metadata.end() && heads->second != std::to_string(model.shape().heads))
        throw TensorFileError(sentence("{0}: has {1} heads, the model needs {2}", file.string(),
                                       heads->second, model.shape().heads));
    std::size_t expected = 0;
    forEachTensor(model, [&](std::size_t, std::size_t, const Parameter& parameter) {
        const auto weight = in.tensors.find(parameter.name);
        if (weight == in.tensors.end())
            throw TensorFileError(sentence("{0}: tensor {1} is missing", file.string(), parameter.name));
        fitting(file, parameter.name, weight->second, parameter);
        ++expected;
        for (const char* suffix : kMomentSuffix) {
            const auto moment = in.tensors.find(parameter.name + suffix);
            if (moment == in.tensors.end()) continue;
            fitting(file, moment->first, moment->second, parameter);
            ++expected;
        }
    });
    if (expected != in.tensors.size())
        throw TensorFileError(sentence("{0}: has {1} tensors that the model does not have", file.string(),
                                       in.tensors.size() - expected));

    forEachTensor(model, [&](std::size_t layer, std::size_t i, const Parameter& parameter) {
        model.write(layer, i, TensorKind::Weight,
                    std::get<std::vector<float>>(in.tensors.at(parameter.name).values));
        for (std::size_t k = 0; k < 2; ++k) {
            const auto moment = in.tensors.find(parameter.name + kMomentSuffix[k]);
            model.write(layer, i, kMoments[k],
                        moment == in.tensors.end() ? std::vector<float>(parameter.size())
                                                   : std::get<std::vector<float>>(moment->second.values));
        }
    });
    return in.metadata;
}

void saveBatch(const std::filesystem::path& file, const Batch& batch) {
    const auto tensor = [&](const std::vector<std::int32_t>& values) {
        return Tensor{.shape = {batch.samples, batch.T},
                      .values = std::vector<std::int64_t>(values.begin(), values.end())};
    };
    writeTensors(file, {.tensors = {{"tokens", tensor(batch.tokens)}, {"targets", tensor(batch.targets)}},
                        .metadata = {}});
}

}  // namespace bscope
