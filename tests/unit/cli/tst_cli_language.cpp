// The command line in both languages: every line of every help, the overview, what is said of mistakes, and
// what runs and recordings print; by --lang and by the locale.
#include <QRegularExpression>
#include <QTest>
#include <sstream>

#include "bscope_process.h"
#include "cli/input/command.h"
#include "cli/print/line_printer.h"
#include "cli/print/number_text.h"
#include "registered_test.h"
#include "words/catalog.h"

namespace tst_cli_language {

using namespace bscope;

namespace {

const QRegularExpression& han() {
    static const QRegularExpression kHan(QStringLiteral("\\p{Han}"));
    return kHan;
}

// Words that are the same in both languages: names of options and values, numbers, examples.
bool isEnglish(const QString& text) {
    static const QRegularExpression words(QStringLiteral("[a-z]{3,} [a-z]{2,} [a-z]{2,}"));
    return text.contains(words);
}

// With a locale as a user has set it; standard input is closed.
Outcome bscopeIn(const char* variable, const char* locale, const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) environment.remove(name);
    environment.insert(variable, locale);
    process.setProcessEnvironment(environment);
    process.start(bscopeProgram(), arguments);
    process.closeWriteChannel();
    const bool ended = process.waitForFinished(60'000);
    return {ended ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
}

// Rows of numbers, and the time axis.
bool isWithoutWords(const QString& line) {
    static const QRegularExpression row(QStringLiteral("^ +(\\d+ |\\|0[.0]* ms)"));
    return line.contains(row);
}

}  // namespace

class TestCliLanguage : public QObject {
    Q_OBJECT

private slots:
    void linesBreakWhereTheLanguageLetsThem() {
        QCOMPARE(cli::wrapped("a bubble of 27.3 %, no more", 17),
                 std::string("a bubble of\n27.3 %, no more"));
        QCOMPARE(cli::wrapped("idle: (m + p − 1)(F + B), at p = 4", 14),
                 std::string("idle:\n(m + p − 1)(F + B),\nat p = 4"));
        QCOMPARE(cli::wrapped("空闲时间，然后", 8), std::string("空闲时\n间，然后"));
        QCOMPARE(cli::wrapped("空闲时间（然后", 10), std::string("空闲时间\n（然后"));
    }

    // On a terminal; what is not too long, or goes elsewhere, stays a line.
    void longLinesGoOnIndented() {
        const std::string line = "  note: an operation starts before what it waits for has ended";
        QCOMPARE(cli::folded(line, 40), std::string("  note: an operation starts before\n    what it waits for has ended"));
        QCOMPARE(cli::folded(line, 62), line);
        QCOMPARE(cli::folded(line, 0), line);
        QCOMPARE(cli::folded("一次迭代的时间是从第一个操作开始算起的", 30),
                 std::string("一次迭代的时间是从第一个操作\n  开始算起的"));
        std::ostringstream elsewhere;
        cli::LinePrinter(elsewhere, Language::English).text(line);
        QCOMPARE(elsewhere.str(), line + "\n");
        QCOMPARE(cli::columnsOfTerminal(elsewhere), std::size_t{0});
    }

    void everyHelpIsInBothLanguages() {
        int options = 0;
        for (const cli::Command& command : cli::commands()) {
            const QString name = QString::fromUtf8(command.name);
            const QString english = bscopeRun({name, "--help"}).out;
            QVERIFY2(!english.contains(han()), qPrintable(english));
            const QString chinese = bscopeRun({name, "--help", "--lang", "zh"}).out;
            const QString all = chinese.section(QStringLiteral("示例："), 0, 0);
            QVERIFY2(all != chinese, qPrintable(name));
            for (const QString& line : all.split(u'\n', Qt::SkipEmptyParts)) {
                QVERIFY2(line.contains(han()) || !line.contains(u' ') || line.startsWith(u"  -"),
                         qPrintable(name + ": " + line));
                // An option too long for its column has its description on the next line.
                const QString text = line.mid(line.startsWith(u"  ") ? 36 : 0);
                if (!text.isEmpty()) QVERIFY2(text.contains(han()), qPrintable(name + ": " + line));
                options += line.startsWith(u"  ") ? 1 : 0;
                QVERIFY2(!isEnglish(line), qPrintable(name + ": " + line));
            }
            // No option is lost.
            static const QRegularExpression option(QStringLiteral("^ +(--?[a-z][a-z-]*)"),
                                                   QRegularExpression::MultilineOption);
            for (auto found = option.globalMatch(english); found.hasNext();)
                QVERIFY2(chinese.contains(found.next().captured(1)), qPrintable(name));
        }
        QVERIFY(options > 250);
    }

    void overviewIsInBothLanguages() {
        const QString english = bscopeRun({"--help"}).out;
        QVERIFY(!english.contains(han()));
        for (const QStringList& arguments :
             {QStringList{"--help", "--lang", "zh"}, QStringList{"help", "--lang=zh"}}) {
            const QString chinese = bscopeRun(arguments).out;
            for (const QString& line : chinese.split(u'\n', Qt::SkipEmptyParts))
                QVERIFY2(line.contains(han()) || line.startsWith(u"  bscope run"), qPrintable(line));
        }
    }

