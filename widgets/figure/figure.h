// Figure export: the canvas' own drawing code on paper. PNG at any scale or in mm at a resolution, SVG and
// PDF with real vectors, a PDF with text that can be searched, or an image for the clipboard. Light by
// default. The provenance badge is always drawn; the caption with the parameters can be short or left out.
// Window thread only.
#pragma once

#include <QDate>
#include <QImage>
#include <QSizeF>
#include <QString>
#include <optional>
#include <span>

#include "view/view_data.h"
#include "widgets/data/view_state.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

enum class FigureFormat { Png, Svg, Pdf };

enum class CaptionLength { None, Short, Long };
// Of a plan that nothing ran of: as on the canvas, or as boxes like those of a run. The badge says what it
// is.
enum class PlanLook { Dashed, Solid };
// BoxesOnly: without idle times' hatches, messages below the boxes, phases, memory and optimizer.
enum class FigureContent { Everything, BoxesOnly };
enum class FigureArrows { None, OneMicrobatch, All };

// Of an SVG: outlines look the same everywhere; text can be edited, in the fonts that are there.
enum class SvgText { Outlines, Text };

struct FigureOptions {
    double width_mm = 0;       // > 0: paper width, height follows from the lanes; type 7 to 9 pt
    double dpi = 300;          // PNG of a paper width, kLeastDpi..kMostDpi
    QSize size_px{1440, 810};  // used when width_mm is 0
    double scale = 1;          // PNG of a size_px: 1, 2 or 4 pixels a pixel
    ThemeKind theme = ThemeKind::Light;
    ColourScheme scheme = ColourScheme::Bubblescope;
    QString title = {};  // above the picture; "": none
    std::optional<CaptionLength> caption = {};  // nothing: long, but short on paper of a column's width
    bool legend = true;
    PlanLook plan = PlanLook::Dashed;
    FigureContent content = FigureContent::Everything;
    FigureArrows arrows = FigureArrows::None;
    int arrows_of = 0;         // the micro-batch of OneMicrobatch, from 0
    bool transparent = false;  // PNG and SVG background
    SvgText svg_text = SvgText::Outlines;
    Layers layers;
    BubbleDefinition definition = BubbleDefinition::OfTotal;
    TimeUnit unit = TimeUnit::Milliseconds;
    bool count_from_zero = false;
    TimeRange range;  // relative to the iteration's start; width 0 = the whole iteration
    QDate date;       // printed in the caption; null = today
};

constexpr int kLeastDpi = 72, kMostDpi = 1200;
constexpr double kColumnWidth_mm = 120;  // up to here a figure is one of a column's width
CaptionLength captionOf(const FigureOptions& options);

// Size of the figure in logical pixels (96 a 25.4 mm).
QSizeF figureSize(std::span<const IterationView> views, const FigureOptions& options);
QImage renderFigureImage(std::span<const IterationView> views, const FigureOptions& options);
// Returns an empty string on success, else a sentence that says why the file could not be written.
QString writeFigure(std::span<const IterationView> views, const FigureOptions& options, const QString& path,
                    FigureFormat format);
// Leaves the clipboard as it is when there is nothing to copy.
void copyFigure(std::span<const IterationView> views, const FigureOptions& options);

// By the file's ending; nullopt for an unknown one.
std::optional<FigureFormat> figureFormat(const QString& path);
// "1F1B_p4_m8_v1_ac0_it37_measured.svg"
QString figureFileName(const IterationView& view, FigureFormat format);

}  // namespace bscope::ui
