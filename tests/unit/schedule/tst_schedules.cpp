// Every schedule against the public generators, cell for cell, and against the rules that hold for all of
// them.
#include <QTest>

#include "catalog/catalog.h"
#include "oracle.h"
#include "registered_test.h"
#include "schedule/formats/csv.h"
#include "schedule/grid.h"
#include "schedule/validate.h"

namespace tst_schedules {

using namespace bscope;

class TestSchedules : public QObject {
    Q_OBJECT
private slots:
    void ordersEqualThePublicGenerators_data() {
        QTest::addColumn<QString>("name");
        for (const CatalogEntry& entry : catalog())
            if (!QString(entry.name).startsWith("pipedream"))  // a stream, in weight_versions.json
                QTest::newRow(entry.name) << QString(entry.name);
    }
    void ordersEqualThePublicGenerators() {
        QFETCH(QString, name);
        int compared = 0;
        for (const oracle::Order& reference : oracle::orders(name)) {
            QVERIFY2(scheduleProblems(name.toStdString(), reference.params).empty(),
                     "a reference order that the catalog refuses");
            const Schedule schedule = makeSchedule(name.toStdString(), reference.params);
            QCOMPARE(schedule.orders.size(), static_cast<std::size_t>(reference.rows.size()));
            for (int rank = 0; rank < reference.rows.size(); ++rank)
                QCOMPARE(oracle::rowOf(schedule.orders[static_cast<std::size_t>(rank)]),
                         reference.rows[rank]);
            ++compared;
        }
        QVERIFY(compared > 0);
    }

    void placementsEqualTheReference() {
        int compared = 0;
        for (const CatalogEntry& entry : catalog())
            for (const QJsonObject& expected : oracle::expected(entry.name)) {
                if (!scheduleProblems(entry.name, oracle::paramsOf(expected)).empty()) continue;
                const Schedule schedule = makeSchedule(entry.name, oracle::paramsOf(expected));
                QCOMPARE(schedule.replicas(), expected["chains"].toInt());
                const QJsonArray placement = expected["placement"].toArray();
                QCOMPARE(schedule.stageCount(), static_cast<int>(placement.size()));
                for (int stage = 0; stage < schedule.stageCount(); ++stage)
                    QCOMPARE(schedule.placement[static_cast<std::size_t>(stage)], placement[stage].toInt());
                ++compared;
            }
        QVERIFY(compared > 50);
    }

    void everyLegalScheduleIsSound() {
        int sound = 0;
        for (const CatalogEntry& entry : catalog())
            for (int p = 1; p <= 6; ++p)
                for (int v = 1; v <= 4; ++v)
                    for (int m = 1; m <= 13; ++m) {
                        if (!scheduleProblems(entry.name, {p, v, m, 0}).empty()) continue;
                        const Schedule schedule = makeSchedule(entry.name, {p, v, m, 0});
                        const std::vector<std::string> errors = scheduleErrors(schedule);
                        QVERIFY2(errors.empty(), errors.empty() ? "" : errors.front().c_str());
                        QCOMPARE(schedule.isForwardOnly(), entry.forward_only);
                        QCOMPARE(schedule.hasSplitBackward(), entry.split_backward);
                        ++sound;
                    }
        QVERIFY(sound > 400);
    }

    void illegalParametersAreExplainedWithTheNearestLegalValues() {
        const auto only = [](const char* name, ScheduleParams params) {
            const std::vector<Problem> found = scheduleProblems(name, params);
            return found.size() == 1 ? found.front() : Problem{};
        };
        QCOMPARE(only("1f1b", {4, 2, 8, 0}).field, std::string("v"));
        QCOMPARE(only("1f1b", {4, 2, 8, 0}).legal, std::vector<long>{1});
        QCOMPARE(only("hanayo", {4, 1, 8, 0}).legal, std::vector<long>{2});
        QCOMPARE(only("interleaved", {4, 2, 10, 0}).field, std::string("m"));
        QCOMPARE(only("interleaved", {4, 2, 10, 0}).legal, (std::vector<long>{8, 12}));
        QCOMPARE(only("interleaved", {4, 2, 11, 0}).legal, (std::vector<long>{12, 8}));
        QCOMPARE(only("interleaved", {4, 2, 3, 0}).legal, (std::vector<long>{4}));
        QCOMPARE(only("interleaved", {4, 2, 8, 3}).field, std::string("group_size"));
        QCOMPARE(only("interleaved", {4, 2, 8, 3}).legal, (std::vector<long>{4}));
        QCOMPARE(only("interleaved", {4, 2, 7, 5}).legal, (std::vector<long>{5, 9}));
        QCOMPARE(only("1f1b", {0, 1, 8, 0}).field, std::string("p"));
        QCOMPARE(only("1f1b", {1024, 1, 65536, 0}).field, std::string("m"));
        QCOMPARE(only("nothing", {4, 1, 8, 0}).field, std::string("schedule"));
        QCOMPARE(scheduleProblems("nothing", {0, 0, 0, -1}).size(), std::size_t(5));
        QCOMPARE(QString::fromStdString(only("interleaved", {4, 2, 10, 0}).text()),
                 QString("m = 10 must be a multiple of p = 4 for the interleaved schedule; nearest legal "
                         "values: 8, 12"));
    }

