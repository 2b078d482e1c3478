// The fake CUDA judges: every forbidden sequence of calls has its sentence, and legal ones have none,
// whatever order chance gives them.
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <nccl.h>

#include <QTest>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "checked_gpu.h"

using namespace bscope;

namespace {

void succeeds(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

cudaStream_t makeStream() {
    cudaStream_t stream = nullptr;
    int least = 0, greatest = 0;
    succeeds(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    succeeds(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
    return stream;
}
cudaEvent_t makeEvent() {
    cudaEvent_t event = nullptr;
    succeeds(cudaEventCreate(&event));
    return event;
}
char* makeMemory(std::size_t bytes = 1024) {
    void* memory = nullptr;
    succeeds(cudaMalloc(&memory, bytes));
    return static_cast<char*>(memory);
}

// A communicator of two ranks, one a GPU, that has come up.
struct Pair {
    ncclComm_t rank[2] = {};
    Pair() {
        ncclUniqueId id{};
        ncclGetUniqueId(&id);
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0;
        config.maxCTAs = 4;
        config.cgaClusterSize = 0;
        for (int i : {0, 1}) {
            succeeds(cudaSetDevice(i));
            ncclCommInitRankConfig(&rank[i], 2, id, i, &config);
        }
        settle();
        succeeds(cudaSetDevice(0));
    }
    // Until nothing is in progress.
    void settle() const {
        for (int tries = 0; tries < 10; ++tries)
            for (const ncclComm_t each : rank) {
                ncclResult_t state = ncclSuccess;
                ncclCommGetAsyncError(each, &state);
            }
    }
    void receive(void* data, std::size_t bytes, cudaStream_t stream) const {
        ncclGroupStart();
        ncclRecv(data, bytes, ncclInt8, 1, rank[0], stream);
        ncclGroupEnd();
        settle();
    }
    void send(const void* data, std::size_t bytes, cudaStream_t stream) const {
        ncclGroupStart();
        ncclSend(data, bytes, ncclInt8, 0, rank[1], stream);
        ncclGroupEnd();
        settle();
    }
    void abort() const {
        ncclGroupStart();
        for (const ncclComm_t each : rank) ncclCommAbort(each);
        ncclGroupEnd();
    }
};

}  // namespace

#define BREAKS(words)                                          \
    do {                                                       \
        const QByteArray broken = brokenRules();               \
        QVERIFY2(broken.contains(words), "broken: " + broken); \
    } while (false)
#define BREAKS_NOTHING QCOMPARE(brokenRules(), QByteArray())

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

    void aCaptureAllocatesNothing() {
        const cudaStream_t stream = makeStream();
        char* const memory = makeMemory();
        succeeds(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        succeeds(cudaMemsetAsync(memory, 0, 8, stream));
        BREAKS_NOTHING;
        makeMemory();
        BREAKS("while this thread captures");
        QVERIFY(cudaStreamSynchronize(stream) != cudaSuccess);
        BREAKS("of a stream that is being captured");
        cudaGraph_t graph = nullptr;
        QVERIFY(cudaStreamEndCapture(stream, &graph) != cudaSuccess);
        cudaGetLastError();
        brokenRules();
    }

    void oneThreadBeginsAndEndsACapture() {
        const cudaStream_t stream = makeStream();
        succeeds(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        std::thread([&] {
            cudaGraph_t graph = nullptr;
            cudaStreamEndCapture(stream, &graph);
        }).join();
        BREAKS("by another thread");
        cudaGraph_t graph = nullptr;
        succeeds(cudaStreamEndCapture(stream, &graph));
        cudaGraphExec_t executable = nullptr;
        succeeds(cudaGraphInstantiate(&executable, graph, 0));
        succeeds(cudaGraphDestroy(graph));
        succeeds(cudaGraphExecDestroy(executable));
        BREAKS_NOTHING;
        QVERIFY(cudaGraphLaunch(executable, stream) != cudaSuccess);
        BREAKS("a graph that was destroyed");
        cudaGetLastError();
    }

    void nobodyAllocatesWhileAReceiveSpins() {
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

    // Sequences that are legal by construction: every stream writes its own memory or one that it was ordered
    // after, in any order of everything else.
    void legalSequencesBreakNothing() {
        std::minstd_rand chance(7);
        const auto pick = [&](std::size_t n) { return chance() % n; };
        std::vector<cudaStream_t> streams;
        std::vector<cudaEvent_t> events;
        std::vector<char*> memory;
        std::vector<std::size_t> owner;
        for (int i = 0; i < 5; ++i) streams.push_back(makeStream());
        for (std::size_t i = 0; i < 6; ++i) {
            memory.push_back(makeMemory());
            events.push_back(makeEvent());
            owner.push_back(i % streams.size());
        }
        for (int step = 0; step < 10'000; ++step) {
            const std::size_t block = pick(memory.size());
            const std::size_t stream = pick(streams.size());
            switch (pick(5)) {
                case 0:
                    succeeds(
                        cudaMemsetAsync(memory[block], step % 256, 1 + pick(1024), streams[owner[block]]));
                    break;
                case 1:  // it goes to another stream
                    succeeds(cudaEventRecord(events[block], streams[owner[block]]));
                    succeeds(cudaStreamWaitEvent(streams[stream], events[block]));
                    owner[block] = stream;
                    break;
                case 2: {
                    const std::size_t other = pick(memory.size());
                    if (other != block && owner[other] == owner[block])
                        succeeds(cudaMemcpyAsync(memory[block], memory[other], 512, cudaMemcpyDeviceToDevice,
                                                 streams[owner[block]]));
                    break;
                }
                case 3:
                    if (cudaEventQuery(events[block]) != cudaSuccess) cudaGetLastError();
                    break;
                default:
                    if (pick(20) != 0) break;
                    succeeds(cudaStreamSynchronize(streams[owner[block]]));
                    succeeds(cudaFree(memory[block]));
                    memory[block] = makeMemory();
            }
            if (step % 500 == 0) BREAKS_NOTHING;
        }
        for (const cudaStream_t stream : streams) {
            succeeds(cudaStreamSynchronize(stream));
            succeeds(cudaStreamDestroy(stream));
        }
        BREAKS_NOTHING;
    }
};

QTEST_GUILESS_MAIN(TestFakeCuda)
#include "tst_fake_cuda.moc"
