// Text form of actions, both ways.
#include <QTest>

#include "registered_test.h"
#include "schedule/action.h"
#include "schedule/schedule.h"

namespace tst_action {

using namespace bscope;

class TestAction : public QObject {
    Q_OBJECT
private slots:
    void everyOperationSurvivesTheRoundTrip() {
        for (int op = 0; op < kOpCount; ++op) {
            QCOMPARE(parseOp(opText(static_cast<Op>(op))), static_cast<Op>(op));
            for (int number : {0, 7, 10, 2147483647}) {
                const bool optimizer = static_cast<Op>(op) == Op::OptimizerStep;
                const bool of_copies = isOfCopies(static_cast<Op>(op));
                const Action action{optimizer ? -1 : number, static_cast<Op>(op),
                                    optimizer || of_copies ? -1 : number};
                QVERIFY(parseAction(toText(action)) == action);
            }
        }
    }

    // Far above what any schedule may have; nothing wraps around.
    void aStageThatDoesNotFitIsTheLargest() {
        static_assert(Action::kLargestStage >= kMaxRanks * kMaxChunks);
        QCOMPARE(parseAction("99999999F3"), Action(Action::kLargestStage, Op::Forward, 3));
        QCOMPARE(int(Action(Action::kLargestStage, Op::Forward).stage), int(Action::kLargestStage));
        QCOMPARE(int(Action(-2147483647 - 1, Op::Forward).stage), -Action::kLargestStage);
        QCOMPARE(Action(0, Op::Forward, 2147483647).microbatch, 2147483647);
    }

    void actionsAreSortedByStageOperationAndMicrobatch() {
        const Action in_order[] = {{-1, Op::OptimizerStep},    {0, Op::Forward, 7},  {0, Op::Backward, 1},
                                   {0, Op::Backward, 1, true}, {0, Op::Backward, 2}, {1, Op::Forward, 0}};
        for (std::size_t i = 0; i + 1 < std::size(in_order); ++i) {
            QVERIFY(in_order[i] < in_order[i + 1]);
            QVERIFY(in_order[i] != in_order[i + 1]);
        }
    }

    void textFormIsPyTorchs_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("stage");
        QTest::addColumn<int>("op");
        QTest::addColumn<int>("microbatch");
        QTest::newRow("forward") << "2F0" << 2 << int(Op::Forward) << 0;
        QTest::newRow("backward") << "13B12" << 13 << int(Op::Backward) << 12;
        QTest::newRow("input") << "2I4" << 2 << int(Op::BackwardInput) << 4;
        QTest::newRow("weight") << "2W4" << 2 << int(Op::BackwardWeight) << 4;
        QTest::newRow("recompute") << "2R3" << 2 << int(Op::Recompute) << 3;
        QTest::newRow("send") << "1SEND_F0" << 1 << int(Op::SendForward) << 0;
        QTest::newRow("receive") << "2RECV_B9" << 2 << int(Op::RecvBackward) << 9;
        QTest::newRow("reduction") << "5REDUCE_GRAD" << 5 << int(Op::ReduceGradients) << -1;
        QTest::newRow("gathering") << "5GATHER_WEIGHTS" << 5 << int(Op::GatherWeights) << -1;
        QTest::newRow("optimizer") << "OPT" << -1 << int(Op::OptimizerStep) << -1;
    }
    void textFormIsPyTorchs() {
        QFETCH(QString, text);
        QFETCH(int, stage);
        QFETCH(int, op);
        QFETCH(int, microbatch);
        const Action action{stage, static_cast<Op>(op), microbatch};
        QCOMPARE(QString::fromStdString(toText(action)), text);
        QVERIFY(parseAction(text.toStdString()) == action);
    }

    void anythingElseIsRefused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "F", "2F", "F0", "2X0", "2f0", "2F0 ", " 2F0", "2F0x", "-1F0", "2F-1", "0OPT0", "OPT1",
              "99999999999F0", "2F99999999999", "2BW0", "(0F7;7B3)OVERLAP_F_B", "22", "SEND_F"})
            QTest::newRow(text) << text;
    }
    void anythingElseIsRefused() {
        QFETCH(QString, text);
        QVERIFY(!parseAction(text.toStdString()).has_value());
    }
};

BUBBLESCOPE_TEST(TestAction)

}  // namespace tst_action

#include "tst_action.moc"
