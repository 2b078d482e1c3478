// A recording that another program cuts, empties and makes whole again while it is read: every command ends
// with a sentence or with its answer, never by a signal. The commands that read a file twice come first.
// BSCOPE_CHANGES=N starts each command so many times (6).
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <random>
#include <thread>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_changing_file {

using namespace bscope;

class TestChangingFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString changing_, still_;
    QByteArray whole_;

private slots:
    void initTestCase() {
        changing_ = folder_.filePath("changing.bscope");
        still_ = folder_.filePath("still.bscope");
        QCOMPARE(bscopeRun(QStringList{"run", "-p", "2", "-m", "4", "--iterations", "4", "--record", still_} +
                           tinyModel())
                     .code,
                 0);
        QFile in(still_);
        QVERIFY(in.open(QIODevice::ReadOnly));
        whole_ = in.readAll();
        QVERIFY(QFile::copy(still_, changing_));
    }

    void everyCommandEndsByItself_data() {
        QTest::addColumn<QStringList>("words");
        const QString out = folder_.filePath("out");
        for (const QStringList& words :
             {QStringList{"replay", changing_, "--bubble"},
              QStringList{"replay", changing_, "--range", "0,1"}, QStringList{"compare", changing_, still_},
              QStringList{"advise", "--from", changing_}, QStringList{"export", changing_, "--gaps", out},
              QStringList{"cards", "Q02", "--from", changing_}, QStringList{"replay", changing_, "--json"},
              QStringList{"replay", changing_, "--series"}, QStringList{"import", changing_},
              QStringList{"schedule", "1f1b", "--costs-from", changing_}})
            QTest::newRow(qPrintable(QStringList(words).replaceInStrings(folder_.path() + '/', "").join(' ')))
                << words;
    }
    void everyCommandEndsByItself() {
        QFETCH(QStringList, words);
        bool given = false;
        const int requested = qEnvironmentVariableIntValue("BSCOPE_CHANGES", &given);
        std::atomic<bool> ended = false;
        std::thread changes([&] {
            std::mt19937 random(11);
            while (!ended) {
                QFile file(changing_);
                const auto part = static_cast<qint64>(random() % static_cast<unsigned>(whole_.size()));
                if (file.open(QIODevice::ReadWrite)) file.resize(random() % 4 == 0 ? 0 : part);
                file.close();
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
                if (file.open(QIODevice::WriteOnly)) file.write(whole_);
                file.close();
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000));
            }
        });
        QList<Outcome> all;
        for (int i = 0; i < (given ? requested : 6); ++i) all += bscopeRun(words, 20'000);
        ended = true;
        changes.join();
        for (const Outcome& each : all) {
            QVERIFY2(!each.crashed, each.errors);
            QVERIFY2(each.code >= 0 && each.code <= 2, each.errors);
            QVERIFY2(!(each.code == 0 ? each.out + each.errors : each.errors).isEmpty() ||
                         words.contains("export"),
                     "no word");
        }
    }
};

BUBBLESCOPE_TEST(TestChangingFile)

}  // namespace tst_changing_file

#include "tst_changing_file.moc"
