// A rank's failure is one value, whatever was thrown, and one sentence.
#include <QTest>
#include <new>
#include <stdexcept>
#include <vector>

#include "kernels/communicator.h"
#include "kernels/plugin/plugin.h"
#include "plan/failure.h"
#include "registered_test.h"

namespace tst_rank_failure {

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
        QVERIFY(other.cause == sentence("{0}", "the disk is full"));
        QCOMPARE(failureOf(std::bad_alloc()).kind, FailureKind::OutOfMemory);
        QCOMPARE(failureOf(CommunicationAborted(sentence("enough"))).kind, FailureKind::Stopped);
        const RankFailure hang = failureOf(CommunicationHang(sentence("nothing comes"), 4, 2.0));
        QCOMPARE(hang.kind, FailureKind::NothingToCome);
        QCOMPARE(hang.peer, 4);
        // The GPU stands in another action than its host.
        const RankFailure stuck =
            failureOf(StuckAction({0, Op::Backward, 1}, sentence("its GPU makes no progress"), 5));
        QCOMPARE(stuck.kind, FailureKind::GpuStuck);
        QCOMPARE(stuck.action, std::string("0B1"));
    }

    void aSentenceSaysRankActionAndCause() {
        const RunFailure reported = runFailure(failureOf(std::bad_alloc()));
        QCOMPARE(std::string(reported.what()),
                 std::string("Rank 2 stopped in 1F3: there is no memory left."));
        QVERIFY(reported.what_to_do == advice::useLessMemory());
        QCOMPARE(say(reported.said, Language::Chinese), std::string("Rank 2 在 1F3 处停下：内存不足。"));
        QCOMPARE(reported.rank, 2);
        QCOMPARE(reported.action, std::string("1F3"));
        const RunFailure early =
            runFailure(failureOf(std::runtime_error("why"), Action{}), sentence("Do this."));
        QCOMPARE(std::string(early.what()), std::string("Rank 2 stopped before its first operation: why."));
        QVERIFY(early.what_to_do == sentence("Do this."));
        // The optimizer step has no stage, and is an action all the same.
        const Action step{-1, Op::OptimizerStep, -1};
        QVERIFY(
            std::string(runFailure(failureOf(std::runtime_error("why"), step)).what()).find(" in OPT: ") !=
            std::string::npos);
        // A rank that was stopped reports only why.
        QCOMPARE(
            std::string(runFailure(failureOf(CommunicationAborted(sentence("it was cancelled")))).what()),
            std::string("it was cancelled"));
    }

    // Known by its kind, wherever it came up, and not by the words of its cause.
    void aLostGpuIsAKind() {
        const auto thrownBy = [](const BscopeFailure& error) {
            try {
                check(&error);
            } catch (const DeviceError& thrown) {
                return thrown;
            }
            return DeviceError(sentence("nothing was thrown"));
        };
        const DeviceError lost = thrownBy({"an illegal address (ops.cu:7)", nullptr, 0, 1});
        QCOMPARE(failureOf(lost).kind, FailureKind::GpuLost);
        const Sentence restart = runFailure(failureOf(lost)).what_to_do;
        QVERIFY(say(restart, Language::English).find("Restart the engine") != std::string::npos);
        const StuckAction stuck({0, Op::Backward, 1}, sentenceOf(lost), 5, lost.gpu_is_lost);
        QCOMPARE(failureOf(stuck).kind, FailureKind::GpuLost);
        QVERIFY(runFailure(failureOf(stuck)).what_to_do == restart);
        const DeviceError other = thrownBy({"an illegal address (ops.cu:7)", nullptr, 0, 0});
        QCOMPARE(failureOf(other).kind, FailureKind::Error);
        QVERIFY(!(runFailure(failureOf(other)).what_to_do == restart));
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

BUBBLESCOPE_TEST(TestRankFailure)

}  // namespace tst_rank_failure

#include "tst_rank_failure.moc"
