// Colours: what things are painted with, for a terminal of one depth, light or dark. The colours of the data
// are those of view/palette.h or the nearest that there are; where there are none, letters and line patterns
// say the same. A value; any thread.
#pragma once

#include "schedule/action.h"
#include "terminal/grid.h"
#include "view/gap_analysis.h"
#include "view/palette.h"
#include "view/text/text_gantt.h"

namespace bscope::terminal {

class Colours {
public:
    Colours(TerminalColours depth, bool on_dark) : depth_(depth), on_dark_(on_dark) {}

    bool any() const { return depth_ != TerminalColours::None; }
    // More than 16: such terminals have letters for thin lines and eighths of a block, too.
    bool many() const { return depth_ >= TerminalColours::Indexed; }

    // Of a box; pale: not of the life that is looked at.
    Paint box(Op op, int chunk, bool pale) const;
    Paint chosen() const;                             // of the box or gap that is selected
    Paint toCome(Op op, int chunk, bool pale) const;  // of an operation that is planned
    Paint thin(Op op, int chunk) const;               // of a box that is narrower than a column
    // What fills a box where there are no colours; a space where there are.
    char32_t pattern(Op op) const;
    // Between two boxes that touch.
    char32_t seam() const { return many() ? U'▏' : U'│'; }
    Paint seamOn(Paint box) const;
    Paint hatch() const;  // of idle time
    static char32_t hatchLetter(CauseFamily family);

    Paint quiet() const;   // what is read second
    Paint accent() const;  // now, the cursor, what was chosen
    Paint good() const;    // running
    Paint warning() const;
    Paint curve() const;  // memory, losses
    // A bar of so many eighths, 0 to 8.
    char32_t bar(int eighths) const;

private:
    int numberOf(Rgb colour) const;
    Rgb shownAs(Rgb colour) const;
    Rgb ground() const { return on_dark_ ? 0x14171c : 0xffffff; }
    Rgb fillOf(Op op, int chunk, bool pale) const;
    Paint inkOf(Rgb on_light, Rgb on_dark, int basic) const;

    TerminalColours depth_;
    bool on_dark_;
};

// The letter of an operation as the legend has it: "F", "A" where gradients are added, "O" the optimizer.
char32_t letterOf(Op op);

}  // namespace bscope::terminal
