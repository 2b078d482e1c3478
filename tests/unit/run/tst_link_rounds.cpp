// The rounds in which links are split off: every pair once, no rank twice in a round, few rounds.
#include <QTest>
#include <algorithm>
#include <map>

#include "catalog/catalog.h"
#include "gpu/link_rounds.h"
#include "registered_test.h"

namespace tst_link_rounds {

using namespace bscope;

class TestLinkRounds : public QObject {
    Q_OBJECT

private slots:
    void everyPairIsInOneRound_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("d");
        for (const int p : {1, 2, 3, 4, 8, 16})
            QTest::addRow("1f1b p=%d", p) << QString("1f1b") << p << 1 << 1;
        QTest::newRow("interleaved") << QString("interleaved") << 4 << 2 << 1;
        QTest::newRow("zbv") << QString("zbv") << 8 << 2 << 1;
        QTest::newRow("chimera") << QString("chimera") << 4 << 2 << 1;
        QTest::newRow("replicas") << QString("1f1b") << 4 << 1 << 2;
    }
    void everyPairIsInOneRound() {
        QFETCH(QString, schedule);
        ScheduleParams params;
        QFETCH(int, p);
        QFETCH(int, v);
        QFETCH(int, d);
        params.p = p;
        params.v = v;
        params.d = d;
        params.m = 2 * p;
        const std::set<RankPair> pairs = talkingPairs(makeSchedule(schedule.toStdString(), params));
        std::map<int, std::size_t> degree;
        for (const auto& [from, to] : pairs) {
            QVERIFY(from != to && std::min(from, to) >= 0 && std::max(from, to) < params.layout().world());
            QVERIFY(pairs.contains({to, from}));
            ++degree[from];
            ++degree[to];
        }
        std::size_t most = 0;
        for (const auto& [rank, count] : degree) most = std::max(most, count);

        std::set<RankPair> found;
        const auto rounds = linkRounds(pairs);
        for (const auto& round : rounds) {
            QVERIFY(!round.empty());
            std::set<int> busy;
            for (const RankPair& pair : round) {
                QVERIFY(found.insert(pair).second);
                QVERIFY(busy.insert(pair.first).second && busy.insert(pair.second).second);
            }
        }
        QVERIFY(found == pairs);
        QVERIFY(rounds.empty() ? most == 0 : rounds.size() < 2 * most);
        if (schedule == "1f1b" && d == 1) QVERIFY(rounds.size() <= 4);
    }

    void aPipelineNeedsItsNeighboursOnly() {
        ScheduleParams params;
        params.p = 3;
        params.m = 3;
        const std::set<RankPair> expected{{0, 1}, {1, 0}, {1, 2}, {2, 1}};
        QVERIFY(talkingPairs(makeSchedule("1f1b", params)) == expected);
    }
};

BUBBLESCOPE_TEST(TestLinkRounds)

}  // namespace tst_link_rounds

#include "tst_link_rounds.moc"
