// A system that gives no more threads: every part that wants one ends with a sentence, and nothing crashes.
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <functional>
#include <iostream>

#include "registered_test.h"
#include "served.h"
#include "server/engine_loop.h"
#include "server/interrupts.h"
#include "server/stream_recorder.h"
#include "workers/thread_team.h"

namespace tst_thread_limits {

using namespace bscope;

namespace {

// In a process of its own, with so little room for stacks that a few threads fill it: 0 when `work` throws a
// std::runtime_error with the sentence.
int underThreadLimit(const std::function<void()>& work) {
    const pid_t child = fork();
    if (child == 0) {
        pthread_attr_t large;
        pthread_attr_init(&large);
        pthread_attr_setstacksize(&large, std::size_t{1} << 30);
        pthread_setattr_default_np(&large);
        const rlimit memory{std::size_t{8} << 30, std::size_t{8} << 30};
        setrlimit(RLIMIT_AS, &memory);
        try {
            work();
        } catch (const std::runtime_error& error) {
            std::cerr << error.what() << '\n';
            _exit(std::string(error.what()).find("the system cannot create a thread for ") == 0 ? 0 : 3);
        }
        _exit(2);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

class TestThreadLimits : public QObject {
    Q_OBJECT

private slots:
    // As libgomp does without memory, while another thread uses what would be destroyed.
    void aLibraryThatEndsTheProcessDestroysNothing() {
        const pid_t child = fork();
        if (child == 0) {
            std::atexit([] { _exit(7); });
            ThreadTeam team(2);
            team.run([](int number) {
                if (number == 0) std::exit(EXIT_FAILURE);
                for (;;) pause();
            });
        }
        int status = -1;
        waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), EXIT_FAILURE);
    }

    void everyThreadIsAskedFor() {
        if (*SANITIZERS) QSKIP("sanitizers need address space that this test takes away");
        QCOMPARE(underThreadLimit([] { const ThreadTeam team(64); }), 0);
        QCOMPARE(underThreadLimit([] {
                     std::vector<std::unique_ptr<Interrupts>> many;
                     for (int i = 0; i < 64; ++i) many.push_back(std::make_unique<Interrupts>([](int) {}));
                 }),
                 0);
        QCOMPARE(underThreadLimit([] {
                     std::vector<std::unique_ptr<StreamRecorder>> many;
                     QTemporaryDir folder;
                     for (int i = 0; i < 64; ++i)
                         many.push_back(std::make_unique<StreamRecorder>(
                             folder.filePath(QString::number(i)).toStdString(), [](const Sentence&) {}));
                 }),
                 0);
        QCOMPARE(underThreadLimit([] {
                     std::vector<std::unique_ptr<EngineLoop>> many;
                     for (int i = 0; i < 64; ++i)
                         many.push_back(std::make_unique<EngineLoop>(Served::small(), [](OutFrame) {}));
                 }),
                 0);
    }
};

BUBBLESCOPE_TEST(TestThreadLimits)

}  // namespace tst_thread_limits

#include "tst_thread_limits.moc"
