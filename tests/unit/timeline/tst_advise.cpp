// bscope advise, compare and the bubble of a replay as scripts use them: the real program on a run of its
// own, and on a played one whose rank 1 is slow, since what stands out of a real one depends on what else the
// machine does.
#include <QJsonArray>
#include <QTest>
#include <utility>

#include "bscope_process.h"
#include "played_run.h"
#include "registered_test.h"

namespace tst_advise {

using namespace bscope;

class TestAdvise : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString run_, slow_;

    QString record(const char* name, const QStringList& more) {
        const QString file = folder_.path() + "/" + name;
        QStringList arguments{
            "run",           "-p",          "3",          "-m",       "6", "--iterations", "5", "--clock",
            "reconstructed", "--durations", "calibrated", "--record", file};
        arguments += QStringList{"--hidden", "64", "--heads",       "2", "--seq", "32",
                                 "--layers", "6",  "--micro-batch", "2"};
        const Outcome outcome = bscopeRun(arguments + more);
        return outcome.code == 0 ? file : QString();
    }

private slots:
    void initTestCase() {
        run_ = record("run.bscope", {"--link-latency-us", "20"});
        QVERIFY(!run_.isEmpty());
        RunConfig slow;
        slow.params = {3, 1, 6, 0};
        slow.model = {6, 64, 2, 32, 256};
        slow.micro_batch = 2;
        slow.slow_ranks = {{1, 3.0}};
        QVERIFY(problems(slow).empty());
        slow_ = folder_.path() + "/slow.bscope";
        recordPlayed(slow_, slow, 5);
    }

    // Of every line the tokens of its samples over its time, in the table as in JSON.
    void tokensArePredicted() {
        const QJsonObject reported =
            bscopeRun({"advise", "--from", run_, "--search-s", "0", "--json"}).json()[0];
        const QString table = bscopeRun({"advise", "--from", run_, "--search-s", "0"}).out;
        const double tokens_a_sample = 32;
        int lines = 0;
        for (const QJsonValue& value : reported["candidates"].toArray()) {
            const QJsonObject each = value.toObject();
            if (each["predicted_iteration_ms"].isNull()) continue;
            const double expected = 1e3 * each["samples"].toDouble() * tokens_a_sample /
                                    each["predicted_iteration_ms"].toDouble();
            QVERIFY(std::abs(each["predicted_tokens_per_s"].toDouble() - expected) < 1e-6 * expected);
            const QString tokens = QString::number(expected, 'f', 0);
            const QString messages = QString::number(each["messages"].toInt());
            const QStringList rows = table.split(u'\n').filter(
                QRegularExpression(" " + tokens + " .* " + messages + "   (asynchronous: )?" +
                                   QRegularExpression::escape(each["change"].toString()) + "(;|$)"));
            QVERIFY2(rows.size() == 1, qPrintable(each["change"].toString() + '\n' + table));
            ++lines;
        }
        QVERIFY(lines > 5);
    }

    // The table of schedules is the advice's own.
    void schedulesAreThoseOfTheAdvice() {
        const QJsonObject reported = bscopeRun({"advise", "--from", run_, "--json"}).json().front();
        const QString table = bscopeRun({"advise", "--from", run_, "--schedules"}).out;
        QVERIFY2(table.contains("What usually decides:") && table.contains(" > "), qPrintable(table));
        int legal = 0;
        for (const QJsonValue& value : reported["candidates"].toArray()) {
            const QJsonObject each = value.toObject();
            const QString change = each["change"].toString();
            if (!change.startsWith("schedule ") || change.contains(" and ")) continue;
            QVERIFY2(table.contains(change), qPrintable(change));
            if (each["predicted_iteration_ms"].isNull()) continue;
            ++legal;
            const QString ms = QString::number(each["predicted_iteration_ms"].toDouble(), 'f', 1);
            const QStringList rows = table.split(u'\n').filter(
                QRegularExpression("   " + QRegularExpression::escape(change) + "(;|$)"));
            QCOMPARE(rows.size(), 1);
            QVERIFY2(rows.front().contains(" " + ms + " "), qPrintable(rows.front()));
        }
        QVERIFY(legal > 5);
        QVERIFY2(table.contains("within span") && table.contains("What many texts say instead"),
                 qPrintable(table));
        QVERIFY(table.contains(". Not true here: ") || table.contains(". True here: "));
        const QString chinese = bscopeRun({"advise", "--from", run_, "--schedules", "--lang", "zh"}).out;
        QVERIFY2(chinese.contains(QStringLiteral("通常由什么决定")), qPrintable(chinese));
        QVERIFY2(!chinese.contains(QStringLiteral("峰值权重")), qPrintable(chinese));
        const QString limited =
            bscopeRun({"advise", "--from", run_, "--schedules", "--one-copy", "--synchronous"}).out;
        QVERIFY2(limited.contains("schedule PipeDream; excluded: ") && !table.contains("; excluded: "),
                 qPrintable(limited));
        QVERIFY2(limited.contains("\nWith a flush, one copy of the weights"), qPrintable(limited));
        QCOMPARE(bscopeRun({"advise", "--from", run_, "--schedules", "--json"}).code, 2);
    }

