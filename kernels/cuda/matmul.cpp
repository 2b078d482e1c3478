// cuBLASLt counts by columns: a row-major c = a b is its transpose, c' = b' a', so b goes first, and what is
// a row here is a column there. An algorithm is chosen once for each shape and alignment.
#include "kernels/cuda/matmul.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "kernels/cuda/plugin_parts.h"
#include "kernels/plugin/error_text.h"

namespace bscope::cuda {

namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;

void check(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS)
        failIn(std::string("cuBLASLt: ") + cublasLtGetStatusString(status) + " (" + what + ")");
}

// The handles that a call needs, freed when it ends.
template <class Handle, cublasStatus_t (*destroy)(Handle)>
struct Owned {
    Handle handle = nullptr;
    Owned() = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() {
        if (handle) destroy(handle);
    }
};
using Description = Owned<cublasLtMatmulDesc_t, &cublasLtMatmulDescDestroy>;
using Layout = Owned<cublasLtMatrixLayout_t, &cublasLtMatrixLayoutDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, &cublasLtMatmulPreferenceDestroy>;

template <class Value>
void set(const Description& description, cublasLtMatmulDescAttributes_t attribute, const Value& value) {
    check(cublasLtMatmulDescSetAttribute(description.handle, attribute, &value, sizeof(value)),
          "description of a product");
}

template <class Value>
void set(const Preference& preference, cublasLtMatmulPreferenceAttributes_t attribute, const Value& value) {
    check(cublasLtMatmulPreferenceSetAttribute(preference.handle, attribute, &value, sizeof(value)),
          "preference of a product");
}

// What cuBLASLt may rely on; at most the 256 bytes that it would assume.
std::uint32_t alignmentOf(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    return static_cast<std::uint32_t>(std::min<std::uintptr_t>(256, address & (~address + 1)));
}

cublasLtEpilogue_t epilogueOf(Fused fused) {
    switch (fused) {
        case Fused::Nothing:
            return CUBLASLT_EPILOGUE_DEFAULT;
        case Fused::Bias:
            return CUBLASLT_EPILOGUE_BIAS;
        case Fused::BiasGelu:
            return CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
        case Fused::GeluBackward:
            return CUBLASLT_EPILOGUE_DGELU;
        case Fused::RowSums:
            return CUBLASLT_EPILOGUE_BGRADB;  // of the second operand there, which is a here
    }
    throw std::logic_error("no such fused product");
}

std::uint32_t formOf(Fused fused) {
    switch (fused) {
        case Fused::Nothing:
            return 0;
        case Fused::Bias:
            return BSCOPE_FUSED_BIAS;
        case Fused::BiasGelu:
            return BSCOPE_FUSED_BIAS_GELU;
        case Fused::GeluBackward:
            return BSCOPE_FUSED_GELU_BACKWARD;
        case Fused::RowSums:
            return BSCOPE_FUSED_BIAS_BACKWARD;
    }
    throw std::logic_error("no such fused product");
}

constexpr std::pair<std::string_view, std::uint32_t> kForms[] = {
    {"bias", BSCOPE_FUSED_BIAS},
    {"bias-gelu", BSCOPE_FUSED_BIAS_GELU},
    {"gelu-backward", BSCOPE_FUSED_GELU_BACKWARD},
    {"bias-backward", BSCOPE_FUSED_BIAS_BACKWARD}};

// "bias,bias-gelu", or "none".
std::uint32_t formsNamed(std::string_view names) {
    std::uint32_t forms = 0;
    for (std::string_view left = names == "none" ? "" : names; !left.empty();) {
        const std::size_t comma = std::min(left.find(','), left.size());
        const std::string_view name = left.substr(0, comma);
        const auto* const found = std::find_if(std::begin(kForms), std::end(kForms),
                                               [&](const auto& form) { return form.first == name; });
        if (found == std::end(kForms))
            throw Refusal(
                "BSCOPE_FUSED names \"{0}\"; it takes none, or some of bias, bias-gelu, gelu-backward and "
                "bias-backward with commas between them",
                {std::string(name)});
        forms |= found->second;
        left.remove_prefix(std::min(comma + 1, left.size()));
    }
    return forms;
}

