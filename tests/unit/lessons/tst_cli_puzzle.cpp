// bscope puzzle: the list of levels, and what a file reaches, as text in both languages and as JSON; what it
// refuses.
#include <QTest>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_cli_puzzle {

using namespace bscope;

class TestCliPuzzle : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString file(const char* name, const char* text) {
        QFile made(folder_.filePath(name));
        REQUIRE(made.open(QIODevice::WriteOnly));
        made.write(text);
        return made.fileName();
    }

private slots:
    void levelsAreListed() {
        const auto list = bscopeRun({"puzzle", "list"});
        QCOMPARE(list.code, 0);
        QVERIFY(list.out.contains("two-ranks  Two ranks, two micro-batches  (p=2 v=1 m=2)"));
        QVERIFY(list.out.contains("Par: 9 steps with 2 in flight. Both are proved"));
        QVERIFY(bscopeRun({"puzzle", "list", "--lang", "zh"}).out.contains("两个微批次"));
        const auto lines = bscopeRun({"puzzle", "list", "--json"}).json();
        QCOMPARE(lines.size(), 12);
        QCOMPARE(lines[1]["par"]["steps"].toInt(), 9);
        QVERIFY(lines[1]["memory_cap"].isNull());
        QCOMPARE(lines[4]["memory_cap"].toInt(), 4);
    }

    void filesAreChecked() {
        const QString best = file("best.csv", "0F0,0F1,0B0,0B1\r\n1F0,1B0,1F1,1B1\r\n");
        const auto text = bscopeRun({"puzzle", "check", "two-ranks", best});
        QCOMPARE(text.code, 0);
        QVERIFY2(text.out.startsWith("***  9 steps with 2 in flight: the par is reached"),
                 qPrintable(text.out));
        QVERIFY(text.out.contains("9 steps, 6 of them idle on all ranks together"));
        QVERIFY(
            bscopeRun({"puzzle", "check", "two-ranks", best, "--lang", "zh"}).out.contains("达到最佳成绩"));
        const auto json = bscopeRun({"puzzle", "check", "two-ranks", best, "--json"}).json().value(0);
        QCOMPARE(json["stars"].toInt(), 3);
        QCOMPARE(json["steps"].toInt(), 9);
        QCOMPARE(json["peak"].toInt(), 2);
        QCOMPARE(json["idle"].toInt(), 6);
        QVERIFY(json["legal"].toBool() && json["complete"].toBool());

        const auto slow = bscopeRun(
            {"puzzle", "check", "two-ranks", file("slow.csv", "0F0,0B0,0F1,0B1\n1F0,1B0,1F1,1B1\n")});
        QCOMPARE(slow.code, 0);
        QVERIFY(slow.out.startsWith("*..  12 steps; with 9 it gets the second star"));
        const auto part = bscopeRun({"puzzle", "check", "two-ranks", file("part.csv", "0F0,0F1\n1F0\n")});
        QCOMPARE(part.code, 2);
        QVERIFY(part.out.startsWith("...  5 operations are missing"));
        const auto wrong = bscopeRun(
            {"puzzle", "check", "two-ranks", file("wrong.csv", "0F0,0F1,0B0,0B1\n1B0,1F0,1F1,1B1\n")});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.out.contains("not legal: 1B0 on rank 1 needs 1F0, which comes later on this rank"),
                 qPrintable(wrong.out));
        const auto over =
            bscopeRun({"puzzle", "check", "tight",
                       file("over.csv",
                            "0F0,0F1,0F2,0F3,0B0,0B1,0B2,0B3\n1F0,1F1,1F2,1F3,1B0,1B1,1B2,1B3\n"
                            "2F0,2F1,2F2,2F3,2B0,2B1,2B2,2B3\n3F0,3F1,3F2,3F3,3B0,3B1,3B2,3B3\n")});
        QCOMPARE(over.code, 2);
        QVERIFY(over.out.startsWith("...  rank 0 holds 4 in flight, and this level allows 2"));
    }

    void whatIsNotThereIsRefused() {
        QCOMPARE(bscopeRun({"puzzle"}).code, 2);
        const auto level = bscopeRun({"puzzle", "check", "three", "x.csv"});
        QCOMPARE(level.code, 2);
        QVERIFY(level.errors.contains("there is no level three; legal: one-way, two-ranks"));
        const auto gone = bscopeRun({"puzzle", "check", "two-ranks", folder_.filePath("gone.csv")});
        QCOMPARE(gone.code, 1);
        QVERIFY(gone.errors.contains("gone.csv: "));
    }
};

BUBBLESCOPE_TEST(TestCliPuzzle)

}  // namespace tst_cli_puzzle

#include "required.h"
#include "tst_cli_puzzle.moc"
