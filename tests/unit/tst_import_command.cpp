// bscope import as a program: recordings as a source, saved costs, two runs side by side, and an end in the
// middle.
#include <signal.h>
#include <zlib.h>

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <sstream>

#include "bscope_process.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "cli/report/progress.h"
#include "import_files.h"
#include "imported_runs.h"
#include "step_traces.h"
#include "unnamed_traces.h"

using namespace bscope;

namespace {

QByteArray gzip(const QByteArray& text) {
    z_stream zip = {};
    constexpr int kGzip = 16;
    deflateInit2(&zip, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY);
    QByteArray out(static_cast<qsizetype>(deflateBound(&zip, static_cast<uLong>(text.size()))), '\0');
    zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    zip.avail_in = static_cast<uInt>(text.size());
    zip.next_out = reinterpret_cast<Bytef*>(out.data());
    zip.avail_out = static_cast<uInt>(out.size());
    deflate(&zip, Z_FINISH);
    out.resize(static_cast<qsizetype>(zip.total_out));
    deflateEnd(&zip);
    return out;
}

QString folderOf(const char* run) {
    return QString::fromStdString((kRuns / run).string());
}

const QRegularExpression kHan(QStringLiteral("\\p{Han}"));

// Chinese, and no two English words after each other.
void expectOneLanguage(const QString& reported) {
    static const QRegularExpression english(QStringLiteral("[A-Za-z]{3,} [a-z]{2,}"));
    // Names of programs, files and operations are the same in both.
    static const QRegularExpression names(
        QStringLiteral("Primus pp_vis|PyTorch profiler|StragglerAnalysis timeline|bscope \\w+|\\S*/\\S*"));
    QVERIFY(reported.contains(kHan));
    for (QString line : reported.split(u'\n')) {
        line.remove(names);
        QVERIFY2(!line.contains(english), qPrintable(line));
    }
}

}  // namespace

class TestImportCommand : public QObject {
    Q_OBJECT

private slots:
    // All replicas of a run as a grid, in text, JSON and the recording; the shown one is that of --replica.
    void replicasMakeAGrid() {
        QTemporaryDir to;
        const std::filesystem::path trace = to.filePath("timeline.json").toStdString();
        Costs costs = unitCosts(3, 1, 1.2, 0.8, 0);
        costs.stages[2].forward_ns *= 2;
        const Timeline heavy = predict(lower(makeSchedule("1f1b", {3, 1, 6})), costs);
        put(trace, stragglerText(StepIterations(2, {heavy, heavy, heavy})));
        const QString file = QString::fromStdString(trace.string()), recording = to.filePath("run.bscope");
        const Outcome text = bscopeRun({"import", file, "--grid"});
        QVERIFY2(text.code == 0, text.errors.constData());
        QVERIFY2(text.out.contains("cause: a heavy stage, 2"), text.out.constData());
        const Outcome files = bscopeRun({"import", file, "--replica", "1", "--json", "-o", recording});
        QVERIFY2(files.code == 0, files.errors.constData());
        const QJsonObject grid = files.json().first().value(u"grid").toObject();
        QCOMPARE(grid.value(u"shown").toInt(), 1);
        QCOMPARE(grid.value(u"replicas").toArray().size(), 3);
        QCOMPARE(grid.value(u"forward_ms").toArray().at(2).toArray().at(2).toDouble(), 2000.0);
        QCOMPARE(grid.value(u"backward_ms").toArray().at(0).toArray().at(0).toDouble(), 2000.0);
        const QJsonObject found = grid.value(u"stragglers").toObject();
        QCOMPARE(found.value(u"causes").toArray(), QJsonArray{"stage"});
        QVERIFY(found.value(u"slowdown").toDouble() > 1.1);
        QCOMPARE(found.value(u"heaviest_stage").toObject().value(u"stage").toInt(), 2);
        QCOMPARE(QString::fromUtf8(bscopeRun({"import", recording, "--json"}).out),
                 QString::fromUtf8(files.out));
        QVERIFY(bscopeRun({"import", recording, "--grid"}).out.contains("cause: a heavy stage, 2"));
        expectOneLanguage(QString::fromUtf8(bscopeRun({"import", file, "--grid", "--lang", "zh"}).out));
        // One replica has a grid where it is asked for, and knows no worker.
        const Outcome one = bscopeRun({"import", folderOf("primus-pp8"), "--grid", "--json"});
        QVERIFY2(one.code == 0, one.errors.constData());
        const QJsonObject alone = one.json().first().value(u"grid").toObject();
        QCOMPARE(alone.value(u"replicas").toArray().size(), 1);
        QVERIFY(alone.value(u"stragglers").toObject().value(u"slowest_workers").isNull());
        QVERIFY(!bscopeRun({"import", folderOf("primus-pp8"), "--json"}).out.contains("\"grid\""));
        // A replica that ran another pipeline, and one whose rank is missing, are not in it.
        const Timeline other = playedTimeline("1f1b", {3, 1, 4});
        put(trace, stragglerText({{heavy, other, heavy}}));
        const Outcome mixed = bscopeRun({"import", file, "--grid", "--json"});
        QCOMPARE(mixed.json().first().value(u"grid").toObject().value(u"replicas").toArray(),
                 (QJsonArray{0, 2}));
        QVERIFY2(mixed.out.contains("replica 1 is not in the grid"), mixed.out.constData());
    }