    // Of the best line, of a line, of the run as it is; in JSON of all of them.
    void flagsOfALineAreReported() {
        const QStringList advise{"advise", "--from", run_, "--search-s", "0"};
        const QString best = bscopeRun(advise + QStringList{"--flags", "all"}).out;
        QVERIFY2(best.contains(QRegularExpression("\nWhat to type for line \\d+, ")), qPrintable(best));
        for (const char* framework : {"Megatron-LM: ", "PyTorch: ", "DeepSpeed: "})
            QVERIFY2(best.contains(framework), qPrintable(best));
        const QString now = bscopeRun(advise + QStringList{"--flags", "megatron", "--for", "0"}).out;
        QVERIFY2(
            now.contains("run as it is:\n\n# Megatron-LM: 1F1B, p = 3, v = 1, m = 6, d = 1, t = 1\n"
                         "--pipeline-model-parallel-size 3\n--micro-batch-size 2\n--global-batch-size 12\n"),
            qPrintable(now));

        const QJsonObject reported = bscopeRun(advise + QStringList{"--flags", "all", "--json"}).json()[0];
        QCOMPARE(
            reported["flags"].toObject()["deepspeed"].toObject()["text"].toString().contains("num_stages=3"),
            true);
        int line = 0;
        const QString table = bscopeRun(advise + QStringList{"--flags", "all", "--for", "3"}).out;
        for (const QJsonValue& value : reported["candidates"].toArray()) {
            const QJsonObject each = value.toObject(), flags = each["flags"].toObject();
            if (each["predicted_iteration_ms"].isNull()) {
                QVERIFY(flags.isEmpty());
                continue;
            }
            QCOMPARE(flags.keys(), (QStringList{"deepspeed", "megatron", "pytorch"}));
            ++line;
            for (const QString& framework : flags.keys()) {
                const QJsonObject one = flags[framework].toObject();
                QVERIFY(one.contains("text") != one.contains("missing"));
                if (line == 3)
                    QVERIFY(table.contains(one[one.contains("text") ? "text" : "missing"].toString()));
            }
            const QStringList rows = table.split(u'\n').filter(
                QRegularExpression("^ *" + QString::number(line) + "  .*   (asynchronous: )?" +
                                   QRegularExpression::escape(each["change"].toString()) + "(;|$)"));
            QVERIFY2(rows.size() == 1, qPrintable(each["change"].toString() + '\n' + table));
        }
        QVERIFY(line > 5);
        const QString schedules =
            bscopeRun(advise + QStringList{"--schedules", "--flags", "pytorch", "--for", "1"}).out;
        QVERIFY2(schedules.contains(QRegularExpression("\n +1 .*schedule ")), qPrintable(schedules));
        QVERIFY2(schedules.contains("What to type for line 1, schedule "), qPrintable(schedules));
        const QString chinese = bscopeRun(advise + QStringList{"--flags", "all", "--lang", "zh"}).out;
        QVERIFY2(!chinese.contains("What to type"), qPrintable(chinese));
    }

