// The search: never worse than the catalog, within the cap, above its bound, always the same.
#include <QTest>

#include "catalog/catalog.h"
#include "registered_test.h"
#include "schedule/deadlock.h"
#include "schedule/validate.h"
#include "search/search.h"
#include "search/search_instance.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace tst_search {

using namespace bscope;

namespace {

struct UnitTimes {
    double f, i, w, c;
};

SearchRequest request(int p, int v, int m, double cap, const UnitTimes& d) {
    return {{p, v, m, 0}, unitCosts(p * v, d.f, d.i, d.w, d.c), cap};
}

// The least makespan of a single-replica flushed catalog entry that fits; 0 when none does.
std::int64_t bestOfCatalog(const SearchRequest& wanted) {
    std::int64_t best = 0;
    for (const CatalogEntry& entry : catalog()) {
        if (entry.forward_only || entry.replicas > 1 || !scheduleProblems(entry.name, wanted.params).empty())
            continue;
        const Schedule schedule = makeSchedule(entry.name, wanted.params);
        if (schedule.weights != WeightRule::Flush) continue;
        const IterationSummary summary = summarize(predict(lower(schedule), wanted.costs), 0);
        bool fits = true;
        for (const RankSummary& rank : summary.ranks)
            fits &=
                wanted.memory_cap == 0 || rank.peak_in_flight <= wanted.memory_cap * wanted.params.v + 1e-9;
        if (fits && (best == 0 || summary.iteration_ns < best)) best = summary.iteration_ns;
    }
    return best;
}

}  // namespace

class TestSearch : public QObject {
    Q_OBJECT
private slots:
    void neverWorseThanTheCatalog() {
        int improved = 0, tried = 0, drawn = 0;
        for (const UnitTimes& d :
             {UnitTimes{1, 1, 1, 0}, {1, 1.2, 0.8, 0.1}, {1, 0.5, 0.5, 0}, {1, 1.7, 0.4, 0.5}, {2, 1, 3, 0}})
            for (int p : {1, 2, 3, 4})
                for (int v : {1, 2, 3})
                    for (int m : {1, 5, 8})
                        for (double cap : {0.0, 1.0, 2.5, 4.0}) {
                            if (++drawn % 5 != 0) continue;  // a fifth, in which every two values meet
                            const SearchRequest wanted = request(p, v, m, cap, d);
                            const SearchResult result = searchSchedule(wanted);
                            const IterationSummary summary =
                                summarize(predict(lower(result.schedule), wanted.costs), 0);
                            QCOMPARE(summary.iteration_ns, result.makespan_ns);
                            QVERIFY(result.lower_bound_ns <= result.makespan_ns);
                            QVERIFY(scheduleErrors(result.schedule).empty());
                            for (const RankSummary& rank : summary.ranks)
                                QVERIFY(cap == 0 || rank.peak_in_flight <= cap * v + 1e-9);
                            const std::int64_t catalog = bestOfCatalog(wanted);
                            QVERIFY2(
                                catalog == 0 || result.makespan_ns <= catalog,
                                qPrintable(QString("p=%1 v=%2 m=%3 cap=%4").arg(p).arg(v).arg(m).arg(cap)));
                            QCOMPARE(result.best_entry_ns, catalog);
                            improved += catalog > 0 && result.makespan_ns < catalog;
                            ++tried;
                        }
        QVERIFY(improved > tried / 10);
    }

    void memoryIsWorthTime() {
        const UnitTimes d{1, 1, 1, 0};
        std::int64_t before = SearchInstance::kNever;
        for (double cap : {1.0, 2.0, 4.0, 0.0}) {
            const std::int64_t now = searchSchedule(request(4, 1, 8, cap, d)).makespan_ns;
            QVERIFY(now <= before);
            before = now;
        }
        QCOMPARE(before, 27'000'000'000);  // work + (p-1)F: the optimum
        QCOMPARE(searchSchedule(request(4, 1, 8, 0, d)).lower_bound_ns, 27'000'000'000);
    }

    // With the memory of 1F1B the first rank stands still until its first gradient comes, and at the end only
    // as many weight gradients are left as fit: ZB-H1, m(F+I+W) + (p-1)(F+I-W), is the optimum.
    void theBoundKnowsTheCap() {
        for (const auto& [p, m, d, optimum] : {std::tuple{8, 32, UnitTimes{1, 1, 1, 0}, 103.0},
                                               {4, 8, {1, 1, 1, 0}, 27.0},
                                               {4, 12, {1, 1.25, 0.75, 0}, 40.5}}) {
            const SearchResult result = searchSchedule(request(p, 1, m, p, d));
            QCOMPARE(static_cast<double>(result.lower_bound_ns) / 1e9, optimum);
            QCOMPARE(result.makespan_ns, result.lower_bound_ns);
        }
    }

    void theResultRunsWithoutDeadlock() {
        for (double cap : {1.0, 2.0, 0.0}) {
            const SearchResult result = searchSchedule(request(4, 2, 6, cap, {1, 1.2, 0.8, 0.1}));
            QCOMPARE(result.schedule.name, std::string("auto"));
            for (const Transport transport : {Transport::Buffered, Transport::Rendezvous})
                QVERIFY(!findDeadlock(lower(result.schedule), transport));
        }
    }

    void unequalStagesAreSearchedToo() {
        SearchRequest wanted = request(3, 1, 6, 0, {1, 1, 1, 0.2});
        wanted.costs.stages[2].forward_ns *= 2;
        wanted.costs.stages[1].backward_ns *= 0.8;
        const SearchResult result = searchSchedule(wanted);
        QVERIFY(result.makespan_ns <= bestOfCatalog(wanted));
        QVERIFY(result.lower_bound_ns <= result.makespan_ns);
    }

    void theSameEveryTime() {
        const SearchRequest wanted = request(4, 2, 8, 2, {1, 1.2, 0.8, 0.1});
        QVERIFY(searchSchedule(wanted).schedule.orders == searchSchedule(wanted).schedule.orders);
    }

    void illegalRequestsAreExplained() {
        QCOMPARE(searchProblems(request(4, 1, 8, 0.5, {1, 1, 1, 0})).front().field,
                 std::string("memory_cap"));
        SearchRequest wanted = request(4, 1, 8, -1, {1, 1, 1, 0});
        wanted.params.m = 0;
        QCOMPARE(searchProblems(wanted).size(), std::size_t(2));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, searchSchedule(wanted));
    }
};

BUBBLESCOPE_TEST(TestSearch)

}  // namespace tst_search

#include "tst_search.moc"