    void everyOfferedValueIsLegal() {
        int offered = 0;
        for (const CatalogEntry& entry : catalog())
            for (int p = 1; p <= 5; ++p)
                for (int v = 1; v <= 3; ++v)
                    for (int m = 1; m <= 12; ++m)
                        for (int group = 0; group <= 7; ++group)
                            for (const Problem& problem : scheduleProblems(entry.name, {p, v, m, group}))
                                for (long legal : problem.legal) {
                                    ScheduleParams params{p, v, m, group};
                                    int& field = problem.field == "m"   ? params.m
                                                 : problem.field == "v" ? params.v
                                                 : problem.field == "p" ? params.p
                                                                        : params.group_size;
                                    field = static_cast<int>(legal);
                                    for (const Problem& left : scheduleProblems(entry.name, params))
                                        QVERIFY2(left.field != problem.field, left.text().c_str());
                                    ++offered;
                                }
        QVERIFY(offered > 0);
    }

    void makeScheduleListsEveryProblem() {
        try {
            makeSchedule("dualpipe-v", {4, 1, 7, 0});
            QFAIL("accepted");
        } catch (const std::invalid_argument& error) {
            QVERIFY(std::string(error.what()).find("v = 1") != std::string::npos);
            QVERIFY(std::string(error.what()).find("m = 7") != std::string::npos);
        }
    }

    void computeCsvIsReadBack() {
        for (const CatalogEntry& entry : catalog()) {
            const ScheduleParams params{4, entry.fixed_v > 0 ? entry.fixed_v : 2, 8, 0};
            const Schedule schedule = makeSchedule(entry.name, params);
            if (schedule.replicas() != 1) continue;
            const std::string csv = toComputeCsv(schedule);
            QVERIFY(csv.ends_with("\r\n"));
            const Schedule read = readComputeCsv(csv, entry.name);
            QVERIFY(read.orders == schedule.orders);
            QCOMPARE(read.placement, schedule.placement);
            QCOMPARE(read.chains, schedule.chains);
            QVERIFY(read.params == schedule.params);
        }
    }

    void foreignCsvIsUnderstood() {
        const Schedule spaced = readComputeCsv(" 0F0 ,, 0F1,0B0,0B1\n,1F0,1B0,1F1,1B1,\n\n", "spaced");
        QCOMPARE(oracle::rowOf(spaced.orders[0]), QString("0F0,0F1,0B0,0B1"));
        const Schedule old = readComputeCsv("0F0,0BW0\r\n1F0,1B0,1W0\r\n", "old spelling");
        QCOMPARE(oracle::rowOf(old.orders[0]), QString("0F0,0B0"));
        QCOMPARE(oracle::rowOf(old.orders[1]), QString("1F0,1I0,1W0"));
        const Schedule overlapped =
            readComputeCsv("0F0,0F1,0B0,0B1\n1F0,(1F1;1B0)OVERLAP_F_B,1B1\n", "overlapped");
        QVERIFY(overlapped.orders[1][1].overlaps_next);
        QCOMPARE(oracle::rowOf(overlapped.orders[1]), QString("1F0,(1F1;1B0)OVERLAP_F_B,1B1"));
    }

    void brokenCsvIsExplained_data() {
        QTest::addColumn<QString>("csv");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << ""
                               << "no actions";
        QTest::newRow("garbage") << "0F0,hello\n"
                                 << "row 1, cell 2: \"hello\"";
        QTest::newRow("communication") << "0F0,0SEND_F0\n"
                                       << "is not a forward or backward";
        QTest::newRow("twice") << "0F0,0F0,0B0\n"
                               << "2 forwards";
        QTest::newRow("missing") << "0F0,0F1,0B0\n"
                                 << "micro-batch 1: needs one B";
        QTest::newRow("backward first") << "0B0,0F0\n"
                                        << "before its forward";
        QTest::newRow("weight first") << "0F0,0W0,0I0\n"
                                      << "before its input gradient";
        QTest::newRow("two owners") << "0F0,0B0\n0F1,0B1\n"
                                    << "belongs to another rank";
        QTest::newRow("hole") << "0F0,0B0\n2F0,2B0\n"
                              << "no rank runs stage 1";
        QTest::newRow("deadlock") << "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n"
                                  << "can never run";
        QTest::newRow("huge") << "0F2000000000,0B2000000000\n"
                              << "too large";
        QTest::newRow("three") << "(0F0;0B0;0F1)OVERLAP_F_B\n"
                               << "exactly two";
    }
    void brokenCsvIsExplained() {
        QFETCH(QString, csv);
        QFETCH(QString, says);
        try {
            readComputeCsv(csv.toStdString(), "broken");
            QFAIL("accepted");
        } catch (const std::invalid_argument& error) {
            QVERIFY2(QString(error.what()).contains(says), error.what());
        }
    }

    void gridIsTheTextbookPicture() {
        QCOMPARE(QString::fromStdString(toGrid(makeSchedule("1f1b", {2, 1, 2, 0}))),
                 QString("step     0  1  2  3  4  5  6  7  8\n"
                         "rank 0   F0 F1 .  .  B0 =  .  B1 =\n"
                         "rank 1   .  F0 B0 =  F1 B1 =  .  .\n"));
    }
};

BUBBLESCOPE_TEST(TestSchedules)

}  // namespace tst_schedules

#include "tst_schedules.moc"
