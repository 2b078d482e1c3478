// How the dock's tables stand: whole from the first picture on, names and figures apart, decimals where they
// matter.
#include <QMap>
#include <QTest>
#include <QTextLayout>

#include "paint_recorder.h"
#include "registered_test.h"
#include "reported_view.h"
#include "view/gap.h"
#include "widgets/controls/figure_table.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/text/format.h"

namespace tst_dock_tables {

using namespace bscope;
using namespace bscope::ui;

class TestDockTables : public QObject {
    Q_OBJECT

    // Where everything stands when the page is painted for the first time.
    class FirstPaint : public QObject {
    public:
        explicit FirstPaint(QWidget* page) : page_(page) { page->installEventFilter(this); }
        QMap<const QWidget*, QRect> places() const {
            QMap<const QWidget*, QRect> all;
            for (const QWidget* each : page_->findChildren<QWidget*>())
                if (each->isVisible()) all.insert(each, each->geometry());
            return all;
        }
        QMap<const QWidget*, QRect> first;

    protected:
        bool eventFilter(QObject* watched, QEvent* event) override {
            if (watched == page_ && event->type() == QEvent::Paint && first.isEmpty()) first = places();
            return false;
        }

    private:
        QWidget* page_;
    };

private slots:
    // No row comes a moment after the others.
    void theFirstPictureIsWhole_data() {
        QTest::addColumn<int>("change");
        QTest::newRow("first numbers") << 0;
        QTest::newRow("more ranks") << 1;
        QTest::newRow("selection") << 2;
        QTest::newRow("change of language") << 3;
    }

