// After a change, while its first iteration still runs: no place shows a number of the run before as one of
// the new run. Title, ends of the lanes, numbers beside the canvas, status line, what lies below each other,
// and cards.
#include <QTest>
#include <QWindow>

#include "app/lessons/cards_controller.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "required.h"
#include "watched_window.h"
#include "widgets/controls/bar_rows.h"
#include "widgets/controls/figure_table.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"

namespace tst_other_run {

using namespace bscope;
using namespace bscope::ui;

namespace {

QString plain(QString text) {
    return text.replace(QChar(QChar::Nbsp), u' ');
}

}  // namespace

class TestOtherRun : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static QStringList drawnOn(const MainWindow& window) {
        const Picture& picture = canvasOf(window).picture();
        PaintRecorder recorder(picture.layout.all.size().toSize());
        QPainter painter(&recorder);
        TimelinePainter(painter, picture).draw();
        painter.end();
        QStringList texts;
        for (const PaintRecorder::Text& text : recorder.texts) texts << plain(text.text);
        return texts;
    }
    static QString statusOf(const MainWindow& window) {
        return plain(part<StatusLine>(window).parts().join(u'|'));
    }
    // Two iterations of the first configuration are complete, and the second one's first is under way.
    static void change(WatchedWindow& watched, const RunConfig& to) {
        watched.attach(wire::RUNNING);
        watched.run(2);
        watched.engine.start(to, 2, watched.end_ns);
        std::int64_t end_ns = 0;
        for (const wire::Message& message :
             playedMessages(to, 2, watched.end_ns, false, &end_ns))
            watched.engine.send(message);
        REQUIRE_SOON(watched.session().shown().iteration == 2);
        REQUIRE_SOON(!canvasOf(watched.window).picture().groups.front().ran(0).empty());
        QVERIFY(watched.session().shown().now_ns >= 0);
    }
    static RunConfig gpipe() {
        RunConfig config;
        config.schedule = "gpipe";
        return config;
    }
    static RunConfig slower() {  // a change that the name of a run does not show
        RunConfig config;
        config.link.latency_us += 500;
        return config;
    }
    static RunConfig sixteen() {
        RunConfig config;
        config.params.m = 16;
        return config;
    }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void nothingOldStandsUnderTheNewName_data() {
        QTest::addColumn<RunConfig>("to");
        QTest::addColumn<QString>("name");
        QTest::addRow("schedule") << gpipe() << "#2, 1F1B";
        QTest::addRow("m") << sixteen() << "#2, m = 8";
        QTest::addRow("link") << slower() << "#2, before the change";
    }

    void nothingOldStandsUnderTheNewName() {
        QFETCH(RunConfig, to);
        QFETCH(QString, name);
        WatchedWindow watched(book_);
        change(watched, to);
        const IterationReport old = *watched.session().numbers()->report;
        const QString bubble = plain(shareText(old.bubble_of_total));

        const QStringList drawn = drawnOn(watched.window);
        const qsizetype named = drawn.indexOf(name + QStringLiteral(":  "));
        QVERIFY2(named >= 0, qPrintable(drawn.join(u'|')));
        int bubbles = 0;
        for (const QString& text : drawn) {
            QVERIFY2(!text.contains("to plan") && !text.contains("in flight") && !text.contains("peak #"),
                     qPrintable(text));
            bubbles += text.contains(bubble);
        }
        QCOMPARE(bubbles, 1);  // in the title, after that name
        QVERIFY(drawn.indexOf(bubble) > named);

        auto& dock = part<NumbersDock>(watched.window);
        for (const Label* label : dock.bubble().findChildren<Label*>())
            QVERIFY2(!plain(label->text()).contains("this run"), qPrintable(label->text()));
        for (const Section* section : std::initializer_list<const Section*>{
                 &dock.bubble(), &dock.rate(), &dock.memory(), &dock.waterfall(), &dock.comparison()})
            QCOMPARE(plain(section->otherRun()), name);
        // Naming the run takes no width that the dock does not have, whatever stands in its heads.
        for (Section* section : dock.findChildren<Section*>())
            QTRY_VERIFY2(section->minimumSizeHint().width() <= dock.viewport()->width(),
                         qPrintable(section->head()->text()));
        QTRY_VERIFY(dock.widget()->width() <= dock.viewport()->width());
        QVERIFY(!statusOf(watched.window).contains("wall/CPU"));
    }

