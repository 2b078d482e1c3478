#include "catalog/presets.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

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

constexpr Preset kAliases[] = {
    {"fill-drain", "gpipe"},
    {"F-then-B", "gpipe"},
    {"AFAB", "gpipe"},
    {"all-forward-all-backward", "gpipe"},
    {"填充排空", "gpipe"},
    {"先前向后反向", "gpipe"},
    {"全前向后全反向", "gpipe"},
    {"torchgpipe", "gpipe-lifo"},
    {"torch.distributed.pipeline.sync.Pipe", "gpipe-lifo"},
    {"PipelineSchedule", "1f1b"},
    {"TrainSchedule", "1f1b"},
    {"一前一后", "1f1b"},
    {"naive pipeline", "naive"},
    {"朴素流水", "naive"},
    {"朴素", "naive"},
    {"VPP", "interleaved"},
    {"virtual pipeline", "interleaved"},
    {"1F1B-interleaving", "interleaved"},
    {"InterleavedPipelineSchedule", "interleaved"},
    {"虚拟流水线", "interleaved"},
    {"虚拟流水线并行", "interleaved"},
    {"交错式", "interleaved"},
    {"交错 1F1B", "interleaved"},
    {"交错式流水线", "interleaved"},
    {"交错式调度", "interleaved"},
    {"虚拟流水", "interleaved"},
    {"提前 1F1B", "eager-1f1b"},
    {"提前式", "eager-1f1b"},
    {"广度优先", "looped-bfs"},
    {"breadth-first pipeline", "looped-bfs"},
    {"交错零气泡", "zb-interleaved"},
    {"ZB1P", "zb-h1"},
    {"ZB2P", "zb-h2"},
    {"ZBV", "zb-v"},
    {"V-ZB", "zb-v"},
    {"V-1F1B", "v-1f1b"},
    {"2BW", "pipedream-2bw"},
    {"双缓冲权重", "pipedream-2bw"},
    {"wave", "hanayo"},
    {"波浪", "hanayo"},
    {"波浪式", "hanayo"},
    {"InferenceSchedule", "forward-only"},
    {"只前向", "forward-only"},
    {"只做前向", "forward-only"},
    {"推理", "forward-only"},
    {"inference", "forward-only"},
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

std::span<const Preset> aliases() {
    return kAliases;
}

std::string foldedName(std::string_view name) {
    constexpr std::string_view kWithoutMeaning[] = {" ", "\t", "-", "_", ".", "(", ")", "（", "）", "\u3000"};
    const auto isPlain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    std::string folded;
    while (!name.empty()) {
        // Nearly every letter is plain, and need not be looked for.
        const auto skipped =
            isPlain(name.front())
                ? std::end(kWithoutMeaning)
                : std::find_if(std::begin(kWithoutMeaning), std::end(kWithoutMeaning),
                               [&](std::string_view each) { return name.starts_with(each); });
        if (skipped != std::end(kWithoutMeaning)) {
            name.remove_prefix(skipped->size());
            continue;
        }
        const char letter = name.front();
        folded += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
        name.remove_prefix(1);
    }
    return folded;
}

std::string_view scheduleOfPreset(std::string_view name) {
    // Folded once: every configuration that is read asks.
    static const auto schedules = [] {
        std::unordered_map<std::string, std::string_view> found;
        for (const std::span<const Preset> table : {presets(), aliases()})
            for (const Preset& each : table)
                found.emplace(withoutOwner(foldedName(each.name)), each.schedule);
        return found;
    }();
    const auto found = schedules.find(std::string(withoutOwner(foldedName(name))));
    return found == schedules.end() ? std::string_view() : found->second;
}

}  // namespace bscope
