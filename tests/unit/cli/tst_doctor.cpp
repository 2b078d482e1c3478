// The doctor says of every part whether it is there, and of missing ones how to get them.
#include <QTest>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_doctor {

using namespace bscope;

class TestDoctor : public QObject {
    Q_OBJECT

private slots:
    void everyPartIsNamed() {
        const auto outcome = bscopeRun({"doctor"});
        QCOMPARE(outcome.code, 0);
        for (const char* part : {"cores", "memory", "matrix products", "oneDNN", "MPI", "CUDA compiler",
                                 "CUDA driver", "GPUs", "display", "window"})
            QVERIFY2(outcome.out.contains(part), part);
    }

    void everyLineIsFoundOrSaysHowToGetIt() {
        for (const auto& line : bscopeRun({"doctor"}).out.split('\n')) {
            if (line.isEmpty()) continue;
            const QByteArray rest = line.mid(17);
            QVERIFY2(rest.startsWith("found    ") || rest.startsWith("missing  "), line);
            QVERIFY2(rest.size() > 12, line);
        }
    }

    void everyPartIsNamedInChinese() {
        const QString reported = QString::fromUtf8(bscopeRun({"doctor", "--lang", "zh"}).out);
        for (const char* part : {"核心", "内存", "矩阵乘法", "CUDA 编译器", "CUDA 驱动", "显示", "窗口"})
            QVERIFY2(reported.contains(QString::fromUtf8(part)), qPrintable(reported));
        const QRegularExpression english(
            "\\b(found|missing|cores|memory|window|needed|none|free|without)\\b");
        QVERIFY2(!reported.contains(english), qPrintable(english.match(reported).captured()));
    }

    void displayFollowsTheEnvironment() {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.remove("WAYLAND_DISPLAY");
        environment.insert("DISPLAY", ":77");
        process.setProcessEnvironment(environment);
        process.start(bscopeProgram(), {"doctor"});
        QVERIFY(process.waitForFinished(20000));
        QVERIFY(process.readAllStandardOutput().contains("DISPLAY=:77"));
    }
};

BUBBLESCOPE_TEST(TestDoctor)

}  // namespace tst_doctor

#include "tst_doctor.moc"
