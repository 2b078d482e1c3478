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
    static constexpr double kPictureMargin = 20;  // px, around a picture of a size in pixels

    // `pixel`: size of a device pixel in logical pixels, for crisp edges; small for vectors.
    // also: moments that show() comes to, each of as many views; there is room for them on the time axis, in
    // title and legend.
    FigurePainter(std::span<const IterationView> views, const FigureOptions& options, double pixel,
                  std::span<const IterationView> also = {});
    QSizeF size() const { return size_; }
    // The size that was asked for is enough: for every lane, with its memory where that is wanted. Else
    // memory is left out, and then the picture is higher.
    bool hasRoom() const { return !is_higher_ && !picture_.layout.memory_left_out; }
    // Other moments of the same iterations: these are drawn, and everything else stays where it is.
    void show(std::span<const IterationView> moments);
    // One that is on its way from one iteration to another, whose idle times are of neither and left out.
    void showBetween(const IterationView& moment);
    void setTitle(const QString& title) { options_.title = title; }  // where there was one
    void draw(QPainter& painter) const;
    QImage image(double factor, bool transparent = false) const;  // factor: pixels of a logical one
    // What the picture says that cannot be taken from its shapes: badges and caption; spaces are plain ones.
    QString words() const;

private:
    QFont legendFont() const;
    QFont captionFont() const;
    double captionLine() const;
    std::vector<PreparedView> prepared(std::span<const IterationView> views,
                                       std::span<const PreparedView> former) const;
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
    std::vector<PreparedView> also_;
    std::vector<PlacedItem> legend_;
    QString caption_;
    QSizeF size_;
    bool is_higher_ = false;
    double margin_ = 0, title_height_ = 0, legend_height_ = 0, caption_height_ = 0;
};

}  // namespace bscope::ui
