// Words of the tool bar: none is cut in a narrow bar, problems and labels are in the language of the window.
#include <QAction>
#include <QMenu>
#include <QTest>

#include "registered_test.h"
#include "shown_bar.h"
#include "widgets/text/config_text.h"

namespace tst_control_words {

using namespace bscope;
using namespace bscope::ui;

class TestControlWords : public QObject {
    Q_OBJECT

private slots:
    // The whole reason can be read at every width, and nothing stands over anything else.
    void reasonsAreNeverCut_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("scale");
        for (const int width : {640, 760, 1024, 1280, 1440, 1920, 3840})
            for (const double scale : {1.0, 1.5, 2.0})
                if (width >= 620 * scale) QTest::addRow("%d at %g", width, scale) << width << scale;
    }

    void reasonsAreNeverCut() {
        QFETCH(int, width);
        QFETCH(double, scale);
        QWidget window;  // whose picture begins below the bar
        auto* column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        auto* shown_bar = new ControlBar(&window);
        column->addWidget(shown_bar);
        column->addStretch(1);
        ControlBar& bar = *shown_bar;
        window.resize(width, 600);
        window.show();
        setTheme(Theme::make(ThemeKind::Light, ColourScheme::Bubblescope, scale));
        QTRY_COMPARE(bar.width(), width);
        RunConfig interleaved;
        interleaved.schedule = "interleaved";
        interleaved.params = {4, 2, 8, 0};
        bar.setConfig(interleaved);
        bar.m()->setValue(6);
        QTRY_VERIFY(bar.problemChip()->isVisible());
        bar.layout()->activate();
        ProblemChip* chip = bar.problemChip();
        QVERIFY(chip->parentWidget()->rect().contains(chip->geometry()));
        QVERIFY(chip->height() >= chip->heightForWidth(chip->width()));
        for (Button* button : {chip->fix(), chip->otherFix()})
            QVERIFY(chip->rect().contains(button->geometry()));
        QCOMPARE(chip->toolTip(), problemText(bar.currentProblems().front()));
        const QRect place(chip->mapTo(&window, QPoint(0, 0)), chip->size());
        for (QWidget* part : std::initializer_list<QWidget*>{bar.m(), bar.schedule(), bar.runButton()})
            QVERIFY(!part->geometry().intersects(place));
        const int high = bar.height();
        QTest::mouseClick(chip->fix(), Qt::LeftButton);
        QVERIFY(!chip->isVisible());
        QCOMPARE(bar.height(), high);  // what lies below the bar was not moved
    }

    void narrowBarKeepsItsFields_data() {
        QTest::addColumn<int>("width");
        for (int width : {1920, 1440, 1280, 1024}) QTest::addRow("%d", width) << width;
    }

    void narrowBarKeepsItsFields() {
        QFETCH(int, width);
        ControlBar bar;
        showBar(bar, width);
        const auto fits = [&](QWidget* part) {
            return part->isVisible() && part->x() >= 0 && part->geometry().right() < width &&
                   part->width() >= part->minimumSizeHint().width();
        };
        for (QWidget* part : std::initializer_list<QWidget*>{
                 bar.runButton(), bar.stepButton(), bar.schedule(), bar.p(), bar.m(), bar.v(),
                 bar.recompute(), bar.setupButton(), bar.viewSwitch(), bar.exportButton()})
            QVERIFY2(fits(part), part->metaObject()->className());
    }

