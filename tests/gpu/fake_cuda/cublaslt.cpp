// cuBLASLt of the fake: products of fp32 or bf16 matrices stored by columns, with the epilogues that the
// plugin uses. What a type, a leading dimension or a pointer must be is judged where the manual says that it
// is: some by the heuristic, all by cublasLtMatmul.
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "fake.h"
#include "kernels/plugin/bf16.h"

using namespace fake;

namespace {

struct Description {
    cublasComputeType_t compute;
    cudaDataType_t scale;
    cublasOperation_t transpose_a = CUBLAS_OP_N, transpose_b = CUBLAS_OP_N;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    void *bias = nullptr, *aux = nullptr;
    std::int64_t aux_ld = 0;
    std::int32_t bias_type = -1, aux_type = -1, processors = 0;
};

struct Matrix {
    cudaDataType_t type;
    std::uint64_t rows, columns;
    std::int64_t ld;
    std::size_t each() const { return type == CUDA_R_16BF ? 2 : 4; }
    std::size_t bytes() const {
        return (static_cast<std::size_t>(ld) * (columns - 1) + static_cast<std::size_t>(rows)) * each();
    }
};

struct Preference {
    std::size_t workspace = 0;
    std::uint32_t alignment[4] = {256, 256, 256, 256};  // of a, b, c and d
};

// What an algorithm was chosen for, in the room that the header gives it.
struct Algorithm {
    std::uint32_t epilogue, alignment[4];
    std::uint64_t rows, columns, inner, workspace;
};
static_assert(sizeof(Algorithm) <= sizeof(cublasLtMatmulAlgo_t));

Description& of(cublasLtMatmulDesc_t handle) {
    return *reinterpret_cast<Description*>(handle);
}
Matrix& of(cublasLtMatrixLayout_t handle) {
    return *reinterpret_cast<Matrix*>(handle);
}
Preference& of(cublasLtMatmulPreference_t handle) {
    return *reinterpret_cast<Preference*>(handle);
}

template <class Value>
cublasStatus_t take(Value& to, const void* from, std::size_t bytes) {
    if (bytes != sizeof(Value)) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&to, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

std::uint64_t innerOf(const Description& what, const Matrix& a) {
    return what.transpose_a == CUBLAS_OP_N ? a.columns : a.rows;
}

bool hasAux(const Description& what) {
    return what.epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS || what.epilogue == CUBLASLT_EPILOGUE_DGELU;
}
bool hasVector(const Description& what) {
    return what.epilogue == CUBLASLT_EPILOGUE_BIAS || what.epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS ||
           what.epilogue == CUBLASLT_EPILOGUE_BGRADB;
}

// What makes no sense for any algorithm.
std::string nonsense(const Description& what, const Matrix& a, const Matrix& b, const Matrix& d) {
    const std::uint64_t rows = what.transpose_a == CUBLAS_OP_N ? a.rows : a.columns;
    const std::uint64_t columns = what.transpose_b == CUBLAS_OP_N ? b.columns : b.rows;
    const std::uint64_t inner = what.transpose_b == CUBLAS_OP_N ? b.rows : b.columns;
    if (rows != d.rows || columns != d.columns || inner != innerOf(what, a))
        return "sizes that do not fit each other";
    for (const Matrix* each : {&a, &b, &d})
        if (each->ld < static_cast<std::int64_t>(each->rows)) return "a leading dimension below the rows";
    if (a.type != b.type) return "operands of two types";
    if (hasAux(what) && (what.aux == nullptr || what.aux_ld < static_cast<std::int64_t>(d.rows)))
        return "EPILOGUE_AUX without its matrix, or with a leading dimension below the rows";
    if (hasAux(what) && what.aux_ld % 8 != 0) return "EPILOGUE_AUX_LD that is no multiple of 8";
    if (hasVector(what) && what.bias == nullptr) return "an epilogue without its vector";
    return "";
}

// What the manual's tables do not have.
bool isUnsupported(const Description& what, const Matrix& a, const Matrix& d) {
    const bool known = (a.type == CUDA_R_32F && d.type == CUDA_R_32F) ||
                       (a.type == CUDA_R_16BF && (d.type == CUDA_R_32F || d.type == CUDA_R_16BF));
    return !known || what.compute != CUBLAS_COMPUTE_32F || what.scale != CUDA_R_32F;
}

// A type that is set is legal for the 8-bit kernels only; else it follows D (header, BIAS_DATA_TYPE and
// EPILOGUE_AUX_DATA_TYPE).
bool namesTypes(const Description& what) {
    return what.bias_type != -1 || what.aux_type != -1;
}

bool isAligned(const void* pointer, std::uint32_t bytes) {
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

float read(const void* at, cudaDataType_t type, std::size_t i) {
    return type == CUDA_R_16BF ? bscope::fromBf16(static_cast<const std::uint16_t*>(at)[i])
                               : static_cast<const float*>(at)[i];
}
void write(void* at, cudaDataType_t type, std::size_t i, float value) {
    if (type == CUDA_R_16BF)
        static_cast<std::uint16_t*>(at)[i] = bscope::toBf16(value);
    else
        static_cast<float*>(at)[i] = value;
}

float gelu(float x) {
    return 0.5F * x * (1.0F + std::tanh(0.7978845608028654F * (x + 0.044715F * x * x * x)));
}
float geluDerivative(float x) {
    const float t = std::tanh(0.7978845608028654F * (x + 0.044715F * x * x * x));
    return 0.5F * (1.0F + t) +
           0.5F * x * (1.0F - t * t) * 0.7978845608028654F * (1.0F + 3.0F * 0.044715F * x * x);
}

struct Product {
    Description what;
    Matrix a, b, d;
    const void *a_data, *b_data, *c_data;
    void* d_data;
    float alpha, beta;

    void run() const {
        const std::uint64_t inner = innerOf(what, a);
        const auto at = [](const Matrix& m, std::uint64_t row, std::uint64_t column) {
            return static_cast<std::size_t>(column) * static_cast<std::size_t>(m.ld) + row;
        };
        const bool turn_a = what.transpose_a != CUBLAS_OP_N, turn_b = what.transpose_b != CUBLAS_OP_N;
        const auto right = [&](std::uint64_t k, std::uint64_t j) {
            return read(b_data, b.type, turn_b ? at(b, j, k) : at(b, k, j));
        };
        for (std::uint64_t j = 0; j < d.columns; ++j)
            for (std::uint64_t i = 0; i < d.rows; ++i) {
                float sum = 0;
                for (std::uint64_t k = 0; k < inner; ++k)
                    sum += read(a_data, a.type, turn_a ? at(a, k, i) : at(a, i, k)) * right(k, j);
                sum *= alpha;
                if (beta != 0) sum += beta * read(c_data, d.type, at(d, i, j));
                write(d_data, d.type, at(d, i, j), finished(sum, i, j));
            }
        if (what.epilogue != CUBLASLT_EPILOGUE_BGRADB) return;
        for (std::uint64_t j = 0; j < d.columns; ++j) {
            float sum = 0;
            for (std::uint64_t k = 0; k < inner; ++k) sum += right(k, j);
            write(what.bias, d.type, j, sum);
        }
    }

private:
    float finished(float sum, std::uint64_t i, std::uint64_t j) const {
        const std::size_t aux = static_cast<std::size_t>(j) * static_cast<std::size_t>(what.aux_ld) + i;
        if (what.epilogue == CUBLASLT_EPILOGUE_BIAS || what.epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS)
            sum += read(what.bias, d.type, i);
        if (what.epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS) {
            write(what.aux, d.type, aux, sum);
            return gelu(sum);
        }
        if (what.epilogue == CUBLASLT_EPILOGUE_DGELU)
            return sum * geluDerivative(read(what.aux, d.type, aux));
        return sum;
    }
};

// Kernels that differ in these are loaded apart; which one serves a shape is cuBLASLt's choice.
const void* kernelOf(const Description& what, const Matrix& a, const Matrix& d) {
    static auto* const all = new std::set<std::string>;
    const std::string name = std::to_string(what.epilogue) + (a.type == CUDA_R_16BF ? "b" : "f") +
                             (d.type == CUDA_R_16BF ? "b" : "f") +
                             (what.transpose_a == CUBLAS_OP_N ? "N" : "T") +
                             (what.transpose_b == CUBLAS_OP_N ? "N" : "T") + std::to_string(d.rows) + "x" +
                             std::to_string(d.columns) + "x" +
                             std::to_string(what.transpose_a == CUBLAS_OP_N ? a.columns : a.rows);
    return all->insert(name).first->c_str();
}

}  // namespace

extern "C" {

const char* cublasLtGetStatusString(cublasStatus_t status) {
    return status == CUBLAS_STATUS_NOT_SUPPORTED   ? "CUBLAS_STATUS_NOT_SUPPORTED"
           : status == CUBLAS_STATUS_INVALID_VALUE ? "CUBLAS_STATUS_INVALID_VALUE"
           : status == CUBLAS_STATUS_SUCCESS       ? "CUBLAS_STATUS_SUCCESS"
                                                   : "another status (fake)";
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* made) {
    FAKE_ENTER;
    world.current(__func__);
    world.allocates(__func__);  // resources on the device (manual)
    *made = reinterpret_cast<cublasLtHandle_t>(new int(0));
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    FAKE_ENTER;
    world.allocates(__func__);
    delete reinterpret_cast<int*>(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
    *made = reinterpret_cast<cublasLtMatmulDesc_t>(new Description{compute, scale});
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t handle) {
    delete &of(handle);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              std::size_t bytes) {
    Description& to = of(handle);
    switch (attribute) {
        case CUBLASLT_MATMUL_DESC_TRANSA:
            return take(to.transpose_a, value, bytes);
        case CUBLASLT_MATMUL_DESC_TRANSB:
            return take(to.transpose_b, value, bytes);
        case CUBLASLT_MATMUL_DESC_EPILOGUE:
            return take(to.epilogue, value, bytes);
        case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
            return take(to.bias, value, bytes);
        case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
            return take(to.bias_type, value, bytes);
        case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
            return take(to.aux, value, bytes);
        case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
            return take(to.aux_ld, value, bytes);
        case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
            return take(to.aux_type, value, bytes);
        case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
            return take(to.processors, value, bytes);
        default:
            return CUBLAS_STATUS_INVALID_VALUE;
    }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t ld) {
    *made = reinterpret_cast<cublasLtMatrixLayout_t>(new Matrix{type, rows, columns, ld});
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t handle) {
    delete &of(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
    *made = reinterpret_cast<cublasLtMatmulPreference_t>(new Preference);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t handle) {
    delete &of(handle);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t handle,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t bytes) {
    Preference& to = of(handle);
    std::uint32_t ignored = 0;
    switch (attribute) {
        case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
            return take(to.workspace, value, bytes);
        case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
            return take(to.alignment[0], value, bytes);
        case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
            return take(to.alignment[1], value, bytes);
        case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
            return take(to.alignment[2], value, bytes);
        case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
            return take(to.alignment[3], value, bytes);
        default:
            return take(ignored, value, bytes);
    }
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t* found, int* count) {
    FAKE_ENTER;
    const Description& what = of(description);
    *count = 0;
    if (const std::string wrong = nonsense(what, of(a), of(b), of(d)); !wrong.empty() || wanted < 1) {
        world.broken("cublasLtMatmulAlgoGetHeuristic: " + wrong);
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (isUnsupported(what, of(a), of(d)) || setting("BSCOPE_FAKE_REFUSE", 0) == what.epilogue)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    std::memset(found, 0, sizeof(*found));
    const Preference& given = of(preference);
    Algorithm chosen{what.epilogue, {}, of(d).rows, of(d).columns, innerOf(what, of(a)), given.workspace};
    std::memcpy(chosen.alignment, given.alignment, sizeof(chosen.alignment));
    std::memcpy(&found->algo, &chosen, sizeof(chosen));
    found->workspaceSize = given.workspace;
    found->state = CUBLAS_STATUS_SUCCESS;
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t description, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t handle) {
    FAKE_ENTER;
    Stream& stream = *of(handle);
    static Nth fault("BSCOPE_FAKE_FAULT_BEFORE_PRODUCT");
    if (fault.now()) stream.device->fault = cudaErrorIllegalAddress;
    const Device& on = *stream.device;
    const Description& what = of(description);
    if (world.thread().device != on.index)
        world.broken("cublasLtMatmul: the current GPU is not the stream's");
    Product product{what, of(a_layout), of(b_layout), of(d_layout), a, b, c, d, 0, 0};
    std::memcpy(&product.alpha, alpha, sizeof(float));
    std::memcpy(&product.beta, beta, sizeof(float));
    if (namesTypes(what)) {
        world.broken("cublasLtMatmul: a type of bias or AUX that is none of the 8-bit kernels'");
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (!nonsense(what, product.a, product.b, product.d).empty()) return CUBLAS_STATUS_INVALID_VALUE;
    if (setting("BSCOPE_FAKE_INVALID", 0) == what.epilogue) return CUBLAS_STATUS_INVALID_VALUE;
    if (isUnsupported(what, product.a, product.d) || setting("BSCOPE_FAKE_REFUSE_LATE", 0) == what.epilogue)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    Algorithm chosen{};
    std::memcpy(&chosen, algorithm, sizeof(chosen));
    if (chosen.epilogue != static_cast<std::uint32_t>(what.epilogue) || chosen.rows != product.d.rows ||
        chosen.columns != product.d.columns || chosen.inner != innerOf(what, product.a))
        world.broken("cublasLtMatmul: an algorithm that was chosen for another product");
    const void* const pointers[] = {a, b, c, d};
    for (int i = 0; i < 4; ++i)
        if (!isAligned(pointers[i], chosen.alignment[i]))
            world.broken("cublasLtMatmul: a pointer aligned less than the algorithm was chosen for");
    if (workspace_bytes < chosen.workspace || !isAligned(workspace, 256))
        world.broken("cublasLtMatmul: a workspace that is too small, or not aligned to 256 bytes");
    if (hasAux(what) && (!isAligned(what.aux, 16)))
        world.broken("cublasLtMatmul: AUX is not aligned to 16 bytes");
    if (hasAux(what) && what.aux == d) world.broken("cublasLtMatmul: AUX and D are the same memory");

    Operation operation{.what = "a product",
                        .traced = {Kind::Kernel, "product", 0},
                        .library = kernelOf(what, product.a, product.d)};
    const auto touch = [&](const void* data, std::size_t bytes, bool writes) {
        operation.accesses.push_back(world.touch(data, bytes, writes, on, "a product"));
    };
    touch(a, product.a.bytes(), false);
    touch(b, product.b.bytes(), false);
    if (product.beta != 0) touch(c, product.d.bytes(), false);
    touch(d, product.d.bytes(), true);
    touch(workspace, workspace_bytes, true);
    const std::size_t each = product.d.each();
    if (hasVector(what)) {
        const bool sums = what.epilogue == CUBLASLT_EPILOGUE_BGRADB;
        touch(what.bias, (sums ? product.d.columns : product.d.rows) * each, sums);
    }
    if (hasAux(what))
        touch(what.aux,
              (static_cast<std::size_t>(what.aux_ld) * (product.d.columns - 1) + product.d.rows) * each,
              what.epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
    operation.run = [product] { product.run(); };
    return world.hand(stream, std::move(operation)) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                   : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // extern "C"
