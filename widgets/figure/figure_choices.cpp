#include "widgets/figure/figure_choices.h"

namespace bscope::ui {

FigureOptions figureOptions(const FigureChoices& choices) {
    FigureOptions options;
    switch (choices.width) {
        case FigureWidth::Column:
            options.width_mm = FigureChoices::kColumn_mm;
            break;
        case FigureWidth::Page:
            options.width_mm = FigureChoices::kPage_mm;
            break;
        case FigureWidth::Custom:
            options.width_mm = choices.custom_mm;
            break;
        case FigureWidth::Slide:
            options.size_px = {1280, 720};
            options.scale = 2;
            break;
    }
    options.theme = choices.dark ? ThemeKind::Dark : ThemeKind::Light;
    options.scheme = choices.scheme;
    options.dpi = choices.dpi;
    options.transparent = choices.transparent;
    options.svg_text = choices.svg_text;
    options.caption = choices.caption;
    options.legend = choices.legend;
    options.plan = choices.plan;
    options.content = choices.content;
    options.arrows = choices.arrows;
    return options;
}

}  // namespace bscope::ui
