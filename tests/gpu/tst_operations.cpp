// The list of operations: C and C++ see the same values, these have no gaps, and the selftest runs each.
#include <QTest>
#include <algorithm>
#include <cstring>
#include <set>

#include "kernels/cpu/cpu_device.h"
#include "kernels/ops.h"
#include "kernels/plugin/plugin_abi.h"
#include "registered_test.h"
#include "selftest/op_checks.h"

namespace tst_operations {

using namespace bscope;

extern "C" {
extern const std::uint64_t operation_sizes_in_c[];
extern const std::uint64_t precision_offset_in_c, table_size_in_c;
}

namespace {

// Notes what another device is asked to run.
class NotingOps final : public Ops {
public:
    explicit NotingOps(Ops& its_ops) : ops_(its_ops) {}
    std::size_t workspaceBytes() const override { return ops_.workspaceBytes(); }
    std::size_t attentionKeptFloats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return ops_.attentionKeptFloats(B, T, heads);
    }
#define NOTE(Name, name)                       \
    void run(const Name& operation) override { \
        seen.insert(#name);                    \
        ops_.run(operation);                   \
    }
    BSCOPE_OPERATIONS(NOTE)
#undef NOTE
    std::set<std::string> seen;

private:
    Ops& ops_;
};

#if __has_builtin(__builtin_clear_padding)
template <class Operation>
bool hasGaps() {
    alignas(Operation) unsigned char bytes[sizeof(Operation)];
    std::memset(bytes, 0xff, sizeof(bytes));
    __builtin_clear_padding(reinterpret_cast<Operation*>(bytes));
    return std::any_of(std::begin(bytes), std::end(bytes), [](unsigned char byte) { return byte != 0xff; });
}
#endif

}  // namespace

class TestOperations : public QObject {
    Q_OBJECT

private slots:
    void cSeesTheSameValues() {
        std::size_t at = 0;
#define COMPARE(Name, name) QCOMPARE(operation_sizes_in_c[at++], std::uint64_t{sizeof(Name)});
        BSCOPE_OPERATIONS(COMPARE)
#undef COMPARE
        QCOMPARE(operation_sizes_in_c[at], std::uint64_t{0});
        QCOMPARE(table_size_in_c, std::uint64_t{sizeof(BscopePlugin)});
        const Operand operand(nullptr, Precision::Bf16);
        std::int64_t precision = 0;
        std::memcpy(&precision, reinterpret_cast<const char*>(&operand) + precision_offset_in_c,
                    sizeof(precision));
        QCOMPARE(precision, std::int64_t{BSCOPE_BF16});
    }

    // A sequence of operations is known by their bytes.
    void noValueHasGaps() {
#if __has_builtin(__builtin_clear_padding)
        struct WithGap {
            std::int64_t a;
            float b;
        };
        QVERIFY(hasGaps<WithGap>());
#define CHECK(Name, name) QVERIFY2(!hasGaps<Name>(), #name);
        BSCOPE_OPERATIONS(CHECK)
#undef CHECK
#else
        QSKIP("this compiler does not tell padding");
#endif
    }

    void theSelftestRunsEveryOperation() {
        const auto device = makeCpuDevice();
        device->prepareThread();
        const auto stream = device->makeStream();
        const auto ops = device->makeOps(*stream);
        NotingOps noting(*ops);
        for (const Check& check : checkOps(*device, *stream, noting, {.head_sizes = {32}}))
            QVERIFY2(check.passed(), check.name.c_str());
#define CHECK(Name, name) QVERIFY2(noting.seen.contains(#name), "no line in op_checks.cpp runs " #name);
        BSCOPE_OPERATIONS(CHECK)
#undef CHECK
    }
};

BUBBLESCOPE_TEST(TestOperations)

}  // namespace tst_operations

#include "tst_operations.moc"
