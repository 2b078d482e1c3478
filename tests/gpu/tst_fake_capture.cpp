// The fake CUDA judges captures: which call is forbidden to whom under which mode (runtime manual,
// cudaStreamBeginCapture and cudaThreadExchangeStreamCaptureMode), and that a broken rule loses the graph.
#include <QTest>
#include <thread>

#include "fake_calls.h"
#include "registered_test.h"

namespace tst_fake_capture {

using namespace bscope;

namespace {

// A stream that is being captured.
struct Capture {
    cudaStream_t stream = makeStream();
    explicit Capture(cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal) {
        succeeds(cudaStreamBeginCapture(stream, mode));
    }
    cudaError_t end() {
        cudaGraph_t graph = nullptr;
        const cudaError_t error = cudaStreamEndCapture(stream, &graph);
        if ((error == cudaSuccess) != (graph != nullptr)) throw std::runtime_error("a graph with an error");
        if (graph) succeeds(cudaGraphDestroy(graph));
        cudaGetLastError();
        return error;
    }
};

template <class Work>
void inAnotherThread(Work work) {
    std::thread([&] {
        cudaSetDevice(0);
        work();
        cudaGetLastError();
    }).join();
}

}  // namespace

class TestFakeCapture : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useCheckedGpus("2"); }
    void init() {
        succeeds(cudaSetDevice(0));
        brokenRules();
    }

    void allocatingIsForbiddenByTheMode_data() {
        QTest::addColumn<cudaStreamCaptureMode>("mode");
        QTest::addColumn<bool>("same_thread");
        QTest::addColumn<QByteArray>("broken");
        const QByteArray own = "while this thread captures a stream",
                         all = "while another thread captures a stream, for all threads";
        QTest::newRow("global, same thread") << cudaStreamCaptureModeGlobal << true << own;
        QTest::newRow("global, another") << cudaStreamCaptureModeGlobal << false << all;
        QTest::newRow("thread-local, same thread") << cudaStreamCaptureModeThreadLocal << true << own;
        QTest::newRow("thread-local, another") << cudaStreamCaptureModeThreadLocal << false << QByteArray();
        QTest::newRow("relaxed, same thread") << cudaStreamCaptureModeRelaxed << true << QByteArray();
        QTest::newRow("relaxed, another") << cudaStreamCaptureModeRelaxed << false << QByteArray();
    }
    void allocatingIsForbiddenByTheMode() {
        QFETCH(cudaStreamCaptureMode, mode);
        QFETCH(bool, same_thread);
        QFETCH(QByteArray, broken);
        char* const kept = makeMemory();
        for (const bool frees : {false, true}) {
            char* const old = makeMemory();
            void* memory = nullptr;
            cudaError_t error = cudaSuccess;
            Capture capture(mode);
            succeeds(cudaMemsetAsync(kept, 0, 8, capture.stream));
            const auto call = [&] { error = frees ? cudaFree(old) : cudaMalloc(&memory, 64); };
            if (same_thread)
                call();
            else
                inAnotherThread(call);
            cudaGetLastError();
            QCOMPARE(error == cudaSuccess, broken.isEmpty());
            if (broken.isEmpty())
                BREAKS_NOTHING;
            else
                BREAKS(broken);
            QCOMPARE(capture.end() == cudaSuccess, broken.isEmpty());
            BREAKS_NOTHING;
        }
    }

    // Only what a relaxed capture's thread began may another one end.
    void whoEndsACapture_data() {
        QTest::addColumn<cudaStreamCaptureMode>("mode");
        QTest::newRow("global") << cudaStreamCaptureModeGlobal;
        QTest::newRow("thread-local") << cudaStreamCaptureModeThreadLocal;
        QTest::newRow("relaxed") << cudaStreamCaptureModeRelaxed;
    }
    void whoEndsACapture() {
        QFETCH(cudaStreamCaptureMode, mode);
        const bool relaxed = mode == cudaStreamCaptureModeRelaxed;
        Capture capture(mode);
        cudaError_t error = cudaSuccess;
        inAnotherThread([&] { error = capture.end(); });
        QCOMPARE(error, relaxed ? cudaSuccess : cudaErrorStreamCaptureWrongThread);
        if (relaxed)
            BREAKS_NOTHING;
        else
            BREAKS("by another thread");
        if (!relaxed) QCOMPARE(capture.end(), cudaSuccess);
        BREAKS_NOTHING;
        QCOMPARE(capture.end(), cudaErrorStreamCaptureUnmatched);
        BREAKS("of a stream that is not captured");
    }

    void aCapturedStreamIsNotWaitedFor() {
        char* const memory = makeMemory();
        Capture capture;
        const cudaStream_t other = makeStream();
        succeeds(cudaStreamSynchronize(other));
        BREAKS_NOTHING;
        QCOMPARE(cudaStreamSynchronize(capture.stream), cudaErrorStreamCaptureUnsupported);
        BREAKS("cudaStreamSynchronize of a stream that is being captured");
        // What is lost takes nothing more.
        QCOMPARE(cudaMemsetAsync(memory, 0, 8, capture.stream), cudaErrorStreamCaptureInvalidated);
        cudaGetLastError();
        QCOMPARE(capture.end(), cudaErrorStreamCaptureInvalidated);
        succeeds(cudaMemsetAsync(memory, 0, 8, capture.stream));
        succeeds(cudaStreamSynchronize(capture.stream));
        BREAKS_NOTHING;
    }

    void aStreamIsCapturedOnce() {
        Capture capture;
        QCOMPARE(cudaStreamBeginCapture(capture.stream, cudaStreamCaptureModeThreadLocal),
                 cudaErrorIllegalState);
        BREAKS("of a stream that is captured already");
        QVERIFY(capture.end() != cudaSuccess);
        Capture one, other;  // two streams of one thread may be
        QCOMPARE(one.end(), cudaSuccess);
        QCOMPARE(other.end(), cudaSuccess);
        BREAKS_NOTHING;
    }

    // In relaxed mode too: it conflicts with the capture.
    void anEventOfAGraphIsNotAsked_data() {
        QTest::addColumn<int>("question");
        QTest::newRow("query") << 0;
        QTest::newRow("synchronize") << 1;
        QTest::newRow("elapsed") << 2;
    }
    void anEventOfAGraphIsNotAsked() {
        QFETCH(int, question);
        const cudaEvent_t event = makeEvent(), before = makeEvent();
        Capture capture(cudaStreamCaptureModeRelaxed);
        const cudaStream_t other = makeStream();
        succeeds(cudaEventRecord(event, capture.stream));
        succeeds(cudaStreamWaitEvent(capture.stream, event));
        succeeds(cudaEventRecord(before, other));
        succeeds(cudaEventSynchronize(before));
        BREAKS_NOTHING;
        float ms = 0;
        QCOMPARE(question == 0   ? cudaEventQuery(event)
                 : question == 1 ? cudaEventSynchronize(event)
                                 : cudaEventElapsedTime(&ms, before, event),
                 cudaErrorCapturedEvent);
        BREAKS("of an event that was recorded into a graph");
        QCOMPARE(capture.end(), cudaErrorStreamCaptureInvalidated);
        succeeds(cudaEventRecord(event, other));  // it is a moment again
        succeeds(cudaEventSynchronize(event));
        BREAKS_NOTHING;
    }

    void aGraphWaitsForNothingOutside() {
        const cudaEvent_t event = makeEvent();
        const cudaStream_t other = makeStream();
        succeeds(cudaEventRecord(event, other));
        Capture capture;
        QCOMPARE(cudaStreamWaitEvent(capture.stream, event), cudaErrorStreamCaptureIsolation);
        BREAKS("a captured stream waits for one that is not captured");
        QCOMPARE(capture.end(), cudaErrorStreamCaptureInvalidated);
        succeeds(cudaStreamWaitEvent(capture.stream, event));  // before, or after, it may
        Capture again;
        QCOMPARE(again.end(), cudaSuccess);
        BREAKS_NOTHING;
    }

    void aStreamIsNotDestroyedUnderItsCapture() {
        Capture capture;
        cudaStreamDestroy(capture.stream);
        BREAKS("cudaStreamDestroy of a stream that is being captured");
        char* const memory = makeMemory();  // the capture went with it
        succeeds(cudaFree(memory));
        BREAKS_NOTHING;
    }

    void aGraphIsNotLaunchedAfterItIsDestroyed() {
        const cudaStream_t stream = makeStream();
        succeeds(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        cudaGraph_t graph = nullptr;
        succeeds(cudaStreamEndCapture(stream, &graph));
        cudaGraphExec_t executable = nullptr;
        succeeds(cudaGraphInstantiate(&executable, graph, 0));
        succeeds(cudaGraphDestroy(graph));
        succeeds(cudaGraphLaunch(executable, stream));
        succeeds(cudaGraphExecDestroy(executable));
        BREAKS_NOTHING;
        QVERIFY(cudaGraphLaunch(executable, stream) != cudaSuccess);
        BREAKS("a graph that was destroyed");
        cudaGetLastError();
    }
};

BUBBLESCOPE_TEST(TestFakeCapture)

}  // namespace tst_fake_capture

#include "tst_fake_capture.moc"
