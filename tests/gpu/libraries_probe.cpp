// Sizes and places of what the plugin shares with one library, by its headers, and what the library says of
// its version without a GPU. See tests/gpu/libraries.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

#define SIZE(type) std::printf("%s %zu\n", #type, sizeof(type))
#define PLACE(type, field) std::printf("%s.%s %zu\n", #type, #field, offsetof(type, field))
#define VALUE(name) std::printf("%s %lld\n", #name, static_cast<long long>(name))

#ifdef OF_cupti
// Not cupti.h, which needs the runtime's headers of its own version.
#include <cupti_activity.h>
#include <cupti_driver_cbid.h>
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
#endif

int main(int, char** arguments) {
    layout();
    void* const library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        std::printf("%s\n", dlerror());
        return 1;
    }
    std::fflush(stdout);
    const pid_t child = fork();  // some end with a fault where there is no driver
    if (child == 0) {
        answer(library);
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        std::printf("version: asking for it without a driver ends with signal %d\n", WTERMSIG(status));
    return 0;
}