    // Operations of one host that contradict each other were no operations: no number of them is shown.
    void contradictionsShowNoNumber() {
        QTemporaryDir folder;
        const auto file = [&](int rank, const std::vector<std::string>& events) {
            std::string text = kinetoFile(events, R"({"rank":)" + std::to_string(rank) + "}");
            text.insert(1, R"("host_name":"a",)");
            put(folder.filePath(QString("rank%1.json").arg(rank)).toStdString(), text);
        };
        file(0, {kinetoX("user_annotation", "PP:0F0", 0, 10), kinetoX("user_annotation", "PP:0B0", 20, 10)});
        file(1, {kinetoX("user_annotation", "PP:1F0", 0, 10), kinetoX("user_annotation", "PP:1B0", 12, 10)});
        const Outcome wrong = bscopeRun({"import", folder.path()});
        QCOMPARE(wrong.code, 1);
        QVERIFY2(
            wrong.errors.contains("no shift of the clocks puts these in order: 0B0 needs 1B0; 1F0 needs 0F0"),
            wrong.errors.constData());
        const Outcome json = bscopeRun({"import", folder.path(), "--json"});
        QVERIFY(json.code == 1 && wrong.out.isEmpty() && json.out.isEmpty());
        // What one shift would put in order is none on one clock.
        file(1, {kinetoX("user_annotation", "PP:1F0", 5, 4), kinetoX("user_annotation", "PP:1B0", 9, 4)});
        const Outcome early = bscopeRun({"import", folder.path()});
        QVERIFY2(early.code == 1 &&
                     early.errors.contains("1F0 begins 0.0050 ms before 0F0, which it needs, has ended"),
                 early.errors.constData());
        file(1, {kinetoX("user_annotation", "PP:1F0", 11, 4), kinetoX("user_annotation", "PP:1B0", 15, 4)});
        QVERIFY(bscopeRun({"import", folder.path()}).out.contains("every operation in its place"));
    }

    // Where no file names the operations, by how much the bubble may be too low is said as text, as JSON, and
    // by the recording of the files.
    void runsWithoutNamesSayHowFarOffTheyMayBe() {
        QTemporaryDir folder;
        const QString recording = folder.filePath("run.bscope");
        const auto put_ = [&folder](bool named) {
            putUnnamedTraces(folder.filePath("in").toStdString(), playedTimeline("1f1b", {2, 1, 4}),
                             {.world_size = 2, .plain = named, .host_us = 150});
        };
        put_(false);
        const Outcome json = bscopeRun({"import", folder.filePath("in"), "--json", "-o", recording});
        QVERIFY2(json.code == 0, json.errors.constData());
        const double bound = QJsonDocument::fromJson(json.out)["bubble_of_total_too_low_by_up_to"].toDouble();
        QVERIFY(bound > 0.01 && bound < 0.4);
        const QByteArray said =
            "may be too low, by up to " + QByteArray::number(100 * bound, 'f', 1) + " percentage";
        for (const QString& from : {folder.filePath("in"), recording}) {
            const Outcome text = bscopeRun({"import", from});
            QVERIFY2(text.out.contains(said), text.out.constData());
        }
        put_(true);
        QVERIFY(!bscopeRun({"import", folder.filePath("in")}).out.contains("too low"));
        const Outcome named = bscopeRun({"import", folder.filePath("in"), "--json"});
        QVERIFY(QJsonDocument::fromJson(named.out)["bubble_of_total_too_low_by_up_to"].isNull());
    }

