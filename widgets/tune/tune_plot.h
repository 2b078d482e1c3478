// TunePlot: throughput, bubble and activation peak over one axis of what is varied, and one iteration of
// every value below, all on one time scale. Filled square = this run, ring = predicted, open square = still
// running, pale = refused. A click on a column picks its value.
#pragma once

#include <QWidget>
#include <functional>

#include "widgets/controls/themed.h"
#include "widgets/text/notation.h"
#include "widgets/tune/sweep_model.h"

namespace bscope::ui {

class TunePlot : public QWidget {
    Q_OBJECT
public:
    explicit TunePlot(QWidget* parent = nullptr);
    void setRows(std::vector<SweepRow> rows, const SweepForm& form, const SweepVerdict& verdict,
                 const SweepBase& base);
    void setNotation(const Notation& notation);  // of times
    void setPicked(int value);                   // outlined column; 0 = none
    double columnX(int value) const;             // middle of a column

signals:
    void picked(int value);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    // One of the three plots: how a row becomes a number.
    struct Series {
        QString title, unit;
        std::function<double(const SweepRow&)> predicted, run, low, high;
        // Relative, of the predicted throughput, as the run's own iterations scatter; 0: no band.
        double scatter = 0;
        QString (*text)(double value);  // of a mark
        double limit = 0;               // horizontal dashed line; 0 = none
        QString limit_text;
        bool names_refused = false;
    };
    double columnWidth() const;
    double placeOf(int value) const;   // on an axis without a unit: log2, kinds one by one
    int columnAt(double x) const;      // value, or 0
    int plots() const { return base_.knows_model ? 3 : 2; }
    QRectF plotRect(int index) const;  // 0 throughput, 1 bubble, 2 activation
    void paintColumn(QPainter& painter, const SweepRow& row, bool best) const;
    QString axisName() const;
    void paintSeries(QPainter& painter, const Series& series, const QRectF& plot) const;
    void paintScale(QPainter& painter, const Series& series, const QRectF& plot, double step,
                    double top) const;
    void paintPoint(QPainter& painter, const Series& series, std::size_t index, const QRectF& plot,
                    double top) const;
    void paintAxisLabels(QPainter& painter, double top) const;
    void paintThumbnails(QPainter& painter, double top) const;
    QString columnTip(const SweepRow& row) const;

    std::vector<SweepRow> rows_;
    SweepForm form_;
    SweepVerdict verdict_;
    SweepBase base_;
    Notation notation_;
    int picked_ = 0;
};

}  // namespace bscope::ui
