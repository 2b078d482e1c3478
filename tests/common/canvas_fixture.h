// CanvasFixture: a canvas on the screen with the sample iteration, for tests that use it as a person would.
#pragma once

#include <QBuffer>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QTest>
#include <QWheelEvent>

#include "sample_view.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/picture/timeline_painter.h"

namespace bscope::ui {

class CanvasFixture {
protected:
    void open() {
        state_ = std::make_unique<ViewState>();
        view_ = std::make_unique<GanttView>(*state_);
        view_->resize(1156, 690);
        view_->show();
        view_->setView(sampleView());
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    }
    void close() {
        view_.reset();
        state_.reset();
    }

    const PreparedView& group() const { return view_->picture().groups.front(); }
    const Lane& lane(int rank) const {
        return view_->picture().layout.groups.front()[static_cast<std::size_t>(rank)];
    }
    double x(double ns) const { return view_->picture().axis.toPx(ns); }
    double ns(double x_px) const { return view_->picture().axis.toNs(x_px); }

    // The first box of an operation and micro-batch on a rank.
    Event firstEvent(int rank, Op op, int microbatch) const {
        for (const Event& each : group().ran(rank))
            if (each.op == op && each.microbatch == microbatch) return each;
        return {};
    }
    QPoint middle(const Event& e) const {
        return QPointF((x(group().relative(e.start_ns)) + x(group().relative(e.end_ns))) / 2,
                       lane(e.rank).box.center().y())
            .toPoint();
    }
    // The timeline, pixel by pixel.
    QImage painted() const {
        QImage image(view_->size(), QImage::Format_RGB32);
        image.fill(view_->picture().theme.canvas);
        QPainter painter(&image);
        TimelinePainter(painter, view_->picture()).draw();
        painter.end();
        return image;
    }
    void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, QPoint from, QPoint to) {
        QTest::mousePress(view_.get(), button, modifiers, from);
        for (const QPoint at : {from + QPoint(6, 0), (from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, at, view_->mapToGlobal(at), Qt::NoButton, button, modifiers);
            QApplication::sendEvent(view_.get(), &move);
        }
        QTest::mouseRelease(view_.get(), button, modifiers, to);
    }
    void wheel(QPoint at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(at, view_->mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view_.get(), &event);
    }

    // All words of the picture.
    QString drawnText() const {
        QBuffer svg;
        QSvgGenerator generator;
        generator.setOutputDevice(&svg);
        generator.setSize(view_->size());
        {
            QPainter painter(&generator);
            TimelinePainter(painter, view_->picture()).draw();
        }
        QString text = QString::fromUtf8(svg.data());
        return text.remove(QRegularExpression("<[^>]*>")).replace(QChar::Nbsp, u' ').simplified();
    }

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<GanttView> view_;
};

}  // namespace bscope::ui
