#include "view/palette.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace bscope {

namespace {

constexpr Rgb kOnLight = 0xa82a6e, kOnDark = 0xa83e7c;  // communication
constexpr std::array kSteps{0, 95, 135, 175, 215, 255};  // of a terminal's cube of colours

constexpr DataPalette kLight{{0x2f7fd0, 0x205b98, 0x7ea1da},
                             {0xf39103, 0xc37302, 0xf7b992},
                             {0xf39103, 0xc37302, 0xf7b992},
                             {0x1b5e20, 0x114214, 0x537554},
                             0xbdd3ed,
                             0x555b66,
                             kOnLight};
constexpr DataPalette kDark{{0x5c99ec, 0x4779bb, 0x96b7f0},
                            {0xf6c462, 0xcfa451, 0xfae2c0},
                            {0xf6c462, 0xcfa451, 0xfae2c0},
                            {0x1b7a33, 0x146127, 0x629269},
                            0xe5f9ff,
                            0x9aa0a6,
                            kOnDark};
// Colours of well-known figures, for readers who come from them; untested for colour vision, so never the
// default.
constexpr DataPalette megatron(Rgb communication) {
    return {{0x4472c4, 0x9dc3e6, 0x2f5597},
            {0x70ad47, 0xa9d18e, 0x548235},
            {0x70ad47, 0xa9d18e, 0x548235},
            {0xc5e0b4, 0xe2f0d9, 0xa9c79a},
            0xd6dce5,
            0x7f7f7f,
            communication};
}
constexpr DataPalette zeroBubble(Rgb communication) {
    return {{0x397af2, 0x2a5cb8, 0x8ab0f7},
            {0x44d3da, 0x33a0a6, 0x97e5e9},
            {0x44d3da, 0x33a0a6, 0x97e5e9},
            {0xe0f0e7, 0xb6cfc1, 0xf0f8f3},
            0xd7e4fc,
            0xc85308,
            communication};
}
constexpr DataPalette pyTorch(Rgb communication) {
    return {{0x5b8ff9, 0x3f68bd, 0xa3c0fc},
            {0xf6903d, 0xc06c28, 0xfac39a},
            {0x38b2ac, 0x2a8783, 0x8fd6d2},
            {0x5ad8a6, 0x43a57e, 0xa5ead0},
            0xd9e4fd,
            0x8d96a1,
            communication};
}
constexpr DataPalette dualPipe(Rgb communication) {
    return {{0xf2a65a, 0xc98240, 0xf8d0a8},
            {0x6ab36a, 0x4c8a4c, 0xb0d8b0},
            {0x6ab36a, 0x4c8a4c, 0xb0d8b0},
            {0x6fa8dc, 0x4f80ad, 0xb5d2ed},
            0xfbe5cf,
            0x8d96a1,
            communication};
}

// For print without colours: the lightnesses of the palette above, evenly apart (L* 35, 52, 69, 84 on white).
constexpr DataPalette kGreyOnLight{{0x7b7b7b, 0x6b6b6b, 0x8b8b8b},
                                   {0xa8a8a8, 0x9a9a9a, 0xb6b6b6},
                                   {0xa8a8a8, 0x9a9a9a, 0xb6b6b6},
                                   {0x525252, 0x444444, 0x5e5e5e},
                                   0xd1d1d1,
                                   0x3a3a3a,
                                   0x202020};
constexpr DataPalette kGreyOnDark{{0x8c8c8c, 0x7c7c7c, 0x9c9c9c},
                                  {0xbcbcbc, 0xaeaeae, 0xcacaca},
                                  {0xbcbcbc, 0xaeaeae, 0xcacaca},
                                  {0x5a5a5a, 0x4c4c4c, 0x666666},
                                  0xeaeaea,
                                  0x9a9a9a,
                                  0xdadada};

// Hues of stages: of the first four, and of any two that follow each other, the least difference is 11
// however colours are seen; forward, backward and weight gradient keep their depths (docs/PALETTE.md).
constexpr std::array<DataPalette::OfStage, 8> kStages{{{0xa597f4, 0x5d55b5, 0x343073},
                                                       {0x13d4ce, 0x0f817d, 0x094a48},
                                                       {0xb5a441, 0x6e6302, 0x413902},
                                                       {0xfda8a6, 0xc9454e, 0x7c1f29},
                                                       {0x26b1d2, 0x056b81, 0x023f4d},
                                                       {0xaac968, 0x597e0d, 0x324903},
                                                       {0x9ebffc, 0x0b75cb, 0x0e4376},
                                                       {0x4fc688, 0x0c7a4b, 0x05472a}}};
constexpr DataPalette ofStages(Rgb communication) {
    return {{0xb2b2b2, 0xb2b2b2, 0xb2b2b2},
            {0x6b6b6b, 0x6b6b6b, 0x6b6b6b},
            {0x6b6b6b, 0x6b6b6b, 0x6b6b6b},
            {0x404040, 0x404040, 0x404040},
            0xe2e2e2,
            0x8d96a1,
            communication,
            kStages};
}

}  // namespace

