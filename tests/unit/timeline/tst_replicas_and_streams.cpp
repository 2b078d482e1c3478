// Schedules that need two replicas of the weights or several versions of them: orders, times and versions
// against the reference.
#include <QTest>
#include <cmath>

#include "catalog/generators.h"
#include "oracle.h"
#include "registered_test.h"
#include "schedule/deadlock.h"
#include "schedule/validate.h"
#include "schedule/weight_versions.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace tst_replicas_and_streams {

using namespace bscope;

namespace {

using Generator = Schedule (*)(const ScheduleParams&);

Schedule make(const char* name, const ScheduleParams& params) {
    const Generator generate = QString(name) == "dualpipe" ? generators::dualPipe : generators::chimera;
    Schedule schedule = generate(params);
    schedule.name = name;
    schedule.params = params;
    return schedule;
}

// Half a unit of Chimera in one direction only is no schedule of ours.
bool isIllegal(const QString& name, const ScheduleParams& params) {
    return !(name == "dualpipe" ? generators::dualPipeProblems(params) : generators::chimeraProblems(params))
                .empty();
}

bool same(double ours, double printed) {
    return std::abs(ours - printed) < 1.5e-6;
}

QString text(const VersionedAction& each, const QString& version, bool with_step) {
    const Action& action = each.action;
    if (action.op == Op::OptimizerStep)
        return QString("W%1-lr*g(W%2)->W%3").arg(each.reads).arg(each.gradient).arg(each.writes);
    return QString("%1%2@%3%4")
               .arg(action.op == Op::Forward ? "F" : "B")
               .arg(action.microbatch)
               .arg(version)
               .arg(each.reads) +
           (with_step ? QString("->%1%2").arg(version).arg(action.microbatch + 1) : QString());
}

}  // namespace

