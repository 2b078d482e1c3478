// Files that a person names: what is no regular file, or too large, is refused at once wherever it is named.
#include <sys/stat.h>
#include <sys/types.h>

#include <QTest>
#include <fstream>

#include "bscope_process.h"
#include "files/user_file.h"
#include "registered_test.h"

namespace tst_user_file {

using namespace bscope;

namespace {

constexpr qint64 kHuge = 10'000'000'000;  // bytes, all of them a hole

}  // namespace

class TestUserFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }

    static FileError::Why whyNot(const std::string& file, std::uint64_t limit = 100) {
        try {
            readUserFile(file, limit);
        } catch (const FileError& error) {
            return error.why;
        }
        throw std::runtime_error(file + " was read");
    }

private slots:
    void initTestCase() {
        QVERIFY(mkfifo(path("pipe").c_str(), 0600) == 0);
        QFile huge(folder_.filePath("huge"));
        QVERIFY(huge.open(QIODevice::WriteOnly) && huge.resize(kHuge));
    }

    void onlyRegularFilesAreRead() {
        QVERIFY(whyNot(path("pipe")) == FileError::Why::NotAFile);
        QVERIFY(whyNot("/dev/zero") == FileError::Why::NotAFile);
        QVERIFY(whyNot(path("")) == FileError::Why::Folder);
        QVERIFY(whyNot(path("nowhere")) == FileError::Why::System);
        QVERIFY(whyNot(path("huge"), kMaxTextFileBytes) == FileError::Why::TooLarge);
    }

    void aFileIsReadUpToItsLimit() {
        std::ofstream(path("ten")) << "0123456789";
        QCOMPARE(readUserFile(path("ten"), 10), std::string("0123456789"));
        QVERIFY(whyNot(path("ten"), 9) == FileError::Why::TooLarge);
        QVERIFY(!readUserFile("/proc/self/status", 1 << 20).empty());  // says that it has no bytes
        UserFile file(path("ten"));
        QCOMPARE(file.sizeBytes(), std::uint64_t(10));
        char bytes[8] = {};
        QCOMPARE(file.read(bytes, 8), std::size_t(8));
        QCOMPARE(file.read(bytes, 8), std::size_t(2));
        QCOMPARE(file.read(bytes, 8), std::size_t(0));
    }

    void writingNeverWaitsForAReader() {
        QVERIFY_THROWS_EXCEPTION(FileError, requireWritableWithoutWaiting(path("pipe")));
        requireWritableWithoutWaiting("/dev/full");
        requireWritableWithoutWaiting(path("new"));
        requireWritableWithoutWaiting("/dev/stdout");
    }

    // Every option that names a file, with everything that is no file of its kind.
    void everyNamedFileIsChecked_data() {
        QTest::addColumn<QStringList>("before");
        QTest::addColumn<bool>("is_written");
        const QStringList run = QStringList{"run", "-p", "2", "-m", "2", "--iterations", "1"} + tinyModel();
        QTest::newRow("validate") << QStringList{"validate"} << false;
        QTest::newRow("schedule") << QStringList{"schedule", "file:"} << false;
        QTest::newRow("run --schedule") << run + QStringList{"--schedule", "file:"} << false;
        QTest::newRow("run --config") << run + QStringList{"--config"} << false;
        QTest::newRow("run --scenario") << run + QStringList{"--scenario"} << false;
        QTest::newRow("run --data") << run + QStringList{"--data"} << false;
        QTest::newRow("run --load") << run + QStringList{"--load"} << false;
        QTest::newRow("replay") << QStringList{"replay"} << false;
        QTest::newRow("export") << QStringList{"export", "--csv", folder_.filePath("out.csv"), ""} << false;
        QTest::newRow("run --record") << run + QStringList{"--record"} << true;
        QTest::newRow("run --save") << run + QStringList{"--save"} << true;
        QTest::newRow("run --keep") << run + QStringList{"--keep-every", "1", "--keep"} << true;
    }
    void everyNamedFileIsChecked() {
        QFETCH(QStringList, before);
        QFETCH(bool, is_written);
        QStringList named{folder_.filePath("pipe"), folder_.path()};
        if (!is_written) named += {QStringLiteral("/dev/zero"), folder_.filePath("huge")};
        for (const QString& name : named) {
            QStringList arguments = before;
            if (arguments.last().isEmpty() || arguments.last().endsWith(':'))
                arguments.last() += name;
            else
                arguments += name;
            const Outcome outcome = bscopeRun(arguments, 20000);
            const QString said = arguments.join(' ') + "\n" + QString::fromUtf8(outcome.errors);
            QVERIFY2(!outcome.crashed && outcome.code != 0, qPrintable(said));
            QVERIFY2(outcome.errors.contains(name.toUtf8()), qPrintable(said));
        }
    }
};

BUBBLESCOPE_TEST(TestUserFile)

}  // namespace tst_user_file

#include "tst_user_file.moc"
