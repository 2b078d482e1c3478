// Schedules from files as orders: every broken rule with its cell, foreign spellings, names by file.
#include <QTest>

#include "catalog/catalog.h"
#include "config/run_config.h"
#include "registered_test.h"
#include "schedule/formats/csv.h"
#include "schedule/formats/file_schedule.h"
#include "schedule/lowering.h"
#include "schedule/formats/schedule_file.h"

namespace tst_validate {

using namespace bscope;

namespace {

ScheduleFile read(const char* text, FileForm form = FileForm::Order) {
    return readScheduleFile(text, "mine", form);
}

// One of the errors is at this cell and says this.
void isFound(const ScheduleFile& file, int row, int column, const QString& says) {
    const bool found = std::any_of(file.errors.begin(), file.errors.end(), [&](const CellError& error) {
        return error.row == row && error.column == column &&
               QString::fromStdString(error.text()).contains(says);
    });
    QString all;
    for (const CellError& error : file.errors)
        all += QString("%1,%2: %3\n").arg(error.row).arg(error.column).arg(error.text().c_str());
    QVERIFY2(found, qPrintable(all));
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
        QTest::newRow("three in a pair") << "(0F0;0B0;0F1)OVERLAP_F_B,0B1\n" << 0 << 0 << "exactly two";
        QTest::newRow("two forwards in a pair") << "(0F0;0F1)OVERLAP_F_B,0B0,0B1\n"
                                                << 0 << 0 << "a forward and then a whole backward";
        QTest::newRow("messages in a pair") << "0F0,0B0,(0SEND_F0;0SEND_F0)OVERLAP_F_B\n"
                                            << 0 << 2 << "a forward and then a whole backward";
        QTest::newRow("too many stages") << "1000F0\n" << -1 << -1 << "1 ranks and 1001 stages";
    }
    void everyBrokenRuleNamesItsCell() {
        QFETCH(QString, csv);
        QFETCH(int, row);
        QFETCH(int, column);
        QFETCH(QString, says);
        isFound(read(qPrintable(csv)), row, column, says);
    }

    // What a file with communication says beside its computation.
    void everyBrokenMessageNamesItsCell_data() {
        QTest::addColumn<QString>("csv");
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("says");
        QTest::newRow("far stage") << "0F0,0B0\n1F0,100000RECV_F0,1B0\n" << 1 << 1 << "does not exist";
        QTest::newRow("nothing but a message") << "0F0,0B0\n,100000RECV_F0\n"
                                               << 1 << -1 << "has no operation";
        QTest::newRow("far micro-batch") << "0F0,0SEND_F0,0SEND_F7,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n"
                                         << 0 << 2 << "0SEND_F7 names a stage or micro-batch";
        QTest::newRow("no receive") << "0F0,0SEND_F0,0RECV_B0,0B0\n1F0,1B0,1SEND_B0\n"
                                    << 1 << -1 << "1RECV_F0 is missing before 1F0";
        QTest::newRow("no send") << "0F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n"
                                 << 0 << -1 << "0SEND_F0 is missing after 0F0";
        QTest::newRow("early send") << "0SEND_F0,0F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n"
                                    << 0 << 0 << "0SEND_F0 comes before 0F0";
        QTest::newRow("late receive") << "0F0,0SEND_F0,0RECV_B0,0B0\n1F0,1RECV_F0,1B0,1SEND_B0\n"
                                      << 1 << 1 << "1RECV_F0 comes after 1F0";
        QTest::newRow("another rank's send") << "0F0,0SEND_F0,1SEND_B0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0\n"
                                             << 0 << 2 << "belongs to another rank, rank 1";
        QTest::newRow("twice") << "0F0,0SEND_F0,,0SEND_F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n"
                               << 0 << 3 << "0SEND_F0 is there twice";
        QTest::newRow("no producer") << "0RECV_F0,0F0,0SEND_F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n"
                                     << 0 << 0 << "no rank at the other end";
        QTest::newRow("same rank") << "0F0,0SEND_F0,1F0,1B0,0B0\n" << 0 << 1 << "stage 1 is on the same rank";
        QTest::newRow("no backward") << "0F0,0SEND_F0\n1RECV_F0,1F0,1SEND_B0\n"
                                     << 1 << 2 << "the file has none";
        QTest::newRow("out of turn") << "0F0,0F1,0SEND_F0,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
                                        "1RECV_F1,1RECV_F0,1F0,1B0,1SEND_B0,1F1,1B1,1SEND_B1\n"
                                     << 1 << 0
                                     << "1RECV_F1 is out of turn: the next message of rank 0 is 0SEND_F0";
        QTest::newRow("sent too late") << "0F0,0RECV_B0,0B0,0SEND_F0\n1RECV_F0,1F0,1B0,1SEND_B0\n"
                                       << 0 << 2 << "0B0 waits for rank 1, which stands at 1F0";
        QTest::newRow("weights twice") << "0UNSHARD,0UNSHARD,0F0,0B0\n"
                                       << 0 << 1 << "fetches weights that are there";
        QTest::newRow("weights gone") << "0UNSHARD,0F0,0RESHARD,0B0\n"
                                      << 0 << 3 << "0B0 runs while the weights";
        QTest::newRow("nothing to drop") << "0F0,0B0,0RESHARD\n"
                                         << 0 << 2 << "drops weights that are not there";
        QTest::newRow("reduced early") << "0F0,0REDUCE_GRAD,0B0\n"
                                       << 0 << 1 << "0REDUCE_GRAD comes before 0B0";
        QTest::newRow("weights of another") << "0F0,0B0,9UNSHARD\n" << 0 << 2 << "does not exist";
    }
    void everyBrokenMessageNamesItsCell() { everyBrokenRuleNamesItsCell(); }

