// The fake NCCL between processes: ranks of several processes meet, messages carry their bytes, and its rules
// hold across them. Each rank is a process (fake_rank.cpp) that receives what to call.
#include <nccl.h>

#include <QProcess>
#include <QTest>
#include <utility>

#include "checked_gpu.h"
#include "registered_test.h"

namespace tst_fake_processes {

using namespace bscope;

namespace {

class Rank {
public:
    explicit Rank(const QByteArray& fault = {}) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("BSCOPE_FAKE_GPUS", "2");
        environment.insert("CUDA_DEVICE_MAX_CONNECTIONS", "32");
        environment.insert("BSCOPE_FAKE_HANG_MS", "5000");
        if (!fault.isEmpty()) environment.insert(fault, "1");
        process_.setProcessEnvironment(environment);
        process_.start(QCoreApplication::applicationDirPath() + "/fake_rank", QStringList());
    }
    ~Rank() {
        process_.closeWriteChannel();
        process_.waitForFinished();
    }

    void begin(const QByteArray& command) { process_.write(command + "\n"); }
    // What it answers to the oldest command; what it broke is kept.
    QByteArray answer() {
        while (!process_.canReadLine())
            if (!process_.waitForReadyRead(20'000)) return "silent: " + process_.readAllStandardError();
        const QList<QByteArray> parts = process_.readLine().trimmed().split('|');
        broken_ += parts.value(1);
        return parts[0];
    }
    QByteArray tell(const QByteArray& command) {
        begin(command);
        return answer();
    }
    QByteArray broken() { return std::exchange(broken_, {}); }
    void kill() {
        process_.kill();
        process_.waitForFinished();
    }

private:
    QProcess process_;
    QByteArray broken_;
};

// A communicator of two processes that has come up. The id is made by a third one, as by the first rank of
// a run: this one.
struct TwoRanks {
    Rank rank[2];
    explicit TwoRanks(const QByteArray& fault = {}, const QByteArray& gpus = "01",
                      const QByteArray& sizes = "22")
        : rank{Rank(fault), Rank(fault)} {
        const QByteArray id = newId();
        for (const int i : {0, 1}) {
            const QByteArray number = QByteArray::number(i);
            rank[i].tell("come " + id + " " + number + " " + sizes.mid(i, 1) + " " + gpus.mid(i, 1));
        }
        if (sizes != "22") return;  // it never comes up
        for (Rank& each : rank) states += each.tell("hear 5000") + " ";
    }
    static QByteArray newId() {
        ncclUniqueId id{};
        ncclGetUniqueId(&id);
        return id.internal;
    }
    QByteArray broken() {
        QByteArray all;
        for (Rank& each : rank) all += each.broken();
        return all;
    }
    QByteArray states;
};

}  // namespace

class TestFakeProcesses : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useCheckedGpus("2"); }

    void aMessageCarriesItsBytes() {
        TwoRanks two;
        QCOMPARE(two.states, "ready ready ");
        QCOMPARE(two.rank[0].tell("receive 16 1"), "handed over");
        two.rank[0].begin("wait");
        QCOMPARE(two.rank[1].tell("send 16 0 x"), "handed over");
        QCOMPARE(two.rank[1].tell("wait"), "x");
        QCOMPARE(two.rank[0].answer(), "x");
        // And the other way, where the send comes first.
        QCOMPARE(two.rank[0].tell("send 1000 1 y"), "handed over");
        QCOMPARE(two.rank[1].tell("receive 1000 0"), "handed over");
        QCOMPARE(two.rank[1].tell("wait"), "y");
        QCOMPARE(two.rank[0].tell("wait"), "y");
        for (Rank& each : two.rank) QCOMPARE(each.tell("abort"), "aborted");
        QCOMPARE(two.broken(), "");
    }

    void aCommunicatorWaitsForAllProcesses() {
        Rank first, second;
        const QByteArray id = TwoRanks::newId();
        QCOMPARE(first.tell("come " + id + " 0 2 0"), "in progress");
        QCOMPARE(first.tell("hear 50"), "in progress");
        second.tell("come " + id + " 1 2 1");
        QCOMPARE(second.tell("hear 5000"), "ready");
        QCOMPARE(first.tell("hear 5000"), "ready");
        QCOMPARE(first.broken() + second.broken(), "");
    }

