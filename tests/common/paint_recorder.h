// A paint device that draws nothing and remembers what was asked for: rectangles with their fill, lines with
// their pen, polygons and texts, in logical coordinates and unclipped. Tests ask it what a picture shows.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPen>
#include <vector>

namespace bscope::ui {

class PaintRecorder : public QPaintDevice {
public:
    struct Shape {
        QRectF bounds;
        QColor fill;  // invalid: none
        bool dashed;  // its edge
    };
    struct Line {
        QLineF line;
        QPen pen;
    };
    struct Text {
        QRectF place;  // without the painter's scale
        QString text;
    };

    explicit PaintRecorder(QSize size) : size_(size), engine_(*this) {}
    QPaintEngine* paintEngine() const override { return &engine_; }

    std::vector<Shape> shapes;
    std::vector<Line> lines;
    std::vector<Text> texts;

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth:
                return size_.width();
            case PdmHeight:
                return size_.height();
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY:
                return 96;
            case PdmWidthMM:
                return static_cast<int>(size_.width() * 25.4 / 96);
            case PdmHeightMM:
                return static_cast<int>(size_.height() * 25.4 / 96);
            case PdmDepth:
                return 32;
            case PdmDevicePixelRatio:
                return 1;
            case PdmDevicePixelRatioScaled:
                return static_cast<int>(devicePixelRatioFScale());
            default:
                return QPaintDevice::metric(metric);
        }
    }

private:
    class Engine : public QPaintEngine {
    public:
        explicit Engine(PaintRecorder& recorder) : QPaintEngine(AllFeatures), recorder_(recorder) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        Type type() const override { return User; }
        void updateState(const QPaintEngineState& changed) override {
            if (changed.state() & DirtyPen) pen_ = changed.pen();
            if (changed.state() & DirtyBrush) brush_ = changed.brush();
            if (changed.state() & DirtyTransform) transform_ = changed.transform();
        }
        using QPaintEngine::drawLines;
        using QPaintEngine::drawPolygon;
        using QPaintEngine::drawRects;
        void drawRects(const QRectF* rects, int count) override {
            for (int i = 0; i < count; ++i) add(rects[i]);
        }
        void drawLines(const QLineF* segments, int count) override {
            for (int i = 0; i < count; ++i) recorder_.lines.push_back({transform_.map(segments[i]), pen_});
        }
        void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
            QPolygonF polygon;
            for (int i = 0; i < count; ++i) polygon << points[i];
            if (mode != PolylineMode) return add(polygon.boundingRect());
            for (int i = 0; i + 1 < count; ++i)
                recorder_.lines.push_back({transform_.map(QLineF(points[i], points[i + 1])), pen_});
        }
        void drawPath(const QPainterPath& path) override { add(path.boundingRect()); }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawTextItem(const QPointF& base, const QTextItem& item) override {
            const QRectF place(base.x(), base.y() - item.ascent(), item.width(),
                               item.ascent() + item.descent());
            recorder_.texts.push_back({transform_.mapRect(place), item.text()});
        }

    private:
        void add(const QRectF& bounds) {
            recorder_.shapes.push_back(
                {transform_.mapRect(bounds), brush_.style() == Qt::NoBrush ? QColor() : brush_.color(),
                 pen_.style() == Qt::CustomDashLine});
        }

        PaintRecorder& recorder_;
        QPen pen_;
        QBrush brush_;
        QTransform transform_;
    };

    QSize size_;
    mutable Engine engine_;
};

}  // namespace bscope::ui