    void adviceIsKeptToWhatIsWanted() {
        const QStringList advise{"advise", "--from", run_, "--search-s", "0"};
        const auto changes = [&](const QStringList& more) {
            QStringList all;
            for (const QJsonValue& value :
                 bscopeRun(advise + more + QStringList{"--json"}).json()[0]["candidates"].toArray())
                if (!value.toObject()["predicted_iteration_ms"].isNull() &&
                    !value.toObject().contains("excluded"))
                    all << value.toObject()["change"].toString();
            return all;
        };
        const QStringList everything = changes({});
        QVERIFY(everything.contains("schedule PipeDream") && everything.contains("schedule GPipe"));
        const QStringList flushing = changes({"--synchronous"});
        QVERIFY(!flushing.contains("schedule PipeDream") && flushing.contains("schedule GPipe"));
        QVERIFY(!changes({"--one-copy"}).contains("schedule PipeDream-2BW"));
        const QStringList deepspeed = changes({"--framework", "deepspeed"});
        QVERIFY2(deepspeed.filter(QRegularExpression("^schedule ")).isEmpty(),
                 qPrintable(deepspeed.join('\n')));
        QVERIFY(deepspeed.contains("m = 12") && deepspeed.contains("a link twice as fast"));
        const QStringList megatron = changes({"--framework", "megatron"});
        QVERIFY(megatron.contains("schedule Interleaved 1F1B, v = 2") && !megatron.contains("schedule ZB-H1"));
        const QString reported =
            bscopeRun(advise + QStringList{"--framework", "deepspeed", "--flags", "deepspeed"}).out;
        QVERIFY2(reported.contains("Left out, since DeepSpeed itself does not have it: ") &&
                     reported.contains("\n# DeepSpeed: 1F1B, p = "),
                 qPrintable(reported));
        for (const QStringList& wrong :
             {QStringList{"--flags", "horovod"}, QStringList{"--framework", "all"}, QStringList{"--for", "1"},
              QStringList{"--flags", "all", "--for", "1", "--json"},
              QStringList{"--flags", "all", "--for", "-1"}})
            QCOMPARE(bscopeRun(advise + wrong).code, 2);
        const Outcome far = bscopeRun(advise + QStringList{"--flags", "all", "--for", "999"});
        QVERIFY2(far.code == 1 && far.errors.contains("lines 1 to "), far.errors);
    }

    // After a run its longest gaps, in the words that its recording is explained with.
    void runTellsItsLongestGaps() {
        const QString file = folder_.path() + "/gaps.bscope";
        const QStringList small{"run", "-p",      "3", "-m",    "3",  "--layers",      "3", "--hidden",
                                "32",  "--heads", "2", "--seq", "16", "--micro-batch", "1", "--iterations",
                                "2"};
        const Outcome ran = bscopeRun(small + QStringList{"--record", file, "--gaps", "3"});
        QVERIFY2(ran.code == 0 && ran.out.contains("\nThe longest 3 of "), ran.out);
        const QString reported = QString(ran.out).section("The longest 3 of ", 1);
        const QString replayed = bscopeRun({"replay", file, "--iteration", "2", "--bubble"}).out;
        const QStringList lines = reported.trimmed().split(u'\n').mid(1);
        QCOMPARE(lines.size(), 3);
        for (const QString& line : lines)
            QVERIFY2(replayed.contains(line), qPrintable(line + "\n" + replayed));
        QVERIFY(bscopeRun(small + QStringList{"--gaps", "3", "--lang", "zh"}).out.contains("最长"));
        QCOMPARE(bscopeRun(small + QStringList{"--gaps", "3", "--json"}).code, 2);
        QCOMPARE(bscopeRun(small + QStringList{"--gaps", "-1"}).code, 2);
    }

