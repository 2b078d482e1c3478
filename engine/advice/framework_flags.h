// The options of training frameworks that give a setting: flags of Megatron-LM, a schedule class of PyTorch
// and keys of torchtitan, arguments of DeepSpeed. A framework that does not have the setting says so in one
// sentence; no option is made up. Names and rules are those of Megatron-LM core 0.16, PyTorch 2.15
// (torch.distributed.pipelining), torchtitan 0.2 and 0.3, and DeepSpeed 0.17. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "schedule/schedule.h"
#include "words/catalog.h"
#include "words/sentence.h"

namespace bscope {

enum class Framework : std::uint8_t { Megatron, PyTorch, DeepSpeed };

template <>
inline constexpr std::array kWords<Framework>{"megatron", "pytorch", "deepspeed"};

inline constexpr std::array kFrameworks{Framework::Megatron, Framework::PyTorch, Framework::DeepSpeed};

const char* titleOf(Framework framework);  // "Megatron-LM"

// A setting as a framework is asked for it.
struct FlaggedSetting {
    RunConfig config;
    Schedule order;
    bool knows_model = true;      // else neither layers nor the size of a micro-batch are known
    bool same_recompute = false;  // as the run has it
};

// Either something to type or a comment on it.
struct FlagLine {
    std::string code;
    Sentence note = {};
};

struct FrameworkFlags {
    Framework framework = Framework::Megatron;
    std::vector<FlagLine> lines;
    Sentence missing;  // why the framework does not have it; empty: it has
    // A fork or an extension that has it where the framework itself does not; empty: the framework has it.
    std::string extension;

    bool known() const { return missing.empty(); }
    bool ofFrameworkItself() const { return known() && extension.empty(); }
};

FrameworkFlags frameworkFlags(Framework framework, const FlaggedSetting& setting);

// To be pasted: a line each, comments behind "# ". Not of what is missing.
std::string flagsText(const FrameworkFlags& flags, Language language);

}  // namespace bscope