// Which forms are tried in one kernel, by compute capability. GELU within a product pays on Hopper
// (tests/gpu/RESULTS.md) and is said to slow products on what came before it; what is so on a GPU at hand,
// bench_gpu measures, and BSCOPE_FUSED then names the forms.
std::uint32_t formsTried(int device) {
    if (const char* const names = std::getenv("BSCOPE_FUSED")) return formsNamed(names);
    int major = 0;
    BSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    const std::uint32_t gelu = BSCOPE_FUSED_BIAS_GELU | BSCOPE_FUSED_GELU_BACKWARD;
    return BSCOPE_FUSED_BIAS | BSCOPE_FUSED_BIAS_BACKWARD | (major >= 9 ? gelu : 0U);
}

}  // namespace

Matmul::Matmul(const BscopeStream& stream, Precision precision)
    : stream_(stream.stream), bf16_(precision == Precision::Bf16), tried_(formsTried(stream.device->index)) {
    check(cublasLtCreate(&handle_), "start");
    workspace_.reserve(kWorkspaceBytes);
}

Matmul::~Matmul() {
    cublasLtDestroy(handle_);
}

// Where the operand will lie in bf16, without gaps unless it does already.
BscopeConstOperand Matmul::rounded(BscopeConstOperand from, Scratch& to, std::size_t rows,
                                   std::size_t columns, std::size_t& ld) {
    if (!bf16_ || from.precision() == Precision::Bf16) return from;
    ld = columns;
    return {to.reserve(rows * columns * 2), Precision::Bf16};
}

bool Matmul::run(const BscopeMatmul& p, Fused fused, void* vector, void* matrix, const void* added) {
    const std::uint32_t form = formOf(fused);
    const bool done = (form & ~tried_) == 0 && tryRun(p, fused, vector, matrix, added ? added : p.c.data());
    (done ? fused_ : apart_) |= form;
    return done;
}

