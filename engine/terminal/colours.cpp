#include "terminal/colours.h"

#include <algorithm>

namespace bscope::terminal {
namespace {

enum Basic : int { kBlack, kRed, kGreen, kYellow, kBlue, kMagenta, kCyan, kWhite };

int basicOf(Op op) {
    switch (op) {
        case Op::Forward:
            return kBlue;
        case Op::Backward:
            return kYellow;
        case Op::BackwardInput:
            return kCyan;
        case Op::BackwardWeight:
            return kGreen;
        case Op::ReduceGradients:
        case Op::GatherWeights:
            return kMagenta;
        default:
            return kWhite;
    }
}

Rgb halfWay(Rgb a, Rgb b) {
    return ((a & 0xfefefe) >> 1) + ((b & 0xfefefe) >> 1);
}

}  // namespace

char32_t letterOf(Op op) {
    if (op == Op::ReduceGradients) return U'A';
    return static_cast<char32_t>(opText(op).front());
}

int Colours::numberOf(Rgb colour) const {
    return depth_ == TerminalColours::Direct ? static_cast<int>(colour) : terminalColour(colour);
}

Rgb Colours::shownAs(Rgb colour) const {
    return depth_ == TerminalColours::Direct ? colour : rgbOfTerminalColour(terminalColour(colour));
}

Rgb Colours::fillOf(Op op, int chunk, bool pale) const {
    const Rgb fill = dataPalette(ColourScheme::Bubblescope, on_dark_).fill(op, chunk);
    return shownAs(pale ? halfWay(fill, ground()) : fill);
}

Paint Colours::box(Op op, int chunk, bool pale) const {
    if (!any()) return {.dim = pale};
    if (!many()) {
        if (pale) return {.ink = basicOf(op), .dim = true};
        return {.ink = op == Op::Forward || isOfCopies(op) ? kWhite : kBlack, .fill = basicOf(op)};
    }
    const Rgb fill = fillOf(op, chunk, pale);
    return {.ink = numberOf(inkOn(fill)), .fill = numberOf(fill)};
}

Paint Colours::chosen() const {
    if (!many()) return {.bold = true, .reverse = true};
    const Rgb fill = shownAs(on_dark_ ? 0xafa0ff : 0x5b45d6);
    return {.ink = numberOf(inkOn(fill)), .fill = numberOf(fill), .bold = true};
}

Paint Colours::toCome(Op op, int chunk, bool pale) const {
    Paint paint = thin(op, chunk);
    paint.dim = pale || !many();
    return paint;
}

Paint Colours::thin(Op op, int chunk) const {
    if (!any()) return {};
    return {.ink = many() ? numberOf(fillOf(op, chunk, false)) : basicOf(op)};
}

char32_t Colours::pattern(Op op) const {
    if (any()) return U' ';
    switch (op) {
        case Op::Forward:
            return U'─';
        case Op::Backward:
            return U'━';
        case Op::BackwardInput:
            return U'═';
        case Op::BackwardWeight:
            return U'┄';
        case Op::Recompute:
            return U'~';
        case Op::ReduceGradients:
            return U'+';
        case Op::GatherWeights:
            return U'»';
        default:
            return U'=';
    }
}

Paint Colours::seamOn(Paint box) const {
    if (many()) box.ink = numberOf(ground());
    return box;
}

Paint Colours::inkOf(Rgb on_light, Rgb on_dark, int basic) const {
    if (!any()) return {};
    if (!many()) return {.ink = basic};
    return {.ink = numberOf(on_dark_ ? on_dark : on_light)};
}

Paint Colours::hatch() const {
    Paint paint = inkOf(0x99a1ab, 0x667079, -1);
    paint.dim = !many();
    return paint;
}

char32_t Colours::hatchLetter(CauseFamily family) {
    switch (family) {
        case CauseFamily::FillDrain:
            return U'·';
        case CauseFamily::Dependency:
            return U'/';
        case CauseFamily::Network:
            return U'≈';
        case CauseFamily::Other:
            return U'×';
    }
    return U'·';
}

Paint Colours::quiet() const {
    Paint paint = inkOf(0x4d5661, 0xb4bbc4, -1);
    paint.dim = !many();
    return paint;
}

Paint Colours::accent() const {
    Paint paint = inkOf(0x5b45d6, 0xafa0ff, kMagenta);
    paint.bold = true;
    return paint;
}

Paint Colours::good() const {
    Paint paint = inkOf(0x1a7f37, 0x4cc26a, kGreen);
    paint.bold = !many();
    return paint;
}

Paint Colours::warning() const {
    Paint paint = inkOf(0xa15c00, 0xf0b14a, kRed);
    paint.bold = true;
    return paint;
}

Paint Colours::curve() const {
    return inkOf(0x68717c, 0x8d96a1, -1);
}

char32_t Colours::bar(int eighths) const {
    constexpr std::u32string_view fine = U" ▁▂▃▄▅▆▇█", coarse = U" ▄▄▄▄▄███";
    const auto at = static_cast<std::size_t>(std::clamp(eighths, 0, 8));
    return many() ? fine[at] : (at == 0 ? U' ' : coarse[at]);
}

}  // namespace bscope::terminal
