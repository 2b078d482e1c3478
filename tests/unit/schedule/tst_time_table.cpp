// Time tables as people write them: spellings, and times that can not be.
#include <QTest>

#include "registered_test.h"
#include "schedule/formats/schedule_file.h"

namespace tst_time_table {

using namespace bscope;

namespace {

ScheduleFile read(const char* text, FileForm form = FileForm::Detect) {
    return readScheduleFile(text, "table", form);
}

QString firstError(const ScheduleFile& file) {
    return file.errors.empty() ? QString("valid") : QString::fromStdString(file.errors.front().text());
}

}  // namespace

class TestTimeTable : public QObject {
    Q_OBJECT
private slots:
    void spellingsMeanTheSame_data() {
        QTest::addColumn<QString>("table");
        QTest::newRow("plain") << "F0,F1,-,-,B0,B1\n-,F0,B0,F1,B1,-\n";
        QTest::newRow("lower case and spaces") << " f0 , f 1,,,b0,b1\n,f0,b0,f1,b1\n";
        QTest::newRow("from one") << "F1,F2,-,-,B1,B2\n-,F1,B1,F2,B2,-\n";
        QTest::newRow("labels and head") << "time,0,1,2,3,4,5\nGPU0,F0,F1,,,B0,B1\nGPU1,,F0,B0,F1,B1,\n";
        QTest::newRow("widths") << "F0,F0,F1,F1,-,-,-,-,-,B0,=,B1,B1\n-,-,F0,=,B0,=,F1,F1,B1,B1,-,-,-\n";
        QTest::newRow("semicolons") << "F0;F1;.;.;B0;B1\n.;F0;B0;F1;B1;.\n";
        QTest::newRow("tabs") << "F0\tF1\t\t\tB0\tB1\r\n\tF0\tB0\tF1\tB1\r\n";
        QTest::newRow("markdown") << "| rank | t1 | t2 | t3 | t4 | t5 | t6 |\n|---|---|---|---|---|---|---|\n"
                                     "| r0 | F0 | F1 |  |  | B0 | B1 |\n| r1 |  | F0 | B0 | F1 | B1 |  |\n";
    }
    void spellingsMeanTheSame() {
        QFETCH(QString, table);
        const ScheduleFile file = read(qPrintable(table));
        QCOMPARE(firstError(file), QString("valid"));
        QVERIFY(file.form == FileForm::TimeTable);
        QVERIFY(file.schedule.params == (ScheduleParams{2, 1, 2, 0}));
        QCOMPARE(file.schedule.orders[1].size(), std::size_t(4));
        QVERIFY(file.schedule.orders[1][1] == (Action{1, Op::Backward, 0}));
        QVERIFY(file.schedule.orders[0][1] == (Action{0, Op::Forward, 1}));
    }

    // A published 1F1B table whose gradients arrive before they exist.
    void theFirstImpossibleCellIsNamed() {
        const ScheduleFile file = read(
            "GPU0,F1,F2,F3,F4,B1,-,B2,B3,B4\n"
            "GPU1,-,F1,F2,F3,B1,F4,B2,B3,B4\n"
            "GPU2,-,-,F1,F2,F3,B1,F4,B2,B3,B4\n"
            "GPU3,-,-,-,F1,B1,F2,B2,F3,B3,F4,B4\n");
        QCOMPARE(file.errors.front().row, 0);
        QCOMPARE(file.errors.front().column, 4);
        QCOMPARE(firstError(file),
                 QString("B1 on GPU0 at t=5 needs the gradient of B1 on GPU1, which ends after t=5"));
        const bool second = std::any_of(file.errors.begin(), file.errors.end(), [](const CellError& error) {
            return error.text() == "B1 on GPU1 at t=5 needs the gradient of B1 on GPU2, which ends after t=6";
        });
        QVERIFY(second);
        QVERIFY(QString::fromStdString(markedGrid(file)).contains(">B1<"));
    }

