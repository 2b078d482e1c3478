// Gaps with their causes as a table: the window writes, byte for byte, what `bscope export --gaps` writes of
// the same iteration; a file that cannot be written is named.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "bscope_process.h"
#include "opened_window.h"
#include "registered_test.h"

namespace tst_gaps_file {

using namespace bscope;
using namespace bscope::ui;

class TestGapsFile : public QObject {
    Q_OBJECT

    const LessonBook book_{};

private slots:
    void theWindowWritesWhatTheCommandLineWrites() {
        QTemporaryDir folder;
        const QString run = folder.filePath("run.bscope"), table = folder.filePath("table.csv"),
                      written = folder.filePath("window.csv");
        const QStringList model{"--layers", "4",  "--hidden",      "32", "--heads", "2",
                                "--seq",    "16", "--micro-batch", "1"};
        QCOMPARE(bscopeRun(QStringList{"run", "-p", "2", "-m", "4", "--clock", "reconstructed",
                                       "--iterations", "2", "--record", run} +
                           model)
                     .code,
                 0);
        QCOMPARE(bscopeRun({"export", run, "--gaps", table, "--iteration", "2"}).code, 0);
        OpenedWindow opened(book_);
        opened.window.openFiles({run});
        TimelineController& timeline = part<TimelineController>(opened.window);
        QTRY_VERIFY_WITH_TIMEOUT(timeline.side()->shown() && timeline.side()->shown()->hasRun() &&
                                     timeline.side()->shown()->view().iteration == 1 &&
                                     timeline.side()->shown()->causes() != nullptr,
                                 kEngineMs);
        timeline.writeGaps(written, *timeline.side()->shown()->causes());
        const auto contents = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(contents(table).count('\n') > 2);
        QCOMPARE(contents(written), contents(table));
        timeline.writeGaps(folder.filePath("none/window.csv"), *timeline.side()->shown()->causes());
        QTRY_VERIFY(part<FailureBar>(opened.window).isVisible());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestGapsFile)

}  // namespace tst_gaps_file

#include "tst_gaps_file.moc"
