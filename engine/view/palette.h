// Colours of the data as plain values: the tested palette and those that follow known figures
// (docs/PALETTE.md). Windows, files and terminals take them from here. Pure functions, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "schedule/action.h"
#include "schedule/stage_places.h"

namespace bscope {

using Rgb = std::uint32_t;  // 0xrrggbb

// Palettes a picture can follow: of operations, whose shade is the chunk of a rank; the last one of stages,
// whose depth is the operation (GPipe, arXiv:1811.06965, figure 2).
enum class ColourScheme { Bubblescope, Megatron, ZeroBubble, PyTorch, DualPipe, Grey, Stages };

inline constexpr std::array kColourSchemes{
    ColourScheme::Bubblescope, ColourScheme::Megatron, ColourScheme::ZeroBubble, ColourScheme::PyTorch,
    ColourScheme::DualPipe,    ColourScheme::Grey,     ColourScheme::Stages};
// "zero-bubble": as options name it.
const char* schemeWord(ColourScheme scheme);

struct DataPalette {
    using Shades = std::array<Rgb, 3>;  // of the chunks a, b, c; later ones repeat them
    struct OfStage {
        Rgb forward, backward, weight;
    };
    Shades forward, backward, input, weight;  // of a palette of stages: greys as deep
    Rgb recompute, optimizer;
    Rgb communication;
    std::span<const OfStage> stages =
        {};  // by the place in the chain, later ones repeat them; none: of operations

    // Which of its shades an operation has there.
    int shadeOf(const StagePlace& place) const {
        return (stages.empty() ? place.chunk : place.position) % shades();
    }
    int shades() const { return stages.empty() ? 3 : static_cast<int>(stages.size()); }
    Rgb fill(Op op, int shade) const;
    // Where the stage is not known, or does not matter.
    Rgb fill(Op op) const;
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
