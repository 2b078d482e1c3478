// bscope lesson as a program: the list, a lesson taken with a guess on standard input, and the check of what
// lessons claim.
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_lesson_command {

using namespace bscope;

namespace {

QJsonObject both(const char* text) {
    return {{"en", text}, {"zh", QString("中") + text}};
}

QJsonObject smallRun(const char* schedule) {
    return {{"title", both(schedule)},
            {"config",
             QJsonObject{
                 {"schedule", schedule},
                 {"p", 2},
                 {"v", 1},
                 {"m", 4},
                 {"micro_batch", 1},
                 {"model",
                  QJsonObject{
                      {"layers", 2}, {"hidden", 32}, {"heads", 2}, {"sequence", 16}, {"vocabulary", 256}}},
                 {"clock", "reconstructed"}}}};
}

class LessonFile {
public:
    explicit LessonFile(const QStringList& claims,
                        const char* reveal = "{A.in_flight.0} against {B.in_flight.0}",
                        const QStringList& of_tries = {}) {
        QJsonArray tries;
        if (!of_tries.isEmpty())
            tries.append(QJsonObject{{"title", both("More")},
                                     {"runs", QJsonArray{smallRun("gpipe")}},
                                     {"after", both("{T1A.bubble}")},
                                     {"claims", QJsonArray::fromStringList(of_tries)}});
        const QJsonObject lesson{
            {"title", both("Small")},
            {"story", both("A story.")},
            {"look", both("Look.")},
            {"question", both("Which?")},
            {"choices", QJsonArray{QJsonObject{{"text", both("one")}, {"why", both("That is another.")}},
                                   QJsonObject{{"text", both("two")}, {"right", true}},
                                   QJsonObject{{"text", both("three")}}}},
            {"reveal", both(reveal)},
            {"follow_up", both("m is {A.m}, {=A.m/2|0} halves.")},
            {"interview", both("Answer.")},
            {"claims", QJsonArray::fromStringList(claims)},
            {"tries", tries},
            {"runs", QJsonArray{smallRun("gpipe"), smallRun("1f1b")}}};
        const QJsonObject scenario{{"id", "small"},
                                   {"title", both("Small")},
                                   {"config", smallRun("1f1b")["config"]},
                                   {"iterations", 3},
                                   {"lesson", lesson}};
        QFile file(path());
        if (file.open(QIODevice::WriteOnly)) file.write(QJsonDocument(scenario).toJson());
    }
    QString path() const { return folder_.filePath("small.json"); }

private:
    QTemporaryDir folder_;
};

QString taken(const QStringList& arguments, const QByteArray& input) {
    QProcess process;
    process.start(bscopeProgram(), QStringList{"lesson", "run"} + arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(120'000) || process.exitCode() != 0)
        return "exit " + QString::number(process.exitCode()) + process.readAllStandardError();
    return QString::fromUtf8(process.readAllStandardOutput());
}

}  // namespace

class TestLessonCommand : public QObject {
    Q_OBJECT
private slots:
    void allAreListed() {
        const Outcome text = bscopeRun({"lesson", "list"});
        QCOMPARE(text.code, 0);
        QVERIFY2(text.out.contains("05-1f1b-against-gpipe"), text.out);
        QVERIFY(!text.out.contains("default"));
        const Outcome chinese = bscopeRun({"lesson", "list", "--lang", "zh", "--json"});
        QCOMPARE(chinese.json().size(), text.out.count('\n'));
        for (const QJsonObject& lesson : chinese.json()) {
            QVERIFY(lesson["runs"].toInt() >= 1 && lesson["level"].toInt() >= 1);
            const QString shown = QString("%1 min").arg(lesson["minutes"].toInt());
            QVERIFY2(text.out.contains(shown.toUtf8()), qPrintable(shown));
            QVERIFY(!lesson["tags"].toArray().isEmpty() && !lesson["references"].toArray().isEmpty());
        }
        QCOMPARE(chinese.json()[4]["after"].toArray(), QJsonArray{"02-micro-batches-fill-the-pipe"});
        QVERIFY(chinese.out.contains("arXiv:2006.09503"));
        QVERIFY(chinese.out.contains("谁先跑完"));
    }

    // Every lesson has its week; what is no path is refused with those there are.
    void pathsAreShown() {
        const Outcome list = bscopeRun({"lesson", "path"});
        QVERIFY2(list.code == 0 && list.out.contains("interview") && list.out.contains("semester"),
                 list.errors);
        const Outcome semester = bscopeRun({"lesson", "path", "semester"});
        QCOMPARE(semester.code, 0);
        for (const QByteArray& line : bscopeRun({"lesson", "list"}).out.split('\n'))
            QVERIFY2(semester.out.contains(line.left(line.indexOf(' '))), line);
        QVERIFY2(semester.out.contains("Homework: puzzle level one-way (One micro-batch, there and back)") &&
                     semester.out.contains("To read: GPipe, arXiv:1811.06965"),
                 semester.out);
        const Outcome chinese = bscopeRun({"lesson", "path", "interview", "--lang", "zh"});
        QVERIFY2(chinese.out.contains("卡片：Q17") && chinese.out.contains("最后：bscope quiz"), chinese.out);
        const auto json = bscopeRun({"lesson", "path", "--json"}).json();
        QCOMPARE(json.size(), 4);
        QCOMPARE(json.last()["parts"].toArray().size(), 12);
        const Outcome wrong = bscopeRun({"lesson", "path", "summer"});
        QCOMPARE(wrong.code, 2);
        const char* const known = "\"summer\" is no path; there are interview, lecture, tuning, semester";
        QVERIFY2(wrong.errors.contains(known), wrong.errors);
    }

    void claimsAreChecked() {
        const LessonFile sound({"A.in_flight.0 > B.in_flight.0", "A.in_flight.0 = A.m"});
        const Outcome text = bscopeRun({"lesson", "check", sound.path()});
        QVERIFY2(text.code == 0, text.errors);
        QVERIFY2(text.out.contains("  holds  A.in_flight.0 = A.m\n"), text.out);
        QVERIFY2(text.out.contains("\n4 against 2\n") && text.out.contains("\n中4 against 2\n"), text.out);
        QVERIFY(text.out.contains("m is 4, 2 halves."));

        const LessonFile wrong({"A.in_flight.0 > B.in_flight.0", "A.in_flight.0 < B.in_flight.0"});
        const Outcome json = bscopeRun({"lesson", "check", "--json", wrong.path()});
        QCOMPARE(json.code, 1);
        const QJsonObject reported = json.json().front();
        QCOMPARE(reported["holds"].toBool(), false);
        QCOMPARE(reported["claims"].toArray()[0].toObject()["holds"].toBool(), true);
        QCOMPARE(reported["claims"].toArray()[1].toObject()["holds"].toBool(), false);
    }

    // What is said after tries is checked like the reveal, and a number written by hand fails a check.
    void triesAndNumbersAreChecked() {
        const LessonFile sound({"A.m = 4"}, "{A.in_flight.0}", {"T1A.m = 4", "T1A.p > A.p"});
        const Outcome tries = bscopeRun({"lesson", "check", sound.path()});
        QCOMPARE(tries.code, 1);
        QVERIFY2(tries.out.contains("  holds  T1A.m = 4\n") && tries.out.contains("  FAILS  T1A.p > A.p\n"),
                 tries.out);
        const LessonFile typed({"A.m = 4"}, "The bubble is 27.3 %.");
        const Outcome written = bscopeRun({"lesson", "check", "--json", typed.path()});
        QCOMPARE(written.code, 1);
        const QJsonArray numbers = written.json().front()["written_numbers"].toArray();
        QCOMPARE(numbers.size(), 2);  // in either language
        QVERIFY(numbers[0].toString().startsWith("reveal: 27.3 "));
    }

    // The window's program makes the handout; here another one in its place says what it was asked for.
    void handoutsAreMadeByTheWindowsProgram() {
        QTemporaryDir folder;
        QVERIFY(QFile::copy(bscopeProgram(), folder.filePath("bscope")));
        const auto made = [&](const QStringList& words) {
            QProcess process;
            process.setProcessEnvironment(inEnglish());
            process.start(folder.filePath("bscope"), QStringList{"lesson", "handout"} + words);
            process.waitForFinished(120'000);
            return Outcome{process.exitCode(), process.readAllStandardOutput(),
                           process.readAllStandardError()};
        };
        const Outcome alone = made({"05", "-o", "a.pdf"});
        QCOMPARE(alone.code, 1);
        QVERIFY2(alone.errors.contains("made by the window's program, which cannot be started"),
                 alone.errors);
        QFile other(folder.filePath("bubblescope"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write("#!/bin/sh\necho \"$@\"\n");
        other.close();
        QVERIFY(other.setPermissions(other.permissions() | QFileDevice::ExeOwner | QFileDevice::ExeUser));
        QCOMPARE(made({"05", "06", "-o", "a.pdf"}).out, "--lesson 05,06 --handout a.pdf --lang en\n");
        QCOMPARE(made({"all", "-o", "a.pdf", "--answers", "none", "--layout", "slides", "--lang", "zh"}).out,
                 "--lesson all --handout a.pdf --lang zh --answers none --layout slides\n");
        QCOMPARE(made({"05", "-o", "a.pdf", "--other-language", "b.pdf"}).out,
                 "--lesson 05 --handout a.pdf --lang en --other-language b.pdf\n");
        for (const QStringList& wrong : {QStringList{"-o", "a.pdf"}, {"05"}, {"05", "-o", "a.pdf", "--json"}})
            QCOMPARE(made(wrong).code, 2);
        QVERIFY(bscopeRun({"lesson", "list", "-o", "a.pdf"}).errors.contains("-o is for lesson handout"));
    }

    void aLessonIsTaken() {
        const LessonFile sound({"A.in_flight.0 > B.in_flight.0"});
        const QString right = taken({sound.path()}, "x\n7\n2\n");
        QVERIFY2(right.count("Your guess, 1 to 3: ") == 3, qPrintable(right));
        QVERIFY2(right.contains("Right.") && right.contains("4 against 2"), qPrintable(right));
        QVERIFY(right.indexOf("4 against 2") > right.indexOf("Your guess"));
        const QString wrong = taken({"--lang", "zh", sound.path()}, "1\n");
        QVERIFY2(wrong.contains("答案是：中two") && wrong.contains("中4 against 2"), qPrintable(wrong));
        QVERIFY(wrong.contains("中That is another.") && !right.contains("That is another."));
        const QString without_answers = taken({sound.path()}, "");
        QVERIFY2(!without_answers.contains("Right.") && without_answers.contains("4 against 2"),
                 qPrintable(without_answers));
        const LessonFile busy({"A.in_flight.0 < B.in_flight.0"});
        const QString belied = taken({busy.path()}, "2\n");
        QVERIFY2(belied.contains("4 against 2") && belied.contains("noise hides part of this"),
                 qPrintable(belied));
        QVERIFY(!belied.contains("A.in_flight"));
    }

    // Each run is named before the guess and drawn after it; a set of tries is made when it is asked for.
    void runsAreDrawnAndTriesAreOffered() {
        const LessonFile sound({"A.in_flight.0 > B.in_flight.0"}, "{A.in_flight.0} against {B.in_flight.0}",
                               {"T1A.m = 4"});
        const QString none = taken({sound.path()}, "2\n");
        const auto guess = none.indexOf("Your guess");
        QVERIFY2(none.indexOf("  A  gpipe\n") > 0 && none.indexOf("  A  gpipe\n") < guess, qPrintable(none));
        QVERIFY2(!none.left(guess).contains("rank 0"), qPrintable(none));
        QCOMPARE(none.mid(guess).count("rank 0"), 2);
        QVERIFY2(none.contains("  1  More\n") && none.contains("Try one, 1 to 1; Enter goes on: "),
                 qPrintable(none));
        const QString one = taken({sound.path()}, "2\n7\n1\n\n");
        QCOMPARE(one.count("Try one, 1 to 1"), 3);
        QCOMPARE(one.mid(one.indexOf("Your guess")).count("rank 0"), 3);
        const LessonFile busy({"A.m = 4"}, "{A.m}", {"T1A.m = 5"});
        QVERIFY(taken({busy.path()}, "2\n1\n").contains("noise hides part of this"));
        const QString chinese = taken({"--lang", "zh", sound.path()}, "2\n1\n");
        QVERIFY2(chinese.contains("试一试，1 到 1；直接按回车继续："), qPrintable(chinese));
    }

    void whatIsWrongIsNamed() {
        const LessonFile nameless({}, "{A.bubbles}");
        const Outcome unknown = bscopeRun({"lesson", "check", nameless.path()});
        QCOMPARE(unknown.code, 1);
        QVERIFY2(unknown.errors.contains("no lesson has a number named A.bubbles"), unknown.errors);
        QVERIFY(bscopeRun({"lesson", "check", "default"}).errors.contains("a preset, not a lesson"));
        for (const QStringList& words : {QStringList{},
                                         {"take"},
                                         {"run"},
                                         {"run", "a", "b"},
                                         {"list", "a"},
                                         {"list", "--lang", "fr"},
                                         {"run", "a", "--json"}})
            QCOMPARE(bscopeRun(QStringList{"lesson"} + words).code, 2);
    }
};

BUBBLESCOPE_TEST(TestLessonCommand)

}  // namespace tst_lesson_command

#include "tst_lesson_command.moc"
