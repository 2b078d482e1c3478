// What stands on the canvas: layers, title, ends of lanes, several runs, replicas, legend, exact columns.
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "canvas_fixture.h"
#include "catalog/catalog.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "schedule/lowering.h"
#include "timeline/places_of.h"
#include "timeline/predict.h"
#include "view/text/text_gantt.h"
#include "widgets/gantt/legend_bar.h"
#include "widgets/paint/mini_timeline.h"
#include "widgets/picture/legend_items.h"
#include "widgets/picture/overlay_painter.h"
#include "widgets/schedule/grid_model.h"
#include "widgets/text/config_text.h"

namespace tst_gantt_picture {

using namespace bscope;
using namespace bscope::ui;

class TestGanttPicture : public QObject, CanvasFixture {
    Q_OBJECT

private slots:
    void init() { open(); }
    void cleanup() { close(); }

    void hiddenLayersLeaveThePicture() {
        const auto shown = [this](const QColor& colour) {
            const QImage image = view_->grab().toImage();
            for (int px_x = static_cast<int>(lane(0).box.left()); px_x < lane(0).box.right(); ++px_x)
                for (int px_y = static_cast<int>(lane(0).all.top()); px_y < lane(0).all.bottom(); ++px_y)
                    if (image.pixelColor(px_x, px_y) == colour) return true;
            return false;
        };
        const Theme& theme = view_->picture().theme;
        QVERIFY(shown(theme.bubble) && shown(theme.memory_fill) && shown(theme.fill(Op::Forward)));
        Layers layers;
        layers.bubbles = false;
        state_->setLayers(layers);
        QTRY_VERIFY(!shown(theme.bubble));
        layers.memory = false;
        state_->setLayers(layers);
        QTRY_VERIFY(!shown(theme.memory_fill));
        QVERIFY(shown(theme.fill(Op::Forward)));
    }

    // What the durations are is said in a word before the schedule's name is cut.
    void aNarrowTitleKeepsTheName() {
        IterationView view = sampleView();
        view.calibrated_over = 1;
        view_->setView(view);
        bool shortened = false;
        for (int width = 1100; width >= 560; width -= 10) {
            view_->resize(width, 600);
            PaintRecorder recorder(view_->size());
            QPainter painter(&recorder);
            TimelinePainter(painter, view_->picture()).draw();
            painter.end();
            QStringList texts;
            for (const PaintRecorder::Text& text : recorder.texts) texts << text.text;
            QVERIFY2(texts.contains(scheduleTitle(view.config.schedule)),
                     qPrintable(QString("%1: %2").arg(width).arg(texts.join(u'|'))));
            shortened = shortened || !texts.filter(QRegularExpression("calibrated$")).isEmpty();
        }
        QVERIFY(shortened);
    }

    void themesChangeTheCanvas() {
        setTheme(Theme::make(ThemeKind::Dark));
        QTRY_COMPARE(view_->grab().toImage().pixelColor(2, 2).name(), QStringLiteral("#14171c"));
    }

    void laneEndsKeepTheLastCompleteIteration() {
        SampleOptions running;
        running.until = 0.5;
        view_->setView(sampleView(running));
        QVERIFY(view_->picture().last_complete);
        QCOMPARE(view_->picture().last_complete->summary.iteration, 36);
        SampleOptions other;
        other.p = 2;
        other.until = 0.5;
        view_->setView(sampleView(other));
        QVERIFY(!view_->picture().last_complete);  // other ranks: those numbers mean nothing here
        view_->setView(sampleView());
        view_->setView(sampleView(running));
        QVERIFY(view_->picture().last_complete);
        view_->setLastComplete(std::nullopt);  // another run has begun
        QVERIFY(!view_->picture().last_complete);
    }

