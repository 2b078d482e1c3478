// FigureChoices: what a person chose for pictures, kept from one start to the next; the same for the export
// sheet and whatever else writes a figure. A value.
#pragma once

#include <string>
#include <vector>

#include "widgets/figure/figure.h"

namespace bscope::ui {

enum class FigureWidth { Column, Page, Slide, Custom };  // 85 mm, 170 mm, 16:9, any

struct FigureChoices {
    static constexpr double kColumn_mm = 85, kPage_mm = 170, kLeast_mm = 40, kMost_mm = 1000;

    FigureWidth width = FigureWidth::Page;
    double custom_mm = 120;
    FigureFormat format = FigureFormat::Pdf;
    SvgText svg_text = SvgText::Outlines;
    CaptionLength caption = CaptionLength::Short;
    bool legend = true;
    PlanLook plan = PlanLook::Dashed;
    FigureContent content = FigureContent::Everything;
    FigureArrows arrows = FigureArrows::None;
    ColourScheme scheme = ColourScheme::Bubblescope;
    int dpi = 300;
    bool dark = false, transparent = false;
    std::vector<std::string> below;  // schedules whose plans stand below what is shown, where they are legal
    bool operator==(const FigureChoices&) const = default;
};

// A slide is 1280x720 pixels, twice as many in a PNG.
FigureOptions figureOptions(const FigureChoices& choices);

}  // namespace bscope::ui
