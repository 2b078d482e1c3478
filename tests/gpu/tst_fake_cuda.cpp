// The fake CUDA judges: every forbidden sequence of calls of the runtime or NCCL has its sentence.
#include <QTest>
#include <thread>
#include <vector>

#include "fake_calls.h"
#include "registered_test.h"
#include "setting.h"

namespace tst_fake_cuda {

using namespace bscope;

class TestFakeCuda : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useCheckedGpus("2"); }
    void init() {
        succeeds(cudaSetDevice(0));
        brokenRules();
    }

    void aThreadHasToSetItsDevice() {
        std::thread([] {
            void* memory = nullptr;
            cudaMalloc(&memory, 8);
            cudaFree(memory);
        }).join();
        BREAKS("this thread has set no device");
    }

    void eventAndStreamAreOfOneGpu() {
        const cudaEvent_t event = makeEvent();
        succeeds(cudaSetDevice(1));
        const cudaStream_t other = makeStream();
        QVERIFY(cudaEventRecord(event, other) != cudaSuccess);
        BREAKS("different GPUs");
        QVERIFY(cudaGetLastError() != cudaSuccess);
        QCOMPARE(cudaGetLastError(), cudaSuccess);
    }

    void memoryIsLiveAndOfItsGpu() {
        const cudaStream_t stream = makeStream();
        char* const memory = makeMemory();
        succeeds(cudaMemsetAsync(memory, 0, 1025, stream));
        BREAKS("beyond the end");
        succeeds(cudaSetDevice(1));
        succeeds(cudaMemsetAsync(memory, 0, 8, makeStream()));
        BREAKS("memory of GPU 0 used by GPU 1");
        succeeds(cudaSetDevice(0));
        succeeds(cudaStreamSynchronize(stream));
        brokenRules();
        succeeds(cudaFree(memory));
        BREAKS_NOTHING;
        succeeds(cudaMemsetAsync(memory, 0, 8, stream));
        BREAKS("freed");
        QVERIFY(cudaFree(memory) != cudaSuccess);
        BREAKS("freed twice");
        cudaGetLastError();
    }

    void accessesInTwoStreamsNeedAnOrder() {
        const cudaStream_t one = makeStream(), other = makeStream();
        char* const memory = makeMemory();
        succeeds(cudaMemsetAsync(memory, 0, 512, one));
        succeeds(cudaMemsetAsync(memory + 512, 0, 512, other));
        BREAKS_NOTHING;
        succeeds(cudaMemsetAsync(memory, 0, 513, other));
        BREAKS("in no order");
        succeeds(cudaStreamSynchronize(one));
        succeeds(cudaStreamSynchronize(other));
        const cudaEvent_t event = makeEvent();
        succeeds(cudaMemsetAsync(memory, 0, 512, one));
        succeeds(cudaEventRecord(event, one));
        succeeds(cudaStreamWaitEvent(other, event));
        succeeds(cudaMemsetAsync(memory, 0, 512, other));
        succeeds(cudaStreamSynchronize(other));
        BREAKS_NOTHING;
    }

    void elapsedTimeGoesForward() {
        const cudaStream_t stream = makeStream();
        const cudaEvent_t first = makeEvent(), second = makeEvent();
        succeeds(cudaEventRecord(first, stream));
        succeeds(cudaEventRecord(second, stream));
        succeeds(cudaEventSynchronize(second));
        float ms = -1;
        succeeds(cudaEventElapsedTime(&ms, first, second));
        QVERIFY(ms >= 0);
        BREAKS_NOTHING;
        succeeds(cudaEventElapsedTime(&ms, second, first));
        BREAKS("the start came after the end");
    }

    void nothingIsAllocatedWhileAReceiveSpins() {
        const Pair pair;
        const cudaStream_t here = makeStream();
        char* const to = makeMemory();
        succeeds(cudaSetDevice(1));
        const cudaStream_t there = makeStream();
        char* const from = makeMemory();
        succeeds(cudaSetDevice(0));
        pair.receive(to, 16, here);
        BREAKS_NOTHING;
        char* const more = makeMemory();
        BREAKS("cudaMalloc may wait for all GPUs, where a receive of GPU 0 waits");
        succeeds(cudaSetDevice(1));
        pair.send(from, 16, there);
        succeeds(cudaStreamSynchronize(there));
        succeeds(cudaSetDevice(0));
        succeeds(cudaFree(more));
        BREAKS_NOTHING;
        pair.abort();
        BREAKS_NOTHING;
    }

    // With all multiprocessors taken by a receive nothing else begins on its GPU.
    void aSpinningReceiveKeepsItsProcessors() {
        const Pair pair;
        const cudaStream_t here = makeStream(), computes = makeStream();
        char* const to = makeMemory();
        char* const other = makeMemory();
        const cudaEvent_t done = makeEvent();
        succeeds(cudaSetDevice(1));
        const cudaStream_t there = makeStream();
        char* const from = makeMemory();
        succeeds(cudaSetDevice(0));
        qputenv("BSCOPE_FAKE_PROCESSORS", "4");
        pair.receive(to, 16, here);
        for (int i = 0; i < 10; ++i) pair.settle();
        succeeds(cudaMemsetAsync(other, 0, 16, computes));
        succeeds(cudaEventRecord(done, computes));
        for (int i = 0; i < 100; ++i) QCOMPARE(cudaEventQuery(done), cudaErrorNotReady);
        cudaGetLastError();
        succeeds(cudaSetDevice(1));
        pair.send(from, 16, there);
        succeeds(cudaEventSynchronize(done));
        qunsetenv("BSCOPE_FAKE_PROCESSORS");
        pair.abort();
        BREAKS_NOTHING;
    }

    void messagesHaveOneSize() {
        const Pair pair;
        const cudaStream_t here = makeStream();
        char* const to = makeMemory();
        succeeds(cudaSetDevice(1));
        const cudaStream_t there = makeStream();
        char* const from = makeMemory();
        pair.receive(to, 16, here);
        pair.send(from, 8, there);
        succeeds(cudaStreamSynchronize(there));
        BREAKS("a message of 8 bytes meets a receive of 16");
        pair.abort();
        brokenRules();
    }

    void nothingIsAskedOfACommunicatorAtWork() {
        const Pair pair;
        const cudaStream_t stream = makeStream();
        char* const to = makeMemory();
        ncclGroupStart();
        ncclRecv(to, 16, ncclInt8, 1, pair.rank[0], stream);
        ncclGroupEnd();
        ncclGroupStart();
        ncclRecv(to, 16, ncclInt8, 1, pair.rank[0], stream);
        BREAKS("while the communicator has something under way");
        ncclGroupEnd();
        pair.abort();
        QVERIFY(ncclCommAbort(pair.rank[0]) != ncclSuccess);
        BREAKS("aborted twice");
    }

    void aFailedSplitsParentIsAbortedWithItsChild() {
        for (const bool child_first : {false, true}) {
            const Pair pair;
            qputenv("BSCOPE_FAKE_SPLIT_FAILS", child_first ? "2" : "1");
            ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
            config.blocking = 0;
            ncclComm_t made[2] = {};
            for (const int i : {0, 1}) {
                succeeds(cudaSetDevice(i));
                ncclCommSplit(pair.rank[i], 0, i, &made[i], &config);
            }
            pair.settle();
            qunsetenv("BSCOPE_FAKE_SPLIT_FAILS");
            ncclResult_t state = ncclSuccess;
            ncclCommGetAsyncError(pair.rank[0], &state);
            QCOMPARE(state, ncclSystemError);
            if (!child_first) ncclGroupStart();
            for (const ncclComm_t each : child_first ? made : pair.rank) ncclCommAbort(each);
            for (const ncclComm_t each : child_first ? pair.rank : made) ncclCommAbort(each);
            if (!child_first) ncclGroupEnd();
            if (child_first)
                BREAKS("the abort flag of a child that was freed");
            else
                BREAKS_NOTHING;
        }
    }

    void launchesAreJudged() {
        const cudaStream_t stream = makeStream();
        char* const memory = makeMemory();
        succeeds(launch(&addOneKernel, memory, 8, stream));
        BREAKS_NOTHING;
        QVERIFY(launch(&addOneKernel, memory, 8, stream, dim3(1, 65536)) != cudaSuccess);
        BREAKS("a grid or block that no GPU takes");
        succeeds(launch(&addOneKernel, memory, 8, stream));
        BREAKS("a launch with the error of cudaLaunchKernel left behind");
        cudaGetLastError();
        succeeds(cudaSetDevice(1));
        QVERIFY(launch(&addOneKernel, memory, 8, stream) != cudaSuccess);
        BREAKS("the current GPU is not the stream's");
        cudaGetLastError();
        succeeds(cudaSetDevice(0));
        succeeds(cudaStreamSynchronize(stream));
        succeeds(cudaStreamDestroy(stream));
        QVERIFY(cudaStreamSynchronize(stream) != cudaSuccess);
        BREAKS("a handle that was destroyed");
        cudaStream_t waits = nullptr;
        succeeds(cudaStreamCreateWithFlags(&waits, cudaStreamDefault));
        BREAKS("a stream that waits for the default one");
    }

    void memoryInUseIsNotFreed() {
        const cudaStream_t stream = makeStream();
        char* const memory = makeMemory();
        const Setting none("BSCOPE_FAKE_PROCESSORS", "0");  // nothing begins
        succeeds(launch(&addOneKernel, memory, 8, stream));
        {
            const Setting all("BSCOPE_FAKE_PROCESSORS", "132");
            succeeds(cudaFree(memory));
        }
        BREAKS("still uses");
    }

    void aFaultIsReportedLaterAndStays() {
        const cudaStream_t stream = makeStream();
        char* const memory = makeMemory();
        {
            const Setting none("BSCOPE_FAKE_PROCESSORS", "0");
            succeeds(launch(&faultyKernel, memory, 8, stream));
        }
        QCOMPARE(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
        BREAKS("faults: a misaligned load");
        cudaGetLastError();
        void* more = nullptr;
        QCOMPARE(cudaMalloc(&more, 8), cudaErrorIllegalAddress);
        QCOMPARE(cudaGetLastError(), cudaErrorIllegalAddress);
        QCOMPARE(cudaGetLastError(), cudaErrorIllegalAddress);
        fake_cuda_restart();
        QCOMPARE(cudaGetLastError(), cudaSuccess);
        BREAKS_NOTHING;
    }

    // Of kernels that wait for a multiprocessor the urgent one begins first, in whatever order they came.
    void urgentKernelsBeginFirst() {
        const cudaStream_t slow = makeStream(false), urgent = makeStream(true);
        char* const memory = makeMemory();
        static char runs = 0;
        const auto count = [](char* bytes, unsigned) { *bytes = ++runs; };
        for (int again = 0; again < 20; ++again) {
            {
                const Setting none("BSCOPE_FAKE_PROCESSORS", "0");  // nothing begins
                succeeds(launch(+count, memory, 1, slow));
                succeeds(launch(+count, memory + 8, 1, urgent));
            }
            succeeds(cudaStreamSynchronize(slow));
            succeeds(cudaStreamSynchronize(urgent));
            QVERIFY(memory[8] < memory[0]);
        }
        BREAKS_NOTHING;
    }

    void aFullQueueBlocks() {
        const Setting soon("BSCOPE_FAKE_HANG_MS", "50");
        const Pair pair;
        const cudaStream_t here = makeStream();
        char* const to = makeMemory();
        succeeds(cudaSetDevice(1));
        const cudaStream_t there = makeStream();
        char* const from = makeMemory();
        succeeds(cudaSetDevice(0));
        pair.receive(to, 16, here);
        for (int i = 0; i < 1000; ++i) succeeds(cudaMemsetAsync(to, 0, 8, here));
        BREAKS_NOTHING;
        for (int i = 0; i < 100 && brokenRules().isEmpty(); ++i) {
            QVERIFY(i < 99);
            succeeds(cudaMemsetAsync(to, 0, 8, here));
        }
        succeeds(cudaSetDevice(1));
        pair.send(from, 16, there);
        succeeds(cudaSetDevice(0));
        succeeds(cudaStreamSynchronize(here));
        pair.abort();
        BREAKS_NOTHING;
    }

    void aKernelIsLoadedBeforeItIsCapturedOrAnythingSpins() {
        const auto never = [](char*, unsigned) {};
        const auto nowhere = [](char*, unsigned) { static_cast<void>(0); };
        const cudaStream_t stream = makeStream();
        char* const memory = makeMemory();
        succeeds(launch(&addOneKernel, memory, 8, stream));
        succeeds(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        succeeds(launch(&addOneKernel, memory, 8, stream));
        BREAKS_NOTHING;
        succeeds(launch(+never, memory, 8, stream));
        BREAKS("first used, and loaded, while a stream is captured");
        cudaGraph_t graph = nullptr;
        succeeds(cudaStreamEndCapture(stream, &graph));
        const Pair pair;
        const cudaStream_t here = makeStream();
        char* const to = makeMemory();
        pair.receive(to, 16, here);
        succeeds(launch(&addOneKernel, memory, 8, stream));
        BREAKS_NOTHING;
        succeeds(launch(+nowhere, memory, 8, stream));
        BREAKS("its first use may wait for the GPU to load it, where a receive of GPU 0 waits");
        pair.abort();
        succeeds(cudaStreamSynchronize(stream));
        brokenRules();
    }

    void graphsKeepToTheirMemoryAndGpu() {
        const cudaStream_t stream = makeStream();
        char* const memory = makeMemory();
        succeeds(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        succeeds(cudaMemsetAsync(memory, 0, 8, stream));
        cudaGraph_t graph = nullptr;
        succeeds(cudaStreamEndCapture(stream, &graph));
        cudaGraphExec_t executable = nullptr;
        succeeds(cudaGraphInstantiate(&executable, graph, 0));
        succeeds(cudaGraphLaunch(executable, stream));
        succeeds(cudaStreamSynchronize(stream));
        BREAKS_NOTHING;
        succeeds(cudaSetDevice(1));
        succeeds(cudaGraphLaunch(executable, makeStream()));
        BREAKS("captured on another GPU");
        succeeds(cudaSetDevice(0));
        succeeds(cudaFree(memory));
        brokenRules();
        succeeds(cudaGraphLaunch(executable, stream));
        BREAKS("in the graph uses memory that was freed");
        succeeds(cudaGraphExecDestroy(executable));
        QVERIFY(cudaGraphExecDestroy(executable) != cudaSuccess);
        BREAKS("destroyed twice");
        cudaGetLastError();
    }
};

BUBBLESCOPE_TEST(TestFakeCuda)

}  // namespace tst_fake_cuda

#include "tst_fake_cuda.moc"
