// CairoEngine: what a QPainter does, on a cairo drawing whose unit is a logical pixel. Fills and pens are of
// one colour, which is all that pictures of this program use. Window thread only.
#pragma once

#include <cairo.h>

#include <QPaintEngine>
#include <QPen>

namespace bscope::ui {

class CairoEngine : public QPaintEngine {
public:
    // drawing: of the paper, scaled to logical pixels; lives longer than this.
    explicit CairoEngine(cairo_t* drawing);

    Type type() const override { return User; }
    bool begin(QPaintDevice*) override { return true; }
    bool end() override;
    void updateState(const QPaintEngineState& now) override;
    void drawPath(const QPainterPath& path) override;
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override;
    using QPaintEngine::drawPolygon;
    void drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) override;
    void drawTextItem(const QPointF& at, const QTextItem& item) override;

private:
    void clip(const QPainterPath& path, Qt::ClipOperation operation);
    void setTransform();
    void setColour(const QColor& colour);
    void paint(bool fills, bool winding);
    void stroke();

    cairo_t* drawing_;
    cairo_matrix_t page_;
    QTransform transform_;
    QPen pen_;
    QBrush brush_;
    double opacity_ = 1;
};

}  // namespace bscope::ui
