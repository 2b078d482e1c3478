// A test class and the name by which its program runs it: that of its file. Programs hold the tests of a
// folder,
//     build/release/tests/unit_lessons tst_quiz sameSeedSameQuiz
#pragma once

#include <QCoreApplication>
#include <QTest>
#ifdef QT_WIDGETS_LIB
#include <QApplication>
#endif

#include "required.h"

namespace bscope::tests {

// Made at start, one for each test; its address is kept. Not thread-safe.
class RegisteredTest {
public:
    using Run = int (*)(int argc, char** argv);
    // file: the path of the test's source.
    RegisteredTest(const char* file, Run run);
};

// What QTEST_MAIN and QTEST_GUILESS_MAIN do.
template <typename Application, typename Test>
int runTest(int argc, char** argv) {
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    Test test;
    try {
        return QTest::qExec(&test, argc, argv);
    } catch (const RequirementFailed&) {
        return 1;
    }
}

}  // namespace bscope::tests

#define BUBBLESCOPE_REGISTERED(...) \
    static const bscope::tests::RegisteredTest registered(__FILE__, bscope::tests::runTest<__VA_ARGS__>);
#define BUBBLESCOPE_TEST(Class) BUBBLESCOPE_REGISTERED(QCoreApplication, Class)
#define BUBBLESCOPE_WINDOW_TEST(Class) BUBBLESCOPE_REGISTERED(QApplication, Class)
