// Names of schedules on the command line and in files, and the v that comes with them.
#include <QTest>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_cli_names {

using namespace bscope;

class TestCliNames : public QObject {
    Q_OBJECT

private slots:
    // What follows "--" is a file, whatever it begins with.
    void filesMayBeginWithADash() {
        const auto dashed = bscopeRun({"replay", "--json", "--", "-no-such-file.bscope"});
        QCOMPARE(dashed.code, 1);
        QVERIFY2(dashed.errors.contains("cannot open -no-such-file.bscope"), dashed.errors);
    }

    // Any name that a user may type, and the usual v of what it means, which is said.
    void schedulesAreFoundByAnyName() {
        const auto interleaved = bscopeRun({"schedule", QStringLiteral("交错式1F1B"), "--json"});
        QCOMPARE(interleaved.code, 0);
        QCOMPARE(interleaved.json().value(0)["schedule"].toString(), QString("interleaved"));
        QCOMPARE(interleaved.json().value(0)["v"].toInt(), 2);
        QVERIFY(interleaved.errors.contains("v = 2, the usual of Interleaved 1F1B"));
        const auto wave = bscopeRun({"schedule", QStringLiteral("波浪"), "--json", "--lang", "zh"});
        QCOMPARE(wave.json().value(0)["schedule"].toString(), QString("hanayo"));
        QVERIFY2(wave.errors.contains("v = 2，该调度（Hanayo 式波浪）的常用值"), wave.errors);
        QVERIFY(bscopeRun({"schedule", "interleaved", "-v", "4", "--json"}).errors.isEmpty());
        const auto unknown = bscopeRun({"schedule", QStringLiteral("不是1F1B")});
        QCOMPARE(unknown.code, 2);
        QVERIFY(unknown.out.isEmpty() && unknown.errors.contains("nearest: 1f1b"));
        const auto list = bscopeRun({"schedule", "--list", "--lang", "zh"});
        QCOMPARE(list.code, 0);
        QVERIFY(list.out.contains("交错式 1F1B") && list.out.contains("提前式 1F1B"));
        // Each formula with what has to be so for it.
        QVERIFY2(list.out.contains("2*(p-2)/(3*m+2*(p-2))，m = p 时"), list.out);
        const auto english = bscopeRun({"schedule", "--list"}).out;
        QVERIFY2(english.contains("4*(p-1)/(3*v*m+4*(p-1)) for m = p"), english);
        QVERIFY2(english.contains("(p-1)/(6*m+p-1) for m >= 2*p-1"), english);
        QVERIFY(!english.contains("Alpa"));
        QCOMPARE(bscopeRun({"schedule", "1F1B-V", "--json"}).json().value(0)["schedule"].toString(),
                 QString("v-1f1b"));
    }

    void aFileThatNamesAScheduleTakesItsUsualV() {
        QTemporaryDir folder;
        QFile file(folder.filePath("config.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"schedule\": \"interleaved\", \"p\": 2, \"m\": 2}");
        file.close();
        const auto run = [&](const QStringList& options) {
            return bscopeRun(QStringList{"run", "--config", file.fileName(), "--iterations", "1", "--json"} +
                             tinyModel() + options);
        };
        const auto usual = run({});
        QCOMPARE(usual.json().value(0)["v"].toInt(), 2);
        QVERIFY(usual.errors.contains("v = 2, the usual of Interleaved 1F1B"));
        QCOMPARE(run({"-v", "1"}).json().value(0)["v"].toInt(), 1);
        QCOMPARE(run({"--schedule", "gpipe"}).json().value(0)["v"].toInt(), 1);
    }
};

BUBBLESCOPE_TEST(TestCliNames)

}  // namespace tst_cli_names

#include "tst_cli_names.moc"