    // Until its process has reported the send, the receive of the other one stands alone.
    void nothingIsAllocatedWhileAReceiveWaitsForAProcess() {
        TwoRanks two;
        two.rank[0].tell("receive 16 1");
        QCOMPARE(two.broken(), "");
        two.rank[0].tell("allocate");
        QVERIFY2(two.rank[0].broken().contains("where a receive of GPU 0 waits for a peer"), "not heard");
        two.rank[1].tell("send 16 0 x");
        two.rank[0].tell("allocate");
        QCOMPARE(two.rank[0].tell("wait"), "x");
        for (Rank& each : two.rank) each.tell("allocate");
        QCOMPARE(two.broken(), "");
    }

    void messagesHaveOneSize() {
        TwoRanks two;
        two.rank[0].tell("receive 16 1");
        two.rank[1].tell("send 8 0 x");
        for (Rank& each : two.rank) each.tell("wait");
        QVERIFY(two.broken().contains("a message of 8 bytes meets a receive of 16"));
    }

    void ranksHaveAGpuEach() {
        TwoRanks two({}, "00");
        QVERIFY(two.broken().contains("two ranks on one GPU"));
    }

    void ranksAgreeOnHowManyTheyAre() {
        TwoRanks two({}, "01", "23");
        for (Rank& each : two.rank) each.tell("hear 20");
        QVERIFY(two.broken().contains("ranks disagree on how many they are"));
    }

    void aSplitIsJoinedByAllProcesses() {
        TwoRanks two;
        QCOMPARE(two.rank[0].tell("split 5 1"), "in progress");
        QCOMPARE(two.rank[0].tell("hear 50"), "in progress");
        two.rank[1].tell("split 5 0");
        for (Rank& each : two.rank) QCOMPARE(each.tell("hear 5000"), "ready");
        // Keys have turned them round: rank 1 of the part is rank 0 of the whole.
        two.rank[0].tell("receive 16 0");
        two.rank[1].tell("send 16 1 z");
        for (Rank& each : two.rank) QCOMPARE(each.tell("wait"), "z");
        for (Rank& each : two.rank) each.tell("abort");
        QCOMPARE(two.broken(), "");
    }

    void aSplitThatFailsFailsOnAllProcesses() {
        TwoRanks two("BSCOPE_FAKE_SPLIT_FAILS");
        for (Rank& each : two.rank) each.tell("split 5 0");
        for (Rank& each : two.rank) QCOMPARE(each.tell("hear 5000"), "error");
        for (Rank& each : two.rank) QCOMPARE(each.tell("abort"), "aborted");
        QCOMPARE(two.broken(), "");
    }

    // A process that is gone, and one that has aborted, leave the others waiting: these have to abort too.
    void whoWaitsForAProcessThatIsGoneHasToAbort_data() {
        QTest::addColumn<bool>("killed");
        QTest::newRow("killed") << true;
        QTest::newRow("aborted") << false;
    }
    void whoWaitsForAProcessThatIsGoneHasToAbort() {
        QFETCH(bool, killed);
        TwoRanks two;
        two.rank[0].tell("receive 16 1");
        if (killed)
            two.rank[1].kill();
        else
            two.rank[1].tell("abort");
        two.rank[0].tell("allocate");
        QVERIFY(two.rank[0].broken().contains("a receive of GPU 0 waits for a peer"));
        QCOMPARE(two.rank[0].tell("abort"), "aborted");
        two.rank[0].tell("wait");
        QCOMPARE(two.rank[0].broken(), "");
    }

    void anIdOfAProcessThatIsGoneIsAnError() {
        Rank rank;
        QCOMPARE(rank.tell("come /proc/1/fd/999999?1 0 2 0"), "error");
    }
};

BUBBLESCOPE_TEST(TestFakeProcesses)

}  // namespace tst_fake_processes

#include "tst_fake_processes.moc"