    void theFirstPictureIsWhole() {
        QFETCH(int, change);
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        dock.resize(284, 760);
        dock.setView(reportedView(change == 0 ? SampleOptions{.ran = false} : SampleOptions{}));
        dock.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dock));
        QTest::qWait(80);
        FirstPaint paint(dock.widget());
        if (change < 2) dock.setView(reportedView(change == 0 ? SampleOptions{} : SampleOptions{.p = 8}));
        if (change == 2) state.select(Selection{1, Action{1, Op::Forward, 2}, 36});
        if (change == 3) {
            QEvent event(QEvent::LanguageChange);
            for (QWidget* each : dock.findChildren<QWidget*>()) QCoreApplication::sendEvent(each, &event);
        }
        dock.widget()->update();
        QTRY_VERIFY(!paint.first.isEmpty());
        const auto first = paint.first;
        QTest::qWait(120);
        QCOMPARE(first, paint.places());
    }

    void formats() {
        QCOMPARE(plain(shareText(0.3097)), QStringLiteral("31.0 %"));
        QCOMPARE(plain(msText(282.43)), QStringLiteral("282.4 ms"));
        QCOMPARE(plain(msText(1019.2)), QStringLiteral("1019 ms"));
        QCOMPARE(plain(msText(0.8)), QStringLiteral("0.8 ms"));
        QCOMPARE(plain(msText(0.0043)), QStringLiteral("0.0043 ms"));
        QCOMPARE(plain(msText(0)), QStringLiteral("0 ms"));
        QCOMPARE(plain(msText(284'883)), QStringLiteral("284.9 s"));
        QCOMPARE(plain(rateNumber(14500)), QStringLiteral("14.50 k"));
        QCOMPARE(plain(bytesText(75.23e6)), QStringLiteral("75.2 MB"));
        QCOMPARE(plain(bytesText(25.1e9)), QStringLiteral("25.1 GB"));
        QCOMPARE(plain(bytesText(43'210)), QStringLiteral("0.043 MB"));
        QCOMPARE(plain(pointsText(0.3101, 0.3056)),
                 QStringLiteral("−0.4 pt"));  // 30.6 − 31.0, not 30.56 − 31.01
        QCOMPARE(plain(changeText(44.8, 48.2)), QStringLiteral("+7.6 %"));
        QCOMPARE(numberText(-0.04, 1), QStringLiteral("0.0"));
    }

    // However narrow a paragraph is.
    void unitsAndValuesStayOnOneLine() {
        Label label(TextRole::Body);
        label.setText(QStringLiteral("at m = 32 it does 7.21 k tokens/s, with v = 2 more by 12 %."));
        for (int width = 20; width < 300; width += 5) {
            QTextLayout layout(label.text(), label.font());
            layout.beginLayout();
            for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
                line.setLineWidth(width);
                const QString said = label.text().mid(line.textStart(), line.textLength()).trimmed();
                QVERIFY2(!said.endsWith(u'/') && !said.endsWith(u'=') && !said.endsWith(u"12") &&
                             !said.endsWith(u'k'),
                         qPrintable(said));
            }
            layout.endLayout();
        }
    }

    void wordsAreJoinedAsTheLanguageWants() {
        QCOMPARE(sentencesText({"One.", "Two."}), QStringLiteral("One. Two."));
        QCOMPARE(sentencesText({QStringLiteral("一。"), QStringLiteral("二。")}), QStringLiteral("一。二。"));
        QCOMPARE(sentenceText("there is none"), QStringLiteral("There is none."));
        QCOMPARE(sentenceText("hidden = 3 is odd."), QStringLiteral("hidden = 3 is odd."));
        QCOMPARE(spaced(QStringLiteral("(a)")), QStringLiteral(" (a)"));
        QCOMPARE(unbroken(QStringLiteral("交错式 1F1B（PyTorch） 的常用值")),
                 QStringLiteral("交错式 1F1B（PyTorch）的常用值"));
        QCOMPARE(unbroken(QStringLiteral("在 CPU · 2 核 上，1F1B 就够？ 是")),
                 QStringLiteral("在 CPU · 2 核上，1F1B 就够？是"));
        QCOMPARE(unbroken(QStringLiteral("第 5 课 GPipe 与 1F1B")), QStringLiteral("第 5 课 GPipe 与 1F1B"));
        QCOMPARE(unbroken(QStringLiteral("(p − 1)/(v·m + p − 1) of it")),
                 QStringLiteral("(p\u00a0−\u00a01)/\u2060(v·m\u00a0+\u00a0p\u00a0−\u00a01) of it"));
        QCOMPARE(unbroken(QStringLiteral("2(p − 1)(F + B) 和 min(m, p − r)")),
                 QStringLiteral("2(p\u00a0−\u00a01)\u2060(F\u00a0+\u00a0B) 和 min(m,\u00a0p\u00a0−\u00a0r)"));
        QCOMPARE(unbroken(QStringLiteral("(PP/2 − 1)(F&B + B − 3W)")),
                 QStringLiteral("(PP/\u20602\u00a0−\u00a01)\u2060(F&B\u00a0+\u00a0B\u00a0−\u00a03W)"));
        QCOMPARE(unbroken(QStringLiteral("is m/(m + p − 1)")),
                 QStringLiteral("is m/\u2060(m\u00a0+\u00a0p\u00a0−\u00a01)"));
        QCOMPARE(unbroken(QStringLiteral("1 + (p − 1) + 2p")),
                 QStringLiteral("1\u00a0+\u00a0(p\u00a0−\u00a01) +\u00a02p"));
        QCOMPARE(unbroken(QStringLiteral("rank 1 (one of them, as here)")),
                 QStringLiteral("rank 1 (one of them, as here)"));
        QCOMPARE(unbroken(QStringLiteral("在途的输入 + 一个阶段")), QStringLiteral("在途的输入 + 一个阶段"));
        QCOMPARE(spaced(QStringLiteral("（甲）")), QStringLiteral("（甲）"));
        QCOMPARE(listText({"p", "m"}), QStringLiteral("p, m"));
        QCOMPARE(deviceWords("CPU, 2 cores"), QStringLiteral("CPU · 2 cores"));
        QCOMPARE(deviceWords("4 x H200"), QStringLiteral("4 × H200"));
    }

    // What lasts less than the last decimal is not printed as nothing.
    void shortTimesHaveTheDecimalsThatTheyNeed() {
        Notation ms;
        QCOMPARE(ms.fineFor(22e3).length(4.1e6, 4.122e6), QString("0.02"));
        QCOMPARE(ms.fineFor(22e3).number(4.1e6), QString("4.10"));
        QCOMPARE(ms.fineFor(3e5).number(4.1e6), ms.number(4.1e6));
        QCOMPARE(ms.fineFor(0).number(4.1e6), ms.number(4.1e6));
        QCOMPARE(ms.fineFor(150).length(4.1e6, 4.1e6 + 150), QString("0.00015"));
        Notation forwards;
        forwards.unit = TimeUnit::MedianForward;
        forwards.median_forward_ns = 1e6;
        QCOMPARE(forwards.fineFor(4e3).length(4.1e6, 4.104e6), QString("0.004"));
        QCOMPARE(forwards.fineFor(4e5).length(4.1e6, 4.5e6), QString("0.40"));
    }

    // The two right columns of these tables stand apart.
    void headsOfTheTablesDoNotTouch() {
        ViewState state;
        NumbersDock dock(state);
        setTheme(Theme::make(ThemeKind::Light));
        state.setLayers([&] {
            Layers layers = state.layers();
            layers.critical_path = true;
            return layers;
        }());
        dock.resize(284, 2000);
        const IterationView shown = reportedView();
        dock.setView(shown);
        dock.setOpened({"waterfall", "causes", "held"});
        state.selectGap(gapsBySize(PreparedView(shown)).front());
        dock.show();
        int seen = 0;
        for (const FigureTable* table : dock.findChildren<FigureTable*>()) {
            if (!table->isVisible() || table->header().size() != 3 || table->header()[2].isEmpty()) continue;
            const QFontMetricsF metrics(currentTheme().font(11.5));
            QVERIFY2(table->columnWidth(2) >= metrics.horizontalAdvance(table->header()[2]) + 6,
                     qPrintable(table->header().join('|')));
            ++seen;
        }
        QVERIFY(seen >= 4);
    }

    void oneRankIsNoSum() {
        ViewState state;
        NumbersDock dock(state);
        dock.setView(reportedView({.p = 1}));
        QCOMPARE(dock.detail().aside()->text(), QString("of one rank"));
    }

    void namesOfATableLeaveTheFiguresTheirRoom() {
        setTheme(Theme::make(ThemeKind::Light));
        FigureTable table;
        table.setHeader({"Step", "points", "ms"}, {0, 0.74, 1});
        table.setRows({{{"Unequal stages of a model whose head is heavy: stage 7", "+12.3", "4.56"}},
                       {{"Slow link", "+0.1", "0.02"}},
                       {{"Slow rank that runs beside another program: GPU 3", "+1.3", "0.21"},
                        FigureRow::Look::Marked}});
        table.resize(200, table.sizeHint().height());
        QVERIFY(table.isElided(table.rows()[0]));
        QVERIFY(!table.isElided(table.rows()[1]));
        QVERIFY(table.isElided(table.rows()[2]));
        PaintRecorder recorder(table.size());
        table.render(&recorder, {}, {}, QWidget::RenderFlags());
        QCOMPARE(recorder.texts.size(), 12u);
        for (const auto& one : recorder.texts)
            for (const auto& other : recorder.texts)
                QVERIFY2(&one == &other || !one.place.intersects(other.place),
                         qPrintable(one.text + " over " + other.text));
        table.resize(600, table.height());
        QVERIFY(!table.isElided(table.rows()[0]));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestDockTables)

}  // namespace tst_dock_tables

#include "tst_dock_tables.moc"
