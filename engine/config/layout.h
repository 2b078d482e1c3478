// The stages of a pipeline as Megatron-LM writes them (--pipeline-model-parallel-layout): "Et*3|(tt|)*2tL".
// E is the embedding, t a Transformer block, L the head with the loss, | the end of a stage, *n a repetition
// of the letter or of the group in parentheses before it; commas mean nothing. Stages are in the order in
// which a micro-batch goes through them. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "words/sentence.h"

namespace bscope {

// (stages,) blocks of each stage, or all that is wrong: E is the first letter, L the last one, each once.
// What is legal of sizes is problems()'s to say.
std::variant<std::vector<int>, std::vector<Sentence>> readLayout(std::string_view text);

// "Et*3|t*2|tL"; readLayout() gives the blocks back.
std::string layoutText(std::span<const int> blocks);

}  // namespace bscope
