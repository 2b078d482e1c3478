// Replicas beside each other in the dock: every cell's colour and words are those of its medians, the
// sentences those of what slows the replicas down.
#include <QImage>
#include <QTest>

#include "registered_test.h"
#include "sample_view.h"
#include "widgets/dock/replica_section.h"
#include "widgets/text/format.h"

namespace tst_replica_section {

using namespace bscope;
using namespace bscope::ui;

namespace {

std::shared_ptr<ReplicaGrid> gridOf(int replicas, int stages) {
    auto grid = std::make_shared<ReplicaGrid>();
    grid->stages = grid->ranks = stages;
    for (int replica = 0; replica < replicas; ++replica) {
        grid->numbers.push_back(replica);
        for (int stage = 0; stage < stages; ++stage)
            grid->cells.push_back({stage == stages - 1 ? 18e6 : 10e6, 20e6, 1});
    }
    grid->stragglers = Stragglers{};
    grid->stragglers->iterations = 2;
    grid->stragglers->actual_ns = 118e6;
    grid->stragglers->ideal_ns = 100e6;
    grid->stragglers->slowest_workers = 1;
    grid->stragglers->worker = StragglerShare{1, 2, 0.031};
    grid->stragglers->stage = {-1, stages - 1, 1.34};
    grid->stragglers->worker_slowdowns.assign(static_cast<std::size_t>(replicas * stages), 1.0);
    grid->stragglers->causes = {StragglerKind::Stage};
    return grid;
}

IterationView viewOf(std::shared_ptr<const ReplicaGrid> grid) {
    IterationView view = sampleView();
    auto origin = std::make_shared<ImportOrigin>();
    origin->grid = std::move(grid);
    view.import = origin;
    return view;
}

}  // namespace

class TestReplicaSection : public QObject {
    Q_OBJECT

private slots:
    void coloursAndWordsAreThoseOfTheCells() {
        ViewState state;
        ReplicaSection section(state);
        const auto grid = gridOf(2, 4);
        section.setView(viewOf(grid));
        QVERIFY(!section.isHidden());
        const ReplicaMap& map = section.map();
        QCOMPARE(map.heat(0, 0), 0.0);
        QVERIFY(std::abs(map.heat(1, 3) - (38.0 / 30 - 1) / 0.5) < 1e-12);
        QVERIFY2(map.cellText(1, 3).contains(msText(18)) && map.cellText(1, 3).contains(msText(20)),
                 qPrintable(map.cellText(1, 3)));
        QVERIFY(map.cellText(1, 3).contains(QStringLiteral("1.00")));
        QVERIFY2(section.text().contains(QStringLiteral("1.18")) &&
                     section.text().contains(QStringLiteral("stage 3")) &&
                     section.text().contains(shareText(1.34)) && section.text().contains(shareText(0.031)),
                 qPrintable(section.text()));
        // Beyond half as long again it stays at full colour.
        grid->cells[3].forward_ns = 90e6;
        section.setView(viewOf(grid));
        QCOMPARE(map.heat(0, 3), 1.0);
        QCOMPARE(map.cellColour(0, 3), currentTheme().change(2));
        state.setTimeUnit(TimeUnit::MedianForward);
        QVERIFY2(!map.cellText(0, 0).contains(QStringLiteral("ms")), qPrintable(map.cellText(0, 0)));
    }

    void itIsThereForSeveralReplicasOnly() {
        ViewState state;
        ReplicaSection section(state);
        section.setView(viewOf(gridOf(1, 4)));
        QVERIFY(section.isHidden());
        section.setView(viewOf(nullptr));
        QVERIFY(section.isHidden());
        section.setView(sampleView());
        QVERIFY(section.isHidden());
        auto silent = gridOf(2, 4);
        silent->stragglers.reset();
        section.setView(viewOf(silent));
        QVERIFY(!section.isHidden());
        QVERIFY2(section.text().contains(QStringLiteral("cannot be replayed")), qPrintable(section.text()));
    }

    // What is painted has the colour of its cell; of many replicas too.
    void cellsArePainted_data() {
        QTest::addColumn<int>("replicas");
        QTest::addColumn<int>("stages");
        QTest::newRow("few") << 2 << 4;
        QTest::newRow("many replicas") << 64 << 2;
        QTest::newRow("many stages") << 3 << 32;
    }
    void cellsArePainted() {
        QFETCH(int, replicas);
        QFETCH(int, stages);
        ReplicaMap map;
        map.setGrid(gridOf(replicas, stages), {});
        map.resize(252, map.sizeHint().height());
        QImage image(map.size(), QImage::Format_ARGB32);
        image.fill(Qt::white);
        map.render(&image);
        for (const int replica : {0, replicas - 1})
            for (const int stage : {0, stages - 1}) {
                const QPointF corner = map.cellRect(replica, stage).topLeft() + QPointF(1.5, 1.5);
                QCOMPARE(image.pixelColor(corner.toPoint()), map.cellColour(replica, stage));
            }
        QVERIFY(map.cellRect(replicas - 1, stages - 1).bottom() <= map.height() + 1e-6);
        QVERIFY(map.cellRect(replicas - 1, stages - 1).right() <= map.width() + 1e-6);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestReplicaSection)

}  // namespace tst_replica_section

#include "tst_replica_section.moc"
