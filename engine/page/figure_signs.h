// The signs of a figure for any material: what explains them, and their colours. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "page/bilingual.h"
#include "view/palette.h"
#include "view/signs.h"

namespace bscope::page {

struct LegendEntry {
    enum class Kind : unsigned char {
        Boxes,    // of the signs, side by side
        Letters,  // of chunks
        Idle,     // a hatch
        Strip,    // below the boxes
        Memory,
        Cap,
    };
    Kind kind = Kind::Boxes;
    std::vector<std::string> signs;  // as in FigureMaterial
    Bilingual words;
};

std::vector<LegendEntry> legendEntries(const Signs& signs, const DataPalette& palette);

struct SignColours {
    std::string sign, fill, ink;  // "f0", "397af2", "ffffff"
};
// Of all that are boxes or strips.
std::vector<SignColours> signColours(const DataPalette& palette);

}  // namespace bscope::page
