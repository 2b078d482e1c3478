// Which core each rank gets, and what is said about ranks without work.
#include <QTest>

#include "mpi/topology.h"
#include "registered_test.h"

namespace tst_places {

using namespace bscope;

class TestPlaces : public QObject {
    Q_OBJECT

private slots:
    void everyRankGetsACoreOfItsOwnWhileThereAreSome() {
        const std::vector<ProcessPlace> one_machine = {{"a", 1, {0, 1}}, {"a", 2, {0, 1}}, {"a", 3, {0, 1}}};
        QCOMPARE(assignCores(one_machine, 2), (std::vector<int>{0, 1}));
        QCOMPARE(ranksWithOwnCore(one_machine, assignCores(one_machine, 2)), 2);
        QCOMPARE(ranksWithOwnCore(one_machine, assignCores(one_machine, 3)), 2);
    }

    void machinesHaveTheirOwnCores() {
        const std::vector<ProcessPlace> two = {
            {"a", 1, {0, 1}}, {"a", 2, {0, 1}}, {"b", 1, {0, 1}}, {"b", 2, {0, 1}}};
        QCOMPARE(assignCores(two, 4), (std::vector<int>{0, 1, 0, 1}));
        QCOMPARE(ranksWithOwnCore(two, assignCores(two, 4)), 4);
    }

    // mpirun binds a process to a core; another is free.
    void whoHasLittleChoiceChoosesFirst() {
        const std::vector<ProcessPlace> bound = {{"a", 1, {0, 1}}, {"a", 2, {0}}};
        QCOMPARE(assignCores(bound, 2), (std::vector<int>{1, 0}));
    }

    void idleRanksAreNamed() {
        const std::vector<ProcessPlace> places = {{"a", 1, {0}}, {"a", 2, {0}}, {"b", 1, {0}}, {"b", 2, {0}}};
        QCOMPARE(placesText(places, 4), std::string("4 processes on 2 machines"));
        QCOMPARE(placesText(places, 3), std::string("4 processes on 2 machines, rank 3 idle"));
        QCOMPARE(placesText(places, 2), std::string("4 processes on 2 machines, ranks 2, 3 idle"));
    }

    void onlyASeenProcessCanBeGone() {
        std::vector<ProcessPlace> places = {thisPlace(), {"elsewhere", 1, {0}}};
        lookAround(places);
        QVERIFY(places[0].seen && !places[1].seen);
        QVERIFY(!isGone(places[0]) && !isGone(places[1]));
    }

    void whoHasAGpuOfHisOwn() {
        const auto on = [](const char* host, const char* bus_id, const char* why_not = "") {
            ProcessPlace place{host, 1, {0}};
            place.gpu = {bus_id, "H200", 1, *why_not ? sentence("{0}", why_not) : Sentence()};
            return place;
        };
        const std::vector<ProcessPlace> apart = {on("a", "3B"), on("a", "5E"), on("b", "3B")};
        QCOMPARE(ranksWithOwnGpu(apart), 3);
        QCOMPARE(gpusText(apart, 2), std::string("2 x H200"));
        const std::vector<ProcessPlace> shared = {on("a", "3B"), on("b", "3B"), on("a", "3B")};
        QCOMPARE(ranksWithOwnGpu(shared), 2);
        QVERIFY(whyNoOwnGpu(shared, 2) ==
                sentence("it has GPU {0} of {1} in common with rank {2}", "3B", "a", 0));
        const std::vector<ProcessPlace> missing = {on("a", "3B"), on("b", "", "no driver"), on("c", "3B")};
        QCOMPARE(ranksWithOwnGpu(missing), 1);
        QVERIFY(whyNoOwnGpu(missing, 1) == sentence("{0}", "no driver"));
    }
};

BUBBLESCOPE_TEST(TestPlaces)

}  // namespace tst_places

#include "tst_places.moc"
