// Colours of the data as plain values: the tested palette and those that follow known figures
// (docs/PALETTE.md). Windows, files and terminals take them from here. Pure functions, any thread.
#pragma once

#include <array>
#include <cstdint>

#include "schedule/action.h"

namespace bscope {

using Rgb = std::uint32_t;  // 0xrrggbb

// Palettes a picture can follow.
enum class ColourScheme { Bubblescope, Megatron, ZeroBubble, PyTorch, DualPipe, Grey };

inline constexpr std::array kColourSchemes{ColourScheme::Bubblescope, ColourScheme::Megatron,
                                           ColourScheme::ZeroBubble,  ColourScheme::PyTorch,
                                           ColourScheme::DualPipe,    ColourScheme::Grey};
// "zero-bubble": as options name it.
const char* schemeWord(ColourScheme scheme);

struct DataPalette {
    using Shades = std::array<Rgb, 3>;  // of the chunks a, b, c; later ones repeat them
    Shades forward, backward, input, weight;
    Rgb recompute, optimizer;
    Rgb communication;

    Rgb fill(Op op, int chunk = 0) const;
};
const DataPalette& dataPalette(ColourScheme scheme, bool on_dark);

// WCAG 2.1, of two opaque colours: 1..21.
double contrastRatio(Rgb a, Rgb b);
// Near-black or white, whichever reaches 4.5 : 1 on the fill; black where neither does.
Rgb inkOn(Rgb fill);
// Number of the nearest colour among the 240 of a terminal that are the same everywhere (16..255: a cube of
// 6 x 6 x 6 and 24 greys).
int terminalColour(Rgb colour);
// What such a number stands for.
Rgb rgbOfTerminalColour(int colour);

}  // namespace bscope
