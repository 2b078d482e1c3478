// REQUIRE, REQUIRE_SOON: checks for constructors and for functions that give something back, where Qt Test's own
// cannot return. One that fails ends the test's program: what follows would wait for what will not come.
#pragma once

#include <QTest>

namespace bscope::tests {

// Thrown when the failure is reported.
struct RequirementFailed {};

inline constexpr int kRequired_ms = 240'000;  // on a busy machine, under sanitizers

inline void require(bool held, const char* words, const char* file, int line) {
    if (held) return;
    QTest::qFail(words, file, line);
    throw RequirementFailed();
}

}  // namespace bscope::tests

#define REQUIRE(condition) \
    bscope::tests::require(static_cast<bool>(condition), "required: " #condition, __FILE__, __LINE__)
// Events go on until it holds.
#define REQUIRE_SOON(condition)                                                                                  \
    bscope::tests::require(                                                                                      \
        QTest::qWaitFor([&] { return static_cast<bool>(condition); }, bscope::tests::kRequired_ms),              \
        "required soon: " #condition, __FILE__, __LINE__)
