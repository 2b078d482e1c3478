// scripts/run and scripts/test where nothing can be written: what was built is started, and where nothing was
// it is said what to do. In a folder with a blank and Chinese letters, as a user who is not root.
#include <grp.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "registered_test.h"

namespace tst_scripts {

namespace {

constexpr uid_t kNobody = 65534;
constexpr auto kForAll = QFile::ReadOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup |
                         QFile::ReadOther | QFile::ExeOther;

struct Ended {
    int code = -1;
    QByteArray out, errors;
};

}  // namespace

class TestScripts : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString root_;

    static void put(const QString& file, const QByteArray& bytes) {
        QDir().mkpath(QFileInfo(file).path());
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(bytes);
        out.close();
        QVERIFY(out.setPermissions(kForAll));
    }
    // A user other than root may not write; root could in spite of that.
    static void close(const QString& folder) {
        const QDir dir(folder);
        for (const QString& each : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            close(dir.filePath(each));
        QVERIFY(QFile::setPermissions(folder, kForAll));
    }
    static void open(const QString& folder) {
        QFile::setPermissions(folder, kForAll | QFile::WriteOwner);
        const QDir dir(folder);
        for (const QString& each : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) open(dir.filePath(each));
    }
    Ended start(const char* script, const QStringList& words, const QString& display = {}) const {
        QProcess process;
        if (geteuid() == 0)
            process.setChildProcessModifier([] {
                if (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(99);
            });
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.remove("DISPLAY");
        environment.remove("WAYLAND_DISPLAY");
        if (!display.isEmpty()) environment.insert("DISPLAY", display);
        process.setProcessEnvironment(environment);
        process.start(root_ + "/scripts/" + script, words);
        process.waitForFinished(60000);
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }
    void putProgram(const QString& name) const {
        put(root_ + "/build/release/" + name, "#!/bin/sh\necho \"" + name.toUtf8() + " $*\"\n");
    }

private slots:
    void init() {
        QFile::setPermissions(folder_.path(), kForAll | QFile::WriteOwner);
        root_ = folder_.filePath(QStringLiteral("路径 with space"));
        for (const char* name : {"run", "test", "setup.sh"}) {
            QFile script(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/scripts/") + name);
            QVERIFY(script.open(QIODevice::ReadOnly));
            put(root_ + "/scripts/" + name, script.readAll());
        }
    }
    void cleanup() {
        open(root_);
        QVERIFY(QDir(root_).removeRecursively());
    }

    void withoutAProgramTheySayWhatToDo() {
        close(root_);
        for (const char* script : {"run", "test"}) {
            const Ended ended = start(script, {});
            QCOMPARE(ended.code, 1);
            QVERIFY2(ended.errors.contains("cannot be written to"), ended.errors);
            QVERIFY2(ended.errors.contains("Copy the checkout to a folder of yours"), ended.errors);
            QVERIFY2(ended.errors.contains(QByteArray("/scripts/") + script), ended.errors);
            QVERIFY2(!ended.errors.contains("mkdir"), ended.errors);
        }
    }

    void aFinishedProgramIsStarted() {
        for (const char* name : {"bin/bscope", "bin/bubblescope", "tests/unit_base"}) putProgram(name);
        put(root_ + "/build/release/build.log", "an old log\n");
        put(root_ + "/build/release/CTestTestfile.cmake",
            "add_test(tst_words \"" + root_.toUtf8() + "/build/release/tests/unit_base\")\n");
        close(root_);
        const Ended ran = start("run", {"--json"});
        QCOMPARE(ran.code, 0);
        QCOMPARE(ran.out, "bin/bscope run --json\n");
        QVERIFY2(ran.errors.contains("nothing is built, and what was built before is started"), ran.errors);
        QVERIFY2(!ran.errors.contains("build.log"), ran.errors);
        const Ended tested = start("test", {"-R", "words"});
        QVERIFY2(tested.code == 0, tested.out + tested.errors);
        QVERIFY2(tested.out.contains("100% tests passed"), tested.out);
    }

    // Without a display it is all that is needed; with one, what there is can be had by name.
    void theEngineAloneIsStarted() {
        putProgram("bin/bscope");
        close(root_);
        const Ended without = start("run", {"--json"});
        QVERIFY2(without.code == 0, without.errors);
        QCOMPARE(without.out, "bin/bscope run --json\n");
        const Ended with = start("run", {}, ":99");
        QCOMPARE(with.code, 1);
        QVERIFY2(with.errors.contains("bin/bubblescope is not in it"), with.errors);
        QVERIFY2(with.errors.contains("scripts/run --engine-only"), with.errors);
        const Ended named = start("run", {"--engine-only", "--json"}, ":99");
        QVERIFY2(named.code == 0, named.errors);
        QCOMPARE(named.out, "bin/bscope run --json\n");
    }
};

BUBBLESCOPE_TEST(TestScripts)

}  // namespace tst_scripts

#include "tst_scripts.moc"