    // A plan below it changes nothing of that, and takes no numbers of the run.
    void laneEndsKeepTheLastCompleteIterationAboveAPlan() {
        IterationView plan = sampleView();
        plan.ran = std::make_shared<const Timeline>(plan.planned->ranks(), Provenance::Predicted);
        plan.summary.reset();
        plan.report.reset();
        plan.alternative = true;
        SampleOptions running;
        running.until = 0.5;
        view_->setStacked({sampleView(), plan});
        view_->setStacked({sampleView(running), plan});
        QVERIFY(view_->picture().last_complete);
        const QString number = QStringLiteral("#%1:").arg(view_->picture().last_complete->number);
        QVERIFY2(drawnText().contains(number), qPrintable(drawnText()));
        const auto& groups = view_->picture().groups;
        QVERIFY(view_->picture().reportBeside(groups[0]).has_value());
        QVERIFY(!view_->picture().reportBeside(groups[1]).has_value());
    }

    // However narrow the window and whatever stands beside them.
    void titleKeepsBubbleAndThroughput() {
        for (const char* schedule : {"1f1b", "interleaved-pytorch"})
            for (const int width : {600, 760, 1024, 1440}) {
                SampleOptions options;
                options.schedule = schedule;
                view_->resize(width, 400);
                const IterationView shown = sampleView(options);
                view_->setView(shown);
                const QString bubble = Notation{}.bubble(shown.summary->bubble_of_total);
                view_->setTitleChips({{"a", "disturbed: wall/CPU 13.77", "disturbed", "why", true}});
                const QString drawn = drawnText();
                for (QString word : {QStringLiteral("of total"), QStringLiteral("tokens/s"), bubble})
                    QVERIFY2(drawn.contains(word.replace(QChar::Nbsp, u' ')),
                             qPrintable(QString("%1 at %2: %3").arg(schedule).arg(width).arg(drawn)));
            }
    }

    void chipsOfTheTitleAreButtonsBesideTheNumbers() {
        view_->setTitleChips({{"a", "disturbed: wall/CPU 13.77", "disturbed", "why", true},
                              {"b", "baseline #3", "#3", "unpin", false}});
        QCOMPARE(view_->titleChips().size(), 2u);
        QSignalSpy clicked(view_.get(), &GanttView::titleChipClicked);
        Button* chip = view_->titleChips().front();
        QVERIFY(chip->isVisible());
        QCOMPARE(chip->text(), QStringLiteral("disturbed: wall/CPU 13.77"));
        QVERIFY(view_->picture().layout.title.contains(chip->geometry()));
        QVERIFY(!chip->geometry().intersects(view_->titleChips().back()->geometry()));
        QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.front().front().toString(), QStringLiteral("a"));
        QTest::mouseClick(view_->titleChips().back(), Qt::LeftButton);
        QCOMPARE(clicked.count(), 1);
        view_->resize(700, 400);
        QCOMPARE(chip->text(), QStringLiteral("disturbed"));
        view_->setTitleChips({});
        QCOMPARE(view_->picture().title_end, 0.0);
    }

    void laneEndsAreInTheUnitOfTime() {
        QVERIFY(drawnText().contains("ms to plan"));
        state_->setTimeUnit(TimeUnit::MedianForward);
        const QString drawn = drawnText();
        QVERIFY2(drawn.contains("F to plan") && !drawn.contains("ms to plan"), qPrintable(drawn));
    }

    void laneEndsOfShortIterationsHaveTwoDigits() {
        IterationView brief = sampleView();
        for (RankSummary& rank : brief.plan_summary.ranks)
            rank.last_end_ns = brief.plan_summary.start_ns + 100'000;
        for (RankSummary& rank : brief.summary->ranks) rank.last_end_ns = brief.summary->start_ns + 130'000;
        view_->setView(brief);
        QVERIFY2(drawnText().contains("+0.03 ms to plan"), qPrintable(drawnText()));
    }