class TestReplicasAndStreams : public QObject {
    Q_OBJECT
private slots:
    void twoReplicasEqualTheReference_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("chimera") << "chimera";
        QTest::newRow("dualpipe") << "dualpipe";
    }
    void twoReplicasEqualTheReference() {
        QFETCH(QString, name);
        for (const oracle::Order& reference : oracle::orders(name)) {
            if (isIllegal(name, reference.params)) continue;
            const Schedule schedule = make(qPrintable(name), reference.params);
            for (int rank = 0; rank < reference.rows.size(); ++rank)
                QCOMPARE(oracle::rowOf(schedule.orders[static_cast<std::size_t>(rank)]),
                         reference.rows[rank]);
        }
        int compared = 0;
        for (const QJsonObject& entry : oracle::expected(name)) {
            if (isIllegal(name, oracle::paramsOf(entry))) continue;
            const Schedule schedule = make(qPrintable(name), oracle::paramsOf(entry));
            QCOMPARE(schedule.replicas(), 2);
            const Program program = lower(schedule);
            for (const QJsonValue& result : entry["results"].toArray()) {
                const QJsonArray cost = result["cost"].toArray();
                const Costs costs = unitCosts(schedule.stageCount(), cost[0].toDouble(), cost[1].toDouble(),
                                              cost[2].toDouble(), cost[3].toDouble());
                const Overlap overlap = result["fused"].toBool() ? Overlap::Fused : Overlap::Serial;
                const IterationSummary summary = summarize(predict(program, costs, overlap), 0);
                QVERIFY(same(static_cast<double>(summary.iteration_ns) / 1e9, result["makespan"].toDouble()));
                QVERIFY(same(summary.bubble_of_total, result["bubble"].toDouble()));
                for (const RankSummary& rank : summary.ranks)
                    QCOMPARE(rank.peak_in_flight, entry["peak"][rank.rank].toInt());
                ++compared;
            }
        }
        QVERIFY(compared >= 12);
    }

    void twoReplicasAreSound() {
        for (const char* name : {"chimera", "dualpipe"})
            for (int p = 2; p <= 8; p += 2)
                for (int m = 2 * p; m <= 32; m += QString(name) == "chimera" ? p : 2) {
                    const Schedule schedule = make(name, {p, 2, m, 0});
                    const std::vector<std::string> errors = scheduleErrors(schedule);
                    QVERIFY2(errors.empty(), errors.empty() ? "" : errors.front().c_str());
                    for (const Transport transport : {Transport::Buffered, Transport::Rendezvous})
                        QVERIFY(!findDeadlock(lower(schedule), transport).has_value());
                    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, toComputeCsv(schedule));
                }
    }

    // DeepSeek's bubble, one cell lasting F + B: (p/2-1)(F&B + B - 3W), exact for W <= I = F.
    void dualPipeHasDeepSeeksBubble() {
        for (int p : {2, 4, 8})
            for (int m : {2 * p, 2 * p + 2, 4 * p})
                for (const auto& [i, w] : {std::pair{1.0, 1.0}, {1.0, 0.5}, {1.0, 0.8}}) {
                    const Program program = lower(make("dualpipe", {p, 2, m, 0}));
                    const Timeline timeline = predict(program, unitCosts(2 * p, 1, i, w, 0), Overlap::Fused);
                    const double b = i + w, work = m * (1 + b), bubble = (p / 2 - 1) * (1 + b + b - 3 * w);
                    const double makespan = static_cast<double>(timeline.end_ns()) / 1e9;
                    QVERIFY(same(makespan, work + bubble));
                }
    }

    void illegalReplicasAreExplained() {
        QCOMPARE(generators::evenProblems({3, 2, 7, 0}).size(), std::size_t(2));
        QCOMPARE(generators::evenProblems({3, 2, 8, 0}).front().legal, (std::vector<long>{2, 4}));
        QCOMPARE(generators::chimeraProblems({3, 2, 7, 0}).size(), std::size_t(1));
        QCOMPARE(generators::chimeraProblems({4, 2, 7, 0}).front().legal, (std::vector<long>{6, 8}));
        QCOMPARE(generators::dualPipeProblems({4, 2, 6, 0}).front().legal, (std::vector<long>{8}));
        QVERIFY(generators::dualPipeProblems({4, 2, 8, 0}).empty());
    }

    void versionsEqualTheReference() {
        const QJsonObject reference =
            QJsonDocument::fromJson(oracle::readFile("weight_versions.json")).object();
        QVERIFY(!reference.isEmpty());
        for (auto entry = reference.begin(); entry != reference.end(); ++entry) {
            static const QRegularExpression key("^pipedream(2bw)?_p(\\d+)_[mn](\\d+)(?:_K(\\d+))?$");
            const QRegularExpressionMatch match = key.match(entry.key());
            QVERIFY2(match.hasMatch(), qPrintable(entry.key()));
            const bool stashed = match.captured(1).isEmpty();
            const ScheduleParams params{match.captured(2).toInt(), 1, match.captured(3).toInt(), 0};
            const Schedule schedule = stashed ? generators::pipeDream(params)
                                              : generators::pipeDream2bw(params, match.captured(4).toInt());
            const Program program = lower(schedule);
            for (int rank = 0; rank < params.p; ++rank) {
                const std::vector<VersionedAction> actions = weightVersions(program, rank);
                QStringList ours;
                for (const VersionedAction& each : actions) {
                    if (stashed && each.action.op == Op::OptimizerStep)
                        continue;  // written into its backward
                    ours.push_back(
                        text(each, stashed ? "v" : "W", stashed && each.action.op == Op::Backward));
                }
                QStringList theirs;
                for (const QJsonValue& cell : QJsonValue(entry.value())["rows"][rank].toArray())
                    theirs.push_back(cell.toString().remove(QRegularExpression("^OPT\\d+:")));
                QCOMPARE(ours, theirs);
                QCOMPARE(versionsHeld(actions), QJsonValue(entry.value())["versions_per_rank"][rank].toInt());
            }
        }
    }

    void aStreamStepsWithoutFlushing() {
        const Program program = lower(generators::pipeDream({3, 1, 8, 0}));
        for (const std::vector<Action>& list : program.actions) {
            QCOMPARE(std::count(list.begin(), list.end(), Action{-1, Op::OptimizerStep, -1}), 8);
            for (std::size_t i = 0; i + 1 < list.size(); ++i)
                if (list[i].op == Op::Backward)
                    QVERIFY(list[i + 1].op == Op::OptimizerStep || list[i + 1].op == Op::SendBackward);
        }
        // Fill and drain only: n + p - 1 rounds.
        QCOMPARE(predict(program, unitCosts(3, 1, 1, 1, 0)).end_ns(), (8 + 2) * 3'000'000'000);
        QVERIFY(!findDeadlock(program, Transport::Rendezvous).has_value());
    }
};

BUBBLESCOPE_TEST(TestReplicasAndStreams)

}  // namespace tst_replicas_and_streams

#include "tst_replicas_and_streams.moc"