    // Nothing visible is cut; what has left the bar is in its menu, so that all can be reached at every size.
    void nothingIsCutAndNothingIsLost_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QString>("schedule");
        for (const char* schedule : {"1f1b", "interleaved-pytorch"})
            for (const int width : {640, 700, 760, 900, 1024, 1280, 1440, 1920, 3840})
                for (const double scale : {0.7, 1.0, 1.4, 2.0, 3.0})
                    if (width >= 640 * scale)
                        QTest::addRow("%s %d at %g", schedule, width, scale)
                            << width << scale << QString::fromLatin1(schedule);
    }

    void nothingIsCutAndNothingIsLost() {
        QFETCH(int, width);
        QFETCH(double, scale);
        QFETCH(QString, schedule);
        ControlBar bar;
        showBar(bar, width);
        setTheme(Theme::make(ThemeKind::Light, ColourScheme::Bubblescope, scale));
        QMenu exports(QStringLiteral("Export"));
        exports.addAction(QStringLiteral("PNG"));
        bar.setExportMenu(&exports);
        RunConfig config;
        config.schedule = schedule.toStdString();
        bar.setConfig(config);
        bar.layout()->activate();
        emit bar.overflowMenu()->aboutToShow();
        QStringList in_menu;
        for (const QAction* action : bar.overflowMenu()->actions()) in_menu << action->text();
        int right = 0;
        for (QWidget* part : std::initializer_list<QWidget*>{
                 bar.runButton(), bar.stepButton(), bar.schedule(), bar.explainButton(), bar.gridButton(),
                 bar.p(), bar.m(), bar.v(), bar.recompute(), bar.setupButton(), bar.viewSwitch(),
                 bar.exportButton(), bar.overflowButton()}) {
            if (!part->isVisible()) continue;
            QVERIFY2(part->x() >= right, part->metaObject()->className());
            right = part->geometry().right();
            QVERIFY2(part->width() >= part->minimumSizeHint().width(), part->metaObject()->className());
        }
        QVERIFY(right < width);
        QVERIFY(bar.schedule()->width() >= bar.schedule()->minimumSizeHint().width());
        for (QWidget* always :
             std::initializer_list<QWidget*>{bar.runButton(), bar.schedule(), bar.p(), bar.m(), bar.v()})
            QVERIFY(always->isVisible());
        const auto reachable = [&](const QWidget* part, const QString& name) {
            return part->isVisible() || (bar.overflowButton()->isVisible() && in_menu.contains(name));
        };
        QVERIFY(reachable(bar.stepButton(), bar.stepButton()->accessibleName()));
        QVERIFY(reachable(bar.explainButton(), bar.explainButton()->accessibleName()));
        QVERIFY(reachable(bar.gridButton(), bar.gridButton()->accessibleName()));
        QVERIFY(reachable(bar.recompute(), bar.recompute()->accessibleName()));
        QVERIFY(reachable(bar.setupButton(), bar.setupButton()->text()));
        QVERIFY(reachable(bar.exportButton(), QStringLiteral("Export")));
        for (int i = 0; i < 3; ++i)
            QVERIFY(reachable(bar.viewSwitch(), bar.viewSwitch()->segment(i)->text()));
    }

    void everyProblemHasItsChinese() {
        std::vector<RunConfig> wrong(6);
        wrong[0].schedule = "none";
        wrong[0].params = {0, 0, 0, -1};
        wrong[0].micro_batch = wrong[0].model.sequence = wrong[0].model.hidden = wrong[0].model.heads =
            wrong[0].model.layers = 0;
        wrong[0].model.vocabulary = 1;
        wrong[0].link = {-1, -1};
        wrong[0].training = {-1, -1, -1};
        wrong[0].memory_cap_mb = -1;
        wrong[1].params.v = 2;
        wrong[1].model.heads = 3;
        wrong[1].layers_per_stage = {0, 1};
        wrong[2].schedule = "interleaved";
        wrong[2].slow_ranks = {{9, 2.0}, {1, 0.5}, {1, 2.0}};
        wrong[3].params.p = 16;
        wrong[4].params = {64, 1, 1 << 16, 0};
        wrong[5].schedule = "interleaved";
        wrong[5].params = {4, 2, 6, 3};
        wrong.push_back(wrong[5]);
        wrong.back().params.group_size = 0;
        for (const auto& [schedule, d] : {std::pair{"1f1b", 0}, {"1f1b", 900}, {"chimera", 2}}) {
            wrong.emplace_back().schedule = schedule;
            wrong.back().params.d = d;
        }
        for (const RunConfig& config : wrong) {
            const std::vector<Problem> found = problems(config);
            QVERIFY(!found.empty());
            for (const Problem& problem : found)
                QVERIFY2(chineseWords().contains(problem.words.id), problem.words.id.c_str());
        }
    }

    void wordsChangeWithTheLanguage() {
        ControlBar bar;
        showBar(bar);
        bar.runButton()->setText("?");
        QEvent change(QEvent::LanguageChange);
        QCoreApplication::sendEvent(&bar, &change);
        QCOMPARE(bar.runButton()->text(), QStringLiteral("Run"));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestControlWords)

}  // namespace tst_control_words

#include "tst_control_words.moc"
