// A target without libFuzzer: its seeds, every input that was once a finding, and some mutants of each, the
// same ones in every run.
#include <google/protobuf/stubs/logging.h>

#include <QDir>
#include <QTest>

#include "support/byte_mutator.h"
#include "support/target.h"

using namespace bscope::fuzz;

class TestFuzz : public QObject {
    Q_OBJECT

    static void addFiles(const char* kind) {
        const QDir folder(
            QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/fuzz/%1/%2").arg(kind, target().name));
        for (const QString& name : folder.entryList(QDir::Files, QDir::Name)) {
            QFile file(folder.filePath(name));
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
            QTest::addRow("%s/%s", kind, qPrintable(name)) << file.readAll();
        }
    }
    static void addAll() {
        QTest::addColumn<QByteArray>("input");
        addFiles("seeds");
        addFiles("crashers");
    }
    static void run(const std::string& input) {
        try {
            target().run(input);
        } catch (const std::exception& error) {
            QByteArray bytes(input.data(), static_cast<qsizetype>(input.size()));
            QFAIL(qPrintable(QString::fromUtf8(error.what()) + QStringLiteral("\ninput, base64: ") +
                             QString::fromLatin1(bytes.toBase64())));
        }
    }

private slots:
    void initTestCase() { google::protobuf::SetLogHandler(nullptr); }

    void hasSeeds() {
        const QDir folder(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/fuzz/seeds/%1").arg(target().name));
        QVERIFY2(!folder.entryList(QDir::Files).isEmpty(), qPrintable(folder.path()));
    }

    void stands_data() { addAll(); }
    void stands() {
        QFETCH(QByteArray, input);
        run(input.toStdString());
    }

    void standsItsMutants_data() { addAll(); }
    void standsItsMutants() {
        QFETCH(QByteArray, input);
        constexpr int kMutants = 200;
        Random random(1);
        std::string mutant;
        for (int i = 0; i < kMutants && !QTest::currentTestFailed(); ++i) {
            if (i % 8 == 0) mutant = input.toStdString();  // up to eight changes one upon the other
            if (target().mutate && i % 4 != 0)
                target().mutate(mutant, random);
            else
                mutateBytes(mutant, random);
            mutant.resize(std::min(mutant.size(), kMaxInputBytes));
            run(mutant);
        }
    }
};

QTEST_GUILESS_MAIN(TestFuzz)
#include "tst_fuzz.moc"
