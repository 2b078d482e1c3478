// The status line: every state has its word; disturbance is said; each part keeps its place while numbers
// change, and what is not shown whole is in the menu.
#include <QSignalSpy>
#include <QTest>

#include "paint_recorder.h"
#include "registered_test.h"
#include "widgets/bars/status_line.h"

namespace tst_status_line {

using namespace bscope;
using namespace bscope::ui;

class TestStatusLine : public QObject {
    Q_OBJECT

    static StatusData running() {
        StatusData status;
        status.state = SessionState::Running;
        status.iteration = 36;
        status.progress = 0.73;
        status.engine = "this machine, CPU, 2 cores";
        status.report = IterationReport{};
        status.report->tracing_share = 0.004;
        status.report->wall_over_cpu = 1.02;
        status.language = "English";
        return status;
    }

private slots:
    void everyStateHasItsWord() {
        StatusLine line;
        QStringList words;
        for (SessionState state :
             {SessionState::Idle, SessionState::Starting, SessionState::Running, SessionState::Paused,
              SessionState::Failed, SessionState::Disconnected, SessionState::Replaying}) {
            StatusData status = running();
            status.state = state;
            status.retry_s = 4;
            status.file = "a.bscope";
            line.setData(status);
            words << line.stateText();
        }
        QCOMPARE(words, (QStringList{"Ready", "Starting", "Running · iteration 37, 73 %", "Paused at 37",
                                     "Failed", "Disconnected, retry in 4 s", "Replaying a.bscope"}));
        StatusData reading;
        reading.state = SessionState::Replaying;
        reading.file = "a.bscope";
        reading.read_to = "3";
        line.setData(reading);
        QCOMPARE(line.stateText(), QString("Replaying a.bscope, read up to iteration 3"));
    }

    // Between two iterations none runs; without events of it nothing is known of one that does.
    void anIterationIsNextUntilItBegins() {
        StatusLine line;
        StatusData status = running();
        status.progress = -1;
        line.setData(status);
        QCOMPARE(line.stateText(), QString("Running · iteration 37"));
        status.is_next = true;
        line.setData(status);
        QCOMPARE(line.stateText(), QString("Running · iteration 37 is next"));
    }

    void disturbanceIsReported() {
        StatusLine line;
        StatusData status = running();
        line.setData(status);
        QVERIFY(line.parts().contains("wall/CPU 1.02, undisturbed"));
        status.report->disturbed = true;
        status.report->wall_over_cpu = 1.18;
        line.setData(status);
        QVERIFY(line.parts().contains("disturbed: wall/CPU 1.18"));
        status.dropped_events = 12;
        line.setData(status);
        QVERIFY(line.parts().contains("Dropped events 12"));
    }

    // Its times come from a tracer: what that costs is shown when it is known, the host's load is not.
    void aGpuHasItsOwnCosts() {
        StatusLine line;
        StatusData status = running();
        status.report->timing.source = TimingSource::Cupti;
        line.setData(status);
        QVERIFY(line.parts().filter("wall/CPU").isEmpty());
        QVERIFY(line.parts().filter("Tracing cost").isEmpty());
        status.report->tracing_cost = 0.013;
        line.setData(status);
        QCOMPARE(line.parts().filter("Tracing cost").filter("1.3").size(), 1);
    }

    // What is new has a share of the line; what is not shown whole is in the menu.
    void whatHasNoRoomIsInTheMenu() {
        StatusLine line;
        setTheme(Theme::make(ThemeKind::Light));
        StatusData status = running();
        status.note = "baseline #3: bubble −3.6 pt, tokens/s +4.1 %; bubble 31.0 % → 27.4 %";
        status.range = "0–285 ms";
        line.show();
        for (const int width : {640, 760, 1024, 1280, 1440, 3840}) {
            line.resize(width, 24);
            line.setData(status);
            const QStringList all = line.parts(), left_out = line.leftOut();
            for (const QString& part : left_out) QVERIFY(all.contains(part));
            QCOMPARE(line.moreButton()->isVisible(), !left_out.isEmpty());
            if (!left_out.isEmpty())
                QVERIFY(line.moreButton()->geometry().right() < line.languageButton()->x());
            QCOMPARE(all.back(), status.note);
        }
        QVERIFY(line.leftOut().isEmpty());
        status.dropped_events = 3;
        line.setData(status);
        QCOMPARE(line.parts().filter("Dropped"), QStringList{"Dropped events 3"});
        QCOMPARE(line.parts().back(), status.note);
    }

