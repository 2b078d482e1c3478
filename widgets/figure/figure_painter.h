// FigurePainter: title, lanes, legend and caption of a figure in logical pixels (96 a 25.4 mm), on any
// QPainter.
#pragma once

#include <QPainter>
#include <span>

#include "widgets/figure/figure.h"
#include "widgets/picture/legend_items.h"
#include "widgets/picture/picture.h"

namespace bscope::ui {

class FigurePainter {
public:
    // `pixel`: size of a device pixel in logical pixels, for crisp edges; small for vectors.
    FigurePainter(std::span<const IterationView> views, const FigureOptions& options, double pixel);
    QSizeF size() const { return size_; }
    // Every lane is in it, with its memory where that is wanted.
    bool hasRoom() const { return picture_.layout.max_scroll <= 0 && !picture_.layout.memory_left_out; }
    void draw(QPainter& painter) const;
    // What the picture says that cannot be taken from its shapes: badges and caption; spaces are plain ones.
    QString words() const;

private:
    QFont legendFont() const;
    QFont captionFont() const;
    double captionLine() const;
    void addMessages();
    std::vector<LegendItem> itemsOfLegend() const;
    double layOutLegend(double width);
    void drawLegend(QPainter& painter, double top) const;
    void drawCaption(QPainter& painter, double top) const;

    struct PlacedItem {
        LegendItem item;
        QRectF icon;
        QPointF text;
    };
    FigureOptions options_;
    bool is_column_;  // smaller type, so that picture and words keep their shares
    Picture picture_;
    std::vector<PlacedItem> legend_;
    QString caption_;
    QSizeF size_;
    double margin_ = 0, title_height_ = 0, legend_height_ = 0, caption_height_ = 0;
};

}  // namespace bscope::ui
