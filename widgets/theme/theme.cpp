#include "widgets/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bscope::ui {

namespace {

// Relative luminance of WCAG 2.1.
double luminance(const QColor& colour) {
    const auto linear = [](double c) {
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

using Shades = std::array<QRgb, 3>;
struct DataPalette {
    Shades forward, backward, input, weight;
    QRgb recompute, optimizer;
};

constexpr DataPalette kLight{{0xff2f7fd0, 0xff205b98, 0xff7ea1da},
                             {0xfff39103, 0xffc37302, 0xfff7b992},
                             {0xfff39103, 0xffc37302, 0xfff7b992},
                             {0xff1b5e20, 0xff114214, 0xff537554},
                             0xffbdd3ed,
                             0xff555b66};
constexpr DataPalette kDark{{0xff5c99ec, 0xff4779bb, 0xff96b7f0},
                            {0xfff6c462, 0xffcfa451, 0xfffae2c0},
                            {0xfff6c462, 0xffcfa451, 0xfffae2c0},
                            {0xff1b7a33, 0xff146127, 0xff629269},
                            0xffe5f9ff,
                            0xff9aa0a6};
// Colours of well-known figures, for readers who come from them; untested for colour vision, so never the
// default.
constexpr DataPalette kMegatron{{0xff4472c4, 0xff9dc3e6, 0xff2f5597},
                                {0xff70ad47, 0xffa9d18e, 0xff548235},
                                {0xff70ad47, 0xffa9d18e, 0xff548235},
                                {0xffc5e0b4, 0xffe2f0d9, 0xffa9c79a},
                                0xffd6dce5,
                                0xff7f7f7f};
constexpr DataPalette kZeroBubble{{0xff397af2, 0xff2a5cb8, 0xff8ab0f7},
                                  {0xff44d3da, 0xff33a0a6, 0xff97e5e9},
                                  {0xff44d3da, 0xff33a0a6, 0xff97e5e9},
                                  {0xffe0f0e7, 0xffb6cfc1, 0xfff0f8f3},
                                  0xffd7e4fc,
                                  0xffc85308};
constexpr DataPalette kPyTorch{{0xff5b8ff9, 0xff3f68bd, 0xffa3c0fc},
                               {0xfff6903d, 0xffc06c28, 0xfffac39a},
                               {0xff38b2ac, 0xff2a8783, 0xff8fd6d2},
                               {0xff5ad8a6, 0xff43a57e, 0xffa5ead0},
                               0xffd9e4fd,
                               0xff8d96a1};
constexpr DataPalette kDualPipe{{0xfff2a65a, 0xffc98240, 0xfff8d0a8},
                                {0xff6ab36a, 0xff4c8a4c, 0xffb0d8b0},
                                {0xff6ab36a, 0xff4c8a4c, 0xffb0d8b0},
                                {0xff6fa8dc, 0xff4f80ad, 0xffb5d2ed},
                                0xfffbe5cf,
                                0xff8d96a1};

const DataPalette& dataPalette(const Theme& theme) {
    switch (theme.scheme) {
        case ColourScheme::Megatron:
            return kMegatron;
        case ColourScheme::ZeroBubble:
            return kZeroBubble;
        case ColourScheme::PyTorch:
            return kPyTorch;
        case ColourScheme::DualPipe:
            return kDualPipe;
        case ColourScheme::Bubblescope:
            break;
    }
    return theme.kind == ThemeKind::Dark ? kDark : kLight;
}

}  // namespace

QColor mixed(const QColor& over, const QColor& under, double opacity) {
    const auto mix = [opacity](int a, int b) {
        return static_cast<int>(std::lround(a * opacity + b * (1 - opacity)));
    };
    return QColor(mix(over.red(), under.red()), mix(over.green(), under.green()),
                  mix(over.blue(), under.blue()));
}

double contrastRatio(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

Theme Theme::make(ThemeKind kind, ColourScheme scheme, double scale) {
    Theme t;
    t.kind = kind;
    t.scheme = scheme;
    t.scale = kind == ThemeKind::Projector ? scale * 1.4 : scale;
    if (kind == ThemeKind::Dark) {
        t.window = 0x1d2127, t.canvas = 0x14171c, t.panel = 0x191d22, t.rule = 0x343b44, t.hair = 0x20252b;
        t.text = 0xe8ebee, t.text_soft = 0xb4bbc4, t.text_faint = 0x8d96a1;
        t.accent = 0xafa0ff, t.accent_tint = 0x2a2646, t.ok = 0x4cc26a;
        t.bubble = 0x23272e, t.bubble_hatch = 0x3a414b, t.communication = 0xa83e7c;
        t.memory_fill = 0x2a3038, t.memory_line = 0xa3adb8;
    } else {
        t.window = 0xf3f5f7, t.canvas = 0xffffff, t.panel = 0xfafbfc, t.rule = 0xd5dae0, t.hair = 0xebeef1;
        t.text = 0x1b1f24, t.text_soft = 0x4d5661, t.text_faint = 0x68717c;
        t.accent = 0x5b45d6, t.accent_tint = 0xefecfc, t.ok = 0x1a7f37;
        t.bubble = 0xf1f3f5, t.bubble_hatch = 0xc9cfd6, t.communication = 0xa82a6e;
        t.memory_fill = 0xdde2e6, t.memory_line = 0x4d5661;
    }
    if (kind == ThemeKind::Projector) {  // no thin greys below 3 : 1
        t.text_faint = t.text_soft;
        t.bubble_hatch = 0x8d96a1;
        t.rule = 0x8d96a1;
    }
    return t;
}

QColor Theme::fill(Op op, int chunk) const {
    const DataPalette& palette = dataPalette(*this);
    const auto shade = static_cast<std::size_t>(std::max(chunk, 0) % 3);
    switch (op) {
        case Op::Forward:
            return QColor(palette.forward[shade]);
        case Op::Backward:
            return QColor(palette.backward[shade]);
        case Op::BackwardInput:
            return QColor(palette.input[shade]);
        case Op::BackwardWeight:
            return QColor(palette.weight[shade]);
        case Op::Recompute:
            return QColor(palette.recompute);
        case Op::OptimizerStep:
            return QColor(palette.optimizer);
        default:
            return communication;
    }
}

QColor Theme::change(int step) const {
    constexpr std::array<QRgb, 5> light{0xff01524b, 0xff56b8a4, 0xffe3e6ea, 0xffc79fd4, 0xff762a83};
    constexpr std::array<QRgb, 5> dark{0xff9af5e2, 0xff1f8a7a, 0xff343b44, 0xff8e4bab, 0xffe3b5f2};
    const auto index = static_cast<std::size_t>(std::clamp(step, -2, 2) + 2);
    return QColor(kind == ThemeKind::Dark ? dark[index] : light[index]);
}

QColor Theme::ink(const QColor& on) const {
    // Near-black, white, and for the narrow band of greys where both miss 4.5 : 1, black itself.
    for (const QColor& ink : {QColor(0x0a0c0f), QColor(0xffffff)})
        if (contrastRatio(ink, on) >= 4.5) return ink;
    return QColor(Qt::black);
}

QColor Theme::quietInk(const QColor& on, double share) const {
    constexpr double kStep = 0.04;
    const QColor whole = ink(on);
    for (; share < 1; share += kStep)
        if (const QColor quiet = mixed(whole, on, share); contrastRatio(quiet, on) >= 4.5) return quiet;
    return whole;
}

QColor Theme::iterationShade(double bubble_of_total) const {
    constexpr std::array<QRgb, 4> light{0xffc3cbd3, 0xff94a0ac, 0xff667380, 0xff39434d};
    constexpr std::array<QRgb, 4> dark{0xff3f4852, 0xff66717d, 0xff929da9, 0xffc6ced6};
    const int step = std::clamp(static_cast<int>(bubble_of_total * 10.0) - 1, 0, 3);
    const auto index = static_cast<std::size_t>(step);
    return QColor(kind == ThemeKind::Dark ? dark[index] : light[index]);
}

QFont Theme::font(double px_size, int weight) const {
    QFont font;
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Noto Sans CJK SC")});
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(px_size * scale))));
    font.setWeight(static_cast<QFont::Weight>(weight));
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

int Theme::px(double at_100_percent) const {
    return static_cast<int>(std::lround(at_100_percent * scale));
}

double Theme::line() const {
    return kind == ThemeKind::Projector ? 2.0 : std::max(1.0, std::floor(scale));
}

double Theme::hatchSpacing() const {
    return (kind == ThemeKind::Projector ? 14.0 : 7.0 * scale) * 1.41421356;
}

}  // namespace bscope::ui
