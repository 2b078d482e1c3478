// Where communication goes: equal to PyTorch's own lowering, never a deadlock, and a mutation that posts
// receives at their consumers is caught.
#include <QTest>

#include "catalog/catalog.h"
#include "oracle.h"
#include "registered_test.h"
#include "schedule/formats/csv.h"
#include "schedule/deadlock.h"
#include "schedule/program.h"
#include "words/catalog.h"

namespace tst_lowering {

using namespace bscope;

namespace {

std::vector<ScheduleParams> legalParams(const char* name, int p_max, int m_max, int v_max) {
    std::vector<ScheduleParams> all;
    for (int p = 1; p <= p_max; ++p)
        for (int v = 1; v <= v_max; ++v)
            for (int m = 1; m <= m_max; ++m)
                if (scheduleProblems(name, {p, v, m, 0}).empty()) all.push_back({p, v, m, 0});
    return all;
}

// The mutation: every RECV moves to just before the action that needs it.
Program withReceivesAtTheConsumer(Program program) {
    for (std::vector<Action>& list : program.actions) {
        std::vector<Action> moved;
        for (const Action& action : list) {
            if (isReceive(action.op)) continue;
            const Op needed = action.op == Op::Forward ? Op::RecvForward : Op::RecvBackward;
            const bool consumes =
                action.op == Op::Forward || action.op == Op::Backward || action.op == Op::BackwardInput;
            const Action receive{action.stage, needed, action.microbatch};
            if (consumes && std::find(list.begin(), list.end(), receive) != list.end())
                moved.push_back(receive);
            moved.push_back(action);
        }
        list = std::move(moved);
    }
    return program;
}

}  // namespace

class TestLowering : public QObject {
    Q_OBJECT
private slots:
    void equalsPyTorchsLowering_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"GPipe_p4_v1_m8", "Interleaved1F1B_p2_v2_m4", "Interleaved1F1B_p4_v2_m8",
                                 "InterleavedZeroBubble_p2_v2_m8", "InterleavedZeroBubble_p4_v2_m8",
                                 "LoopedBFS_p2_v2_m4", "ZBVZeroBubble_p2_v2_m4", "ZBVZeroBubble_p4_v2_m8"})
            QTest::newRow(file) << QString(file);
    }
    void equalsPyTorchsLowering() {
        QFETCH(QString, file);
        const QString comms = QString::fromUtf8(oracle::readFile("comms/" + file + "_comms.csv")).trimmed();
        QString compute = comms;
        compute.remove(QRegularExpression("\\d+(SEND_F|RECV_F|SEND_B|RECV_B|UNSHARD|RESHARD)\\d*,?"));
        const Schedule schedule = readComputeCsv(compute.toStdString(), file.toStdString());
        const QStringList ours =
            QString::fromStdString(toCommsCsv(schedule)).split("\r\n", Qt::SkipEmptyParts);
        const QStringList theirs = comms.split('\n');
        QCOMPARE(ours.size(), theirs.size());
        for (int rank = 0; rank < theirs.size(); ++rank) QCOMPARE(ours[rank], theirs[rank]);

        // The Program holds the same communication at the same places.
        const Program program = lower(schedule);
        for (int rank = 0; rank < theirs.size(); ++rank) {
            QString expected = theirs[rank] + ",OPT";
            expected.remove(QRegularExpression("\\d+(UNSHARD|RESHARD),?"));
            QCOMPARE(oracle::rowOf(program.actions[static_cast<std::size_t>(rank)]), expected);
        }
    }

    void neverDeadlocks_data() {
        QTest::addColumn<QString>("name");
        for (const CatalogEntry& entry : catalog()) QTest::newRow(entry.name) << QString(entry.name);
    }
    void neverDeadlocks() {
        QFETCH(QString, name);
        for (const ScheduleParams& params : legalParams(qPrintable(name), 8, 32, 3)) {
            const Schedule schedule = makeSchedule(name.toStdString(), params);
            const Recompute recompute = params.m % 2 == 0 ? Recompute::None : Recompute::Full;
            const Program program = lower(schedule, recompute);
            for (const Transport transport : {Transport::Buffered, Transport::Rendezvous}) {
                const auto deadlock = findDeadlock(program, transport);
                QVERIFY2(
                    !deadlock,
                    deadlock
                        ? (toText(deadlock->action) + " " + say(deadlock->reason, Language::English)).c_str()
                        : "");
            }
        }
    }

    void receivesAtTheConsumerHang1F1B() {
        for (int p = 2; p <= 8; ++p)
            for (int m = 2; m <= 12; ++m) {
                const Program program = withReceivesAtTheConsumer(lower(makeSchedule("1f1b", {p, 1, m, 0})));
                const auto deadlock = findDeadlock(program, Transport::Rendezvous);
                QVERIFY(deadlock.has_value());
                QVERIFY(!deadlock->reason.empty());
                QVERIFY(!findDeadlock(program, Transport::Buffered).has_value());
            }
    }

    void gpipeAloneWouldNotShowIt() {
        for (int p = 2; p <= 8; ++p) {
            const Program program = withReceivesAtTheConsumer(lower(makeSchedule("gpipe", {p, 1, 8, 0})));
            QVERIFY(!findDeadlock(program, Transport::Rendezvous).has_value());
        }
    }

    void swappedMessagesAreCaught() {
        Program program = lower(makeSchedule("gpipe", {2, 1, 2, 0}));
        std::vector<Action>& list = program.actions[1];
        const auto first = std::find(list.begin(), list.end(), Action{1, Op::RecvForward, 0});
        const auto second = std::find(list.begin(), list.end(), Action{1, Op::RecvForward, 1});
        std::iter_swap(first, second);
        QVERIFY(findDeadlock(program, Transport::Buffered).has_value());
        QVERIFY(findDeadlock(program, Transport::Rendezvous).has_value());
    }

    void missingReceiveIsCaught() {
        Program program = lower(makeSchedule("gpipe", {2, 1, 1, 0}));
        std::erase(program.actions[1], Action{1, Op::RecvForward, 0});
        std::erase(program.actions[0], Action{0, Op::SendForward, 0});
        const auto deadlock = findDeadlock(program, Transport::Buffered);
        QVERIFY(deadlock.has_value());
        QCOMPARE(toText(deadlock->action), std::string("0RECV_B0"));
        QVERIFY(deadlock->reason == sentence("waits for rank {0}, which stands at {1}", 1, "1F0"));
    }

    void recomputeStandsDirectlyBeforeEveryBackward() {
        const Program program = lower(makeSchedule("interleaved", {2, 2, 4, 0}), Recompute::Full);
        for (const std::vector<Action>& list : program.actions) {
            int recomputed = 0;
            for (std::size_t i = 0; i < list.size(); ++i) {
                if (list[i].op != Op::Backward) continue;
                QVERIFY(i > 0 && list[i - 1] == (Action{list[i].stage, Op::Recompute, list[i].microbatch}));
                ++recomputed;
            }
            QCOMPARE(recomputed, 8);
            QCOMPARE(std::count_if(list.begin(), list.end(),
                                   [](const Action& a) { return a.op == Op::Recompute; }),
                     8);
        }
    }

    void eachRankStepsOnceAtTheEnd() {
        for (const CatalogEntry& entry : catalog()) {
            const int v = entry.fixed_v > 0 ? entry.fixed_v : entry.min_v;
            const Schedule schedule = makeSchedule(entry.name, {4, v, 8, 0});
            if (schedule.weights != WeightRule::Flush) continue;
            for (const std::vector<Action>& list : lower(schedule).actions) {
                const auto steps = std::count(list.begin(), list.end(), Action{-1, Op::OptimizerStep, -1});
                QCOMPARE(steps, entry.forward_only ? 0 : 1);
                QCOMPARE(list.back().op == Op::OptimizerStep, !entry.forward_only);
            }
        }
    }

    void contradictoryOrdersAreRefused() {
        Schedule schedule = makeSchedule("gpipe", {2, 1, 2, 0});
        std::swap(schedule.orders[1][0], schedule.orders[1][3]);
        try {
            lower(schedule);
            QFAIL("lowered");
        } catch (const std::invalid_argument& error) {
            QVERIFY2(QString(error.what()).contains("1B1"), error.what());
        }
    }
};

BUBBLESCOPE_TEST(TestLowering)

}  // namespace tst_lowering

#include "tst_lowering.moc"