    void mistakesAreSaidInTheLanguage() {
        for (const QStringList& arguments :
             {QStringList{"run", "--lang", "zh", "--itrations", "3"},
              QStringList{"run", "--lang", "zh", "-p", "x"}, QStringList{"schedule", "--lang", "zh", "1f2b"},
              QStringList{"cards", "--lang", "zh", "Q99"},
              QStringList{"run", "--lang", "zh", "--schedule", "interleaved", "-m", "7"},
              QStringList{"nothing", "--lang", "zh"}, QStringList{"export", "--lang", "zh"},
              QStringList{"schedule", "--lang", "zh", "--auto", "--memory-cap", "0"},
              QStringList{"schedule", "--lang", "zh", "chimera", "-m", "4", "--csv"},
              QStringList{"run", "--lang", "zh", "--iterations", "0"},
              QStringList{"serve", "--lang", "zh", "--listen", "0.0.0.0:0"},
              QStringList{"quiz", "--lang", "zh", "--seed", "-1"},
              QStringList{"ranks", "--lang", "zh", "-p", "3", "--world", "8"}}) {
            const Outcome outcome = bscopeRun(arguments);
            QCOMPARE(outcome.code, 2);
            for (const QString& line : QString::fromUtf8(outcome.errors).split(u'\n', Qt::SkipEmptyParts))
                if (line.startsWith(u"  - ")) QVERIFY2(line.contains(han()), qPrintable(line));
        }
        const Outcome wrong = bscopeRun({"run", "--lang", "fr"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.errors.contains("en or zh"), wrong.errors);
    }

    void rankLayoutsFollowTheLanguage() {
        const QStringList lines =
            QString::fromUtf8(bscopeRun({"ranks", "-p", "2", "-d", "2", "--lang", "zh"}).out).split(u'\n');
        QCOMPARE(lines.size(), 8);
        QCOMPARE(lines[0].simplified(), QStringLiteral("Rank 阶段 副本"));
        QCOMPARE(lines[3], QStringLiteral("   2      1        0"));
        QCOMPARE(lines[5], QStringLiteral("流水线并行组 (2): [0, 2] [1, 3]"));
        QCOMPARE(lines[6], QStringLiteral("数据并行组 (2): [0, 1] [2, 3]"));
    }

    void localeChoosesTheLanguage() {
        const auto help = [](const char* variable, const char* value, const QStringList& more = {}) {
            return QString::fromUtf8(bscopeIn(variable, value, QStringList{"doctor", "--help"} + more).out);
        };
        QVERIFY(help("LANG", "zh_CN.UTF-8").contains(han()));
        QVERIFY(help("LC_ALL", "zh_CN.UTF-8").contains(han()));
        QVERIFY(!help("LANG", "de_DE.UTF-8").contains(han()));
        QVERIFY(!help("LANG", "zh_CN.UTF-8", {"--lang", "en"}).contains(han()));
    }

    void reportsFollowTheLanguage_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("1F1B") << QStringList{"--schedule", "1f1b"};
        QTest::newRow("split backward") << QStringList{"--schedule", "zb-h1"};
        QTest::newRow("no theory known") << QStringList{"--schedule", "v-half", "--recompute", "full"};
        QTest::newRow("stream") << QStringList{"--schedule", "pipedream"};
        QTest::newRow("replicas") << QStringList{"--schedule", "gpipe", "-d", "2"};
    }
    void reportsFollowTheLanguage() {
        QFETCH(QStringList, options);
        QTemporaryDir folder;
        const QString file = folder.filePath("run.bscope");
        const Outcome ran = bscopeIn("LANG", "zh_CN.UTF-8",
                                     QStringList{"run", "-p", "2", "-m", "4", "--iterations", "2", "--clock",
                                                 "reconstructed", "--record", file} +
                                         options + tinyModel());
        QVERIFY2(ran.code == 0, ran.errors);
        QVERIFY2(QString::fromUtf8(ran.errors).startsWith(QStringLiteral("已完成 1/2  损失 ")) ||
                     QString::fromUtf8(ran.errors).contains(QStringLiteral("\n已完成 1/2  损失 ")),
                 ran.errors);
        for (const QByteArray& reported : {ran.out, ran.errors})
            for (const QString& line : QString::fromUtf8(reported).split(u'\n', Qt::SkipEmptyParts)) {
                QVERIFY2(line.contains(han()) || line.startsWith(u"Rank ") || isWithoutWords(line),
                         qPrintable(line));
                QVERIFY2(!isEnglish(line) && !line.contains(QStringLiteral("rank ")) &&
                             !line.contains(QStringLiteral(" of ")),
                         qPrintable(line));
            }
        QCOMPARE(bscopeIn("LANG", "zh_CN.UTF-8", {"replay", file}).out, ran.out);
        const Outcome english = bscopeIn("LANG", "zh_CN.UTF-8", {"replay", file, "--lang", "en"});
        QVERIFY2(!QString::fromUtf8(english.out).contains(han()), english.out);
        // To the legend, whose lines break where its words do.
        const auto linesBefore = [](const QByteArray& out) {
            return out.left(out.lastIndexOf("RECONSTRUCTED")).count('\n');
        };
        QVERIFY(linesBefore(ran.out) > 5);
        QCOMPARE(linesBefore(english.out), linesBefore(ran.out));
        // What programs read is the same in every language.
        QCOMPARE(bscopeIn("LANG", "zh_CN.UTF-8", {"replay", file, "--json"}).out,
                 bscopeIn("LANG", "C", {"replay", file, "--json"}).out);
    }

