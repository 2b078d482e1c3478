// What files contain and how they are called reaches a terminal escaped: no control letter of either set,
// nothing that turns the direction of writing, no byte that is no UTF-8. Of the real program, whatever it
// says.
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "bscope_process.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "required.h"
#include "wire/convert.h"
#include "wire/recording.h"
#include "words/catalog.h"
#include "words/shown.h"

namespace tst_shown {

using namespace bscope;

namespace {

// Colour, the window's title, the clipboard, the one-letter CSI, a right-to-left override, a broken byte.
const QByteArray kHostile(
    "a\x1b[31mred\x1b]0;title\x07\x1b]52;c;aGk=\x07\xc2\x9b"
    "1m\xe2\x80\xae"
    "b\xff"
    "c");

bool isClean(const QByteArray& text) {
    QByteArray rest = text;
    rest.replace('\n', "").replace('\t', "");
    return QByteArray::fromStdString(shown(rest.toStdString())) == rest;
}

}  // namespace

class TestShown : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString put(const QByteArray& name, const QByteArray& bytes) const {
        const QString file = folder_.path() + '/' + QFile::decodeName(name);
        QFile out(file);
        REQUIRE(out.open(QIODevice::WriteOnly));
        out.write(bytes);
        return file;
    }

private slots:
    // Its strings mean what they meant.
    void jsonIsEscapedAsJson() {
        const std::string hostile =
            "{\"a\":\"\xc2\x9b"
            "31m\xe2\x80\xae\x7f\xe8\xbf\xad\"}\n";
        const QByteArray safe = QByteArray::fromStdString(shownJson(hostile));
        QCOMPARE(safe,
                 "{\"a\":\"\\u009b"
                 "31m\\u202e\\u007f\xe8\xbf\xad\"}\n");
        QCOMPARE(QJsonDocument::fromJson(safe).object(),
                 QJsonDocument::fromJson(QByteArray::fromStdString(hostile)).object());
    }

    void jsonOfARecordingIsClean() {
        const QString recording = put("of \xc2\x9b.bscope", {});
        QCOMPARE(
            bscopeRun(QStringList{"run", "-p", "2", "-m", "2", "--iterations", "2", "--record", recording} +
                      tinyModel())
                .code,
            0);
        const auto compared = bscopeRun({"compare", recording, recording, "--json"});
        QCOMPARE(compared.code, 0);
        QVERIFY2(isClean(compared.out), compared.out);
        QCOMPARE(compared.json().front()["a"].toObject()["file"].toString(), recording);
    }

