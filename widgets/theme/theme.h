// Theme: every colour, size and font of the window in one value; light, dark, projector, and the light one
// used for export. Colours of the data are those of view/palette.h; the chrome has greys and one accent.
#pragma once

#include <QColor>
#include <QFont>

#include "schedule/action.h"
#include "view/palette.h"

namespace bscope::ui {

enum class ThemeKind { Light, Dark, Projector };

struct Theme {
    ThemeKind kind = ThemeKind::Light;
    ColourScheme scheme = ColourScheme::Bubblescope;
    double scale = 1.0;  // of type and lanes, 1.0 = 100 %

    // Chrome.
    QColor window, canvas, panel, rule, hair, text, text_soft, text_faint, accent, accent_tint, ok;
    // Bubble background and hatch, communication, memory curve.
    QColor bubble, bubble_hatch, communication, memory_fill, memory_line;

    static Theme make(ThemeKind kind, ColourScheme scheme = ColourScheme::Bubblescope, double scale = 1.0);

    const DataPalette& palette() const { return dataPalette(scheme, kind == ThemeKind::Dark); }
    // Fill of a box: of any stage, in a shade of the palette, of a stage there.
    QColor fill(Op op) const { return QColor(palette().fill(op)); }
    QColor fill(Op op, int shade) const { return QColor(palette().fill(op, shade)); }
    QColor fill(Op op, const StagePlace& place) const { return fill(op, palette().shadeOf(place)); }
    // Of a box that is compared with another one: -2 much shorter, 0 alike, 2 much longer.
    QColor change(int step) const;
    // Ink on a fill: near-black or white, whichever reaches 4.5 : 1.
    QColor ink(const QColor& on) const;
    // The same, mixed into the fill down to `share`, as far as 4.5 : 1 leave it.
    QColor quietInk(const QColor& on, double share) const;
    // Shade of an iteration's bubble (of total, 0..1) in the iteration strip: < 20, 20-30, 30-40, > 40 %.
    QColor iterationShade(double bubble_of_total) const;
    // Inter, then Noto Sans CJK SC; size in px at 100 %. (Tabular figures need Qt 6.7; numbers that change in
    // place stand alone in their cell.)
    QFont font(double px, int weight = QFont::Normal) const;
    int px(double at_100_percent) const;  // scaled length
    double line() const;                  // width of a thin line: 1, projector 2
    double hatchSpacing() const;          // along x: 7 px between the lines of a hatch, projector 14

    bool operator==(const Theme&) const = default;
};

// WCAG 2.1 contrast of two opaque colours, 1..21.
double contrastRatio(const QColor& a, const QColor& b);

// `over` with an opacity of 0..1 on `under`: opaque.
QColor mixed(const QColor& over, const QColor& under, double opacity);

// Style sheet and palette of the chrome (menus, tool bar, controls, dock), from the same values.
QString chromeStyleSheet(const Theme& theme);

}  // namespace bscope::ui
