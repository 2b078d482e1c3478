#include "widgets/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bscope::ui {

QColor mixed(const QColor& over, const QColor& under, double opacity) {
    const auto mix = [opacity](int a, int b) {
        return static_cast<int>(std::lround(a * opacity + b * (1 - opacity)));
    };
    return QColor(mix(over.red(), under.red()), mix(over.green(), under.green()),
                  mix(over.blue(), under.blue()));
}

double contrastRatio(const QColor& a, const QColor& b) {
    return bscope::contrastRatio(a.rgb() & RGB_MASK, b.rgb() & RGB_MASK);
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
        t.bubble = 0x23272e, t.bubble_hatch = 0x3a414b;
        t.memory_fill = 0x2a3038, t.memory_line = 0xa3adb8;
    } else {
        t.window = 0xf3f5f7, t.canvas = 0xffffff, t.panel = 0xfafbfc, t.rule = 0xd5dae0, t.hair = 0xebeef1;
        t.text = 0x1b1f24, t.text_soft = 0x4d5661, t.text_faint = 0x68717c;
        t.accent = 0x5b45d6, t.accent_tint = 0xefecfc, t.ok = 0x1a7f37;
        t.bubble = 0xf1f3f5, t.bubble_hatch = 0xc9cfd6;
        t.memory_fill = 0xdde2e6, t.memory_line = 0x4d5661;
    }
    t.communication = t.palette().communication;
    if (kind == ThemeKind::Projector) {  // no thin greys below 3 : 1
        t.text_faint = t.text_soft;
        t.bubble_hatch = 0x8d96a1;
        t.rule = 0x8d96a1;
    }
    return t;
}

QColor Theme::change(int step) const {
    constexpr std::array<QRgb, 5> light{0xff01524b, 0xff56b8a4, 0xffe3e6ea, 0xffc79fd4, 0xff762a83};
    constexpr std::array<QRgb, 5> dark{0xff9af5e2, 0xff1f8a7a, 0xff343b44, 0xff8e4bab, 0xffe3b5f2};
    const auto index = static_cast<std::size_t>(std::clamp(step, -2, 2) + 2);
    return QColor(kind == ThemeKind::Dark ? dark[index] : light[index]);
}

QColor Theme::ink(const QColor& on) const {
    return QColor(inkOn(on.rgb() & RGB_MASK));
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