    // A run of another program is the same whether its files are read or its recording.
    void aRecordingOfFilesTellsTheSame() {
        QTemporaryDir to;
        const QString recording = to.filePath("run.bscope");
        const Outcome files = bscopeRun({"import", folderOf("primus-pp8"), "--json", "-o", recording});
        QCOMPARE(files.code, 0);
        const Outcome again = bscopeRun({"import", recording, "--json"});
        QVERIFY2(again.code == 0, again.errors.constData());
        QCOMPARE(QString::fromUtf8(again.out), QString::fromUtf8(files.out));
        const Outcome text = bscopeRun({"import", folderOf("primus-pp8"), "--what-if"});
        QCOMPARE(QString::fromUtf8(bscopeRun({"import", recording, "--what-if"}).out),
                 QString::fromUtf8(text.out));
        QVERIFY(bscopeRun({"import", recording, "--explain"}).out.contains("recording of Bubblescope"));
        QVERIFY(bscopeRun({"import", recording, recording}).errors.contains("a run by itself"));
    }

    // An own run keeps its provenance, and its rows are those that replay prints.
    void aRecordingOfAnOwnRunIsASource() {
        QTemporaryDir to;
        const QString recording = to.filePath("run.bscope");
        const Outcome run =
            bscopeRun(QStringList{"run", "--schedule", "1f1b", "-p", "2", "-m", "4", "--iterations", "3",
                                  "--clock", "reconstructed", "--record", recording} +
                      tinyModel());
        QVERIFY2(run.code == 0, run.errors.constData());
        const Outcome read = bscopeRun({"import", recording, "--json", "--what-if"});
        QVERIFY2(read.code == 0, read.errors.constData());
        const QJsonObject reported = QJsonDocument::fromJson(read.out).object();
        QCOMPARE(reported["provenance"].toString(), QString("RECONSTRUCTED"));
        QCOMPARE(reported["source"].toString(), QString("Bubblescope recording"));
        QCOMPARE(reported["schedule"].toString(), QString("1f1b"));
        QVERIFY(reported["clock"].toObject()["aligned"].toBool());
        QVERIFY(!reported["inferred"].toBool());
        QVERIFY(reported["candidates"].toArray().size() > 3);
        const auto rows = bscopeRun({"replay", recording, "--json"}).out.trimmed().split('\n');
        const QJsonArray found = reported["rows"].toArray();
        QCOMPARE(found.size(), rows.size());
        for (int at = 0; at < rows.size(); ++at)
            QCOMPARE(found[at].toObject(), QJsonDocument::fromJson(rows[at]).object());
        QVERIFY(bscopeRun({"import", recording, "-o", to.filePath("copy.bscope")}).code != 0);
        const Outcome both = bscopeRun({"import", recording, "--against", folderOf("primus-pp8")});
        QVERIFY2(both.code == 0 && both.out.contains("2, 1, 4") && both.out.contains("8, 1, 16"),
                 both.out.constData());
    }

