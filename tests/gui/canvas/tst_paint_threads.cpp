// Lanes painted by several threads: pixel for pixel what one paints, each part once, and a failure of one
// part is reported.
#include <QPicture>
#include <QTest>
#include <QThread>
#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>

#include "registered_test.h"
#include "sample_view.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/picture/timeline_painter.h"

namespace tst_paint_threads {

using namespace bscope;
using namespace bscope::ui;

class TestPaintThreads : public QObject {
    Q_OBJECT

    static QImage painted(const GanttView& view, PaintThreads* threads) {
        QImage image(view.size(), QImage::Format_RGB32);
        image.fill(view.picture().theme.canvas);
        QPainter painter(&image);
        TimelinePainter(painter, view.picture(), threads).draw();
        return image;
    }

private slots:
    void everyPixelIsTheSame_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("v");
        QTest::addColumn<QSize>("size");
        QTest::newRow("columns") << "1f1b" << 8 << 3000 << 1 << QSize(1280, 800);
        QTest::newRow("low lanes") << "1f1b" << 64 << 200 << 1 << QSize(1000, 700);
        QTest::newRow("lanes of broken heights") << "interleaved" << 16 << 64 << 2 << QSize(2560, 1437);
        QTest::newRow("few boxes") << "zb-h1" << 4 << 8 << 1 << QSize(900, 500);
    }
    void everyPixelIsTheSame() {
        QFETCH(QString, schedule);
        QFETCH(int, p);
        QFETCH(int, m);
        QFETCH(int, v);
        QFETCH(QSize, size);
        ViewState state;
        GanttView view(state);
        view.resize(size);
        view.setView(sampleView({.schedule = schedule.toStdString(), .p = p, .m = m, .v = v}));
        view.grab();  // lays it out
        view.scrollBar()->setValue(20);  // where lanes do not fit, the first one is cut
        PaintThreads threads;
        const double whole = view.fitRange().width();
        for (const double zoom : {1.0, 6.0, 40.0}) {
            state.setRange({0.3 * whole, 0.3 * whole + whole / zoom}, false);
            for (const bool bands : {false, true}) {
                Layers layers = state.layers();
                layers.memory_bands = bands;
                state.setLayers(layers);
                const QImage expected = painted(view, nullptr);
                for (int i = 0; i < 5; ++i) QCOMPARE(painted(view, &threads), expected);
            }
        }
    }

    void sideBySide() {
        ViewState state;
        GanttView view(state);
        view.resize(1600, 900);
        IterationView first = sampleView({.p = 8, .m = 40}), second = sampleView({.p = 8, .m = 24});
        first.beside.emplace().in_columns = true;
        second.beside.emplace().in_columns = true;
        second.beside->is_baseline = true;
        view.setStacked({first, second});
        view.grab();
        QCOMPARE(view.picture().layout.columns, 2);
        PaintThreads threads;
        QCOMPARE(painted(view, &threads), painted(view, nullptr));
    }

    // The view's own picture, which its threads paints, on a ground of its own.
    void viewOfManyBoxes() {
        ViewState state;
        GanttView view(state);
        view.resize(1100, 700);
        view.setView(sampleView({.p = 8, .m = 2000}));
        view.grab();
        view.replot(QCustomPlot::rpImmediateRefresh);
        const QImage shown = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
        QImage expected(view.size(), QImage::Format_RGB32);
        expected.fill(view.picture().theme.canvas);
        QPainter painter(&expected);
        painter.translate(0.5, 0.5);  // as QCustomPlot's painters are
        painter.setRenderHint(QPainter::Antialiasing);
        TimelinePainter(painter, view.picture()).draw();
        painter.end();
        const QRect plot = view.picture().layout.plot.toAlignedRect();  // the overlay is empty there
        QCOMPARE(shown.copy(plot), expected.copy(plot));
    }

    // Nothing of the picture before shines through, whichever thread paints.
    void pictureAfterAnother_data() {
        QTest::addColumn<int>("m");
        QTest::newRow("one thread") << 40;
        QTest::newRow("threads") << 2000;
    }
    void pictureAfterAnother() {
        QFETCH(int, m);
        const IterationView sample = sampleView({.p = 8, .m = m});
        const auto shown = [&](bool after_another) {
            ViewState state;
            GanttView view(state);
            view.resize(1100, 703);
            view.setView(sample);
            view.grab();
            const double whole = view.fitRange().width();
            for (const double zoom : {after_another ? 50.0 : 4.0, 4.0}) {
                state.setRange({0.3 * whole, 0.3 * whole + whole / zoom}, false);
                view.replot(QCustomPlot::rpImmediateRefresh);
            }
            return view.grab().toImage();
        };
        for (int i = 0; i < 6; ++i) QCOMPARE(shown(true), shown(false));  // helpers take another part each time
    }

    void everyPartOnce() {
        PaintThreads threads;
        QImage image(4, 400, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.translate(1, 0);
        std::mutex guard;
        std::multiset<std::size_t> seen;
        threads.paint(painter, 400, [&](QPainter& own, std::size_t part) {
            own.fillRect(0, static_cast<int>(part), 1, 1, Qt::black);
            const std::lock_guard lock(guard);
            seen.insert(part);
        });
        QCOMPARE(seen.size(), std::size_t{400});
        for (int row = 0; row < 400; ++row) {
            QCOMPARE(seen.count(static_cast<std::size_t>(row)), std::size_t{1});
            QCOMPARE(image.pixelColor(1, row), QColor(Qt::black));
            QCOMPARE(image.pixelColor(0, row), QColor(Qt::white));
        }
    }

    // What is no image has one painter.
    void inOrderElsewhere() {
        PaintThreads threads;
        QPicture picture;
        QPainter painter(&picture);
        std::vector<std::size_t> seen;
        threads.paint(painter, 20, [&](QPainter& own, std::size_t part) {
            QCOMPARE(&own, &painter);
            QCOMPARE(QThread::currentThread(), thread());
            seen.push_back(part);
        });
        QCOMPARE(seen.size(), std::size_t{20});
        QVERIFY(std::ranges::is_sorted(seen));
    }

    void failureIsReported() {
        PaintThreads threads;
        QImage image(4, 64, QImage::Format_RGB32);
        QPainter painter(&image);
        for (int i = 0; i < 20; ++i)
            QVERIFY_THROWS_EXCEPTION(std::runtime_error,
                                     threads.paint(painter, 64, [](QPainter&, std::size_t part) {
                                         if (part % 8 == 7) throw std::runtime_error("no");
                                     }));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestPaintThreads)

}  // namespace tst_paint_threads

#include "tst_paint_threads.moc"