bool Matmul::tryRun(const BscopeMatmul& p, Fused fused, void* vector, void* matrix, const void* added) {
    if (matrix && p.columns % 8 != 0) return false;  // cublasLt.h, EPILOGUE_AUX_LD
    const bool turns_a = p.transpose_a == Transpose::Yes, turns_b = p.transpose_b == Transpose::Yes;
    const std::size_t a_rows = turns_a ? p.inner : p.rows, a_columns = turns_a ? p.rows : p.inner;
    const std::size_t b_rows = turns_b ? p.columns : p.inner, b_columns = turns_b ? p.inner : p.columns;
    std::size_t lda = p.lda, ldb = p.ldb;
    const BscopeConstOperand a = rounded(p.a, a_, a_rows, a_columns, lda),
                             b = rounded(p.b, b_, b_rows, b_columns, ldb);
    const auto typeOf = [](Precision precision) {
        return precision == Precision::Bf16 ? CUDA_R_16BF : CUDA_R_32F;
    };

    Description description;
    check(cublasLtMatmulDescCreate(&description.handle, CUBLAS_COMPUTE_32F, CUDA_R_32F), "description");
    const auto letter = [](bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; };
    set(description, CUBLASLT_MATMUL_DESC_TRANSA, letter(turns_b));
    set(description, CUBLASLT_MATMUL_DESC_TRANSB, letter(turns_a));
    set(description, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogueOf(fused));
    // Their types follow c's; to name them is for the 8-bit kernels (cublasLt.h, BIAS_DATA_TYPE).
    if (vector) set(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(vector));
    if (matrix) {
        set(description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<const void*>(matrix));
        set(description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, static_cast<std::int64_t>(p.columns));
    }
    Layout first, second, result;
    check(cublasLtMatrixLayoutCreate(&first.handle, typeOf(b.precision()), b_columns, b_rows,
                                     static_cast<std::int64_t>(ldb)),
          "layout of b");
    check(cublasLtMatrixLayoutCreate(&second.handle, typeOf(a.precision()), a_columns, a_rows,
                                     static_cast<std::int64_t>(lda)),
          "layout of a");
    check(cublasLtMatrixLayoutCreate(&result.handle, typeOf(p.c.precision()), p.columns, p.rows,
                                     static_cast<std::int64_t>(p.ldc)),
          "layout of c");

    const Key key = {static_cast<std::size_t>(fused),
                     turns_a,
                     turns_b,
                     p.rows,
                     p.columns,
                     p.inner,
                     lda,
                     ldb,
                     p.ldc,
                     p.beta != 0.0F,
                     alignmentOf(a.data()),
                     alignmentOf(b.data()),
                     alignmentOf(p.c.data()),
                     alignmentOf(added),
                     vector ? alignmentOf(vector) : 0U,
                     matrix ? alignmentOf(matrix) : 0U,
                     static_cast<std::size_t>(p.c.precision()),
                     added == p.c.data()};
    const auto chosen = algorithm(key, description.handle, first.handle, second.handle, result.handle);
    if (!chosen && fused != Fused::Nothing) return false;
    if (!chosen)
        throw Refusal("cuBLASLt has no matrix product of {0} x {1} x {2}",
                      {std::to_string(p.rows), std::to_string(p.columns), std::to_string(p.inner)});
    const auto roundInto = [&](Scratch& to, const BscopeConstOperand& from, std::size_t rows,
                               std::size_t columns, std::size_t ld) {
        if (bf16_ && from.precision() == Precision::Fp32)
            launchRound(stream_, {to.reserve(0), Precision::Bf16}, from.fp32(), rows, columns, ld);
    };
    roundInto(a_, p.a, a_rows, a_columns, p.lda);
    roundInto(b_, p.b, b_rows, b_columns, p.ldb);
    const cublasStatus_t status =
        cublasLtMatmul(handle_, description.handle, &p.alpha, b.data(), first.handle, a.data(), second.handle,
                       &p.beta, added, result.handle, p.c.data(), result.handle, &*chosen,
                       workspace_.reserve(0), kWorkspaceBytes, stream_);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED && fused != Fused::Nothing) {  // some it refuses only here
        algorithms_[key] = std::nullopt;
        return false;
    }
    check(status, "matrix product");
    return true;
}

std::optional<cublasLtMatmulAlgo_t> Matmul::algorithm(const Key& key, cublasLtMatmulDesc_t description,
                                                      cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                      cublasLtMatrixLayout_t c) {
    if (const auto known = algorithms_.find(key); known != algorithms_.end()) return known->second;
    Preference preference;
    check(cublasLtMatmulPreferenceCreate(&preference.handle), "preference");
    set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kWorkspaceBytes);
    // Sums that are split over the inner dimension are put together in a step of their own: always in one
    // order.
    set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
        std::uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, static_cast<std::uint32_t>(key[11]));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, static_cast<std::uint32_t>(key[10]));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, static_cast<std::uint32_t>(key[13]));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, static_cast<std::uint32_t>(key[12]));
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle_, description, a, b, c, c,
                                                                 preference.handle, 1, &found, &count);
    if (status != CUBLAS_STATUS_NOT_SUPPORTED) check(status, "choice of an algorithm");
    std::optional<cublasLtMatmulAlgo_t> chosen;
    if (status == CUBLAS_STATUS_SUCCESS && count == 1 && found.state == CUBLAS_STATUS_SUCCESS)
        chosen = found.algo;
    return algorithms_[key] = chosen;
}

}  // namespace bscope::cuda
