// The pending strip, the failure bar and the welcome line: what they say and the ways on they offer.
#include <QSignalSpy>
#include <QTest>

#include "changed_config.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "sample_view.h"
#include "widgets/bars/failure_bar.h"
#include "widgets/bars/pending_strip.h"
#include "widgets/bars/welcome_line.h"
#include "widgets/text/config_text.h"

namespace tst_pending_strip {

using namespace bscope;
using namespace bscope::ui;

class TestPendingStrip : public QObject {
    Q_OBJECT

    static QString plain(QString text) { return text.replace(QChar(0x00A0), ' '); }
    static PendingChange pendingM(int m) {
        SampleOptions options;
        options.m = m;
        const IterationView next = sampleView(options);
        return {next.config, next.planned, next.plan_summary, 15'200, 37, false};
    }

private slots:
    void saysWhatChangesFromWhenAndWhatItDoes() {
        PendingStrip strip;
        setTheme(Theme::make(ThemeKind::Light));
        const IterationView now = sampleView();
        const PendingChange pending = pendingM(12);
        strip.setPending(pending, now.config, now.plan_summary, 14'700);
        QVERIFY(!strip.isHidden());
        QCOMPARE(strip.changeText(), QStringLiteral("m 8 → 12, from iteration 38"));
        const QString effect = plain(strip.effectText());
        QVERIFY2(effect.contains("throughput +3.4 %"), qPrintable(effect));
        QVERIFY2(effect.contains("peak unchanged"), qPrintable(effect));
        // Numbers come before what explains v: they are what must not be cut.
        PendingChange chunks = pending;
        chunks.config.schedule = "interleaved";
        chunks.config.params.v = 2;
        strip.setPending(chunks, now.config, now.plan_summary, 14'700);
        const QString numbers_first = plain(strip.effectText());
        QVERIFY2(numbers_first.startsWith("bubble"), qPrintable(numbers_first));
        QVERIFY2(numbers_first.endsWith("v = 2 is the usual v of Interleaved 1F1B"),
                 qPrintable(numbers_first));
        strip.setPending(std::nullopt, now.config, now.plan_summary, 0);
        QVERIFY(strip.isHidden());
    }

    // As the canvas writes them: in F, and of ideal.
    void timesAndBubblesFollowTheCanvas() {
        PendingStrip strip;
        setTheme(Theme::make(ThemeKind::Light));
        strip.resize(1100, strip.sizeHint().height());
        const IterationView now = sampleView();
        const PendingChange pending = pendingM(12);
        strip.setPending(pending, now.config, now.plan_summary, 14'700);
        Notation notation;
        notation.unit = TimeUnit::MedianForward;
        notation.median_forward_ns = 20e6;
        notation.definition = BubbleDefinition::OfIdeal;
        strip.setNotation(notation);
        const auto forwards = [](const IterationSummary& summary) {
            return QString::number(static_cast<double>(summary.iteration_ns) / 20e6, 'f', 2);
        };
        const auto of_ideal = [](const IterationSummary& summary) {
            return QString::number(100 * summary.bubble_of_ideal, 'f', 1) + " %";
        };
        const QString effect = plain(strip.effectText());
        QVERIFY2(effect.contains("iteration " + forwards(now.plan_summary) + " → " +
                                 forwards(pending.summary) + " F"),
                 qPrintable(effect));
        QVERIFY2(effect.contains("bubble " + of_ideal(now.plan_summary) + " → " + of_ideal(pending.summary)),
                 qPrintable(effect));
        PaintRecorder recorder(strip.size());
        strip.render(&recorder);
        QStringList texts;
        for (const PaintRecorder::Text& text : recorder.texts) texts << plain(text.text);
        QVERIFY(texts.contains(plain(notation.bubble(pending.summary.ranks[0].bubble_of_total))));
    }

    void everyFieldIsNamed() {
        for (const ConfigRow& row : configTable()) {
            const QStringList changes = configChanges(RunConfig{}, changedIn(row, RunConfig{}));
            QCOMPARE(changes.size(), 1);
            const QStringList sides = changes.front().split(QStringLiteral(" → "));
            QVERIFY2(sides.size() == 2 && !sides[0].endsWith(sides[1]), qPrintable(changes.front()));
            QVERIFY2(changes.front().startsWith(row.title) || row.name == std::string("schedule"),
                     qPrintable(changes.front()));
        }
        QCOMPARE(configChanges(RunConfig{}, RunConfig{}), QStringList());
    }

    void aNewRunIsCalledOne() {
        PendingStrip strip;
        const IterationView now = sampleView();
        PendingChange pending = pendingM(8);
        pending.config.model.layers = 12;
        pending.new_run = true;
        strip.setPending(pending, now.config, now.plan_summary, 14'700);
        QVERIFY(strip.changeText().contains("new run"));
    }

    void undoIsAClick() {
        PendingStrip strip;
        setTheme(Theme::make(ThemeKind::Dark));
        const IterationView now = sampleView();
        strip.setPending(pendingM(12), now.config, now.plan_summary, 14'700);
        strip.resize(900, strip.sizeHint().height());
        QVERIFY(QTest::qWaitForWindowExposed(&strip));
        QSignalSpy undo(&strip, &PendingStrip::undoClicked);
        QTest::mouseClick(strip.undoButton(), Qt::LeftButton);
        QCOMPARE(undo.count(), 1);
    }

    // Where there is no room for all that a change does, what is shown is whole, the bubble first; a tip has
    // all.
    void noNumberIsCutInTwo() {
        PendingStrip strip;
        setTheme(Theme::make(ThemeKind::Light));
        strip.show();
        const IterationView now = sampleView();
        strip.setPending(pendingM(12), now.config, now.plan_summary, 14'700);
        for (const int width : {1100, 700, 400, 372, 300}) {
            strip.resize(width, strip.sizeHint().height());
            const QString shown = strip.shownEffect();
            QVERIFY(shown.startsWith(u"bubble") && plain(strip.effectText()).startsWith(plain(shown)));
            const Label* label = nullptr;
            for (const Label* each : strip.findChildren<Label*>())
                if (each->text() == shown) label = each;
            QVERIFY(label != nullptr);
            QVERIFY2(label->sizeHint().width() <= label->width(), qPrintable(shown));
            QCOMPARE(label->toolTip(), strip.effectText());
        }
        QVERIFY(strip.shownEffect().size() < strip.effectText().size());
    }

    void newMicroBatchesAreBright() {
        PendingStrip strip;
        const Theme theme = Theme::make(ThemeKind::Light);
        setTheme(theme);
        const IterationView now = sampleView();
        strip.setPending(pendingM(12), now.config, now.plan_summary, 14'700);
        strip.resize(400, strip.sizeHint().height());
        QVERIFY2(strip.effectText().endsWith("bright: new ones"), qPrintable(strip.effectText()));
        const QImage picture = strip.grab().toImage();
        int bright = 0;
        for (int x = 0; x < picture.width(); ++x)
            for (int y = 44; y < picture.height(); ++y)
                bright += picture.pixelColor(x, y) == theme.fill(Op::Backward) ? 1 : 0;
        QVERIFY2(bright > 300, qPrintable(QString::number(bright)));
        strip.setPending(pendingM(8), now.config, now.plan_summary, 14'700);  // nothing new: nothing dimmed
        const QImage all = strip.grab().toImage();
        int same = 0;
        for (int x = 0; x < all.width(); ++x)
            for (int y = 44; y < all.height(); ++y)
                same += all.pixelColor(x, y) == theme.fill(Op::Backward) ? 1 : 0;
        QVERIFY(same > bright);
    }

    void failureOffersItsWaysOn() {
        FailureBar bar;
        setTheme(Theme::make(ThemeKind::Light));
        bar.setNotice({"The engine ended while iteration 38 ran.",
                       "37 is the last complete iteration.",
                       "signal 11",
                       {{"run", "Run again"}, {"log", "Show log"}}});
        bar.resize(1000, bar.sizeHint().height());
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        QCOMPARE(bar.sentence(), QStringLiteral("The engine ended while iteration 38 ran."));
        QSignalSpy chosen(&bar, &FailureBar::actionChosen);
        QTest::mouseClick(bar.action("log"), Qt::LeftButton);
        QCOMPARE(chosen.last().first().toString(), QStringLiteral("log"));
        QVERIFY(!bar.detailsShown());
        QTest::mouseClick(bar.detailsButton(), Qt::LeftButton);
        QVERIFY(bar.detailsShown());
        bar.setNotice({"Another.", {}, {}, {}});
        QVERIFY(bar.action("log") == nullptr);
        QVERIFY(!bar.detailsShown());
        bar.clear();
        QVERIFY(bar.isHidden());
    }

    void welcomeLinksLeadSomewhere() {
        WelcomeLine line;
        setTheme(Theme::make(ThemeKind::Light));
        line.show();
        QSignalSpy open(&line, &WelcomeLine::openRecordingClicked),
            connects(&line, &WelcomeLine::connectClicked), lesson(&line, &WelcomeLine::firstLessonClicked);
        QTest::mouseClick(line.openButton(), Qt::LeftButton);
        QTest::mouseClick(line.connectButton(), Qt::LeftButton);
        QTest::keyClick(line.lessonButton(), Qt::Key_Space);
        QCOMPARE(open.count() + connects.count() + lesson.count(), 3);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestPendingStrip)

}  // namespace tst_pending_strip

#include "tst_pending_strip.moc"
