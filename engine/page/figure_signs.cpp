#include "page/figure_signs.h"

#include <algorithm>

#include "view/text/operation_name.h"

namespace bscope::page {

namespace {

// "0a0c0f"
std::string hexOf(Rgb rgb) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (int shift = 20; shift >= 0; shift -= 4) text += kDigits[rgb >> shift & 0xf];
    return text;
}

}  // namespace

std::vector<LegendEntry> legendEntries(const Signs& signs, const DataPalette& palette) {
    using Kind = LegendEntry::Kind;
    constexpr std::pair<Op, char> kLetters[] = {{Op::Forward, 'f'},        {Op::Recompute, 'r'},
                                                {Op::Backward, 'b'},       {Op::BackwardInput, 'i'},
                                                {Op::BackwardWeight, 'w'}, {Op::ReduceGradients, 'c'},
                                                {Op::OptimizerStep, 'o'}};
    const bool both = signs.shadesOf(Op::Backward) > 0 && signs.shadesOf(Op::BackwardInput) > 0;
    std::vector<LegendEntry> entries;
    for (const auto& [op, letter] : kLetters) {
        if (signs.shadesOf(op) == 0 || (both && op == Op::BackwardInput)) continue;
        LegendEntry entry{Kind::Boxes, {}, sentence(operationName(op))};
        if (both && op == Op::Backward) entry.words = sentence("backward, whole or input half");
        if (op == Op::ReduceGradients && signs.shadesOf(Op::GatherWeights) > 0)
            entry.words = sentence("gradients added, weights gathered");
        const bool of_stages = isCompute(op) && op != Op::Recompute && !palette.stages.empty();
        const int shades = of_stages ? std::min(signs.stages, palette.shades()) : signs.shadesOf(op);
        for (int shade = 0; shade < shades; ++shade) entry.signs.push_back(letter + std::to_string(shade));
        if (of_stages && op == Op::Forward)
            entry.words = signs.stages > shades ? sentence("forward, stages 0–{0}, {1} colours in turn",
                                                           signs.stages - 1, shades)
                                                : sentence("forward, stages 0–{0}", signs.stages - 1);
        entries.push_back(std::move(entry));
    }
    const auto add = [&](bool here, Kind kind, const char* sign, const Sentence& words) {
        if (here) entries.push_back({kind, {sign}, words});
    };
    add(signs.chunk_letters, Kind::Letters, "a b", sentence("chunks of a rank"));
    add(signs.neighbours, Kind::Boxes, "near f0", sentence("iteration before or after"));
    add(signs.fill_drain, Kind::Idle, "hr", sentence("bubble: fill, drain"));
    add(signs.dependency, Kind::Idle, "hf", sentence("bubble: dependency of the order"));
    add(signs.network, Kind::Idle, "hx", sentence("bubble: network"));
    add(signs.other_causes, Kind::Idle, "hl", sentence("bubble: other causes"));
    add(signs.wait, Kind::Strip, "wait",
        signs.wait_and_transfer ? sentence("wait and transfer") : sentence("wait"));
    add(signs.transfer, Kind::Strip, "c0",
        signs.wait_and_transfer ? sentence("message needed") : sentence("transfer"));
    add(signs.memory, Kind::Memory, "mem", sentence("activations held"));
    add(signs.cap, Kind::Cap, "cap", sentence("memory cap"));
    return entries;
}

std::vector<SignColours> signColours(const DataPalette& palette) {
    std::vector<SignColours> all;
    const auto add = [&](const std::string& sign, Op op, int of_palette) {
        const Rgb fill = palette.fill(op, of_palette);
        all.push_back({sign, hexOf(fill), hexOf(inkOn(fill))});
    };
    for (int of_palette = 0; of_palette < palette.shades(); ++of_palette) {
        const std::string shade = std::to_string(of_palette);
        add("f" + shade, Op::Forward, of_palette);
        add("b" + shade, Op::Backward, of_palette);
        add("i" + shade, Op::BackwardInput, of_palette);
        add("w" + shade, Op::BackwardWeight, of_palette);
    }
    add("r0", Op::Recompute, 0);
    add("o0", Op::OptimizerStep, 0);
    add("c0", Op::RecvForward, 0);
    return all;
}

}  // namespace bscope::page
