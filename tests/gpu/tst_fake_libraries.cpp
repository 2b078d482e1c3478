// The fake's cuBLASLt, CUPTI and NCCL judge: each rule is broken once and heard, and what is right passes.
#include <cublasLt.h>
#include <cupti.h>

#include <QTest>
#include <functional>
#include <thread>
#include <vector>

#include "fake_calls.h"
#include "registered_test.h"
#include "setting.h"

namespace tst_fake_libraries {

using namespace bscope;

namespace {

// d (n, n) = a b, by columns, in bf16, with what a test changes.
struct Product {
    std::uint64_t n = 8;
    std::int64_t ld = 8, aux_ld = 8;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    std::size_t workspace_bytes = 1024;
    char *a = makeMemory(), *b = makeMemory(), *d = makeMemory(), *workspace = makeMemory(),
         *aux = makeMemory(), *bias = makeMemory();
    cublasStatus_t chosen = CUBLAS_STATUS_SUCCESS;
    cublasLtHandle_t handle = [] {
        cublasLtHandle_t made = nullptr;
        cublasLtCreate(&made);
        return made;
    }();

    cublasStatus_t run(cudaStream_t stream,
                       const std::function<void(Product&, cublasLtMatmulDesc_t)>& then = {}) {
        cublasLtMatmulDesc_t description = nullptr;
        cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F);
        const auto set = [&](cublasLtMatmulDescAttributes_t attribute, auto value) {
            cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof(value));
        };
        set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
        if (epilogue != CUBLASLT_EPILOGUE_DEFAULT) {
            set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias));
            set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<const void*>(aux));
            set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux_ld);
        }
        cublasLtMatrixLayout_t layout = nullptr;
        cublasLtMatrixLayoutCreate(&layout, CUDA_R_16BF, n, n, ld);
        cublasLtMatmulPreference_t preference = nullptr;
        cublasLtMatmulPreferenceCreate(&preference);
        const std::size_t room = 1024;
        cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room,
                                             sizeof(room));
        cublasLtMatmulHeuristicResult_t found{};
        int count = 0;
        chosen = cublasLtMatmulAlgoGetHeuristic(handle, description, layout, layout, layout, layout,
                                                preference, 1, &found, &count);
        if (chosen != CUBLAS_STATUS_SUCCESS) return chosen;
        if (then) then(*this, description);
        const float alpha = 1, beta = 0;
        return cublasLtMatmul(handle, description, &alpha, a, layout, b, layout, &beta, d, layout, d, layout,
                              &found.algo, workspace, workspace_bytes, stream);
    }
};

void setType(cublasLtMatmulDesc_t description) {
    const std::int32_t type = CUDA_R_16BF;
    cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &type, sizeof(type));
}

// Buffers that CUPTI has asked for and given back.
std::vector<std::uint64_t> buffer(4096);
int given_back = 0;
std::thread::id asked_by;
void CUPTIAPI requested(std::uint8_t** memory, std::size_t* bytes, std::size_t* most) {
    *memory = reinterpret_cast<std::uint8_t*>(buffer.data());
    *bytes = buffer.size() * sizeof(buffer[0]);
    *most = 0;
    asked_by = std::this_thread::get_id();
}
void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t*, std::size_t, std::size_t valid) {
    if (valid > 0) ++given_back;
}
void CUPTIAPI nothing(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

}  // namespace