const char* schemeWord(ColourScheme scheme) {
    constexpr std::array kWords{"bubblescope", "megatron", "zero-bubble", "pytorch",
                                "dualpipe",    "grey",     "stages"};
    static_assert(kWords.size() == kColourSchemes.size());
    return kWords[static_cast<std::size_t>(scheme)];
}

const DataPalette& dataPalette(ColourScheme scheme, bool on_dark) {
    static constexpr std::array kSchemes{std::pair{kLight, kDark},
                                         std::pair{megatron(kOnLight), megatron(kOnDark)},
                                         std::pair{zeroBubble(kOnLight), zeroBubble(kOnDark)},
                                         std::pair{pyTorch(kOnLight), pyTorch(kOnDark)},
                                         std::pair{dualPipe(kOnLight), dualPipe(kOnDark)},
                                         std::pair{kGreyOnLight, kGreyOnDark},
                                         std::pair{ofStages(kOnLight), ofStages(kOnDark)}};
    static_assert(kSchemes.size() == kColourSchemes.size());
    const auto& [light, dark] = kSchemes[static_cast<std::size_t>(scheme)];
    return on_dark ? dark : light;
}

Rgb DataPalette::fill(Op op, int shade) const {
    const auto at = static_cast<std::size_t>(std::max(shade, 0) % shades());
    switch (op) {
        case Op::Forward:
            return stages.empty() ? forward[at] : stages[at].forward;
        case Op::Backward:
            return stages.empty() ? backward[at] : stages[at].backward;
        case Op::BackwardInput:
            return stages.empty() ? input[at] : stages[at].backward;
        case Op::BackwardWeight:
            return stages.empty() ? weight[at] : stages[at].weight;
        default:
            return fill(op);
    }
}

Rgb DataPalette::fill(Op op) const {
    switch (op) {
        case Op::Forward:
            return forward[0];
        case Op::Backward:
            return backward[0];
        case Op::BackwardInput:
            return input[0];
        case Op::BackwardWeight:
            return weight[0];
        case Op::Recompute:
            return recompute;
        case Op::OptimizerStep:
            return optimizer;
        default:
            return communication;
    }
}

double contrastRatio(Rgb a, Rgb b) {
    const auto luminance = [](Rgb colour) {
        const auto linear = [&](int shift) {
            const double c = ((colour >> shift) & 0xff) / 255.0;
            return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
    };
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

Rgb inkOn(Rgb fill) {
    // Black itself is for the narrow band of greys on which both miss 4.5 : 1.
    for (const Rgb ink : {0x0a0c0fU, 0xffffffU})
        if (contrastRatio(ink, fill) >= 4.5) return ink;
    return 0;
}

int terminalColour(Rgb colour) {
    const std::array parts{static_cast<int>(colour >> 16 & 0xff), static_cast<int>(colour >> 8 & 0xff),
                           static_cast<int>(colour & 0xff)};
    const auto distance = [&](int red, int green, int blue) {
        const auto square = [](int d) { return d * d; };
        return square(red - parts[0]) + square(green - parts[1]) + square(blue - parts[2]);
    };
    std::array<std::size_t, 3> nearest{};
    for (std::size_t i = 0; i < 3; ++i)
        nearest[i] = static_cast<std::size_t>(
            std::ranges::min_element(kSteps, {}, [&](int step) { return std::abs(step - parts[i]); }) -
            kSteps.begin());
    const int grey = std::clamp(((parts[0] + parts[1] + parts[2]) / 3 - 3) / 10, 0, 23);
    const int of_grey = 8 + 10 * grey;
    return distance(kSteps[nearest[0]], kSteps[nearest[1]], kSteps[nearest[2]]) <=
                   distance(of_grey, of_grey, of_grey)
               ? static_cast<int>(16 + 36 * nearest[0] + 6 * nearest[1] + nearest[2])
               : 232 + grey;
}

Rgb rgbOfTerminalColour(int colour) {
    const auto grey = static_cast<Rgb>(8 + 10 * (colour - 232));
    if (colour >= 232) return grey << 16 | grey << 8 | grey;
    const auto step = [&](int divisor) {
        return static_cast<Rgb>(kSteps[static_cast<std::size_t>((colour - 16) / divisor % 6)]);
    };
    return step(36) << 16 | step(6) << 8 | step(1);
}

}  // namespace bscope
