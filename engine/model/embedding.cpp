// The embedding's two tensors, and its one gradient: it waits in the stash for backwardWeight.
#include "model/embedding.h"

namespace bscope {

namespace {
enum Tensor : std::size_t { TokenWeight, PositionWeight };
enum Kept : std::size_t { Input, OutputGradient };
// Input stays empty: the tokens belong to the batch.
constexpr Keep kKeeps[] = {{true, false}, {true, true}};
// Larger than GPT-2's 0.02: the first LayerNorm multiplies gradients by the inverse of this, and with 0.02
// the loss leaps up in the first steps unless the learning rate is warmed up.
constexpr float kDeviation = 0.1F;
}  // namespace

Embedding::Embedding(Device& device, const ModelShape& shape, std::uint64_t seed, const Shard& shard)
    : Layer(device,
            {{.name = "tok_embedding.weight",
              .shape = {shape.shardV(), shape.C},
              .initial_deviation = kDeviation,
              .runs = shape.t > 1 ? std::size_t{1} : 0},
             {.name = "pos_embedding.weight", .shape = {shape.T, shape.C}, .initial_deviation = kDeviation}},
            seed, shard) {}

std::span<const Keep> Embedding::keeps() const {
    return kKeeps;
}

void Embedding::forward(const Pass& pass, Stash&, Slot, float* y) {
    if (!y) return;
    if (!pass.requests.empty()) return ofRequests(pass, y);
    float* const all = pass.shape.sequence_parallel ? pass.workplace.workspace() : y;
    pass.ops().run(EmbeddingForward{
        .y = all,
        .tokens = pass.tokens,
        .token_weight = weight(TokenWeight),
        .position_weight =
            pass.shard == 0 ? weight(PositionWeight) + pass.firstPosition() * pass.shape.C : nullptr,
        .B = pass.B,
        .T = pass.T(),
        .C = pass.shape.C,
        .first = pass.firstToken(),
        .V = pass.shape.shardV()});
    pass.addUpShards(all);
    if (all != y) pass.ops().run(CopyFloats{.to = y, .from = pass.own(all), .count = pass.ownFloats()});
}

void Embedding::ofRequests(const Pass& pass, float* y) const {
    const std::size_t C = pass.shape.C;
    std::size_t row = 0;
    for (const RowsOfRequest& of : pass.requests) {
        pass.ops().run(EmbeddingForward{
            .y = y + row * C,
            .tokens = pass.tokens + row,
            .token_weight = weight(TokenWeight),
            .position_weight = pass.shard == 0 ? weight(PositionWeight) + of.first * C : nullptr,
            .B = 1,
            .T = of.rows,
            .C = C,
            .first = pass.firstToken(),
            .V = pass.shape.shardV()});
        row += of.rows;
    }
    pass.addUpShards(y);
}

Slot Embedding::backwardInput(const Pass&, Stash& stash, Slot dy) {
    stash[OutputGradient] = std::move(dy);
    return {};
}

void Embedding::backwardWeight(const Pass& pass, Stash& stash) {
    pass.ops().run(
        EmbeddingBackward{.token_gradient = gradient(TokenWeight),
                          .position_gradient = gradient(PositionWeight) + pass.firstPosition() * pass.shape.C,
                          .dy = pass.allRows(stash[OutputGradient].data()).fp32(),
                          .tokens = pass.tokens,
                          .B = pass.B,
                          .T = pass.T(),
                          .C = pass.shape.C,
                          .first = pass.firstToken(),
                          .V = pass.shape.shardV()});
}

}  // namespace bscope