    // Three runs of a lesson in the room that common screens leave: all in sight, if need be without memory.
    void threeRunsAreInSight_data() {
        QTest::addColumn<QSize>("room");
        QTest::addColumn<int>("ranks");
        QTest::newRow("1440 x 900") << QSize(1068, 700) << 4;
        QTest::newRow("1440 x 900, eight ranks") << QSize(1068, 700) << 8;
        QTest::newRow("1280 x 720") << QSize(908, 540) << 4;
        QTest::newRow("1024 x 700") << QSize(652, 520) << 4;
    }

    void threeRunsAreInSight() {
        QFETCH(QSize, room);
        QFETCH(int, ranks);
        SampleOptions options;
        options.p = ranks;
        const IterationView one = sampleView(options);
        view_->resize(room);
        view_->setStacked({one, one, one});
        const LaneLayout& layout = view_->picture().layout;
        QCOMPARE(layout.max_scroll, 0.0);
        for (const auto& group : layout.groups)
            for (const Lane& each : group) {
                QVERIFY(each.box.height() >= 11);
                QVERIFY(each.all.bottom() <= room.height() + 1);
            }
        view_->resize(1068, 1800);
        QVERIFY(layout.metrics.memory > 0);  // as soon as there is room
    }

    void manyRanksScroll() {
        SampleOptions many;
        many.p = 16;
        view_->setView(sampleView(many));
        QVERIFY(view_->picture().layout.max_scroll > 0);
        const double before = lane(0).all.top();
        wheel({30, 300}, -2);
        QVERIFY(lane(0).all.top() < before);
        QCOMPARE(state_->range(), view_->fitRange());  // over the lane headers the wheel does not zoom
        QVERIFY(!view_->scrollBar()->isHidden());
        QVERIFY(view_->scrollBar()->value() > 0);
        view_->scrollBar()->setValue(view_->scrollBar()->maximum());
        QVERIFY(lane(15).memory.bottom() <= view_->height());
        QVERIFY(lane(15).end.right() <= view_->scrollBar()->x() + 1);
        view_->setView(sampleView());
        QVERIFY(view_->scrollBar()->isHidden());
    }

    void stackedIterationsShareTheTimeAxis() {
        SampleOptions gpipe;
        gpipe.schedule = "gpipe";
        view_->setStacked({sampleView(gpipe), sampleView()});
        QVERIFY(view_->picture().layout.stacked);
        QCOMPARE(view_->views().size(), std::size_t(2));
        QTest::mouseClick(view_.get(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(x(12e6)),
                                 static_cast<int>(view_->picture().layout.groups[1][0].box.center().y())));
        QVERIFY(state_->selection());
        QCOMPARE(view_->picture().lives.size(), std::size_t(2));
    }

    // A lesson's texts speak of A and B; what differs may be in no parameter that the title names.
    void stackedIterationsAreLettered() {
        view_->setStacked({sampleView(), sampleView()});
        const auto nameOf = [&](std::size_t group) {
            const QRectF& title = view_->picture().layout.group_titles[group];
            return view_->grab().toImage().copy(16, static_cast<int>(title.center().y()) - 8, 60, 16);
        };
        QTRY_VERIFY(nameOf(0) != nameOf(1));
    }