    // The limits and the flags of bscope advise, without a model: sizes are named after the run's.
    void flagsAndLimitsOfAdvice() {
        const QString run = folderOf("primus-pp8");
        const QStringList what_if{"import", run, "--what-if"};
        const Outcome now = bscopeRun(what_if + QStringList{"--flags", "all", "--for", "0"});
        QVERIFY2(now.code == 0, now.errors.constData());
        for (const char* line :
             {"\n--pipeline-model-parallel-size 8\n", "\n--global-batch-size $((16 * MICRO_BATCH_SIZE))\n",
              "num_stages=8", "n_microbatches=16", "\"gradient_accumulation_steps\": 16"})
            QVERIFY2(now.out.contains(line), now.out.constData());
        const auto reported = [&](const QStringList& more) {
            return QJsonDocument::fromJson(bscopeRun(what_if + QStringList{"--json"} + more).out).object();
        };
        const auto out = [](const QJsonObject& of, const QString& change) {
            for (const QJsonValue& value : of["candidates"].toArray())
                if (value.toObject()["change"].toString() == change)
                    return value.toObject().contains("excluded");
            return true;
        };
        const QJsonObject all = reported({"--flags", "megatron"});
        QVERIFY(!out(all, "schedule PipeDream") && !out(all, "schedule Chimera, v = 2"));
        QVERIFY(all["flags"].toObject()["megatron"].toObject()["text"].toString().contains("p = 8"));
        QVERIFY(out(reported({"--synchronous"}), "schedule PipeDream"));
        QVERIFY(out(reported({"--one-copy"}), "schedule Chimera, v = 2"));
        const QJsonObject kept = reported({"--framework", "deepspeed"});
        QVERIFY(kept["left_out"].toInt() > 5 && kept["candidates"].toArray().size() > 2);
        QVERIFY(!out(kept, "m = 32") && out(kept, "schedule GPipe"));
        for (const char* option : {"--one-copy", "--synchronous"}) {
            const Outcome alone = bscopeRun({"import", run, option});
            QVERIFY2(alone.code == 2 && alone.errors.contains("is for --what-if"), alone.errors.constData());
        }
    }

