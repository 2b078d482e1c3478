// Schedules from files as orders: every broken rule with its cell, foreign spellings, names by file.
#include <QtTest>

#include "schedule/catalog.h"
#include "schedule/csv.h"
#include "schedule/file_schedule.h"
#include "schedule/lowering.h"
#include "schedule/run_config.h"
#include "schedule/schedule_file.h"

using namespace bscope;

namespace {

ScheduleFile read(const char* text, FileForm form = FileForm::Order) {
    return readScheduleFile(text, "mine", form);
}

}  // namespace

class TestValidate : public QObject {
    Q_OBJECT
private slots:
    void everyBrokenRuleNamesItsCell_data() {
        QTest::addColumn<QString>("csv");
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("says");
        QTest::newRow("doubled forward") << "0F0,0F1,0B0,0F1,0B1\n" << 0 << 3 << "2 forwards";
        QTest::newRow("doubled backward") << "0F0,0B0,0B0\n" << 0 << 2 << "needs one B";
        QTest::newRow("missing backward")
            << "0F0,0F1,0B0\n"
            << 0 << -1 << "micro-batch 1: needs one B, or one I and one W; has none";
        QTest::newRow("missing weight gradient") << "0F0,0I0\n" << 0 << -1 << "1 I and 0 W";
        QTest::newRow("backward first") << ",0B0,0F0\n" << 0 << 1 << "before its forward";
        QTest::newRow("weight first") << "0F0,0W0,0I0\n" << 0 << 1 << "before its input gradient";
        QTest::newRow("another rank's") << "0F0,0B0,\n1F0,0F0,1B0\n" << 1 << 1 << "belongs to another rank";
        QTest::newRow("never made") << "0F0,0B0\n1F0\n" << 0 << 1 << "which no rank makes";
        QTest::newRow("deadlock") << "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n"
                                  << 0 << 1 << "0B0: it waits for 1B0 of rank 1, which stands at 1F1";
        QTest::newRow("deadlock, other side")
            << "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n"
            << 1 << 0 << "1F1: it waits for 0F1 of rank 0, which stands at 0B0";
        QTest::newRow("overlap waits for both") << "0F0,(0F1;0B0)OVERLAP_F_B,0B1\n1F0,1F1,1B0,1B1\n"
                                                << 0 << 1 << "can never run 0F1";
        QTest::newRow("garbage") << "0F0,hello\n" << 0 << 1 << "\"hello\"";
        QTest::newRow("a send without its receive") << "0F0,0SEND_F0,0RECV_B0,0B0\n1F0,1B0,1SEND_B0\n"
                                                    << 0 << 2 << "0RECV_B0 waits for rank 1";
    }
    void everyBrokenRuleNamesItsCell() {
        QFETCH(QString, csv);
        QFETCH(int, row);
        QFETCH(int, column);
        QFETCH(QString, says);
        const ScheduleFile file = read(qPrintable(csv));
        const bool found = std::any_of(file.errors.begin(), file.errors.end(), [&](const CellError& error) {
            return error.row == row && error.column == column &&
                   QString::fromStdString(error.text).contains(says);
        });
        QString all;
        for (const CellError& error : file.errors)
            all += QString("%1,%2: %3\n").arg(error.row).arg(error.column).arg(error.text.c_str());
        QVERIFY2(found, qPrintable(all));
    }

    void allProblemsAreListed() {
        QCOMPARE(read("0F0,0F0,0B0\n1F0,1B1,what\n").errors.size(), std::size_t(1));  // words come first
        QCOMPARE(read("0F0,0F0,0B0\n1F0,1B0,1B0\n").errors.size(), std::size_t(2));
        QVERIFY(read("").errors.front().text.find("no actions") != std::string::npos);
    }

    void theGridMarksTheCells() {
        QCOMPARE(QString::fromStdString(markedGrid(read("0F0,,0B0,0B0\n1F0,1B0\n"))),
                 QString("rank 0  0F0 .   0B0 >0B0<\n"
                         "rank 1  1F0 1B0\n"));
        const QString missing = QString::fromStdString(markedGrid(read("0F0,0F1,0B0,0B1\n1F0,1B0,1F1\n")));
        QVERIFY2(missing.contains("1F1  <- incomplete"), qPrintable(missing));
    }

    void communicationIsRead() {
        for (const CatalogEntry& entry : catalog()) {
            const Schedule schedule = makeSchedule(entry.name, {4, defaultChunks(entry), 8, 0});
            if (schedule.replicas() != 1) continue;
            const ScheduleFile file = readScheduleFile(toCommsCsv(schedule), entry.name);
            QVERIFY2(file.errors.empty(), file.errors.empty() ? "" : file.errors.front().text.c_str());
            QVERIFY(file.form == FileForm::Order);
            QCOMPARE(file.has_communication, schedule.params.p > 1);
            QVERIFY(file.schedule.orders == schedule.orders);
        }
    }

    void oldSpellingIsTranslatedWithANote() {
        const ScheduleFile with_whole = read("0F0,0BW0\n1F0,1B0,1W0\n");
        QVERIFY(with_whole.errors.empty());
        QCOMPARE(with_whole.notes.size(), std::size_t(1));
        QVERIFY(with_whole.schedule.orders[0][1].op == Op::Backward);
        QVERIFY(with_whole.schedule.orders[1][1].op == Op::BackwardInput);
        const ScheduleFile without = read("0F0,0B0,0W0\n1F0,1B0,1W0\n");
        QVERIFY(without.errors.empty() && without.notes.size() == 1);
        QVERIFY(read("0F0,0B0\n1F0,1I0,1W0\n").notes.empty());
    }

    void aFileIsASchedule() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("mine.csv").toStdString(), name = "file:" + path;
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(toComputeCsv(makeSchedule("interleaved", {2, 2, 4, 0}))));
        file.close();
        QVERIFY(fileScheduleParams(name) == (ScheduleParams{2, 2, 4, 0}));
        QVERIFY(makeSchedule(name, {2, 2, 4, 0}).orders == makeSchedule("interleaved", {2, 2, 4, 0}).orders);
        QCOMPARE(makeSchedule(name, {2, 2, 4, 0}).name, name);
        const std::vector<Problem> found = scheduleProblems(name, {4, 1, 4, 0});
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found[0].field, std::string("p"));
        QCOMPARE(found[0].legal, std::vector<long>{2});
        QCOMPARE(found[1].field, std::string("v"));
        RunConfig config;
        config.schedule = name;
        config.params = {2, 2, 4, 0};
        QVERIFY(problems(config).empty());
        QVERIFY(!scheduleProblems("file:" + folder.path().toStdString(), {2, 2, 4, 0}).empty());
        config.schedule += ".missing";
        QVERIFY(problems(config).front().text().find("cannot be read") != std::string::npos);
    }

    void unevenFilesAreRefusedAsSchedules() {
        QTemporaryDir folder;
        QFile file(folder.filePath("uneven.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("0F0,2F0,2B0,0B0\n1F0,1B0\n");
        file.close();
        QVERIFY(readScheduleFile("0F0,2F0,2B0,0B0\n1F0,1B0\n", "uneven").errors.empty());
        const auto found = scheduleProblems("file:" + file.fileName().toStdString(), {2, 2, 1, 0});
        QVERIFY(!found.empty() && found.front().text().find("as many stages") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestValidate)
#include "tst_validate.moc"
