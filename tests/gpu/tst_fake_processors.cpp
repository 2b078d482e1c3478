// Multiprocessors of the fake are finite: a receive keeps its own until its message has come. A schedule in
// which the work that would release it finds none left stands still, as on a GPU, and that is heard; with one
// more, or without clusters, the same calls come to an end.
#include <QTest>

#include "fake_calls.h"
#include "registered_test.h"
#include "setting.h"

namespace tst_fake_processors {

using namespace bscope;

class TestFakeProcessors : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useCheckedGpus("2"); }
    void init() {
        succeeds(cudaSetDevice(0));
        brokenRules();
    }

    // GPU 1 sends when a kernel of GPU 0 is done, where the receive of it spins already.
    void aKernelThatAReceiveWaitsForNeedsAProcessor_data() {
        QTest::addColumn<QByteArray>("processors");
        QTest::addColumn<bool>("hangs");
        QTest::newRow("none left") << QByteArray("4") << true;
        QTest::newRow("one left") << QByteArray("5") << false;
    }
    void aKernelThatAReceiveWaitsForNeedsAProcessor() {
        QFETCH(QByteArray, processors);
        QFETCH(bool, hangs);
        const Pair pair;
        const cudaStream_t here = makeStream(), computes = makeStream(false);
        char* const to = makeMemory();
        char* const product = makeMemory();
        const cudaEvent_t done = makeEvent();
        succeeds(launch(&addOneKernel, product, 16, computes));  // loads it
        succeeds(cudaStreamSynchronize(computes));
        succeeds(cudaSetDevice(1));
        const cudaStream_t there = makeStream();
        char* const from = makeMemory();
        succeeds(cudaSetDevice(0));

        const Setting few("BSCOPE_FAKE_PROCESSORS", processors), soon("BSCOPE_FAKE_HANG_MS", "50");
        pair.receive(to, 16, here);
        pair.settle();
        succeeds(launch(&addOneKernel, product, 16, computes));
        succeeds(cudaEventRecord(done, computes));
        succeeds(cudaSetDevice(1));
        succeeds(cudaStreamWaitEvent(there, done));
        pair.send(from, 16, there);
        succeeds(cudaSetDevice(0));
        BREAKS_NOTHING;
        cudaStreamSynchronize(here);
        if (hangs)
            BREAKS("hangs: cudaStreamSynchronize");
        else
            BREAKS_NOTHING;
        pair.abort();
        succeeds(cudaStreamSynchronize(computes));
        brokenRules();
    }

    // Of eight multiprocessors a receive keeps four, here and there: four neighbours are not free, any four
    // are. What it waits for is sent after the second message.
    void aClusterNeedsNeighbours_data() {
        QTest::addColumn<int>("cluster");
        QTest::addColumn<bool>("hangs");
        QTest::newRow("clusters of four") << 4 << true;
        QTest::newRow("no clusters") << 0 << false;
    }
    void aClusterNeedsNeighbours() {
        QFETCH(int, cluster);
        QFETCH(bool, hangs);
        const Pair first, second(cluster);
        const cudaStream_t here = makeStream(), here_too = makeStream();
        char* const to = makeMemory();
        char* const to_too = makeMemory();
        succeeds(cudaSetDevice(1));
        const cudaStream_t there = makeStream(), there_too = makeStream();
        const cudaEvent_t sent = makeEvent();
        char* const from = makeMemory();
        succeeds(cudaSetDevice(0));

        const Setting few("BSCOPE_FAKE_PROCESSORS", "8"), soon("BSCOPE_FAKE_HANG_MS", "50");
        first.receive(to, 16, here);
        first.settle();
        second.receive(to_too, 16, here_too);
        succeeds(cudaSetDevice(1));
        second.send(from, 16, there_too);
        succeeds(cudaEventRecord(sent, there_too));
        succeeds(cudaStreamWaitEvent(there, sent));
        first.send(from, 16, there);
        succeeds(cudaSetDevice(0));
        brokenRules();  // clusters are refused beforehand too
        cudaStreamSynchronize(here);
        if (hangs)
            BREAKS("hangs: cudaStreamSynchronize");
        else
            BREAKS_NOTHING;
        first.abort();
        second.abort();
        brokenRules();
    }
};

BUBBLESCOPE_TEST(TestFakeProcessors)

}  // namespace tst_fake_processors

#include "tst_fake_processors.moc"