    void chosenSchedulesAreRun() {
        const QStringList small{"advise",
                                "-p",
                                "2",
                                "-m",
                                "4",
                                "--layers",
                                "4",
                                "--hidden",
                                "32",
                                "--heads",
                                "2",
                                "--seq",
                                "16",
                                "--micro-batch",
                                "1",
                                "--clock",
                                "reconstructed",
                                "--search-s",
                                "0"};
        const Outcome outcome = bscopeRun(small + QStringList{"--measure", "gpipe,ZBV=2", "--json"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        const QJsonArray ran = outcome.json().front()["measured"].toArray();
        QCOMPARE(ran.size(), 3);
        const QStringList expected{"1f1b", "gpipe", "zb-v"};
        for (int i = 0; i < 3; ++i) {
            const QJsonObject each = ran[i].toObject();
            QCOMPARE(each["schedule"].toString(), expected[i]);
            QCOMPARE(each["v"].toInt(), i == 2 ? 2 : 1);
            QCOMPARE(each["provenance"].toString(), QString("RECONSTRUCTED"));
            QCOMPARE(each["shares_durations"].toBool(), i < 2);  // ZB-V has other stages
            QVERIFY(each["iteration_ms"].toDouble() > 0 && each["predicted_iteration_ms"].toDouble() > 0);
        }
        const Outcome text = bscopeRun(small + QStringList{"--measure", "gpipe", "--schedules"});
        QVERIFY2(text.out.contains("share their durations: 1f1b, gpipe."), text.out);
        QVERIFY2(text.out.contains("Run in turn here") && text.out.contains("\ngpipe "), text.out);
        QVERIFY(bscopeRun(small + QStringList{"--measure", "nothing", "--json"})
                    .errors.contains("not in the table"));
        QVERIFY(bscopeRun(small + QStringList{"--measure", "gpipe,zb-h1,zb-v,v-min", "--json"})
                    .errors.contains("3 schedules at most, not 4"));
        QVERIFY(
            bscopeRun(small + QStringList{"--measure", "gpipe"}).errors.contains("belongs to --schedules"));
        QVERIFY(bscopeRun({"advise", "--from", run_, "--measure", "gpipe", "--json"})
                    .errors.contains("runs here"));
    }

    // The configuration of another recording, predicted with the costs of this one, beside what it took.
    void anOutcomeIsHeldAgainstItsPrediction() {
        const QString other = record("other.bscope", {"--link-latency-us", "20", "-m", "12"});
        QVERIFY(!other.isEmpty());
        const QStringList arguments{"advise", "--from", run_, "--outcome", other, "--search-s", "0"};
        const QJsonObject reported = bscopeRun(arguments + QStringList{"--json"}).json().front();
        const QJsonObject line = reported["outcomes"].toArray()[0].toObject();
        std::vector<double> lengths;
        for (const QJsonObject& each : bscopeRun({"replay", other, "--json"}).json())
            if (each.contains("iteration_ms") && each["iteration"].toInt() > 0)
                lengths.push_back(each["iteration_ms"].toDouble());
        QCOMPARE(lengths.size(), std::size_t{4});
        std::ranges::sort(lengths);
        const double middle = (lengths[1] + lengths[2]) / 2;
        QCOMPARE(line["got_iteration_ms"].toDouble(), middle);
        QCOMPARE(line["iterations"].toInt(), 4);
        const double predicted = line["predicted_iteration_ms"].toDouble();
        QVERIFY(std::abs(line["error"].toDouble() - (predicted / middle - 1)) < 1e-9);
        bool listed = false;
        for (const QJsonValue& each : reported["candidates"].toArray())
            listed = listed || (each["change"].toString() == "m = 12" &&
                                each["predicted_iteration_ms"].toDouble() == predicted);
        QVERIFY2(listed, qPrintable(QJsonDocument(reported).toJson()));
        QVERIFY(bscopeRun(arguments).out.contains("Median absolute error of 1: "));
        const Outcome wrong =
            bscopeRun({"advise", "--from", run_, "--outcome", record("model.bscope", {"--hidden", "32"})});
        QVERIFY2(wrong.code == 1 && wrong.errors.contains("another model"), qPrintable(wrong.errors));
        QCOMPARE(bscopeRun({"advise", "--outcome", other}).code, 2);
    }

    void candidatesAreSorted() {
        const Outcome outcome = bscopeRun({"advise", "--from", run_, "--json", "--memory-cap-mb", "1000"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        QCOMPARE(outcome.json().size(), 1);
        const QJsonObject reported = outcome.json().front();
        for (const char* key : {"slow_rank", "slow_stage", "slow_link", "odd_microbatch", "causes_ms",
                                "iteration_ms", "predicted_iteration_ms", "provenance"})
            QVERIFY2(reported.contains(key), key);
        double sum = 0;
        for (const QJsonValue& cause : reported["causes_ms"].toObject()) sum += cause.toDouble();
        QVERIFY(std::abs(sum - reported["idle_ms"].toDouble()) < 1e-6);
        const QJsonArray candidates = reported["candidates"].toArray();
        QVERIFY(candidates.size() > 20);
        double before = INFINITY;
        bool apart = false;
        bool faster_link = false;
        for (const QJsonValue& value : candidates) {
            const QJsonObject each = value.toObject();
            faster_link = faster_link || each["change"] == "a link twice as fast";
            for (const char* key :
                 {"change", "predicted_iteration_ms", "predicted_gain", "bubble_of_total", "peak_bytes"})
                QVERIFY2(each.contains(key), key);
            if (each["predicted_gain"].isNull()) {
                QVERIFY(!each["excluded"].toString().isEmpty());
                continue;
            }
            // Asynchronous ones train another way and stand behind, in an order of their own.
            if (each["staleness"].toInt() > 0 && !std::exchange(apart, true)) before = 1;
            QVERIFY(each["predicted_gain"].toDouble() <= before);
            before = each["predicted_gain"].toDouble();
            if (each["samples"].toInt() == 12)
                QVERIFY(std::abs(before - (1 - each["predicted_iteration_ms"].toDouble() /
                                                   reported["predicted_iteration_ms"].toDouble())) < 1e-9);
        }
        QVERIFY(faster_link);
    }

    // With the iterations behind it, the same in text; where nothing is slow in most of them, null.
    void theStragglerIsNamed() {
        const QJsonObject reported = bscopeRun({"advise", "--from", slow_, "--json"}).json().front();
        const QJsonObject straggler = reported["straggler"].toObject();
        QCOMPARE(straggler["kind"].toString(), QStringLiteral("rank"));
        QCOMPARE(straggler["index"].toInt(-1), 1);
        QCOMPARE(straggler["of"].toInt(), 5);
        QVERIFY(straggler["iterations"].toInt() > 2 && straggler["iterations"].toInt() <= 5);
        const double factor = straggler["factor"].toDouble();
        QVERIFY2(factor > 2 && factor < 4, qPrintable(QString::number(factor)));
        const QJsonObject sides = bscopeRun({"compare", run_, slow_, "--json"}).json().front();
        QVERIFY(sides["b"].toObject()["straggler"].toObject() == straggler);
        QVERIFY(sides["a"].toObject().contains("straggler"));
        QVERIFY(bscopeRun({"compare", run_, slow_})
                    .out.contains(
                        QStringLiteral("rank 1 is slow in %1 of the last 5 iterations, %2 times as long")
                            .arg(straggler["iterations"].toInt())
                            .arg(factor, 0, 'f', 2)
                            .toUtf8()));
    }

    void theSlowRankIsNamed() {
        const Outcome outcome = bscopeRun({"advise", "--from", slow_, "--json"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        QCOMPARE(outcome.json().front()["slow_rank"].toInt(-1), 1);
        QVERIFY(outcome.json().front()["candidates"].toArray().first()["change"].toString().contains(
            "rank 1 as fast as the others"));
        const Outcome text = bscopeRun({"advise", "--from", slow_});
        QVERIFY2(text.out.contains("rank 1 takes ") && text.out.contains(" times as long as the others"),
                 text.out);
    }

    // The same as if GPUs had run it and rank 1 had lost its time between kernels, or a little of it.
    void launchGapsOfASlowRankAreReported() {
        const auto withGaps = [&](const char* name, double of_busy) {
            const QString file = folder_.path() + "/" + name;
            RecordingWriter writer(file.toStdString(), [](const Sentence&) { QFAIL("not written"); });
            RecordingReader(slow_.toStdString()).readAll([&](wire::Message message) {
                if (message.has_iteration_report()) {
                    message.mutable_iteration_report()->set_timing_source(wire::CUPTI);
                    wire::RankReport& rank = *message.mutable_iteration_report()->mutable_ranks(1);
                    rank.set_launch_gap_ms(of_busy * rank.busy_ms());
                }
                writer.write(encode(message));
            });
            writer.close();
            return file;
        };
        const QString late = withGaps("late.bscope", 0.6), slow = withGaps("slower.bscope", 0.05);
        const QJsonObject reported = bscopeRun({"advise", "--from", late, "--json"}).json().front();
        QCOMPARE(reported["slow_rank"].toInt(-1), 1);
        QVERIFY(reported["slow_rank_launch_gaps"].toDouble() > 0.75);
        QVERIFY(reported["straggler"]["launch_gaps"].toDouble() > 0.75);
        QCOMPARE(bscopeRun({"advise", "--from", late})
                     .out.count("of its additional time are launch gaps beyond those of the other "
                                "ranks: none of its kernels runs then"),
                 2);  // of the iteration, and of the straggler
        QCOMPARE(bscopeRun({"advise", "--from", slow})
                     .out.count("of its additional time are launch gaps beyond those of the other ranks; "
                                "the rest are its kernels"),
                 2);
        QVERIFY(bscopeRun({"advise", "--from", slow_, "--json"})
                    .json()
                    .front()["slow_rank_launch_gaps"]
                    .isNull());
        QVERIFY(
            !bscopeRun({"advise", "--from", slow_}).out.contains("of its additional time are launch gaps"));
        const QByteArray chinese = bscopeRun({"advise", "--from", late, "--lang", "zh"}).out;
        QVERIFY2(chinese.contains("是超出其他 Rank 的启动间隙：其间该 Rank 没有核函数在运行"), chinese);
    }

    void twoRunsAreCompared() {
        const Outcome outcome = bscopeRun({"compare", run_, slow_, "--json"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        const QJsonObject reported = outcome.json().front(), a = reported["a"].toObject(),
                          b = reported["b"].toObject(), difference = reported["difference"].toObject();
        QCOMPARE(b["slow_rank"].toInt(-1), 1);
        for (const char* key : {"iteration_ms", "bubble_of_total", "idle_ms", "peak_activation_bytes"})
            QVERIFY2(std::abs(b[key].toDouble() - a[key].toDouble() - difference[key].toDouble()) < 1e-6,
                     key);
        for (const QString& cause : a["causes_ms"].toObject().keys())
            QVERIFY(std::abs(b["causes_ms"][cause].toDouble() - a["causes_ms"][cause].toDouble() -
                             difference["causes_ms"][cause].toDouble()) < 1e-6);
        QVERIFY(difference["causes_ms"]["slow_rank"].toDouble() > 0);
        for (const QJsonObject& side : {a, b}) {
            double sum = 0, idle = 0;
            for (const QJsonValue& cause : side["causes_ms"].toObject()) sum += cause.toDouble();
            QCOMPARE(side["ranks"].toArray().size(), 3);
            for (const QJsonValue& rank : side["ranks"].toArray()) {
                idle += rank["idle_ms"].toDouble();
                QVERIFY(std::abs(rank["busy_ms"].toDouble() + rank["idle_ms"].toDouble() -
                                 side["iteration_ms"].toDouble()) < 1e-6);
            }
            QVERIFY(std::abs(sum - side["idle_ms"].toDouble()) < 1e-6);
            QVERIFY(std::abs(idle - side["idle_ms"].toDouble()) < 1e-6);
        }
        const Outcome same = bscopeRun({"compare", run_, run_, "--iterations", "3,3", "--json"});
        QCOMPARE(same.json().front()["difference"].toObject()["iteration_ms"].toDouble(-1), 0.0);
        QCOMPARE(same.json().front()["a"].toObject()["iteration"].toInt(), 2);
        const Outcome text = bscopeRun({"compare", run_, slow_});
        QVERIFY(text.out.contains("slow rank") && text.out.contains("rank 2 idle, ms"));
        QCOMPARE(bscopeRun({"compare", run_}).code, 2);
        QCOMPARE(bscopeRun({"compare", run_, slow_, "--iterations", "1"}).code, 2);
        QCOMPARE(bscopeRun({"compare", run_, folder_.path() + "/none"}).code, 1);
    }

    void theBubbleOfAReplay() {
        const Outcome outcome = bscopeRun({"replay", slow_, "--bubble", "--json", "--iteration", "4"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        const QJsonObject reported = outcome.json().front();
        QCOMPARE(reported["iteration"].toInt(), 3);
        double idle = 0;
        for (const QJsonValue& gap : reported["gaps"].toArray()) {
            idle += gap["length_ms"].toDouble();
            QVERIFY(!gap["words"].toString().isEmpty() && !gap["reasons"].toArray().isEmpty());
        }
        QVERIFY(idle > 0 && std::abs(idle - reported["idle_ms"].toDouble()) < 1e-6);
        double ms = 0;
        for (const QJsonValue& step : reported["waterfall"].toArray()) ms += step["added_ms"].toDouble();
        QVERIFY(std::abs(ms - reported["iteration_ms"].toDouble()) < 1e-6);
        double path = 0;
        const QJsonObject parts = reported["critical_path"].toObject();
        for (const QString& key : parts.keys())
            if (key.endsWith("_ms")) path += parts[key].toDouble();
        QVERIFY(std::abs(path - reported["iteration_ms"].toDouble()) < 1e-6);
        const Outcome text = bscopeRun({"replay", slow_, "--bubble"});
        QVERIFY(text.out.contains("slow rank, rank 1") && text.out.contains("critical path:"));

        const QString table = folder_.path() + "/gaps.csv";
        QCOMPARE(bscopeRun({"export", slow_, "--gaps", table, "--iteration", "4"}).code, 0);
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> rows = file.readAll().trimmed().split('\n');
        QCOMPARE(rows.size(), reported["gaps"].toArray().size() + 1);
        qint64 all = 0;
        for (const QByteArray& row : rows.mid(1)) {
            const QList<QByteArray> cells = row.split(',');
            QCOMPARE(cells.size(), rows.front().split(',').size());
            qint64 sum = 0;
            for (const QByteArray& part : cells.mid(7)) sum += part.toLongLong();
            QCOMPARE(sum, cells[4].toLongLong() - cells[3].toLongLong());
            all += sum;
        }
        QVERIFY(std::abs(static_cast<double>(all) / 1e6 - idle) < 1e-6);
    }

    // One gap with its chain of reasons: the same in text as in JSON, without a hole from its end back.
    void oneGapHasItsChain() {
        const QStringList ask{"replay", slow_, "--bubble", "--iteration", "4"};
        const QJsonArray all = bscopeRun(ask + QStringList{"--json"}).json()[0]["gaps"].toArray();
        const Outcome outcome = bscopeRun(ask + QStringList{"--gap", "2", "--json"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        const QJsonObject second = outcome.json().front();
        QVERIFY(second == all[1].toObject());
        const QString text = bscopeRun(ask + QStringList{"--gap", "2"}).out;
        QVERIFY2(text.contains(second["words"].toString()), qPrintable(text));
        double until = second["start_ms"].toDouble() + second["length_ms"].toDouble();
        for (const QJsonValue& value : second["reasons"].toArray()) {
            const QJsonObject reason = value.toObject();
            QVERIFY(std::abs(reason["end_ms"].toDouble() - until) < 1e-6);
            until = reason["start_ms"].toDouble();
            // In whole nanoseconds: what the difference of two times adds may round the other way.
            const double lasts_ns = std::round((reason["end_ms"].toDouble() - until) * 1e6);
            const QString times =
                QString::number(until, 'f', 3) + QString(" +") + QString::number(lasts_ns / 1e6, 'f', 3);
            QVERIFY2(text.contains(QRegularExpression(reason["action"].toString() + ".* " + times + "\n")),
                     qPrintable(times + "\n" + text));
        }
        QCOMPARE(bscopeRun(ask + QStringList{"--gap", QString::number(all.size() + 1)}).code, 1);
        QCOMPARE(bscopeRun({"replay", slow_, "--gap", "1"}).code, 2);
    }

    // Two halves of an iteration hold what the whole has, and parts of it can be asked for.
    void rangesArePartsOfTheWhole() {
        const QStringList ask{"replay", slow_, "--iteration", "4", "--json"};
        const QJsonObject whole = bscopeRun(ask + QStringList{"--bubble"}).json().front();
        const double end = whole["iteration_ms"].toDouble();
        const auto range = [&](double from, double to, const QStringList& more = {}) {
            return bscopeRun(ask +
                             QStringList{"--range", QString::number(from, 'g', 17) + "," +
                                                        QString::number(to, 'g', 17)} +
                             more)
                .json()
                .front();
        };
        const QJsonObject all = range(0, end), first = range(0, end / 2), second = range(end / 2, end);
        QVERIFY(std::abs(all["bubble_of_total"].toDouble() - whole["bubble_of_total"].toDouble()) < 1e-6);
        for (const QString& cause : whole["causes_ms"].toObject().keys()) {
            QVERIFY(std::abs(all["causes_ms"][cause].toDouble() - whole["causes_ms"][cause].toDouble()) <
                    1e-5);
            QVERIFY(std::abs(first["causes_ms"][cause].toDouble() + second["causes_ms"][cause].toDouble() -
                             whole["causes_ms"][cause].toDouble()) < 1e-4);
        }
        QVERIFY(std::abs(first["idle_ms"].toDouble() + second["idle_ms"].toDouble() -
                         whole["idle_ms"].toDouble()) < 1e-5);
        const QJsonObject report = bscopeRun({"replay", slow_, "--iteration", "4", "--json"}).json().front();
        QVERIFY(std::abs(all["forward_tokens_per_s"].toDouble() / report["tokens_per_s"].toDouble() - 1) <
                1e-6);
        const QJsonObject one = range(0, end, {"--ranks", "1,1", "--kinds", "B"});
        QCOMPARE(one["ranks"].toArray().size(), 1);
        QVERIFY(one["of_kinds"].toObject()["busy_ms"].toDouble() < one["busy_ms"].toDouble());
        QCOMPARE(one["peak_rank"].toInt(-1), 1);
        QCOMPARE(one["ranks"].toArray()[0].toObject()["idle_ms"].toDouble(), one["idle_ms"].toDouble());
        const QString text =
            bscopeRun({"replay", slow_, "--iteration", "4", "--range", "0,1", "--lang", "zh"}).out;
        QVERIFY2(text.contains(QStringLiteral("从其起点算起 0 至 1 ms")), qPrintable(text));
        QCOMPARE(bscopeRun({"replay", slow_, "--range", "0,1", "--ranks", "3"}).code, 1);
        const Outcome wrong = bscopeRun({"replay", slow_, "--range", "2,1", "--kinds", "F,OPT", "--bubble"});
        QCOMPARE(wrong.code, 2);
        for (const char* each : {"--range 2,1", "--kinds OPT", "different lists"})
            QVERIFY2(wrong.errors.contains(each), wrong.errors);
    }

    // The median iteration of a series is the one that advise and replay --bubble take.
    void aSeriesHasItsMedianIteration() {
        const QList<QJsonObject> lines = bscopeRun({"replay", run_, "--series", "--json"}).json();
        QCOMPARE(lines.size(), 6);
        const int median = lines.back()["median_iteration"].toInt(-1);
        QCOMPARE(median, bscopeRun({"replay", run_, "--bubble", "--json"}).json()[0]["iteration"].toInt());
        std::vector<double> lengths;
        for (int i = 0; i < 5; ++i) {
            QCOMPARE(lines[i]["iteration"].toInt(-1), i);
            QVERIFY(lines[i].contains("stands_out") && lines[i].contains("throttles"));
            lengths.push_back(lines[i]["iteration_ms"].toDouble());
        }
        const double of_median = lengths[static_cast<std::size_t>(median)];
        std::ranges::sort(lengths);
        QCOMPARE(of_median, lengths[2]);
        const QString text = bscopeRun({"replay", run_, "--series"}).out;
        QVERIFY2(text.contains(" the median iteration\n") && text.contains("no drift"), qPrintable(text));
        QCOMPARE(bscopeRun({"replay", run_, "--series", "--iteration", "1"}).code, 2);
    }

    void withoutARecordingItRuns() {
        const Outcome outcome =
            bscopeRun(QStringList{"advise", "-p", "2", "-m", "4", "--json"} + tinyModel());
        QVERIFY2(outcome.code == 0, outcome.errors);
        QVERIFY(!outcome.json().front()["candidates"].toArray().isEmpty());
        QCOMPARE(outcome.json().front()["p"].toInt(), 2);
    }

    void whatDoesNotBelongTogetherIsRefused() {
        const Outcome both = bscopeRun({"advise", "--from", run_, "-p", "4"});
        QCOMPARE(both.code, 2);
        QVERIFY(both.errors.contains("--from"));
        QCOMPARE(bscopeRun({"advise", "--iteration", "1"}).code, 2);
        QCOMPARE(bscopeRun({"advise", "--from", run_, "--iteration", "99"}).code, 1);
        QCOMPARE(bscopeRun({"advise", "--from", folder_.path() + "/none"}).code, 1);
    }
};

BUBBLESCOPE_TEST(TestAdvise)

}  // namespace tst_advise

#include "tst_advise.moc"
