// Everything about schedules around the canvas: the field finds and chooses them, illegal values lead to
// legal ones for every row of the catalog, the panel explains in both languages, reports on files, and offers
// the search.
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

#include "catalog/presets.h"
#include "registered_test.h"
#include "widgets/bars/control_bar.h"
#include "widgets/schedule/schedule_panel.h"
#include "widgets/text/config_text.h"

namespace tst_schedule_panel {

using namespace bscope;
using namespace bscope::ui;

class TestSchedulePanel : public QObject {
    Q_OBJECT

    static void show(QWidget& widget, int width, int height) {
        widget.resize(width, height);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
    }
    static ScheduleList* open(ControlBar& bar) {
        QTest::mouseClick(bar.schedule(), Qt::LeftButton);
        return bar.findChild<ScheduleList*>();
    }
    static int shownRows(const ScheduleList& popup) {
        int shown = 0;
        for (int row = 0; row < popup.list()->count(); ++row)
            shown += !popup.list()->item(row)->isHidden() &&
                     popup.list()->item(row)->flags().testFlag(Qt::ItemIsSelectable);
        return shown;
    }

private slots:
    void listHoldsEveryScheduleAndEveryPreset() {
        ControlBar bar;
        show(bar, 1440, 48);
        ScheduleList* popup = open(bar);
        QVERIFY(popup);
        QCOMPARE(shownRows(*popup), static_cast<int>(catalog().size() + presets().size()));
        QCOMPARE(popup->list()->currentItem()->text(), QStringLiteral("1F1B"));
        QTest::keyClick(popup->filter(), Qt::Key_Escape);
        QTRY_VERIFY(!bar.findChild<ScheduleList*>());
    }

    void typingFindsAndEnterChoosesWithALegalV() {
        ControlBar bar;
        show(bar, 1440, 48);
        QSignalSpy edited(&bar, &ControlBar::configEdited), back(&bar, &ControlBar::focusReturned);
        ScheduleList* popup = open(bar);
        QTest::keyClicks(popup->filter(), QStringLiteral("nonsense"));
        QVERIFY(!popup->list()->item(popup->list()->count() - 1)->isHidden());  // says that there is none
        popup->filter()->clear();
        QVERIFY(popup->list()->item(popup->list()->count() - 1)->isHidden());
        QTest::keyClicks(popup->filter(), QStringLiteral("colossal zb"));
        QCOMPARE(shownRows(*popup), 1);
        QTest::keyClick(popup->filter(), Qt::Key_Return);
        QCOMPARE(edited.count(), 1);
        const auto config = edited.last().first().value<RunConfig>();
        QCOMPARE(config.schedule, std::string("zb-v"));
        QCOMPARE(config.params.v, 2);
        QVERIFY(bar.currentProblems().empty());
        QCOMPARE(back.count(), 1);
        QTRY_VERIFY(!bar.findChild<ScheduleList*>());
        popup = open(bar);
        QTest::keyClicks(popup->filter(), QStringLiteral("deepspeed"));
        QTest::keyClick(popup->filter(), Qt::Key_Return);
        QCOMPARE(edited.last().first().value<RunConfig>().schedule, std::string("1f1b"));
        QCOMPARE(edited.last().first().value<RunConfig>().params.v, 1);
    }