    // Another one, in which the last GPU leaves out three micro-batches.
    void missingBoxesAreNamedAsWritten() {
        const ScheduleFile file = read("F1,F2,F3,F4,-,B1,B2,B3,B4\n-,F1,-,-,B1,-,-,-,-\n");
        int missing = 0;
        for (const CellError& error : file.errors)
            missing += error.text().find("0 forwards") != std::string::npos && error.row == 1;
        QCOMPARE(missing, 3);
        const QString all = QString::fromStdString(file.errors.back().text());
        QVERIFY2(all.contains("micro-batch 4"), qPrintable(all));
    }

    void aMissingProducerIsNotATimeError() {
        // GPipe drawn with all backwards ending in one column.
        const ScheduleFile file = read("F0,F1,-,-,B1,B0\n-,F0,F1,-,B1,B0\n");
        QCOMPARE(firstError(file),
                 QString("B1 on GPU0 at t=5 needs the gradient of B1 on GPU1, which ends after t=5"));
        QCOMPARE(file.errors.size(), std::size_t(2));
    }

    void ownForwardComesFirst() {
        QCOMPARE(firstError(read("B0,F0\n")),
                 QString("B0 on GPU0 at t=1 needs the activations of F0 on GPU0, which ends after t=2"));
        QVERIFY(firstError(read("F0,I0,F1,W0,I1\n")).contains("needs one B"));
        QVERIFY(firstError(read("F0,F1,B0,F0,B1\n")).contains("2 forwards"));
        QVERIFY(firstError(read("F0,what,B0\n")).contains("GPU0, t=2: \"what\""));
    }

    // What a cell names is said of that cell, not of the numbers that a file of orders would have for it.
    void aBackwardWithoutItsForwardIsNamedAsWritten() {
        const ScheduleFile file = read("F1,F2,-,-,B1,B2\n-,F1,B1,B2,-,-\n");
        const auto found = std::ranges::find_if(file.errors, [](const CellError& error) {
            return error.text() == "B2 on GPU1 at t=4: no forward of it comes before";
        });
        QVERIFY2(found != file.errors.end(), qPrintable(firstError(file)));
        QCOMPARE(found->row, 1);
    }

    // A row of which only a label is left is a rank, and one that does nothing is none of a pipeline.
    void aRankWithoutAnOperationIsRefused() {
        const ScheduleFile label_alone = read("time,1,2,3,4\nGPU0,F1,F2,B1,B2\nGPU1\n");
        QCOMPARE(firstError(label_alone),
                 QString("GPU1 has no operation: every rank runs at least one stage"));
        QCOMPARE(label_alone.errors.front().row, 1);
        QVERIFY(firstError(read("GPU0,F1,F2,B1,B2\nGPU1,-,-,-,-\n")).startsWith("GPU1 has no operation"));
        QVERIFY(firstError(read("0F0,0B0\r\n\r\n1F0,1B0\r\n", FileForm::Order))
                    .startsWith("rank 1 has no operation"));
    }

    void zeroBubbleTablesUseBForTheInputGradient() {
        const ScheduleFile file = read("F0,-,-,B0,W0\n-,F0,B0,W0,-\n");
        QCOMPARE(firstError(file), QString("valid"));
        QVERIFY(file.schedule.hasSplitBackward());
        QCOMPARE(file.notes.size(), std::size_t(1));
    }

    void stagesMayStandInFront() {
        const char* text = "0F0,-,2F0,-,-,2B0,-,0B0\n-,1F0,-,3F0,3B0,-,1B0,-\n";
        const ScheduleFile table = read(text);
        QVERIFY(table.form == FileForm::TimeTable);
        QCOMPARE(firstError(table), QString("valid"));
        QCOMPARE(table.schedule.params.v, 2);
        QVERIFY(firstError(read("0F0,2F0,-,2B0,0B0\n1F0,-,3F0,3B0,1B0\n", FileForm::TimeTable))
                    .contains("needs the "));
        QVERIFY(!read("0F0,,0B0\n").errors.size());
        QVERIFY(read("0F0,,0B0\n").form == FileForm::Order);
    }
};

BUBBLESCOPE_TEST(TestTimeTable)

}  // namespace tst_time_table

#include "tst_time_table.moc"
