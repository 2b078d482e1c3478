// A rank's failure is one value, whatever was thrown, and one sentence.
#include <QTest>
#include <new>
#include <stdexcept>
#include <vector>

#include "kernels/communicator.h"
#include "plan/failure.h"

using namespace bscope;

namespace {

template <class Error>
RankFailure failureOf(const Error& error, const Action& action = {1, Op::Forward, 3}) {
    return rankFailure(2, action, std::make_exception_ptr(error));
}

}  // namespace

class TestRankFailure : public QObject {
    Q_OBJECT

private slots:
    void whatWasThrownBecomesAValue() {
        const RankFailure other = failureOf(std::runtime_error("the disk is full"));
        QCOMPARE(other.kind, FailureKind::Error);
        QCOMPARE(other.action, std::string("1F3"));
        QCOMPARE(other.cause, std::string("the disk is full"));
        QCOMPARE(failureOf(std::bad_alloc()).kind, FailureKind::OutOfMemory);
        QCOMPARE(failureOf(CommunicationAborted("enough")).kind, FailureKind::Stopped);
        const RankFailure hang = failureOf(CommunicationHang("nothing comes", 4, 2.0));
        QCOMPARE(hang.kind, FailureKind::NothingToCome);
        QCOMPARE(hang.peer, 4);
        // The GPU stands in another action than its host.
        const RankFailure stuck = failureOf(StuckAction({0, Op::Backward, 1}, "its GPU does not get on", 5));
        QCOMPARE(stuck.kind, FailureKind::GpuStuck);
        QCOMPARE(stuck.action, std::string("0B1"));
    }

    void aSentenceSaysRankActionAndCause() {
        const RunFailure told = runFailure(failureOf(std::bad_alloc()));
        QCOMPARE(std::string(told.what()), std::string("Rank 2 stopped in 1F3: there is no memory left."));
        QVERIFY(told.what_to_do.find("micro-batches") != std::string::npos);
        QCOMPARE(told.rank, 2);
        QCOMPARE(told.action, std::string("1F3"));
        const RunFailure early = runFailure(failureOf(std::runtime_error("why"), Action{}), "Do this.");
        QCOMPARE(std::string(early.what()), std::string("Rank 2 stopped before its first operation: why."));
        QCOMPARE(early.what_to_do, std::string("Do this."));
        // The optimizer step has no stage, and is an action all the same.
        const Action step{-1, Op::OptimizerStep, -1};
        QVERIFY(
            std::string(runFailure(failureOf(std::runtime_error("why"), step)).what()).find(" in OPT: ") !=
            std::string::npos);
        // Who was told to stop says only why.
        QCOMPARE(std::string(runFailure(failureOf(CommunicationAborted("it was cancelled"))).what()),
                 std::string("it was cancelled"));
    }

    void theFirstCauseIsARanksOwn() {
        const auto failure = [](FailureKind kind, int rank) {
            RankFailure made;
            made.kind = kind;
            made.rank = rank;
            return made;
        };
        using Kind = FailureKind;
        std::vector<RankFailure> all{failure(Kind::Stopped, 0), failure(Kind::PeerGone, 1)};
        QCOMPARE(firstCause(all).rank, 1);
        all.push_back(failure(Kind::PeerSilent, 2));
        QCOMPARE(firstCause(all).rank, 2);
        all.push_back(failure(Kind::LinkBroken, 3));
        QCOMPARE(firstCause(all).rank, 3);
        all.push_back(failure(Kind::Error, 4));  // as much its own as that of rank 3
        QCOMPARE(firstCause(all).rank, 3);
    }
};

QTEST_GUILESS_MAIN(TestRankFailure)
#include "tst_rank_failure.moc"
