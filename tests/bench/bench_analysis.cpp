// What the analysis of an iteration costs, against predicting the same plan and against its limit of 20 ms,
// and the whole list of what would help. CPU time of this thread.
#include <QTest>

#include "advice/advisor.h"
#include "analysis/causes.h"
#include "analysis/critical_path.h"
#include "analysis/waterfall.h"
#include "bench/timed.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "timeline/predict.h"

namespace bench_analysis {

using namespace bscope;

namespace {

constexpr double kLimit_ms = 20;

// The least of many rounds.
template <class Work>
double ms(Work work) {
    return 1e3 * bench::bestSeconds(0.3, work);
}

// Every stage another duration, so that there are many gaps.
Costs unevenCosts(int stages) {
    Costs costs = unitCosts(stages, 1, 1, 1, 0.05);
    for (int stage = 0; stage < stages; ++stage) {
        StageCosts& each = costs.stages[static_cast<std::size_t>(stage)];
        for (const DurationField& field : kDurationFields) each.*field.ns *= 1 + 0.01 * (stage * 7 % 11);
    }
    return costs;
}

}  // namespace

class BenchAnalysis : public QObject {
    Q_OBJECT
private slots:
    void ofALargeIteration() {
        for (const char* name : {"1f1b", "interleaved", "zb-h1"}) {
            const Schedule schedule = makeSchedule(name, {32, defaultChunks(*findSchedule(name)), 128, 0});
            const Program program = lower(schedule);
            const Costs costs = unevenCosts(schedule.stageCount());
            const Timeline timeline = predict(program, costs);
            const RunFacts facts = factsOf(schedule);
            const double predicting = ms([&] { (void)predict(program, costs); });
            const double causes = ms([&] { (void)BubbleCauses(timeline, 0, facts); });
            const BubbleCauses found(timeline, 0, facts);
            const double path = ms([&] {
                (void)criticalPath(found.graph());
                (void)slack(found.graph());
            });
            const double steps = ms([&] { (void)waterfall(found, 0.2); });
            qInfo(
                "%s p=32 m=128: causes of %zu gaps %.1f ms = %.2f of predict(); path and slack %.1f ms; "
                "waterfall %.1f ms; all %.1f ms (limit %.0f)",
                name, found.gaps().size(), causes, causes / predicting, path, steps, causes + path + steps,
                kLimit_ms);
        }
    }

    void whatWouldHelp() {
        AdviceRequest request;
        request.known.config.params = {8, 1, 64, 0};
        request.known.config.model.layers = 32;
        request.known.order = std::make_shared<const Schedule>(makeSchedule("1f1b", request.config().params));
        request.known.costs = unevenCosts(8);
        const double predicting = ms([&] { (void)predict(lower(request.schedule()), request.known.costs); });
        const double advising = ms([&] { (void)advise(request); });
        qInfo("advice for p=8 m=64: %zu candidates in %.0f ms = %.0f of one prediction",
              advise(request).candidates.size(), advising, advising / predicting);
    }
};

BUBBLESCOPE_TEST(BenchAnalysis)

}  // namespace bench_analysis

#include "bench_analysis.moc"