    void everyReplicaHasItsLanes() {
        SampleOptions options;
        options.schedule = "interleaved";
        options.p = 2;
        options.v = 2;
        options.d = 2;
        view_->setView(sampleView(options));
        QCOMPARE(view_->picture().layout.groups.front().size(), std::size_t(4));
        QCOMPARE(group().lane(1).stages, (std::vector<int>{4, 6}));
        QCOMPARE(group().chunkLetterOf(4), 0);
        QCOMPARE(group().chunkLetterOf(6), 1);
        QCOMPARE(group().stageInReplica(6), 2);
        QCOMPARE(group().chunkLetterOf(6), group().chunkLetterOf(2));
        for (int rank = 0; rank < 4; ++rank)
            QCOMPARE(std::ranges::count(group().ran(rank), Op::ReduceGradients, &Event::op), 2);
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, middle(firstEvent(1, Op::Forward, 0)));
        QVERIFY(state_->selection());
        for (const Event& box : view_->picture().lives.front().boxes) QCOMPARE(box.rank % 2, 1);
        QVERIFY(parameterText(group().view()).contains("d=2"));
        const auto items = legendItems(signsOf(group(), false), view_->picture().theme,
                                       view_->picture().layers, LegendUse::Window, 96);
        QCOMPARE(std::ranges::count(items, Op::ReduceGradients, &LegendItem::op), 1);
        QVERIFY(!parameterText(sampleView()).contains("d="));
    }

    // One letter for one box, in the terminal, in the grid of the schedule, on the canvas and in the small
    // pictures: chunks of a rank are counted in each replica anew.
    void chunksOfReplicasAreTheSameEverywhere() {
        ScheduleParams params{2, 2, 2};
        params.d = 2;
        const Schedule schedule = makeSchedule("interleaved", params);
        const Timeline timeline = predict(lower(schedule), unitCosts(8, 1, 2, 1, 0));
        SampleOptions options;
        options.schedule = "interleaved";
        options.p = options.v = options.d = options.m = 2;
        view_->setView(sampleView(options));
        const GridModel grid = gridOf(schedule);
        const QStringList rows =
            QString::fromStdString(textGantt(timeline, 0, 240, TerminalColours::None)).split('\n');
        const Theme& theme = currentTheme();
        MiniTimelineStyle style;
        const double pitch = style.row_height + style.row_gap, length = static_cast<double>(timeline.end_ns());
        QImage image(1200, static_cast<int>(4 * pitch), QImage::Format_RGB32);
        {
            QPainter painter(&image);
            paintMiniTimeline(painter, image.rect(), timeline, placesOf(timeline), theme, length, style);
        }
        for (int rank = 0; rank < 4; ++rank)
            for (const Event& event : timeline.compute(rank)) {
                if (!isCompute(event.op)) continue;
                const int chunk = event.stage % 4 / 2;  // two stages of the chain lie between a rank's two
                QCOMPARE(schedule.placement[static_cast<std::size_t>(event.stage)], rank);
                QCOMPARE(group().chunkLetterOf(event.stage), chunk);
                QCOMPARE(grid.chunkOf(event.stage), chunk);
                const QString text = QString::fromUtf8(opText(event.op).data()) +
                                     QString::number(event.microbatch) + QChar(u'a' + chunk);
                QVERIFY2(rows[rank].contains(text), qPrintable(text + " in " + rows[rank]));
                const double middle = static_cast<double>(event.start_ns + event.end_ns) / 2 / length;
                QCOMPARE(image.pixelColor(static_cast<int>(middle * image.width()),
                                          static_cast<int>(rank * pitch + style.row_height / 2)),
                         theme.fill(event.op, chunk));
            }
    }

    // However narrow, and whatever stands beside it.
    void theAdditionOfGradientsIsSeen() {
        SampleOptions options;
        options.p = 2;
        options.d = 2;
        options.m = 32;
        IterationView narrow = sampleView(options);
        auto ran = std::make_shared<Timeline>(narrow.ran->ranks(), Provenance::Reconstructed);
        for (int rank = 0; rank < narrow.ran->ranks(); ++rank)
            for (Event each : narrow.ran->compute(rank)) {
                if (each.op == Op::ReduceGradients) each.end_ns = each.start_ns + 100;
                ran->append(each);
            }
        narrow.ran = ran;
        view_->setView(narrow);
        view_->replot();
        const QImage image = view_->grab().toImage();
        const QColor reduction = view_->picture().theme.fill(Op::ReduceGradients);
        const double ratio = image.devicePixelRatio();
        for (int rank = 0; rank < 4; ++rank) {
            const QRectF box = lane(rank).box;
            const int at = static_cast<int>(
                x(group().relative(firstEvent(rank, Op::ReduceGradients, -1).start_ns)) * ratio);
            bool seen = false;  // the dotted end of the iteration may stand there
            for (int y = static_cast<int>(box.top() * ratio); y < box.bottom() * ratio; ++y)
                for (int near = at - 2; near <= at + 2; ++near)
                    seen |= image.pixelColor(near, y) == reduction;
            QVERIFY2(seen, qPrintable(QString::number(rank)));
        }
    }

    // GPipe keeps twice what 1F1B keeps, and the strips must look like it.
    void stackedIterationsShareTheMemoryScale() {
        SampleOptions gpipe;
        gpipe.schedule = "gpipe";
        IterationView left = sampleView(gpipe), right = sampleView();
        left.config.memory_cap_mb = right.config.memory_cap_mb = 0;
        QVERIFY(PreparedView(left).memoryScale() > PreparedView(right).memoryScale());
        view_->setStacked({left, right});
        QCOMPARE(view_->picture().groups[0].memoryScale(), PreparedView(left).memoryScale());
        QCOMPARE(view_->picture().groups[1].memoryScale(), PreparedView(left).memoryScale());
        view_->setStacked({right, left});
        view_->setView(right);  // alone it has its own again
        QCOMPARE(group().memoryScale(), PreparedView(right).memoryScale());
    }

    // A lesson asks before it answers: the picture stays, what came out goes, and it is not called live.
    void hiddenNumbersLeaveThePictureComplete() {
        IterationView view = sampleView();
        view.numbers_hidden = true;
        view_->setView(sampleView());
        QVERIFY(view_->picture().last_complete);
        view_->setView(view);
        QVERIFY(group().numbers() == nullptr);
        QVERIFY(!view_->picture().last_complete);
        QVERIFY(!group().running());
        QCOMPARE(group().ran(0).size(), view.ran->compute(0).size());
    }

    // Boxes below 2 px: every column shows the exact share of each operation in its time.
    void narrowBoxesBecomeExactColumns() {
        SampleOptions many;
        many.p = 2;
        many.m = 2000;
        const IterationView sample = sampleView(many);
        view_->setView(sample);
        state_->setLayers({true, false, false, true});
        const QImage image = painted();
        const Theme& theme = view_->picture().theme;
        for (int column = 400; column < 440; ++column) {
            int forward = 0, backward = 0;
            for (int y = static_cast<int>(lane(1).box.top()); y < lane(1).box.bottom(); ++y) {
                forward += image.pixelColor(column, y) == theme.fill(Op::Forward);
                backward += image.pixelColor(column, y) == theme.fill(Op::Backward);
            }
            const std::int64_t from = sample.start_ns + std::llround(ns(column)),
                               to = sample.start_ns + std::llround(ns(column + 1));
            const auto rows = [&](Op op) {
                return static_cast<double>(sample.ran->busy_ns(1, op, from, to)) /
                       static_cast<double>(to - from) * lane(1).box.height();
            };
            QVERIFY2(std::abs(forward - rows(Op::Forward)) <= 1.01, qPrintable(QString::number(column)));
            QVERIFY2(std::abs(backward - rows(Op::Backward)) <= 1.01, qPrintable(QString::number(column)));
        }
    }

    // Boxes of two and three pixels are painted with the columns beside them, curves of many steps column by
    // column: each stands where it ran, as high as it is.
    void boxesOfAFewPixelsAndTheirMemory() {
        SampleOptions many;
        many.p = 2;
        many.m = 200;
        const IterationView sample = sampleView(many);
        view_->setView(sample);
        const QImage image = painted();
        const Picture& picture = view_->picture();
        const Theme& theme = picture.theme;
        int narrow = 0;
        for (const Event& event : sample.ran->compute(1)) {
            if (event.op != Op::Backward) continue;
            const double left = picture.snapped(picture.xOf(picture.groups[0], event.start_ns));
            const double right = picture.snapped(picture.xOf(picture.groups[0], event.end_ns));
            if (right - left < 2 || right - left > 3) continue;
            ++narrow;
            for (const double y : {lane(1).box.top() + 1, lane(1).box.center().y(), lane(1).box.bottom() - 2})
                QCOMPARE(image.pixelColor(static_cast<int>(left) + 1, static_cast<int>(y)),
                         theme.fill(Op::Backward));
        }
        QVERIFY(narrow > 100);

        const auto points = sample.ran->memory(0);
        const auto rowsAt = [&](int column) {
            int rows = 0;
            for (int y = static_cast<int>(lane(0).memory.top()); y < lane(0).memory.bottom(); ++y) {
                const QColor at = image.pixelColor(column, y);
                rows += at == theme.memory_fill || at == theme.memory_line;
            }
            return rows;
        };
        const auto highest = [&](int column) {  // live bytes in the column's time
            std::int64_t live = 0;
            for (const MemoryPoint& point : points) {
                const double x = picture.xOf(picture.groups[0], point.time_ns);
                if (x >= column + 1) break;
                live = x < column ? point.live_bytes : std::max(live, point.live_bytes);
            }
            return static_cast<double>(live);
        };
        double rows_of_peak = 0, peak = 0;
        const int first = static_cast<int>(picture.layout.plot.left()) + 40;
        for (int column = first; column < first + 400; ++column)
            if (highest(column) > peak) peak = highest(column), rows_of_peak = rowsAt(column);
        QVERIFY(rows_of_peak > 5);
        for (int column = first; column < first + 400; ++column)
            QVERIFY2(std::abs(rowsAt(column) - highest(column) / peak * rows_of_peak) <= 1.6,
                     qPrintable(QString::number(column)));
    }

    // Entries come and stay, so that the line does not jump from iteration to iteration; another
    // configuration has its own.
    void legendGrowsWithinAConfiguration() {
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        const IterationView whole = sampleView();
        IterationView quiet = whole;
        auto no_messages = std::make_shared<Timeline>(whole.ran->ranks(), Provenance::Reconstructed);
        for (int rank = 0; rank < whole.ran->ranks(); ++rank)
            for (const Event& each : whole.ran->compute(rank)) no_messages->append(each);
        quiet.ran = no_messages;
        const auto entries = [&legend](const IterationView& view) {
            const std::vector<PreparedView> groups{PreparedView(view)};
            legend.setGroups(groups);
            return std::ranges::count_if(legend.findChildren<QToolButton*>(),
                                         [](const QToolButton* each) { return each->isVisible(); });
        };
        const auto before = entries(quiet);
        const auto after = entries(whole);
        QVERIFY(after >= before + 3);  // transfer, wait, arrows, and idle time that messages cause
        QCOMPARE(entries(quiet), after);
        IterationView other = quiet;
        other.config.seed += 1;
        QCOMPARE(entries(other), before);
    }

    // Stacked iterations have no outlines: once all have run nothing predicted is seen.
    void theLegendOfALessonLosesThePlan() {
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        const auto hasPlan = [&](double until) {
            const std::vector<PreparedView> groups{PreparedView(sampleView({.schedule = "gpipe"})),
                                                   PreparedView(sampleView({.until = until}))};
            legend.setGroups(groups);
            return std::ranges::any_of(legend.findChildren<QToolButton*>(), [](const QToolButton* each) {
                return each->text() == u"predicted" && each->isVisible();  // no switch
            });
        };
        QVERIFY(hasPlan(0.5));
        QVERIFY(!hasPlan(1));
    }

    // What no baseline is pinned for is not explained.
    void theLegendForgetsTheBaseline() {
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        IterationView alone = sampleView(), compared = sampleView();
        compared.compared =
            std::make_shared<const ComparedWith>(ComparedWith{3, {}, PairedDurations(partOf(alone))});
        const auto names = [&](const IterationView& view) {
            const std::vector<PreparedView> groups{PreparedView(view)};
            legend.setGroups(groups);
            return std::ranges::any_of(legend.findChildren<QToolButton*>(), [](const QToolButton* each) {
                return each->isVisible() && each->text().startsWith(u"differs from the baseline");
            });
        };
        QVERIFY(!names(alone));
        QVERIFY(names(compared));
        QVERIFY(!names(alone));
    }

    void legendEntriesAreToggles() {
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        legend.setGroups(view_->picture().groups);
        const auto entry = [&legend](const char* word) -> QToolButton* {
            for (QToolButton* each : legend.findChildren<QToolButton*>())
                if (each->text().contains(QLatin1String(word))) return each;
            return nullptr;
        };
        QToolButton* bubbles = entry("fill");
        QVERIFY(bubbles != nullptr);
        QTest::mouseClick(bubbles, Qt::LeftButton);
        QVERIFY(!state_->layers().bubbles);
        QVERIFY(!bubbles->isChecked());
        QVERIFY(!bubbles->font().strikeOut());  // merely off, nothing is wrong with it
        view_->toggleLayer(&Layers::bubbles);
        QVERIFY(bubbles->isChecked());
        QVERIFY(!entry("messages")->isChecked());
        QTest::mouseClick(entry("messages"), Qt::LeftButton);
        QVERIFY(state_->layers().arrows);
        auto* follow = legend.findChild<QToolButton*>("follow");
        QTest::mouseClick(follow, Qt::LeftButton);
        QVERIFY(!state_->follow());
    }

    // A click that changes which entries there are leaves its button alive until it has been dealt with.
    void anEntryOutlivesItsClick() {
        Layers layers = state_->layers();
        layers.memory_bands = true;
        state_->setLayers(layers);
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        legend.setGroups(view_->picture().groups);
        for (const QPointer<QToolButton> each : legend.findChildren<QToolButton*>()) {
            if (each == nullptr || !each->isVisible() || !each->objectName().isEmpty()) continue;
            if (each->testAttribute(Qt::WA_TransparentForMouseEvents)) continue;
            QTest::mouseClick(each, Qt::LeftButton);
            QVERIFY2(each != nullptr, "deleted within its own click");
        }
    }

    // What has no room is in a menu and can still be switched.
    void aNarrowLegendKeepsItsEntriesInAMenu() {
        LegendBar legend(*state_);
        legend.resize(2000, 26);
        legend.show();
        legend.setGroups(view_->picture().groups);
        auto* more = legend.findChild<QToolButton*>("more");
        const auto shown = [&] {
            QStringList texts;
            for (const QToolButton* each : legend.findChildren<QToolButton*>())
                if (each != more && each->objectName() != u"follow" && each->isVisible())
                    texts << each->text();
            return texts;
        };
        const QStringList all = shown();
        QVERIFY(!more->isVisible());
        legend.resize(500, 26);
        QVERIFY(more->isVisible());
        const auto* follow = legend.findChild<QToolButton*>("follow");
        QTRY_VERIFY(more->geometry().right() < follow->geometry().left());
        emit more->menu()->aboutToShow();
        QStringList both = shown();
        QAction* memory = nullptr;
        for (QAction* action : more->menu()->actions()) {
            both << action->text();
            if (action->text().contains(QLatin1String("activations"))) memory = action;
        }
        QCOMPARE(QSet<QString>(both.begin(), both.end()), QSet<QString>(all.begin(), all.end()));
        QVERIFY(memory != nullptr && memory->isChecked());
        memory->trigger();
        QVERIFY(!state_->layers().memory);
    }

    void everyStateCanBeDrawn_data() {
        QTest::addColumn<SampleOptions>("options");
        QTest::newRow("plan only") << SampleOptions{.ran = false};
        QTest::newRow("nothing yet") << SampleOptions{.until = 0};
        QTest::newRow("interleaved, running")
            << SampleOptions{.schedule = "interleaved", .v = 2, .until = 0.6};
        QTest::newRow("recompute") << SampleOptions{.recompute = Recompute::Full};
        QTest::newRow("eight ranks") << SampleOptions{.p = 8, .m = 32};
        QTest::newRow("one rank") << SampleOptions{.p = 1, .m = 1};
    }

    void everyStateCanBeDrawn() {
        QFETCH(SampleOptions, options);
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Projector}) {
            setTheme(Theme::make(kind));
            view_->setView(sampleView(options));
            view_->replot(QCustomPlot::rpImmediateRefresh);
            QVERIFY(!view_->grab().isNull());
        }
    }

    // Arrows are the selection's, unless those of all messages are asked for.
    void arrowsBelongToTheSelection() {
        const auto arrows = [this] {
            PaintRecorder recorder(view_->size());
            QPainter painter(&recorder);
            OverlayPainter(painter, view_->picture()).draw({}, std::nullopt, std::nullopt);
            painter.end();
            return std::ranges::count_if(recorder.shapes, [](const PaintRecorder::Shape& shape) {
                return shape.fill.isValid() && shape.bounds.width() < 12 && shape.bounds.height() < 12;
            });
        };
        QVERIFY(!state_->layers().arrows && !state_->layers().ghost);
        QCOMPARE(arrows(), 0);
        state_->select(Selection{1, {1, Op::Forward, 2}, 36});
        QCOMPARE(arrows(), 6);  // to the last rank and back
        state_->select(std::nullopt);
        view_->toggleLayer(&Layers::arrows);
        QVERIFY(arrows() > 6);
    }

    // The line of the present says its time beside the words of the change that waits, not over them.
    void pillsOfTheRulerStandApart() {
        view_->setBoundaryNote("from here m 8 → 16");
        for (int percent = 50; percent < 98; percent += 2) {
            view_->setView(sampleView({.until = 0.01 * percent}));
            PaintRecorder recorder(view_->size());
            QPainter painter(&recorder);
            OverlayPainter(painter, view_->picture()).draw({}, std::nullopt, std::nullopt);
            painter.end();
            const QRectF note = boundaryNotePlace(view_->picture());
            QVERIFY(!note.isNull());
            int seen = 0;
            for (const PaintRecorder::Shape& pill : recorder.shapes) {
                if (pill.fill == view_->picture().theme.canvas) QVERIFY(!pill.bounds.intersects(note));
                if (pill.fill != view_->picture().theme.ok || pill.bounds.width() < 20) continue;
                ++seen;
                QVERIFY(!pill.bounds.intersects(note));
            }
            QCOMPARE(seen, 1);
        }
    }

    // All ranks say how far they are from the plan in the same words, whatever room there is.
    void distancesToThePlanAreWrittenAlike() {
        for (const int width : {700, 900, 1156, 1600, 3200}) {
            view_->resize(width, 690);
            PaintRecorder recorder(view_->size());
            QPainter painter(&recorder);
            TimelinePainter(painter, view_->picture()).draw();
            painter.end();
            int whole = 0, cut = 0;
            static const QRegularExpression number("^[+−]\\d[\\d.]*\\s?ms$");
            for (const PaintRecorder::Text& text : recorder.texts) {
                if (text.text.contains("to plan")) ++whole;
                if (QString(text.text).replace(QChar::Nbsp, u' ').contains(number)) ++cut;
                if (text.text.contains("to plan")) QVERIFY(text.place.right() <= view_->width() - 3);
            }
            QVERIFY2(whole == 0 || (whole == 4 && cut == 0), qPrintable(QString::number(whole)));
            QVERIFY(whole == 4 || cut == 0 || cut == 4);
        }
    }
};

BUBBLESCOPE_WINDOW_TEST(TestGanttPicture)

}  // namespace tst_gantt_picture

#include "tst_gantt_picture.moc"