    void serverSaysHowToConnectInTheLanguage() {
        const QStringList serve = QStringList{"serve", "--paused", "--exit-when-alone"} + tinyModel();
        const Outcome chinese = bscopeIn("LC_ALL", "zh_CN.UTF-8", serve),
                      english = bscopeIn("LANG", "C", serve);
        for (const Outcome& each : {chinese, english}) {
            QVERIFY2(each.code == 0, each.errors);
            QVERIFY2(each.out.startsWith("listening on 127.0.0.1:"), each.out);  // programs read it
            QCOMPARE(each.errors.count("--connect 127.0.0.1:"), 2);
        }
        for (const QString& line : QString::fromUtf8(chinese.errors).split(u'\n', Qt::SkipEmptyParts))
            QVERIFY2(line.startsWith(u"在"), qPrintable(line));
        QVERIFY2(!QString::fromUtf8(english.errors).contains(han()), english.errors);
    }

    void cardsArePrinted() {
        const Outcome english = bscopeRun({"cards", "-p", "4", "-m", "8"});
        QCOMPARE(english.code, 0);
        QVERIFY2(english.out.contains("37.5 % of ideal, 27.3 % of total"), english.out);
        QCOMPARE(english.out.count("Trap: "), 36);
        const auto json =
            bscopeRun({"cards", "Q02", "Q20", "--json", "--lang", "zh", "-p", "4", "-m", "8"}).json();
        QCOMPARE(json.size(), 2);
        QCOMPARE(json[0]["id"].toString(), QStringLiteral("Q02"));
        QVERIFY(json[0]["numbers"].toString().contains(QStringLiteral("1F1B 4, 3, 2, 1")));
        QVERIFY(json[1]["question"].toString().contains(han()));
        const QString table = bscopeRun({"cards", "--format", "tsv", "--lang", "zh"}).out;
        const QStringList rows = table.split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(rows.size(), 40);
        QCOMPARE(rows.mid(0, 4),
                 (QStringList{"#separator:tab", "#html:false", "#deck:Bubblescope", "#tags column:4"}));
        for (const QString& row : rows.mid(4)) QCOMPARE(row.split(u'\t').size(), 5);
        QCOMPARE(bscopeRun({"cards", "--json", "--format", "tsv"}).code, 2);
    }

    void quizIsPrintedWithItsAnswersApart() {
        const QByteArray sheet = bscopeRun({"quiz", "--seed", "7"}).out;
        QVERIFY2(sheet.startsWith("Quiz 7; time for it: 10 minutes\n") && !sheet.contains("M2"), sheet);
        QCOMPARE(bscopeRun({"quiz", "--seed", "7"}).out, sheet);
        QVERIFY(bscopeRun({"quiz", "--seed", "8"}).out != sheet);
        const QByteArray answers = bscopeRun({"quiz", "--seed", "7", "--answers"}).out;
        QVERIFY2(answers.contains("bscope lesson run two-formulas-one-bubble"), answers);
        const auto json = bscopeRun({"quiz", "--seed", "7", "--json", "--lang", "zh"}).json();
        QCOMPARE(json.size(), 10);
        for (const QJsonObject& question : json) QVERIFY(question["question"].toString().contains(han()));
        for (const QStringList& wrong : {QStringList{"--answers"},
                                         {"--seed", "-1"},
                                         {"--questions", "0"},
                                         {"--seed", "1", "--json", "--answers"}})
            QCOMPARE(bscopeRun(QStringList{"quiz"} + wrong).code, 2);
    }

    void cardsTellWhatARecordingGave() {
        QTemporaryDir folder;
        const QString file = folder.filePath("run.bscope");
        QCOMPARE(bscopeRun(QStringList{"run", "-p", "2", "-m", "4", "--iterations", "2", "--clock",
                                       "reconstructed", "--record", file} +
                           tinyModel())
                     .code,
                 0);
        const auto card = bscopeRun({"cards", "Q01", "--from", file, "--json"}).json();
        QCOMPARE(card.size(), 1);
        QCOMPARE(card[0]["p"].toInt(), 2);
        QVERIFY2(card[0]["run"].toString().endsWith("[RECONSTRUCTED]"),
                 qPrintable(card[0]["run"].toString()));
        QCOMPARE(bscopeRun({"cards", "--from", file, "-p", "8"}).code, 2);
    }
};

BUBBLESCOPE_TEST(TestCliLanguage)

}  // namespace tst_cli_language

#include "tst_cli_language.moc"
