// Sizes and places of what the plugin shares with one library, by its headers, and what the library answers
// without a GPU: its version, and that it refuses what it is to refuse. See tests/gpu/libraries.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

#define SIZE(type) std::printf("%s %zu\n", #type, sizeof(type))
#define PLACE(type, field) std::printf("%s.%s %zu\n", #type, #field, offsetof(type, field))
template <class Function>
static Function* find(void* library, const char* name) {
    return reinterpret_cast<Function*>(dlsym(library, name));
}
// A call that must fail, by the name of its function.
template <class Function, class... Arguments>
static void refused(void* library, const char* name, Arguments... arguments) {
    const int result = static_cast<int>(find<Function>(library, name)(arguments...));
    std::printf("%s %s %d\n", result == 0 ? "TAKEN" : "refused", name, result);
    std::fflush(stdout);
}
#define REFUSED(name, ...) refused<decltype(name)>(library, #name, __VA_ARGS__)
#define VALUE(name) std::printf("%s %lld\n", #name, static_cast<long long>(name))

#ifdef OF_cupti
// Not cupti.h, which needs the runtime's headers of its own version.
#include <cupti_activity.h>
#include <cupti_driver_cbid.h>
#include <cupti_result.h>
#include <cupti_runtime_cbid.h>
static void layout() {
    PLACE(CUpti_ActivityKernel10, start);
    PLACE(CUpti_ActivityKernel10, end);
    PLACE(CUpti_ActivityKernel10, deviceId);
    PLACE(CUpti_ActivityKernel10, streamId);
    PLACE(CUpti_ActivityKernel10, correlationId);
    PLACE(CUpti_ActivityKernel10, name);
    PLACE(CUpti_ActivityMemcpy6, start);
    PLACE(CUpti_ActivityMemcpy6, bytes);
    PLACE(CUpti_ActivityMemcpy6, correlationId);
    PLACE(CUpti_ActivityMemset4, start);
    PLACE(CUpti_ActivityMemset4, bytes);
    PLACE(CUpti_ActivityMemset4, correlationId);
    SIZE(CUpti_ActivityExternalCorrelation);
    PLACE(CUpti_ActivityExternalCorrelation, externalId);
    PLACE(CUpti_ActivityExternalCorrelation, correlationId);
    VALUE(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    VALUE(CUPTI_ACTIVITY_KIND_MEMCPY);
    VALUE(CUPTI_ACTIVITY_KIND_MEMSET);
    VALUE(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    VALUE(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER);
    VALUE(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
    VALUE(CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000);
    VALUE(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
}
static void answer(void* library) {
    std::uint32_t version = 0;
    auto* const ask = reinterpret_cast<CUptiResult (*)(std::uint32_t*)>(dlsym(library, "cuptiGetVersion"));
    const CUptiResult result = ask(&version);
    std::printf("version %u (result %d)\n", version, static_cast<int>(result));
}
static void refuse(void* library) {
    std::uint64_t last = 0;
    REFUSED(cuptiActivityPopExternalCorrelationId, CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
    REFUSED(cuptiActivityRegisterCallbacks, nullptr, nullptr);
    REFUSED(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}
#elif defined(OF_nccl)
#include <nccl.h>
// A configuration says its own size and version, so that a newer library takes an older one: places only.
static void layout() {
    SIZE(ncclUniqueId);
    PLACE(ncclConfig_t, blocking);
    PLACE(ncclConfig_t, cgaClusterSize);
    PLACE(ncclConfig_t, maxCTAs);
    VALUE(ncclInProgress);
    VALUE(ncclInt8);
    VALUE(NCCL_SPLIT_NOCOLOR);
}
static void answer(void* library) {
    int version = 0;
    auto* const ask = reinterpret_cast<ncclResult_t (*)(int*)>(dlsym(library, "ncclGetVersion"));
    const ncclResult_t result = ask(&version);
    std::printf("version %d (result %d)\n", version, static_cast<int>(result));
}
static void refuse(void* library) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    ncclComm_t made = nullptr;
    ncclResult_t state = ncclSuccess;
    ncclUniqueId id{};
    REFUSED(ncclCommGetAsyncError, nullptr, &state);
    REFUSED(ncclCommSplit, nullptr, 0, 0, &made, &config);
    REFUSED(ncclSend, nullptr, std::size_t{1}, ncclInt8, 0, nullptr, nullptr);
    REFUSED(ncclRecv, nullptr, std::size_t{1}, ncclInt8, 0, nullptr, nullptr);
    REFUSED(ncclCommInitRankConfig, &made, 2, id, 2, &config);
}
#else
#include <cublasLt.h>
static void layout() {
    SIZE(cublasLtMatmulAlgo_t);
    SIZE(cublasLtMatmulHeuristicResult_t);
    PLACE(cublasLtMatmulHeuristicResult_t, state);
    VALUE(CUBLASLT_MATMUL_DESC_EPILOGUE);
    VALUE(CUBLASLT_MATMUL_DESC_BIAS_POINTER);
    VALUE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER);
    VALUE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD);
    VALUE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
    VALUE(CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
    VALUE(CUBLASLT_EPILOGUE_DGELU);
    VALUE(CUBLASLT_EPILOGUE_BGRADB);
}
// Descriptions need no GPU: one with the attributes that the plugin sets is taken.
static void answer(void* library) {
    const auto make =
        reinterpret_cast<cublasStatus_t (*)(cublasLtMatmulDesc_t*, cublasComputeType_t, cudaDataType_t)>(
            dlsym(library, "cublasLtMatmulDescCreate"));
    const auto set =
        reinterpret_cast<cublasStatus_t (*)(cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, const void*,
                                            std::size_t)>(dlsym(library, "cublasLtMatmulDescSetAttribute"));
    const auto version = reinterpret_cast<std::size_t (*)()>(dlsym(library, "cublasLtGetVersion"));
    cublasLtMatmulDesc_t description = nullptr;
    int result = make(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    const auto try_it = [&](cublasLtMatmulDescAttributes_t attribute, auto value) {
        if (result == 0) result = set(description, attribute, &value, sizeof(value));
    };
    try_it(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    try_it(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
    try_it(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(nullptr));
    try_it(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<const void*>(nullptr));
    try_it(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{64});
    std::printf("version %zu (result %d)\n", version(), result);
}
static void refuse(void* library) {
    cublasLtHandle_t handle = nullptr;
    cublasLtMatmulDesc_t description = nullptr;
    const std::int32_t value = 0;
    find<decltype(cublasLtMatmulDescCreate)>(library, "cublasLtMatmulDescCreate")(
        &description, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    REFUSED(cublasLtMatmulDescSetAttribute, description, CUBLASLT_MATMUL_DESC_EPILOGUE, &value,
            std::size_t{1});
    REFUSED(cublasLtCreate, &handle);
    cublasLtMatmulPreference_t preference = nullptr;
    find<decltype(cublasLtMatmulPreferenceCreate)>(library, "cublasLtMatmulPreferenceCreate")(&preference);
    REFUSED(cublasLtMatmulPreferenceSetAttribute, preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
            &value, sizeof(value));
}
#endif

// In a process of its own: some end with a fault where there is no driver.
template <class Work>
static void apart(const char* what, Work work) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        work();
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) std::printf("%s without a driver ends with signal %d\n", what, WTERMSIG(status));
}

int main(int, char** arguments) {
    layout();
    void* const library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        std::printf("%s\n", dlerror());
        return 1;
    }
    apart("version: asking for it", [&] { answer(library); });
    if (access("/dev/nvidia0", F_OK) != 0) apart("ended: a call", [&] { refuse(library); });
    return 0;
}