    void clickChoosesAndHeadingsDoNot() {
        ControlBar bar;
        show(bar, 1440, 48);
        ScheduleList* popup = open(bar);
        QSignalSpy chosen(popup, &ScheduleList::chosen);
        QListWidget* list = popup->list();
        list->scrollToTop();
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
        QCOMPARE(chosen.count(), 0);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(2)).center());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(bar.schedule()->schedule(), chosen.first().first().toString());
    }

    void narrowBarKeepsItsButtons() {
        ControlBar bar;
        setTheme(Theme::make(ThemeKind::Light));
        show(bar, 1440, 48);
        bar.resize(1024, 48);
        bar.setState(SessionState::Idle);
        QVERIFY(bar.explainButton()->isVisible());
        QVERIFY(bar.gridButton()->isVisible());
    }

    void everyPresetIsLegal() {
        for (const Preset& preset : presets()) {
            ControlBar bar;
            show(bar, 1440, 48);
            ScheduleList* popup = open(bar);
            QTest::keyClicks(popup->filter(), QString::fromUtf8(preset.name));
            QVERIFY2(shownRows(*popup) >= 1, preset.name);
            QTest::keyClick(popup->filter(), Qt::Key_Return);
            QCOMPARE(bar.edited().schedule, std::string(preset.schedule));
            QVERIFY2(bar.currentProblems().empty(), preset.name);
        }
    }

    void illegalValuesLeadToLegalOnesForEveryRow() {
        for (const CatalogEntry& entry : catalog())
            for (const auto& [p, v, m] : {std::array{3, 1, 5}, std::array{4, 3, 7}, std::array{5, 2, 3}}) {
                ControlBar bar;
                show(bar, 1440, 48);
                RunConfig config;
                config.model.layers = 64;
                bar.setConfig(config);
                bar.schedule()->setCurrentIndex(bar.schedule()->findData(QString::fromLatin1(entry.name)));
                bar.p()->setValue(p);
                bar.v()->setValue(v);
                bar.m()->setValue(m);
                QTest::keyClick(bar.m(), Qt::Key_Return);
                const auto found = bar.currentProblems();
                for (const Problem& problem : found) {
                    QVERIFY2(!problem.legal.empty(), problem.text().c_str());
                    QVERIFY(bar.problemChip()->toolTip().contains(problemText(problem)));
                }
                for (int clicks = 0; clicks < 4 && !bar.currentProblems().empty(); ++clicks)
                    QTest::mouseClick(bar.problemChip()->fix(), Qt::LeftButton);
                QVERIFY2(bar.currentProblems().empty(),
                         qPrintable(QString::fromLatin1(entry.name) + ": " + bar.problemChip()->reason()));
            }
    }

    void fileIsAnEntryWhileItIsChosen() {
        ControlBar bar;
        RunConfig config;
        config.schedule = "file:/somewhere/mine.csv";
        bar.setConfig(config);
        QCOMPARE(bar.schedule()->currentText(), QStringLiteral("mine.csv"));
        bar.setConfig(RunConfig{});
        QCOMPARE(bar.schedule()->currentText(), QStringLiteral("1F1B"));
    }

    void explainsEveryScheduleInBothLanguages() {
        SchedulePanel panel;
        setTheme(Theme::make(ThemeKind::Light));
        show(panel, 340, 800);
        for (const CatalogEntry& entry : catalog()) {
            ScheduleParams params{4, defaultChunks(entry), 8, 0};
            if (!scheduleProblems(entry.name, params).empty()) params.m = 16;
            QVERIFY(scheduleProblems(entry.name, params).empty());
            panel.setLanguage(bscope::Language::English);
            panel.showSchedule(entry.name, params, {});
            QCOMPARE(panel.title(), QString::fromUtf8(entry.title));
            const QString english = panel.explanation().plainText();
            panel.setLanguage(bscope::Language::Chinese);
            const QString chinese = panel.explanation().plainText();
            QVERIFY(english != chinese);
            QVERIFY(chinese.contains(QStringLiteral("气泡")));
            const int stages = makeSchedule(entry.name, params).stageCount();
            const PlacementPicture& picture = panel.explanation().picture();
            QVERIFY(picture.boxOf(stages - 1).width() > 5 && picture.boxOf(stages - 1).height() > 3);
            QTRY_VERIFY(QRectF(picture.rect()).contains(picture.boxOf(stages - 1)));
        }
        QTest::mouseClick(panel.copyButton(), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), panel.explanation().plainText());
    }

    void frameworksNamesAreListed() {
        QVERIFY(frameworkNames("1f1b").contains(QStringLiteral("DAPPLE")));
        QVERIFY(frameworkNames("naive").isEmpty());
    }

    void fileReportListsEveryRuleAndOffersLegalOnes() {
        FileReport report;
        setTheme(Theme::make(ThemeKind::Light));
        show(report, 340, 400);
        const ScheduleFile broken = readScheduleFile("0F0,0F1,0B0,0B1\n1B0,1F0,1F1\n", "broken.csv");
        report.setFile(QStringLiteral("broken.csv"), broken, {});
        QCOMPARE(report.rules()->count(), static_cast<int>(broken.errors.size()));
        QVERIFY(!report.runButton()->isVisible());
        QSignalSpy chosen(&report, &FileReport::ruleChosen);
        QTest::mouseClick(report.rules()->viewport(), Qt::LeftButton, {},
                          report.rules()->visualItemRect(report.rules()->item(1)).center());
        QVERIFY(chosen.count() >= 1);
        QCOMPARE(chosen.last().first().toInt(), 1);
        const ScheduleFile old = readScheduleFile("0F0,0F1,0B0,0W0,0BW1\n1F0,1B0,1W0,1F1,1BW1\n", "old.csv");
        report.setFile(QStringLiteral("old.csv"), old, {});
        QVERIFY(report.notes().contains(QStringLiteral("old spelling")));
        QVERIFY(report.runButton()->isVisible());
        QSignalSpy run(&report, &FileReport::runClicked);
        QTest::mouseClick(report.runButton(), Qt::LeftButton);
        QCOMPARE(run.count(), 1);
        report.setFile(QStringLiteral("old.csv"), old, QStringLiteral("No layers left."));
        QVERIFY(!report.runButton()->isEnabled());
        QCOMPARE(report.verdict(), QStringLiteral("No layers left."));
    }

    void searchSaysWhatItFound() {
        SearchSection search;
        setTheme(Theme::make(ThemeKind::Light));
        show(search, 340, 240);
        SearchOffer offer;
        search.setOffer(offer);
        QSignalSpy asked(&search, &SearchSection::searchClicked),
            ended(&search, &SearchSection::cancelClicked);
        QTest::mouseClick(search.searchButton(), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        search.setRunning(true);
        QTest::mouseClick(search.searchButton(), Qt::LeftButton);
        QCOMPARE(ended.count(), 1);
        SearchFinding finding;
        finding.now = QStringLiteral("1F1B");
        finding.now_ms = 300;
        finding.found_ms = 270;
        finding.gap = 0.012;
        search.setFinding(finding);
        QVERIFY(search.runButton()->isVisible() && search.runButton()->isEnabled());
        QVERIFY(search.sentence().contains(QStringLiteral("1.2")));
        finding.found_ms = 300.01;
        search.setFinding(finding);
        QVERIFY(!search.runButton()->isEnabled());  // as long as what runs
        offer.params.m = 12;
        search.setOffer(offer);
        QVERIFY(!search.finding());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestSchedulePanel)

}  // namespace tst_schedule_panel

#include "tst_schedule_panel.moc"
