#include "schedule/presets.h"

#include <algorithm>
#include <cctype>

namespace bscope {

namespace {

constexpr Preset kPresets[] = {
    {"Megatron-LM 1F1B", "1f1b"},
    {"Megatron-LM interleaved", "interleaved"},
    {"DeepSpeed 1F1B", "1f1b"},
    {"Colossal-AI 1F1B", "1f1b"},
    {"Colossal-AI interleaved", "interleaved"},
    {"Colossal-AI zb-v", "zb-v"},
    {"PyTorch ScheduleGPipe", "gpipe"},
    {"PyTorch Schedule1F1B", "1f1b"},
    {"PyTorch ScheduleInterleaved1F1B", "interleaved-pytorch"},
    {"PyTorch ScheduleLoopedBFS", "looped-bfs"},
    {"PyTorch ScheduleInterleavedZeroBubble", "zb-interleaved"},
    {"PyTorch ScheduleZBVZeroBubble", "zb-v"},
    {"PyTorch ScheduleDualPipeV", "dualpipe-v"},
    {"DAPPLE", "1f1b"},
    {"PipeDream-Flush", "1f1b"},
    {"Ascend MindSpeed", "1f1b"},
    {"Ascend MindSpeed 1F1B", "1f1b"},
    {"Ascend MindSpeed VPP", "interleaved"},
};

constexpr std::string_view kPyTorch = "pytorch", kAscend = "ascend";

// Frameworks that a name may leave out: ScheduleGPipe, MindSpeed VPP.
std::string_view withoutOwner(std::string_view folded) {
    for (std::string_view owner : {kPyTorch, kAscend})
        if (folded.starts_with(owner)) return folded.substr(owner.size());
    return folded;
}

}  // namespace

std::span<const Preset> presets() {
    return kPresets;
}

std::string foldedName(std::string_view name) {
    std::string folded;
    for (const char letter : name) {
        const auto code = static_cast<unsigned char>(letter);
        if (std::isalnum(code)) folded += static_cast<char>(std::tolower(code));
    }
    return folded;
}

std::string_view scheduleOfPreset(std::string_view name) {
    const std::string wanted = foldedName(name);
    const auto found = std::find_if(std::begin(kPresets), std::end(kPresets), [&](const Preset& preset) {
        return withoutOwner(wanted) == withoutOwner(foldedName(preset.name));
    });
    return found == std::end(kPresets) ? std::string_view() : std::string_view(found->schedule);
}

}  // namespace bscope