    void lettersThatDriveATerminalAreEscaped() {
        const auto of = [](const char* text) { return QByteArray::fromStdString(shown(text)); };
        QCOMPARE(of("plain, Rank 2: 迭代 é 🙂"), "plain, Rank 2: 迭代 é 🙂");
        QCOMPARE(of("\x1b[31mred"), "\\x1b[31mred");
        QCOMPARE(of("\x07\x7f\r\n"), "\\x07\\x7f\\x0d\\x0a");
        QCOMPARE(of("a\tb"), "a\tb");
        QCOMPARE(of("\xc2\x9b"
                    "31m"),
                 "\\u009b31m");
        QCOMPARE(of("\xe2\x80\xae"
                    "abc\xe2\x81\xa6"),
                 "\\u202eabc\\u2066");
        QCOMPARE(of("\xff\xc3"), "\\xff\\xc3");
        QCOMPARE(of("\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80"), "\\xc0\\x80\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
        QCOMPARE(QByteArray::fromStdString(shown("a\nb", Newlines::Kept)), "a\nb");
        QCOMPARE(QByteArray::fromStdString(shown(std::string_view("a\0b", 3))), "a\\x00b");
        QVERIFY(isClean(QByteArray::fromStdString(shown(kHostile.toStdString()))));
    }

    void argumentsOfSentencesAreEscaped() {
        const std::string hostile = kHostile.toStdString();
        for (const Language language : {Language::English, Language::Chinese})
            for (const Sentence& each :
                 {sentence("cannot open {0}: {1}", hostile, hostile),
                  sentence("{0}: {1}", hostile, sentence("cannot open {0}: {1}", hostile, "x")),
                  sentence("{0}", hostile), Sentence{hostile + " {0}", {Argument(hostile)}}})
                QVERIFY(isClean(QByteArray::fromStdString(say(each, language))));
        QCOMPARE(say(sentence("{0}", "two\nlines"), Language::English), std::string("two\nlines"));
    }

    void nothingOfAFileDrivesTheTerminal() {
        const QString cells = put("cells.csv", "0F0,0B0," + kHostile + "\n1F0," + kHostile + ",1B0\n"),
                      named = put("n\x1b[31m\xff\x07.csv", "0F0,0B0\n1F0,\x1b[2J\n"),
                      config = put("config.json", "{\"\\u001b[31mfield\":1}"),
                      schedule = put("schedule.json", "{\"schedule\":\"\\u001b]0;title\\u0007\"}"),
                      scenario =
                          put("scenario.json",
                              "{\"id\":\"\\u001b[31mx\",\"lesson\":{\"task\":{\"en\":\"\\u009b2J\"}}}"),
                      costs = put("costs.json", "{\"bubblescope_costs\":1,\"p\":\"\\u001b[31m\"}"),
                      trace = put("t\x1b[31m.json", "{\"traceEvents\":[]}");
        const QString recording = folder_.filePath("device.bscope");
        {
            IterationStart start;
            start.device = kHostile.left(kHostile.size() - 2).toStdString();
            start.schedule =
                std::make_shared<const Schedule>(makeSchedule(start.config.schedule, start.config.params));
            IterationReport report;
            report.device = start.device;
            report.schedule = "\x1b[31m1f1b";
            report.p = report.m = report.v = report.d = 1;
            report.ranks.emplace_back();
            wire::Message first, last;
            *first.mutable_iteration_start() = toWire(start);
            *last.mutable_iteration_report() = toWire(report);
            RecordingWriter writer(recording.toStdString(), [](const Sentence&) {});
            writer.write(encode(first));
            writer.write(encode(last));
        }
        const QString gone = folder_.path() + QFile::decodeName("/gone\x1b]0;t\x07\xff");
        for (const QStringList& words : {QStringList{"validate", cells},
                                         QStringList{"validate", named},
                                         QStringList{"schedule", "file:" + cells},
                                         QStringList{"run", "--schedule", "file:" + cells},
                                         QStringList{"verify", "--schedule", "file:" + named},
                                         QStringList{"run", "--config", config},
                                         QStringList{"run", "--config", schedule},
                                         QStringList{"run", "--scenario", scenario},
                                         QStringList{"lesson", "run", scenario},
                                         QStringList{"schedule", "1f1b", "--costs-from", costs},
                                         QStringList{"import", trace},
                                         QStringList{"replay", recording},
                                         QStringList{"replay", recording, "--bubble"},
                                         QStringList{"replay", gone},
                                         QStringList{"import", gone},
                                         QStringList{"compare", gone, gone},
                                         QStringList{"export", gone, "--csv", "x.csv"},
                                         QStringList{"run", "--load", gone},
                                         QStringList{"run", "--data", gone},
                                         QStringList{gone},
                                         QStringList{"run", "--" + gone}}) {
            for (const char* language : {"en", "zh"}) {
                QStringList all = words;
                if (words.size() > 1) all << "--lang" << language;
                const auto ran = bscopeRun(all);
                QVERIFY2(isClean(ran.out),
                         (words.join(' ').toUtf8() + ": " + ran.out.toPercentEncoding(" ")).constData());
                QVERIFY2(isClean(ran.errors),
                         (words.join(' ').toUtf8() + ": " + ran.errors.toPercentEncoding(" ")).constData());
                QVERIFY(!ran.crashed);
                QVERIFY2(!(ran.out + ran.errors).isEmpty(), qPrintable(words.join(' ')));
            }
        }
    }

    // No run goes on where files are imported. A file that must not grow stands for a disk that is full.
    void anImportThatCannotBeWrittenHasItsOwnWords() {
        const QString runs =
            QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/data/real-runs/kineto-interleaved-p2-v2-m4");
        QProcess process;
        process.setProcessEnvironment(inEnglish());
        process.start("/bin/sh", {"-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", bscopeProgram(),
                                  "import", runs, "-o", folder_.filePath("full.bscope")});
        QVERIFY(process.waitForFinished(60000));
        const QByteArray errors = process.readAllStandardError();
        QCOMPARE(process.exitCode(), 1);
        QVERIFY2(errors.contains("could not be written whole: File too large"), errors);
        QVERIFY2(!errors.contains("The run goes on"), errors);
    }
};

BUBBLESCOPE_TEST(TestShown)

}  // namespace tst_shown

#include "tst_shown.moc"