    void everythingIsSaidInTheLanguage_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        const QString run = folderOf("primus-pp8"), traces = folderOf("kineto-interleaved-p2-v2-m4");
        const QString rank = run + "/pp_rank_0.json";
        QTest::newRow("what was read") << QStringList{run} << 0;
        QTest::newRow("traces") << QStringList{traces, "--iteration", "3"} << 0;
        QTest::newRow("what would help") << QStringList{run, "--what-if", "--memory-cap", "4"} << 0;
        QTest::newRow("flags") << QStringList{run,        "--what-if",   "--flags",
                                              "megatron", "--framework", "megatron"}
                               << 0;
        QTest::newRow("two runs") << QStringList{run, "--against", traces} << 0;
        QTest::newRow("what was recognised") << QStringList{run, traces, "--explain"} << 0;
        const QString part = traces + "/rank0_trace.json.gz";
        QTest::newRow("some ranks") << QStringList{part} << 0;
        QTest::newRow("some ranks, needs all") << QStringList{part, "--what-if"} << 1;
        QTest::newRow("some ranks, no iteration") << QStringList{part, "--iteration", "99"} << 1;
        QTest::newRow("no configuration") << QStringList{rank} << 1;
        QTest::newRow("half a set") << QStringList{rank, run + "/config.json"} << 1;
        QTest::newRow("no iteration") << QStringList{run, "--iteration", "99"} << 1;
        QTest::newRow("no file") << QStringList{run + "/none.json"} << 1;
        QTest::newRow("nothing") << QStringList{} << 2;
        QTest::newRow("wrong words") << QStringList{run,  "--replica", "-1",        "--memory-cap",
                                                    "-1", "--json",    "--against", traces}
                                     << 2;
        QTest::newRow("nowhere to write") << QStringList{run, "-o", run + "/none/run.bscope"} << 2;
    }
    void everythingIsSaidInTheLanguage() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        const Outcome chinese = bscopeRun(QStringList{"import", "--lang", "zh"} + words);
        QCOMPARE(chinese.code, code);
        expectOneLanguage(QString::fromUtf8(chinese.out + chinese.errors));
        const Outcome other = bscopeRun(QStringList{"import", "--lang", "en"} + words);
        QCOMPARE(other.code, code);
        QVERIFY2(!QString::fromUtf8(other.out + other.errors).contains(kHan), other.out.constData());
    }

    // The columns of a table end where those of its head do, Chinese letters being two columns wide.
    void tablesStandInColumns() {
        for (const char* language : {"en", "zh"}) {
            const QString reported = bscopeRun({"import", "--lang", language, folderOf("primus-pp8")}).out;
            const QStringList lines = reported.split(u'\n');
            const auto columns = [](const QString& line) { return cli::columnsOf(line.toStdString()); };
            int rows = 0;
            for (const QString& line : lines)
                if (line.contains(QStringLiteral("   F   ")) || line.contains(QStringLiteral("   B   ")))
                    rows += columns(line) == columns(lines[lines.indexOf(QString()) + 1]) ? 1 : 0;
            QCOMPARE(rows, 16);
        }
    }

    // What moves in one line of a terminal stays in it.
    void progressStaysInItsLine() {
        const std::string text = "1/2  loss 5.5790";
        QCOMPARE(cli::progressLine(1, 2, text, 100), "[############            ] " + text);
        QCOMPARE(cli::progressLine(1, 2, text, 30), "[#####     ] " + text);
        QCOMPARE(cli::progressLine(2, 2, text, 22), text);
        for (std::size_t columns = 18; columns < 60; ++columns)
            QVERIFY(cli::progressLine(2, 2, text, columns).size() < columns);
    }

    // On a narrow terminal: nearer columns, then a head of several lines; never a line that the terminal
    // breaks.
    void aWideTableFoldsItsHead() {
        cli::TextTable table("lrr");
        table.row({"this run", "bubble of total", "added points"});
        table.row({"unequal stages", "30.4 %", "3.46"});
        const auto within = [&table](std::size_t columns) {
            std::ostringstream out;
            table.printWithin(out, columns);
            return QString::fromStdString(out.str());
        };
        QCOMPARE(within(47), QString("this run         bubble of total   added points\n"
                                     "unequal stages            30.4 %           3.46\n"));
        QCOMPARE(within(46), QString("this run        bubble of total  added points\n"
                                     "unequal stages           30.4 %          3.46\n"));
        QCOMPARE(within(44), QString("                bubble\n"
                                     "                    of   added\n"
                                     "this run         total  points\n"
                                     "unequal stages  30.4 %    3.46\n"));
    }

    // Whatever works on a recording works on one of an import, and says the same of it.
    void everyCommandTakesARecordingOfFiles() {
        QTemporaryDir to;
        const QString run = to.filePath("primus.bscope"), other = to.filePath("kineto.bscope");
        const Outcome import = bscopeRun(
            {"import", folderOf("primus-pp8"), "--json", "--what-if", "-o", run, "--iteration", "7"});
        QVERIFY2(import.code == 0, import.errors.constData());
        const QJsonObject reported = QJsonDocument::fromJson(import.out).object();
        QCOMPARE(bscopeRun({"import", folderOf("kineto-interleaved-p2-v2-m4"), "-o", other}).code, 0);

        const QJsonObject row = bscopeRun({"replay", run, "--json", "--iteration", "7"}).json().front();
        QCOMPARE(row, reported["rows"].toArray().first().toObject());
        const QJsonObject bubble =
            bscopeRun({"replay", run, "--bubble", "--json", "--iteration", "7"}).json().front();
        const QJsonObject reported_bubble = reported["bubble"].toObject();
        QCOMPARE(reported_bubble["slow_stage"].toInt(-1), 7);
        QVERIFY(reported_bubble["slow_rank"].isNull());
        for (const QString& key : reported_bubble.keys()) QCOMPARE(reported_bubble[key], bubble[key]);

        const QString trace = to.filePath("trace.json"), csv = to.filePath("events.csv"),
                      gaps = to.filePath("gaps.csv");
        const Outcome exported =
            bscopeRun({"export", run, "--chrome", trace, "--csv", csv, "--gaps", gaps, "--iteration", "7"});
        QVERIFY2(exported.code == 0, exported.errors.constData());
        QFile events(csv), idle(gaps);
        QVERIFY(events.open(QIODevice::ReadOnly) && idle.open(QIODevice::ReadOnly));
        const QByteArray rows = events.readAll();
        QCOMPARE(rows.count("\nIMPORTED,"), 8 * 2 * 16 + 7 * 2 * 16);  // operations and receives
        QCOMPARE(idle.readAll().count("\nIMPORTED,7,"), bubble["gaps"].toArray().size());
        const QJsonObject again = bscopeRun({"import", trace, "--json"}).json().front();
        QCOMPARE(again["schedule"].toString(), QString("1f1b"));
        QCOMPARE(again["source"].toString(), QString("Bubblescope Chrome trace (IMPORTED)"));
        QVERIFY(std::abs(again["rows"].toArray().first().toObject()["bubble_of_total"].toDouble() -
                         row["bubble_of_total"].toDouble()) < 1e-9);

        const QJsonObject compared =
            bscopeRun({"compare", run, other, "--json", "--iterations", "7,3"}).json().front();
        QCOMPARE(compared["a"].toObject()["iteration_ms"], row["iteration_ms"]);
        QCOMPARE(compared["b"].toObject()["provenance"].toString(), QString("IMPORTED"));
        QCOMPARE(compared["difference"].toObject()["ranks"].toArray().size(), 2);

        const QJsonObject advised =
            bscopeRun({"advise", "--from", run, "--json", "--search-s", "0"}).json().front();
        QCOMPARE(advised["predicted_iteration_ms"], reported["predicted_iteration_ms"]);
        QCOMPARE(advised["candidates"].toArray().size(), reported["candidates"].toArray().size());
        const QJsonObject searched =
            bscopeRun({"schedule", "--auto", "--costs-from", run, "--memory-cap", "8", "--json"})
                .json()
                .front();
        QCOMPARE(searched["unit"].toString(), QString("ms"));
        QVERIFY(searched["makespan"].toDouble() < reported["predicted_iteration_ms"].toDouble());
        for (const QJsonValue& peak : searched["peak_in_flight"].toArray()) QVERIFY(peak.toInt() <= 8);
        const QJsonObject others =
            bscopeRun({"schedule", "zb-v", "--costs-from", run, "-p", "4", "-m", "12", "--json"})
                .json()
                .front();
        QCOMPARE(others["placement"].toArray().size(), 8);
    }

    void everyCommandSaysItInTheLanguage_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::newRow("replay") << QStringList{"replay", "RUN"} << 0;
        QTest::newRow("bubble") << QStringList{"replay", "RUN", "--bubble"} << 0;
        QTest::newRow("no iteration") << QStringList{"replay", "RUN", "--iteration", "99"} << 1;
        QTest::newRow("compare") << QStringList{"compare", "RUN", "OTHER"} << 0;
        QTest::newRow("compare no iteration")
            << QStringList{"compare", "RUN", "OTHER", "--iterations", "99,3"} << 1;
        QTest::newRow("advise") << QStringList{"advise", "--from", "RUN"} << 0;
        QTest::newRow("advise schedules") << QStringList{"advise", "--from", "RUN", "--schedules"} << 0;
        QTest::newRow("auto") << QStringList{"schedule", "--auto", "--costs-from", "RUN", "--memory-cap", "8"}
                              << 0;
        QTest::newRow("advise outcome") << QStringList{"advise", "--from", "RUN", "--outcome", "OTHER"} << 1;
    }
    void everyCommandSaysItInTheLanguage() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QTemporaryDir to;
        const QString run = to.filePath("a.bscope"), other = to.filePath("b.bscope");
        QCOMPARE(bscopeRun({"import", folderOf("primus-pp8"), "-o", run}).code, 0);
        QCOMPARE(bscopeRun({"import", folderOf("kineto-interleaved-p2-v2-m4"), "-o", other}).code, 0);
        words.replaceInStrings("RUN", run).replaceInStrings("OTHER", other);
        const Outcome chinese = bscopeRun(words + QStringList{"--lang", "zh"});
        QCOMPARE(chinese.code, code);
        expectOneLanguage(QString::fromUtf8(chinese.out + chinese.errors));
    }

    void costsAreSavedAndPlayed() {
        QTemporaryDir to;
        const QString file = to.filePath("costs.json");
        const Outcome import = bscopeRun({"import", folderOf("primus-pp8"), "--json", "--save-costs", file});
        QVERIFY2(import.code == 0, import.errors.constData());
        const QJsonObject row =
            QJsonDocument::fromJson(import.out).object()["rows"].toArray().last().toObject();
        // p, m and v are the run's: the prediction is that of the run.
        const Outcome same = bscopeRun({"schedule", "1f1b", "--costs-from", file, "--json"});
        QVERIFY2(same.code == 0, same.errors.constData());
        const QJsonObject played = QJsonDocument::fromJson(same.out).object();
        QCOMPARE(played["p"].toInt(), 8);
        QCOMPARE(played["m"].toInt(), 16);
        QCOMPARE(played["unit"].toString(), QString("ms"));
        QVERIFY(std::abs(played["makespan"].toDouble() / row["predicted_iteration_ms"].toDouble() - 1) <
                1e-6);
        QVERIFY(std::abs(played["bubble_of_total"].toDouble() - row["predicted_bubble_of_total"].toDouble()) <
                1e-6);
        const Outcome searched = bscopeRun({"schedule", "--auto", "--costs-from", file, "--json"});
        QVERIFY2(searched.code == 0, searched.errors.constData());
        QVERIFY(QJsonDocument::fromJson(searched.out).object()["makespan"].toDouble() <=
                played["makespan"].toDouble());
        // From the recording as from the file.
        const QString recording = to.filePath("run.bscope");
        QCOMPARE(bscopeRun({"import", folderOf("primus-pp8"), "-o", recording}).code, 0);
        const Outcome from_recording = bscopeRun({"schedule", "1f1b", "--costs-from", recording, "--json"});
        QCOMPARE(QJsonDocument::fromJson(from_recording.out).object()["makespan"].toDouble(),
                 played["makespan"].toDouble());
    }

    void wrongCostsAreAllNamed() {
        QTemporaryDir to;
        const QString file = to.filePath("costs.json");
        const auto refusal = [&](const QByteArray& text) {
            QFile out(file);
            if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size()) return QByteArray();
            out.close();
            const Outcome ran = bscopeRun({"schedule", "1f1b", "--costs-from", file});
            return ran.code == 0 ? QByteArray() : ran.errors;
        };
        QVERIFY(refusal("hello").contains("neither JSON nor a recording"));
        QVERIFY(refusal("{}").contains("bubblescope_costs"));
        const QByteArray all =
            refusal(R"({"bubblescope_costs":1,"p":2,"v":1,"m":0,"source":"a","provenance":"b",)"
                    R"("stages":[{"F_ms":-1,"B_ms":2},{"F_ms":1}]})");
        for (const char* part : {"\"m\" must be", "stages[0].F_ms", "\"stages[1]\" must have B_ms"})
            QVERIFY2(all.contains(part), all.constData());
        QVERIFY(
            refusal(R"({"bubblescope_costs":1,"p":2,"v":1,"m":4,"source":"a","provenance":"b","stages":[]})")
                .contains("p * v = 2 stages"));
    }

    // Ended in the middle of reading, with the code that shells expect, and nothing written.
    void anInterruptEndsAnImport() {
        QTemporaryDir to;
        const QString trace = to.filePath("rank0.json.gz"), recording = to.filePath("run.bscope");
        QFile file(trace);
        QVERIFY(file.open(QIODevice::WriteOnly));
        // Gigabytes of spaces in a trace: many times what is read until the signal comes.
        file.write(gzip("{\"traceEvents\":["));
        const QByteArray spaces = gzip(QByteArray(64 << 20, ' '));
        for (int times = 0; times < 200; ++times) file.write(spaces);
        file.close();
        QProcess import;
        import.setReadChannel(QProcess::StandardError);
        import.start(bscopeProgram(), {"import", "--progress", trace, "-o", recording});
        QByteArray reported;
        while (!reported.contains(R"({"done":1,"of":100})") && import.waitForReadyRead(60'000))
            reported += import.readAll();
        QVERIFY2(reported.contains(R"({"done":1,"of":100})"), reported.constData());
        QVERIFY(import.processId() > 0);
        ::kill(static_cast<pid_t>(import.processId()), SIGINT);
        QVERIFY(import.waitForFinished(60'000));
        QCOMPARE(import.exitCode(), 128 + SIGINT);
        QVERIFY(!QFile::exists(recording));
    }
};

QTEST_GUILESS_MAIN(TestImportCommand)
#include "tst_import_command.moc"