    // From iteration to iteration every part stands where it stood, whatever its number, its news and its
    // state.
    void nothingMovesWhileItRuns_data() {
        QTest::addColumn<int>("width");
        for (const int width : {1024, 1280, 1440, 1920}) QTest::addRow("%d", width) << width;
    }
    void nothingMovesWhileItRuns() {
        QFETCH(int, width);
        StatusLine line;
        setTheme(Theme::make(ThemeKind::Light));
        line.resize(width, 24);
        line.show();
        const auto places = [&](const StatusData& status) {
            line.setData(status);
            PaintRecorder paper(line.size());
            line.render(&paper);
            QMap<QString, double> left;  // by what stands in front of its number
            for (const PaintRecorder::Text& text : paper.texts)
                for (const char* part : {"Engine", "Tracing cost", "Dropped"})
                    if (text.text.startsWith(QLatin1String(part)))
                        left[QString::fromLatin1(part)] = text.place.left();
            return std::pair(left,
                             std::vector{line.moreButton()->geometry(), line.languageButton()->geometry(),
                                         line.scaleButton()->geometry()});
        };
        StatusData status = running();
        const auto first = places(status);
        QVERIFY(first.first.size() >= 2);
        status.iteration = 1234;
        status.progress = 1;
        status.report->tracing_share = 0.123;
        status.report->wall_over_cpu = 16.6;
        QCOMPARE(places(status), first);
        status.report->disturbed = true;
        QCOMPARE(places(status), first);
        status.progress = -1;
        status.straggler = "stage 7 or its rank 7 slow, x1.10 (20 of 20 iterations)";
        QCOMPARE(places(status), first);
        status.state = SessionState::Paused;
        status.range = "12–285 ms";
        QCOMPARE(places(status), first);
        // Under a note, too, whatever it says.
        status.note = "baseline #3: bubble −3.6 pt, tokens/s +4.1 %; bubble 31.0 % → 27.4 %";
        const auto noted = places(status);
        QVERIFY(noted.first.contains("Engine"));
        for (const QString& part : noted.first.keys()) QCOMPARE(noted.first[part], first.first[part]);
        status.note =
            "baseline #3: bubble no difference (within 1.1 pt), tokens/s no difference (within 3.1 %)";
        status.report->wall_over_cpu = 1.02;
        status.straggler.clear();
        QCOMPARE(places(status).first, noted.first);
    }

    // What a person asked for is shown at 1280 px with its differences.
    void aNoteHasRoomForItsDifferences_data() {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<QString>("note");
        QTest::addColumn<QString>("differences");
        QTest::newRow("English") << "this machine · CPU · 2 cores"
                                 << "baseline #203: bubble −13.6 pt, tokens/s +14.1 %; bubble 31.0 % → 27.4 %"
                                 << "baseline #203: bubble −13.6 pt, tokens/s +14.1 %";
        QTest::newRow("Chinese") << "本机 · CPU · 2 核"
                                 << "基线 #203：气泡 −13.6 个百分点，tokens/s +14.1 %；气泡 31.0 % → 27.4 %"
                                 << "基线 #203：气泡 −13.6 个百分点，tokens/s +14.1 %";
    }
    void aNoteHasRoomForItsDifferences() {
        QFETCH(QString, engine);
        QFETCH(QString, note);
        QFETCH(QString, differences);
        StatusLine line;
        setTheme(Theme::make(ThemeKind::Light));
        line.resize(1280, 24);
        line.show();
        StatusData status = running();
        status.engine = engine;
        status.note = note;
        line.setData(status);
        PaintRecorder paper(line.size());
        line.render(&paper);
        QString painted;  // a text of two scripts comes in pieces
        for (const PaintRecorder::Text& text : paper.texts) painted += text.text;
        QVERIFY2(painted.contains(differences), qPrintable(painted));
    }

    // However long the name of what is open, all the rest has its room, and the name is in the menu.
    void aLongNameLeavesRoom() {
        StatusLine line;
        setTheme(Theme::make(ThemeKind::Light));
        line.resize(1280, 24);
        line.show();
        StatusData status = running();
        status.state = SessionState::Replaying;
        status.imported = true;
        status.file = QString("pipeline-").repeated(30) + "end";
        line.setData(status);
        QVERIFY(line.leftOut().contains(line.stateText()));
        PaintRecorder paper(line.size());
        line.render(&paper);
        double engine = -1;
        for (const PaintRecorder::Text& text : paper.texts) {
            if (text.text.startsWith("Engine")) engine = text.place.left();
            if (text.text.startsWith("Import of"))
                QVERIFY(text.text.endsWith("end") && text.text.contains(u'…'));
        }
        QVERIFY(engine > 0 && engine < 640);
    }

    void languageAndScaleAreButtons() {
        StatusLine line;
        setTheme(Theme::make(ThemeKind::Light));
        line.setData(running());
        line.resize(900, 24);
        line.show();
        QSignalSpy language(&line, &StatusLine::languageClicked), scale(&line, &StatusLine::scaleClicked);
        QTest::mouseClick(line.languageButton(), Qt::LeftButton);
        QTest::mouseClick(line.scaleButton(), Qt::LeftButton);
        QCOMPARE(language.count(), 1);
        QCOMPARE(scale.count(), 1);
        QVERIFY(line.scaleButton()->geometry().right() <= line.width());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestStatusLine)

}  // namespace tst_status_line

#include "tst_status_line.moc"