    // A receive may be posted long before its message, a send may wait: no rank waits at either.
    void communicationMayMove() {
        for (const char* csv :
             {"0RECV_B0,0F0,0SEND_F0,,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n",
              "0F0,0F1,0SEND_F0,0SEND_F1,0RECV_B0,0RECV_B1,0B0,0B1\n"
              "1RECV_F0,1RECV_F1,1F0,1B0,1F1,1SEND_B0,1B1,1SEND_B1\n",
              "0UNSHARD,0F0,0SEND_F0,0RECV_B0,0BW0,0RESHARD,0REDUCE_GRAD\n1RECV_F0,1F0,1B0,1SEND_B0,1W0\n"}) {
            const ScheduleFile file = read(csv);
            QVERIFY2(file.errors.empty(), file.errors.empty() ? "" : file.errors.front().text().c_str());
            QVERIFY(file.has_communication);
        }
    }

    // Reading stays within memory and time whatever the file says.
    void thousandsOfProblemsAreCounted() {
        std::string csv;
        for (int i = 0; i < 5000; ++i) csv += "what,";
        QCOMPARE(read(csv.c_str()).errors.size(), std::size_t(1001));
        QCOMPARE(read(csv.c_str()).errors.back().text(),
                 std::string("there are more problems; the first 1000 are listed"));
        csv.clear();
        for (int stage = 0; stage < 60; ++stage) csv += std::to_string(stage) + "F0,";
        const ScheduleFile sparse = read((csv + "59F60000\n").c_str());
        QVERIFY(!sparse.errors.empty() && sparse.errors.size() <= 1001);
        QVERIFY(read(std::string(200'000, '\n').append("0F0,0B0\n").c_str())
                    .errors.front()
                    .text()
                    .find("too many rows") != std::string::npos);
    }

    void allProblemsAreListed() {
        QCOMPARE(read("0F0,0F0,0B0\n1F0,1B1,what\n").errors.size(), std::size_t(1));  // words come first
        QCOMPARE(read("0F0,0F0,0B0\n1F0,1B0,1B0\n").errors.size(), std::size_t(2));
        QVERIFY(read("").errors.front().text().find("no actions") != std::string::npos);
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
            QVERIFY2(file.errors.empty(), file.errors.empty() ? "" : file.errors.front().text().c_str());
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

BUBBLESCOPE_TEST(TestValidate)

}  // namespace tst_validate

#include "tst_validate.moc"
