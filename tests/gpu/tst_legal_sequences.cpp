// The fake CUDA lets legal sequences of calls pass, whatever order chance gives them.
#include <QTest>
#include <algorithm>
#include <random>
#include <vector>

#include "fake_calls.h"
#include "registered_test.h"

namespace tst_legal_sequences {

using namespace bscope;

class TestLegalSequences : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useCheckedGpus("2"); }

    // Sequences that are legal by construction, in chance order: fills, copies, kernels, graphs, messages
    // between two GPUs, events, and memory that comes and goes. Every block belongs to one stream, which is
    // ordered after the one before. No rule is broken, and memory holds what a host that did the same holds.
    void legalSequencesBreakNothing() {
        std::minstd_rand chance(7);
        const auto pick = [&](std::size_t n) { return chance() % n; };
        constexpr std::size_t kBlocks = 3, kStreams = 3, kBytes = 64;
        struct Gpu {
            std::vector<cudaStream_t> streams;
            std::vector<cudaEvent_t> events;
            std::vector<char*> memory;
            std::vector<std::size_t> owner;
            std::vector<std::vector<char>> expected;
            cudaStream_t messages;
            cudaEvent_t message;
        } gpus[2];
        const Pair pair;
        for (int index : {0, 1}) {
            Gpu& gpu = gpus[index];
            succeeds(cudaSetDevice(index));
            gpu.messages = makeStream();
            gpu.message = makeEvent();
            for (std::size_t i = 0; i < kStreams; ++i) gpu.streams.push_back(makeStream(i == 0));
            for (std::size_t i = 0; i < kBlocks; ++i) {
                gpu.memory.push_back(makeMemory(kBytes));
                gpu.events.push_back(makeEvent());
                gpu.owner.push_back(i % kStreams);
                gpu.expected.emplace_back(kBytes, '\0');
                succeeds(cudaMemsetAsync(gpu.memory[i], 0, kBytes, gpu.streams[gpu.owner[i]]));
            }
        }
        const auto ordered = [](cudaStream_t first, cudaEvent_t event, cudaStream_t then) {
            succeeds(cudaEventRecord(event, first));
            succeeds(cudaStreamWaitEvent(then, event));
        };
        for (int step = 0; step < 10'000; ++step) {
            const int index = static_cast<int>(pick(2));
            Gpu& gpu = gpus[index];
            succeeds(cudaSetDevice(index));
            const std::size_t block = pick(kBlocks), bytes = 1 + pick(kBytes);
            const cudaStream_t own = gpu.streams[gpu.owner[block]];
            std::vector<char>& expected = gpu.expected[block];
            switch (pick(8)) {
                case 0:
                    succeeds(cudaMemsetAsync(gpu.memory[block], step % 256, bytes, own));
                    std::fill_n(expected.begin(), bytes, static_cast<char>(step % 256));
                    break;
                case 1: {  // it goes to another stream
                    const std::size_t next = pick(kStreams);
                    ordered(own, gpu.events[block], gpu.streams[next]);
                    gpu.owner[block] = next;
                    break;
                }
                case 2: {
                    const std::size_t other = pick(kBlocks);
                    if (other == block || gpu.owner[other] != gpu.owner[block]) break;
                    succeeds(cudaMemcpyAsync(gpu.memory[block], gpu.memory[other], bytes,
                                             cudaMemcpyDeviceToDevice, own));
                    std::copy_n(gpu.expected[other].begin(), bytes, expected.begin());
                    break;
                }
                case 3:
                    if (cudaEventQuery(gpu.events[block]) != cudaSuccess) cudaGetLastError();
                    break;
                case 4:
                    succeeds(launch(&addOneKernel, gpu.memory[block], static_cast<unsigned>(bytes), own));
                    for (std::size_t i = 0; i < bytes; ++i) expected[i] = static_cast<char>(expected[i] + 1);
                    break;
                case 5: {  // a graph, twice, that goes before it has run
                    succeeds(cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal));
                    succeeds(cudaMemsetAsync(gpu.memory[block], 7, bytes, own));
                    cudaGraph_t graph = nullptr;
                    succeeds(cudaStreamEndCapture(own, &graph));
                    cudaGraphExec_t executable = nullptr;
                    succeeds(cudaGraphInstantiate(&executable, graph, 0));
                    succeeds(cudaGraphDestroy(graph));
                    for (int i = 0; i < 2; ++i) succeeds(cudaGraphLaunch(executable, own));
                    succeeds(cudaGraphExecDestroy(executable));
                    std::fill_n(expected.begin(), bytes, char{7});
                    break;
                }
                case 6: {  // from GPU 1 to GPU 0, the receive first or the send
                    const std::size_t to = pick(kBlocks), from = pick(kBlocks);
                    const auto hand = [&](int at, std::size_t which, const auto& message) {
                        Gpu& end = gpus[at];
                        succeeds(cudaSetDevice(at));
                        ordered(end.streams[end.owner[which]], end.message, end.messages);
                        message(end.memory[which], end.messages);
                        ordered(end.messages, end.message, end.streams[end.owner[which]]);
                    };
                    const auto receive = [&] {
                        hand(0, to, [&](char* data, cudaStream_t on) { pair.receive(data, bytes, on); });
                    };
                    const auto send = [&] {
                        hand(1, from, [&](char* data, cudaStream_t on) { pair.send(data, bytes, on); });
                    };
                    const bool early = pick(2) == 0;
                    if (early) receive();
                    send();
                    if (!early) receive();
                    std::copy_n(gpus[1].expected[from].begin(), bytes, gpus[0].expected[to].begin());
                    break;
                }
                default: {
                    if (pick(20) != 0) break;
                    succeeds(cudaStreamSynchronize(own));
                    QVERIFY(std::equal(expected.begin(), expected.end(), gpu.memory[block]));
                    succeeds(cudaFree(gpu.memory[block]));
                    gpu.memory[block] = makeMemory(kBytes);
                    succeeds(cudaMemsetAsync(gpu.memory[block], 0, kBytes, own));
                    std::fill(expected.begin(), expected.end(), '\0');
                }
            }
            if (step % 500 == 0) BREAKS_NOTHING;
        }
        for (int index : {0, 1}) {
            succeeds(cudaSetDevice(index));
            for (std::size_t i = 0; i < kBlocks; ++i) {
                succeeds(cudaStreamSynchronize(gpus[index].streams[gpus[index].owner[i]]));
                QVERIFY(std::equal(gpus[index].expected[i].begin(), gpus[index].expected[i].end(),
                                   gpus[index].memory[i]));
            }
            for (const cudaStream_t stream : gpus[index].streams) succeeds(cudaStreamDestroy(stream));
        }
        pair.abort();
        BREAKS_NOTHING;
    }
};

BUBBLESCOPE_TEST(TestLegalSequences)

}  // namespace tst_legal_sequences

#include "tst_legal_sequences.moc"