    // Bars, tables and figures, too: nothing of the run before is in the ink of what is shown.
    void whatIsOfTheRunBeforeIsGrey() {
        WatchedWindow watched(book_);
        change(watched, gpipe());
        auto& dock = part<NumbersDock>(watched.window);
        const auto inks = [](const QWidget& part) {
            const QImage image = const_cast<QWidget&>(part).grab().toImage();
            const QRgb ink = currentTheme().text.rgb();
            int pixels = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) pixels += image.pixel(x, y) == ink;
            return pixels;
        };
        QWidgetList parts;
        for (const Section* section :
             std::initializer_list<const Section*>{&dock.bubble(), &dock.memory(), &dock.rate()}) {
            for (BarRows* bars : section->findChildren<BarRows*>()) parts << bars;
            for (FigureTable* table : section->findChildren<FigureTable*>()) parts << table;
        }
        for (BarRows* bars : dock.bubble().findChildren<BarRows*>()) QVERIFY(!bars->rows().empty());
        QVERIFY(parts.size() >= 2);
        for (const QWidget* part : parts) QCOMPARE(inks(*part), 0);
        const auto big = [&] {
            for (Label* label : dock.bubble().findChildren<Label*>())
                if (label->font().pixelSize() >= currentTheme().px(28)) return label->styleSheet();
            return QString();
        };
        QVERIFY2(big().contains(currentTheme().text_faint.name()), qPrintable(big()));
        // Its own numbers are there.
        watched.engine.iteration(gpipe(), 2, watched.end_ns);
        QTRY_VERIFY(dock.bubble().otherRun().isEmpty());
        QVERIFY2(big().contains(currentTheme().text.name()), qPrintable(big()));
        int now = 0;
        for (const QWidget* part : parts) now += inks(*part);
        QVERIFY(now > 0);
    }

    // The row of the run is named; its baseline below keeps its own numbers.
    void theUpperOneOfTwoIsNamed() {
        WatchedWindow watched(book_);
        watched.attach(wire::RUNNING);
        watched.run(2);
        auto& timeline = part<TimelineController>(watched.window);
        watched.session().select(1);
        timeline.baselines().layBeside(0);
        QTRY_COMPARE(canvasOf(watched.window).views().size(), std::size_t{2});
        QVERIFY(statusOf(watched.window).contains("baseline #1"));
        watched.session().follow();
        watched.engine.start(gpipe(), 2, watched.end_ns);
        std::int64_t end_ns = 0;
        for (const wire::Message& message :
             playedMessages(gpipe(), 2, watched.end_ns, false, &end_ns))
            watched.engine.send(message);
        QTRY_COMPARE(canvasOf(watched.window).views().front().config.schedule, std::string("gpipe"));
        QTRY_VERIFY(!statusOf(watched.window).contains("baseline"));
        QTRY_VERIFY2(drawnOn(watched.window).contains(QStringLiteral("#2, 1F1B:  ")),
                     qPrintable(drawnOn(watched.window).join(u'|')));
    }

    // A card's configuration and run are those of the canvas.
    void aCardIsOfTheRunThatIsShown() {
        WatchedWindow watched(book_);
        change(watched, sixteen());
        watched.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&watched.window));
        auto& controller = part<CardsController>(watched.window);
        controller.openCards();
        CardDialog* dialog = controller.cardDialog();
        QVERIFY(dialog != nullptr);
        QTRY_COMPARE(QGuiApplication::focusWindow(), dialog->windowHandle());
        QTest::keyClick(dialog->windowHandle(), Qt::Key_Space);
        QVERIFY(dialog->isTurned());
        const QString text = plain(dialog->shownText());
        QVERIFY2(text.contains("15.8 % of total"), qPrintable(text));  // 3 / 19
        QVERIFY2(!text.contains("[RECONSTRUCTED]"), qPrintable(text));
    }

    void otherRunsAreNamedByWhatDiffers() {
        RunConfig shown, link;
        link.link.latency_us = 100;
        RunConfig two;
        two.schedule = "interleaved";
        two.params.v = 2;
        QCOMPARE(otherRunName(28, two, shown), QStringLiteral("#28, ") + scheduleTitleOf(two));
        QCOMPARE(otherRunName(28, sixteen(), shown), QStringLiteral("#28, m = 16"));
        QCOMPARE(otherRunName(28, link, shown), QStringLiteral("#28, before the change"));
        // A busy machine calibrates by itself: no one has changed anything.
        RunConfig calibrated;
        calibrated.durations = Durations::Calibrated;
        QCOMPARE(otherRunName(28, shown, calibrated), QStringLiteral("#28, single"));
        QCOMPARE(otherRunName(28, calibrated, shown), QStringLiteral("#28, with medians"));
        calibrated.link = link.link;
        QCOMPARE(otherRunName(28, shown, calibrated), QStringLiteral("#28, before the change"));
    }

private:
    static QString scheduleTitleOf(const RunConfig& config) {
        return QString::fromStdString(titleOf(config.schedule));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestOtherRun)

}  // namespace tst_other_run

#include "tst_other_run.moc"