class TestFakeLibraries : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useCheckedGpus("2"); }
    void init() {
        succeeds(cudaSetDevice(0));
        brokenRules();
    }

    void productsAreJudged() {
        const cudaStream_t stream = makeStream();
        QCOMPARE(Product().run(stream), CUBLAS_STATUS_SUCCESS);
        Product gelu{.epilogue = CUBLASLT_EPILOGUE_GELU_AUX_BIAS};
        QCOMPARE(gelu.run(stream), CUBLAS_STATUS_SUCCESS);
        BREAKS_NOTHING;

        QCOMPARE(Product{.ld = 7}.run(stream), CUBLAS_STATUS_INVALID_VALUE);
        BREAKS("a leading dimension below the rows");
        Product odd{.aux_ld = 12, .epilogue = CUBLASLT_EPILOGUE_GELU_AUX_BIAS};
        QCOMPARE(odd.run(stream), CUBLAS_STATUS_INVALID_VALUE);
        BREAKS("EPILOGUE_AUX_LD that is no multiple of 8");
        Product typed{.epilogue = CUBLASLT_EPILOGUE_BIAS};
        QCOMPARE(typed.run(stream, [](Product&, auto description) { setType(description); }),
                 CUBLAS_STATUS_INVALID_VALUE);
        BREAKS("a type of bias or AUX");
        Product same{.epilogue = CUBLASLT_EPILOGUE_DGELU};
        same.run(stream, [](Product& self, auto) { self.d = self.aux; });
        BREAKS("AUX and D are the same memory");
        Product moved;
        moved.run(stream, [](Product& self, auto) { self.a += 2; });
        BREAKS("a pointer aligned less than the algorithm was chosen for");
        Product small{.workspace_bytes = 512};
        small.run(stream);
        BREAKS("a workspace that is too small");
        Product other;
        other.run(stream, [](Product&, cublasLtMatmulDesc_t description) {
            const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS;
            const void* const bias = makeMemory();
            cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                           sizeof(epilogue));
            cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                                           sizeof(bias));
        });
        BREAKS("an algorithm that was chosen for another product");
        succeeds(cudaStreamSynchronize(stream));
    }

    void aWorkspaceServesOneStream() {
        const cudaStream_t one = makeStream(), other = makeStream();
        Product first, second;
        second.workspace = first.workspace;
        const Setting none("BSCOPE_FAKE_PROCESSORS", "0");  // nothing begins
        QCOMPARE(first.run(one), CUBLAS_STATUS_SUCCESS);
        QCOMPARE(first.run(one), CUBLAS_STATUS_SUCCESS);
        BREAKS_NOTHING;
        QCOMPARE(second.run(other), CUBLAS_STATUS_SUCCESS);
        BREAKS("a product writes what a product writes in another stream, in no order");
        qputenv("BSCOPE_FAKE_PROCESSORS", "132");
        succeeds(cudaStreamSynchronize(one));
        succeeds(cudaStreamSynchronize(other));
    }

    void aShapeIsUsedBeforeAnythingSpins() {
        const cudaStream_t stream = makeStream(), here = makeStream();
        char* const to = makeMemory();
        Product used, fresh{.n = 16, .ld = 16};
        QCOMPARE(used.run(stream), CUBLAS_STATUS_SUCCESS);
        const Pair pair;
        pair.receive(to, 16, here);
        QCOMPARE(used.run(stream), CUBLAS_STATUS_SUCCESS);
        BREAKS_NOTHING;
        QCOMPARE(fresh.run(stream), CUBLAS_STATUS_SUCCESS);
        BREAKS("a product: its first use may wait for the GPU to load it, where a receive of GPU 0 waits");
        pair.abort();
        succeeds(cudaStreamSynchronize(stream));
    }

    void tracingHasAnOrder() {
        QVERIFY(cuptiActivityFlushAll(0) != CUPTI_SUCCESS);
        BREAKS("before cuptiSubscribe");
        CUpti_SubscriberHandle subscriber = nullptr;
        QVERIFY(cuptiSubscribe(&subscriber, &nothing, nullptr) == CUPTI_SUCCESS);
        QVERIFY(cuptiSubscribe(&subscriber, &nothing, nullptr) ==
                CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
        cuptiActivityRegisterCallbacks(&requested, &completed);
        BREAKS("a buffer for every thread");
        std::uint8_t per_thread = 0;
        std::size_t bytes = sizeof(per_thread);
        cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &bytes, &per_thread);
        BREAKS("after buffers were registered");
        cuptiActivityDisable(CUPTI_ACTIVITY_KIND_MEMSET);
        BREAKS("a kind that is not enabled");
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME);
        BREAKS("a record for every call");
        cuptiActivityDisable(CUPTI_ACTIVITY_KIND_RUNTIME);
        std::uint64_t last = 0;
        cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 5);
        std::thread([&] {
            cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
        }).join();
        BREAKS("nothing was pushed by this thread");
        cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
        QCOMPARE(last, std::uint64_t{5});
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
        BREAKS_NOTHING;
        cuptiActivityRegisterTimestampCallback([] { return std::uint64_t{1}; });
        BREAKS("after a kind was enabled");
        cuptiActivityRegisterTimestampCallback(nullptr);
        brokenRules();

        // A buffer that may still get a record is kept back; both ways it travels on a thread of CUPTI's.
        const cudaStream_t stream = makeStream();
        char* const memory = makeMemory();
        succeeds(cudaMemsetAsync(memory, 0, 8, stream));
        succeeds(cudaStreamSynchronize(stream));
        {
            const Setting none("BSCOPE_FAKE_PROCESSORS", "0");
            succeeds(cudaMemsetAsync(memory, 0, 8, stream));
        }
        QVERIFY(asked_by != std::this_thread::get_id());
        QVERIFY(cuptiActivityFlushAll(0) == CUPTI_SUCCESS);
        QCOMPARE(given_back, 0);
        succeeds(cudaStreamSynchronize(stream));
        QVERIFY(cuptiActivityFlushAll(0) == CUPTI_SUCCESS);
        QCOMPARE(given_back, 1);
        cuptiActivityDisable(CUPTI_ACTIVITY_KIND_MEMSET);
        BREAKS_NOTHING;
    }

    void messagesAreJudged() {
        const Pair pair;
        const cudaStream_t urgent = makeStream(), slow = makeStream(false);
        char* const memory = makeMemory();
        ncclGroupStart();
        ncclRecv(memory, 8, ncclInt8, 1, pair.rank[0], urgent);
        BREAKS_NOTHING;
        ncclResult_t state = ncclSuccess;
        ncclCommGetAsyncError(pair.rank[0], &state);
        BREAKS("within a group");
        ncclRecv(memory, 8, ncclInt8, 1, pair.rank[0], slow);
        BREAKS("without the highest priority");
        succeeds(cudaSetDevice(1));
        ncclRecv(memory, 8, ncclInt8, 1, pair.rank[0], makeStream());
        BREAKS("the stream is not of the communicator's GPU");
        succeeds(cudaSetDevice(0));
        ncclGroupEnd();
        pair.abort();
        brokenRules();
        QVERIFY(ncclGroupEnd() != ncclSuccess);
        BREAKS("ncclGroupEnd without ncclGroupStart");
        QVERIFY(ncclRecv(memory, 8, ncclInt8, 1, pair.rank[0], urgent) != ncclSuccess);
        BREAKS("of a communicator that was aborted");

        const Pair alone;
        ncclSend(memory, 8, ncclInt8, 1, alone.rank[0], urgent);
        BREAKS("outside a group");
        alone.abort();
        brokenRules();
    }

    void communicatorsAreOpenedAndSplitByAll() {
        ncclUniqueId id{};
        ncclGetUniqueId(&id);
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        ncclComm_t comm[2] = {};
        ncclCommInitRankConfig(&comm[0], 2, id, 0, &config);
        BREAKS("it would wait for all ranks");
        config.blocking = 0;
        ncclCommInitRankConfig(&comm[1], 2, id, 1, &config);
        BREAKS("two ranks on one GPU");

        const Pair pair;
        ncclComm_t made[2] = {};
        succeeds(cudaSetDevice(1));
        ncclCommSplit(pair.rank[0], 0, 0, &made[0], &config);
        BREAKS("the current GPU is not the communicator's");
        for (int i = 0; i < 10; ++i) pair.settle();
        ncclResult_t state = ncclSuccess;
        ncclCommGetAsyncError(pair.rank[0], &state);
        QCOMPARE(state, ncclInProgress);  // the other rank has not come
        QVERIFY(ncclCommSplit(pair.rank[0], 0, 0, &made[0], &config) != ncclSuccess);
        BREAKS("while the communicator has something under way");
        ncclCommSplit(pair.rank[1], 0, 1, &made[1], &config);
        pair.settle();
        ncclCommGetAsyncError(pair.rank[0], &state);
        QCOMPARE(state, ncclSuccess);
        succeeds(cudaSetDevice(0));
        const cudaStream_t stream = makeStream();
        char* const memory = makeMemory();
        ncclGroupStart();
        ncclRecv(memory, 8, ncclInt8, 1, made[0], stream);
        BREAKS("with clusters it waits for multiprocessors side by side");
        ncclGroupEnd();
        ncclGroupStart();
        for (const ncclComm_t each : made) ncclCommAbort(each);
        for (const ncclComm_t each : pair.rank) ncclCommAbort(each);
        ncclGroupEnd();
        BREAKS_NOTHING;
    }
};

BUBBLESCOPE_TEST(TestFakeLibraries)

}  // namespace tst_fake_libraries

#include "tst_fake_libraries.moc"
