// The command line as scripts use it: the real program, its output word by word where scripts depend on it.
#include <QJsonArray>
#include <QRegularExpression>
#include <QTest>
#include <csignal>

#include "bscope_process.h"
#include "raw_viewer.h"
#include "registered_test.h"
#include "wire/convert.h"
#include "wire/recording.h"

namespace tst_cli {

using namespace bscope;

namespace {

const QStringList kReportKeys = {"iteration",
                                 "schedule",
                                 "p",
                                 "m",
                                 "v",
                                 "recompute",
                                 "checkpoint_every",
                                 "device",
                                 "provenance",
                                 "iteration_ms",
                                 "span_ms",
                                 "host_ms",
                                 "optimizer_ms",
                                 "bubble_of_total",
                                 "bubble_of_ideal",
                                 "predicted_bubble_of_total",
                                 "theory_bubble_of_total",
                                 "tokens_per_s",
                                 "loss",
                                 "grad_norm",
                                 "disturbed",
                                 "held_share",
                                 "throttles",
                                 "dropped_events",
                                 "matrix_products",
                                 "ranks"};
const QStringList kRankKeys = {"rank",           "busy_ms",         "wait_ms",
                               "transfer_ms",    "bubble_of_total", "peak_activation_bytes",
                               "peak_in_flight", "weight_bytes",    "reserved_activation_bytes",
                               "throttles"};

QStringList sorted(QStringList list) {
    list.sort();
    return list;
}

// Reads the one line a server prints.
int portOf(QProcess& server) {
    while (!server.canReadLine())
        if (!server.waitForReadyRead(20000)) return 0;
    const QString line = QString::fromUtf8(server.readLine()).trimmed();
    return line.startsWith("listening on 127.0.0.1:") ? line.section(':', -1).toInt() : 0;
}

}  // namespace

class TestCli : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString file(const char* name) const { return folder_.path() + "/" + name; }

private slots:
    void runPrintsJsonLinesOnly() {
        const auto outcome =
            bscopeRun(QStringList{"run", "-p", "2", "-m", "4", "--iterations", "3", "--json"} + tinyModel());
        QVERIFY2(outcome.code == 0, outcome.errors);
        QCOMPARE(outcome.out.count('\n'), 3);
        const auto lines = outcome.json();
        for (int i = 0; i < 3; ++i) {
            const QJsonObject line = lines[i];
            QCOMPARE(line.keys(), sorted(kReportKeys));
            QCOMPARE(line["iteration"].toInt(-1), i);
            QCOMPARE(line["schedule"].toString(), "1f1b");
            QCOMPARE(line["recompute"].toString(), "none");
            QVERIFY(QStringList({"MEASURED", "RECONSTRUCTED"}).contains(line["provenance"].toString()));
            for (const char* number :
                 {"iteration_ms", "span_ms", "host_ms", "tokens_per_s", "loss", "grad_norm"})
                QVERIFY2(line[QLatin1String(number)].toDouble() > 0, number);
            const double bubble = line["bubble_of_total"].toDouble();
            QVERIFY(std::abs(line["bubble_of_ideal"].toDouble() - bubble / (1 - bubble)) < 1e-6);
            QCOMPARE(line["theory_bubble_of_total"].toDouble(), 0.2);
            QVERIFY(line["disturbed"].isBool());
            const auto ranks = line["ranks"].toArray();
            QCOMPARE(ranks.size(), 2);
            double busy_ms = 0;
            for (const auto& rank : ranks) {
                QCOMPARE(rank.toObject().keys(), sorted(kRankKeys));
                busy_ms += rank.toObject()["busy_ms"].toDouble();
            }
            // The definition, from the other numbers.
            QVERIFY(std::abs(bubble - (1 - busy_ms / (2 * line["iteration_ms"].toDouble()))) < 1e-6);
        }
        QVERIFY(outcome.errors.contains("done 3/3") && !outcome.errors.contains("iteration 3"));
    }

    void keysComeInTheirDocumentedOrder() {
        const auto outcome =
            bscopeRun(QStringList{"run", "-p", "2", "--iterations", "1", "--json"} + tinyModel());
        qsizetype before = -1;
        for (const auto& key : kReportKeys) {
            const auto at = outcome.out.indexOf(("\"" + key + "\":").toUtf8());
            QVERIFY2(at > before, qPrintable(key));
            before = at;
        }
    }

    void sameSeedSameLoss() {
        const QStringList arguments =
            QStringList{"run", "--iterations", "3", "--json", "--seed", "9"} + tinyModel();
        const auto one = bscopeRun(arguments + QStringList{"-p", "1"}).json();
        const auto four = bscopeRun(arguments + QStringList{"-p", "4", "--schedule", "gpipe"}).json();
        QCOMPARE(one.size(), 3);
        for (int i = 0; i < 3; ++i) QCOMPARE(one[i]["loss"].toDouble(), four[i]["loss"].toDouble());
    }

    // v as the schedule usually has it; p, v and m as the file has them.
    void aNamedScheduleBringsItsShape() {
        const QStringList once = QStringList{"run", "--iterations", "1", "--json"} + tinyModel();
        const auto zb_v = bscopeRun(once + QStringList{"--schedule", "zb-v", "-p", "2", "-m", "4"}).json();
        QCOMPARE(zb_v.value(0)["v"].toInt(), 2);
        QFile orders(file("mine.csv"));
        QVERIFY(orders.open(QIODevice::WriteOnly));
        orders.write("0F0,0F1,0F2,0B0,0B1,0B2\r\n1F0,1B0,1F1,1B1,1F2,1B2\r\n");
        orders.close();
        const auto mine = bscopeRun(once + QStringList{"--schedule", "file:" + orders.fileName()}).json();
        QCOMPARE(mine.value(0)["p"].toInt(), 2);
        QCOMPARE(mine.value(0)["m"].toInt(), 3);
        QCOMPARE(bscopeRun(once + QStringList{"--schedule", "file:" + orders.fileName(), "-p", "4"}).code, 2);
    }

    void runPrintsTableAndPicture() {
        const auto outcome = bscopeRun(
            QStringList{"run", "-p", "4", "-m", "4", "--iterations", "2", "--clock", "reconstructed"} +
            tinyModel());
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.out.contains("RECONSTRUCTED"));
        QVERIFY(outcome.out.contains("of total = 1 - compute / (p * iteration)"));
        QVERIFY(outcome.out.contains("(p-1)/(m+p-1)"));
        QVERIFY(outcome.out.contains("rank 3 "));
        static const QRegularExpression two_digits(QStringLiteral(" 0\\.\\d\\d+ MB"));  // of each rank's peak
        QVERIFY2(two_digits.match(QString::fromUtf8(outcome.out)).hasMatch(), outcome.out);
        QVERIFY(!outcome.out.contains('\x1b'));
    }

    void configFileThenOptions() {
        QFile config(file("config.json"));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(R"({"schedule": "gpipe", "p": 2, "m": 6, "micro_batch": 1,
                         "model": {"layers": 4, "hidden": 32, "heads": 2, "sequence": 16}})");
        config.close();
        const auto outcome =
            bscopeRun({"run", "-m", "3", "--config", config.fileName(), "--iterations", "1", "--json"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        const auto line = outcome.json().value(0);
        QCOMPARE(line["schedule"].toString(), "gpipe");
        QCOMPARE(line["p"].toInt(), 2);
        QCOMPARE(line["m"].toInt(), 3);
    }

    void scenarioGivesConfigurationAndIterations() {
        QFile scenario(file("pair.json"));
        QVERIFY(scenario.open(QIODevice::WriteOnly));
        scenario.write(R"({"id": "pair", "iterations": 2, "config": {"p": 2, "m": 2, "micro_batch": 1,
                           "model": {"layers": 2, "hidden": 32, "heads": 2, "sequence": 16}}})");
        scenario.close();
        const auto outcome = bscopeRun({"run", "--scenario", scenario.fileName(), "--json"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        QCOMPARE(outcome.json().size(), 2);
        QCOMPARE(outcome.json()[0]["p"].toInt(), 2);
    }

    void savedStateGoesOn() {
        const QStringList arguments = QStringList{"run", "-p", "2", "--json"} + tinyModel();
        const auto whole = bscopeRun(arguments + QStringList{"--iterations", "4"}).json();
        QCOMPARE(
            bscopeRun(arguments + QStringList{"--iterations", "2", "--save", file("s.safetensors")}).code, 0);
        const auto rest =
            bscopeRun(arguments + QStringList{"--iterations", "2", "--load", file("s.safetensors")}).json();
        QCOMPARE(rest.size(), 2);
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(rest[i]["iteration"].toInt(), i + 2);
            QCOMPARE(rest[i]["loss"].toDouble(), whole[i + 2]["loss"].toDouble());
        }
        QCOMPARE(bscopeRun(arguments + QStringList{"--load", file("none.safetensors")}).code, 1);
    }

    void dumpWritesItsFiles() {
        const auto outcome = bscopeRun(
            QStringList{"run", "-p", "2", "--iterations", "2", "--dump", file("dump")} + tinyModel());
        QVERIFY2(outcome.code == 0, outcome.errors);
        for (const char* name : {"config.json", "initial.safetensors", "batch.safetensors",
                                 "gradients.safetensors", "final.safetensors"})
            QVERIFY2(QFile::exists(file("dump") + "/" + name), name);
        const auto again =
            bscopeRun({"run", "--config", file("dump") + "/config.json", "--iterations", "1", "--json"});
        QVERIFY2(again.code == 0, again.errors);
        QCOMPARE(again.json()[0]["p"].toInt(), 2);
    }

    void idleStretchesOfAPlanHaveReasons() {
        const QStringList plan = {"schedule", "1f1b", "-p", "4", "-m", "6", "--costs", "F=2,I=2,W=1,C=0.5"};
        const QJsonObject json =
            QJsonDocument::fromJson(bscopeRun(plan + QStringList{"--json", "--gaps", "1"}).out).object();
        double idle = 0, longest = 1e9, shares = 0;
        for (const QJsonValue each : json["gaps"].toArray()) {
            const QJsonObject gap = each.toObject();
            const double length = gap["length"].toDouble();
            QVERIFY(length > 0 && length <= longest);
            longest = length;
            idle += length;
            shares += gap["share_of_idle"].toDouble();
            double parts = 0;
            for (const QJsonValue part : gap["causes"].toObject()) parts += part.toDouble();
            QVERIFY(std::abs(parts - length) < 1e-9);
            QVERIFY(gap["causes"].toObject().contains(gap["cause"].toString()));
        }
        const double all = 4 * json["makespan"].toDouble() * json["bubble_of_total"].toDouble();
        QVERIFY(idle > 0 && std::abs(idle - all) < 1e-6);
        QVERIFY(std::abs(shares - 1) < 1e-9);

        const QJsonObject first = json["gaps"].toArray().first().toObject();
        const QByteArray words = first["words"].toString().toUtf8();
        QVERIFY2(words.contains(QByteArray::number(first["length"].toDouble()) + " units"), words);
        const QByteArray text = bscopeRun(plan + QStringList{"--gaps", "2"}).out;
        QVERIFY2(text.contains("The longest 2 of ") && text.contains(words), text);
        const QByteArray chinese = bscopeRun(plan + QStringList{"--gaps", "1", "--lang", "zh"}).out;
        QVERIFY2(chinese.contains("个单位"), chinese);
        QCOMPARE(bscopeRun(plan + QStringList{"--gaps", "0"}).code, 2);
        QCOMPARE(bscopeRun(plan + QStringList{"--gaps", "1", "--csv"}).code, 2);
    }

    void scheduleJson() {
        const auto outcome = bscopeRun({"schedule", "1f1b", "-p", "4", "-m", "8", "--json"});
        const auto json = outcome.json().value(0);
        QCOMPARE(json.keys(),
                 sorted({"schedule", "p", "v", "m", "placement", "makespan", "span", "bubble_of_total",
                         "bubble_of_ideal", "peak_in_flight", "peak_in_flight_dgrad", "orders"}));
        QCOMPARE(json["makespan"].toDouble(), 33.0);
        const auto replicated = bscopeRun({"schedule", "1f1b", "-p", "2", "-m", "4", "-d", "2", "--json"});
        QCOMPARE(replicated.json().value(0)["d"].toInt(), 2);
        QVERIFY(std::abs(json["bubble_of_total"].toDouble() - 3.0 / 11) < 1e-9);
        QCOMPARE(json["peak_in_flight"].toArray(), QJsonArray({4, 3, 2, 1}));
        QCOMPARE(json["orders"][0][0].toString(), "0F0");
        const auto slow = bscopeRun(
            {"schedule", "1f1b", "-p", "4", "-m", "8", "--json", "--costs", "F=1,I=1.2,W=0.8,C=0.1"});
        QVERIFY(std::abs(slow.json()[0]["makespan"].toDouble() - 34.6) < 1e-9);
    }

    void scheduleCsvAndGridAndList() {
        const auto csv = bscopeRun({"schedule", "gpipe", "-p", "2", "-m", "2", "--csv"});
        QCOMPARE(csv.out, QByteArray("0F0,0F1,0B0,0B1\r\n1F0,1F1,1B0,1B1\r\n"));
        QVERIFY(
            bscopeRun({"schedule", "gpipe", "-p", "2", "-m", "2", "--csv-comms"}).out.contains("0SEND_F0"));
        const auto grid = bscopeRun({"schedule", "gpipe", "-p", "2", "-m", "2", "--grid"}).out;
        QVERIFY(grid.contains("rank 1") && grid.contains("PREDICTED") && grid.contains("of ideal"));
        const auto list = bscopeRun({"schedule", "--list"}).out;
        for (const char* name : {"naive", "gpipe", "gpipe-lifo", "1f1b", "interleaved", "forward-only"})
            QVERIFY2(list.contains(name), name);
    }

    // Its activations go with the end of F: the same in JSON, in the grid, of a file and in a run.
    void forwardOnlyHasOneChunkInFlight() {
        for (const char* v : {"1", "4"}) {
            const QStringList sizes{"-p", "3", "-m", "6", "-v", v};
            const auto json = bscopeRun(QStringList{"schedule", "forward-only", "--json"} + sizes);
            QCOMPARE(json.code, 0);
            for (const char* field : {"peak_in_flight", "peak_in_flight_dgrad"})
                QCOMPARE(json.json()[0][field].toArray(), (QJsonArray{1, 1, 1}));
            const auto grid = bscopeRun(QStringList{"schedule", "forward-only", "--grid"} + sizes);
            QVERIFY2(grid.out.contains("most chunks in flight by rank: 1 1 1\n"), grid.out);
            QFile csv(file("forward.csv"));
            QVERIFY(csv.open(QIODevice::WriteOnly));
            csv.write(bscopeRun(QStringList{"schedule", "forward-only", "--csv"} + sizes).out);
            csv.close();
            const auto valid = bscopeRun({"validate", csv.fileName(), "--json"});
            QCOMPARE(valid.json()[0]["peak_in_flight"].toArray(), (QJsonArray{1, 1, 1}));
        }
        const auto ran = bscopeRun(QStringList{"run", "--schedule", "forward-only", "-p", "2", "-m", "4",
                                               "--iterations", "1", "--json"} +
                                   tinyModel());
        for (const QJsonValue rank : ran.json()[0]["ranks"].toArray())
            QCOMPARE(rank["peak_in_flight"].toInt(), 1);
    }

    void writtenSchedulesAreValidated() {
        QFile csv(file("mine.csv"));
        QVERIFY(csv.open(QIODevice::WriteOnly));
        csv.write(bscopeRun({"schedule", "1f1b", "-p", "2", "-m", "4", "--csv"}).out);
        csv.close();
        const auto outcome = bscopeRun({"validate", csv.fileName(), "--json"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        const auto expected = bscopeRun({"schedule", "1f1b", "-p", "2", "-m", "4", "--json"}).json().value(0);
        QCOMPARE(outcome.json()[0]["orders"].toArray(), expected["orders"].toArray());
        QCOMPARE(outcome.json()[0]["makespan"], expected["makespan"]);

        QFile wrong(file("wrong.csv"));
        QVERIFY(wrong.open(QIODevice::WriteOnly));
        wrong.write("0F0,0X0\n1F0,1B0,what\n");
        wrong.close();
        const auto refused = bscopeRun({"validate", wrong.fileName()});
        QCOMPARE(refused.code, 2);
        QVERIFY(refused.errors.contains("row 1, cell 2") && refused.errors.contains("row 2, cell 3"));
    }

    void aStreamTellsItsVersions() {
        const auto outcome = bscopeRun(QStringList{"run", "--schedule", "pipedream", "-p", "3", "-m", "4",
                                                   "--iterations", "3", "--json"} +
                                       tinyModel());
        QCOMPARE(outcome.code, 0);
        for (const auto& line : outcome.json())
            for (const QJsonValue rank : line["ranks"].toArray()) {
                QCOMPARE(rank["weight_versions"].toInt(), 3 - rank["rank"].toInt());
                QCOMPARE(rank["staleness"].toInt(), 2 - rank["rank"].toInt());
            }
    }

    void verifySaysBitwiseEqual() {
        const auto outcome = bscopeRun(
            QStringList{"verify", "--schedule", "all", "-p", "2", "-m", "4", "--json"} + tinyModel());
        QVERIFY2(outcome.code == 0, outcome.errors);
        QVERIFY(outcome.json().size() >= 20);
        for (const auto& line : outcome.json()) {
            const QString name = line["schedule"].toString();
            const bool is_cut = line["segments"].toInt() > 1;  // against the same cut on one device
            QCOMPARE(line[is_cut ? "bitwise_at_segments" : "bitwise_equal"].toBool(),
                     name != "chimera" && name != "dualpipe");
            QCOMPARE(line["delayed_updates"].toBool(), name.startsWith("pipedream"));
            QVERIFY(line["within_tolerance"].toBool() && line["replicas_equal"].toBool());
        }
        QVERIFY(bscopeRun(QStringList{"verify", "-p", "2", "--recompute", "full"} + tinyModel())
                    .out.contains("bitwise equal"));
        QVERIFY(bscopeRun(QStringList{"verify", "-p", "2", "-m", "2", "--lang", "zh"} + tinyModel())
                    .out.contains("逐位相等"));
    }

    // A row a t: against one rank, and bit by bit against one stage of as many shards.
    void verifyOfSeveralShards() {
        const QStringList command = QStringList{"verify", "-p", "2", "-m", "2", "-t", "1,2"} + tinyModel();
        const auto outcome = bscopeRun(command + QStringList{"--sequence-parallel", "--json"});
        QVERIFY2(outcome.code == 0, outcome.errors);
        const QList<QJsonObject> lines = outcome.json();
        QCOMPARE(lines.size(), 2);
        const QJsonObject &whole = lines.front(), &cut = lines.back();
        QVERIFY(whole["bitwise_equal"].toBool() && whole["bitwise_at_t"].isNull());
        QVERIFY(!whole["sequence_parallel"].toBool() && cut["sequence_parallel"].toBool());
        QVERIFY(!cut["bitwise_equal"].toBool() && cut["bitwise_at_t"].toBool());
        QVERIFY(cut["within_tolerance"].toBool());
        const auto words = bscopeRun(command);
        QVERIFY2(words.out.contains("t=2 recompute none: bitwise equal to p = 1 at t = 2; within tolerance"),
                 words.out);
        const auto run = bscopeRun(
            QStringList{"run", "-p", "2", "-m", "2", "-t", "2", "--sequence-parallel", "--iterations", "1"} +
            tinyModel());
        QVERIFY2(run.out.contains("t=2 SP (4 ranks)"), run.out);
        const auto refused = bscopeRun(QStringList{"verify", "-p", "2", "-t", "2,3,5"} + tinyModel());
        QVERIFY(refused.code != 0);
        QVERIFY2(refused.errors.contains("t = 3") && refused.errors.contains("t = 5"), refused.errors);
    }

    void verifyTellsProgramsHowFarItIs() {
        const auto outcome =
            bscopeRun(QStringList{"verify", "-p", "2", "-m", "2", "--json", "--progress"} + tinyModel());
        QCOMPARE(outcome.code, 0);
        QString reports;
        for (int done = 0; done <= 6; ++done)
            reports += QString(R"({"progress":{"done":%1,"of":6}})").arg(done) + '\n';
        QVERIFY2(outcome.errors == reports, outcome.errors);
        QCOMPARE(outcome.json().value(0)["device"].toString(), QString("cpu"));
        const auto refused = bscopeRun(
            QStringList{"verify", "--schedule", "forward-only", "-p", "2", "--progress"} + tinyModel());
        QCOMPARE(refused.code, 1);
        QVERIFY2(QByteArray(refused.errors).startsWith(R"({"refused":{"id":)"), refused.errors);
    }

    void sweepNamesTheBest() {
        const auto outcome = bscopeRun(QStringList{"sweep", "--m", "1,2,4,3", "--fixed-batch", "4", "-p", "2",
                                                   "--iterations", "2", "--json"} +
                                       tinyModel());
        QVERIFY2(outcome.code == 0, outcome.errors);
        const auto json = outcome.json().value(0);
        const auto points = json["points"].toArray();
        QCOMPARE(points.size(), 4);
        QCOMPARE(points[1]["micro_batch"].toInt(), 2);
        QCOMPARE(points[3]["problems"].toArray().size(), 1);
        QVERIFY(json["best_m"].toInt() > 0);
        QVERIFY(!json["why"].toString().isEmpty());
        const auto table =
            bscopeRun(QStringList{"sweep", "--m", "1,2", "-p", "2", "--iterations", "1"} + tinyModel());
        QVERIFY(table.out.contains("<- best") || table.out.contains("<- no difference"));
    }

    void interruptedRunsPrintWhatIsComplete() {
        QProcess process;
        const QString recording = file("cut-short.bscope");
        process.start(bscopeProgram(),
                      QStringList{"run", "--iterations", "100000000", "--record", recording} + tinyModel());
        process.setReadChannel(QProcess::StandardError);
        while (!process.readLine().startsWith("done")) QVERIFY(process.waitForReadyRead(20000));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 128 + SIGINT);
        QVERIFY(process.readAllStandardOutput().contains("bubble"));
        const auto replayed = bscopeRun({"replay", recording});
        QCOMPARE(replayed.code, 0);
        // The iteration that it was at may have begun to be written.
        QVERIFY2(replayed.errors.isEmpty() || replayed.errors.contains("is cut: its end is not in the file"),
                 replayed.errors);
    }

    void serverSpeaksAndEndsCleanly_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("input closed") << 0;
    }

    void serverSpeaksAndEndsCleanly() {
        QFETCH(int, signal);
        QProcess server;
        server.start(bscopeProgram(), QStringList{"serve"} +
                                          (signal == 0 ? QStringList{"--exit-when-alone"} : QStringList{}) +
                                          tinyModel() + withTestToken());
        const int port = portOf(server);
        QVERIFY(port > 0);
        RawViewer viewer(port);
        viewer.attach();
        QVERIFY(viewer.next()->has_hello());
        QVERIFY(viewer.until(wire::Message::kIterationReport).has_value());
        if (signal == 0)
            server.closeWriteChannel();
        else
            ::kill(static_cast<pid_t>(server.processId()), signal);
        QVERIFY(server.waitForFinished(20000));
        QCOMPARE(server.exitStatus(), QProcess::NormalExit);
        QCOMPARE(server.exitCode(), 0);
        QVERIFY(server.readAllStandardOutput().isEmpty());
    }

    void aRecordingTellsOnceWhatWasRunAgain() {
        const QString recording = file("again.bscope"), state = file("again.safetensors");
        QProcess server;
        server.start(bscopeProgram(), QStringList{"serve", "--paused", "-p", "2", "--record", recording} +
                                          tinyModel() + withTestToken());
        RawViewer viewer(portOf(server));
        viewer.attach();
        const auto step = [&] {
            viewer.control(wire::Control::STEP);
            viewer.expect(wire::Message::kIterationReport);
        };
        wire::Message save, load;
        save.mutable_save_state()->set_path(state.toStdString());
        load.mutable_load_state()->set_path(state.toStdString());
        step();
        viewer.send(save);
        for (int i = 0; i < 2; ++i) step();
        viewer.send(load);
        step();
        viewer.control(wire::Control::SHUTDOWN);
        QVERIFY(server.waitForFinished(20000));
        const auto reports = bscopeRun({"replay", recording, "--json"}).json();
        QCOMPARE(reports.size(), 2);
        QCOMPARE(reports[1]["iteration"].toInt(), 1);
        QVERIFY(bscopeRun({"replay", recording}).out.contains("iteration 2, "));
        QCOMPARE(bscopeRun({"export", recording, "--csv", file("again.csv")}).code, 0);
        QFile csv(file("again.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll().count("OPT,"), 2 * 2);  // iterations, ranks
    }

    void aStateThatCannotBeKeptIsReportedWithoutAViewer() {
        const QString kept = file("kept.safetensors");
        QVERIFY(QDir().mkpath(kept + ".part"));  // in the way of what is written first
        QProcess server;
        server.start(bscopeProgram(),
                     QStringList{"serve", "--paused", "-p", "2", "--keep-every", "1", "--keep", kept} +
                         tinyModel() + withTestToken());
        RawViewer viewer(portOf(server));
        viewer.attach();
        for (int i = 0; i < 3; ++i) {
            viewer.control(wire::Control::STEP);
            viewer.expect(wire::Message::kLog);
        }
        viewer.control(wire::Control::SHUTDOWN);
        QVERIFY(server.waitForFinished(20000));
        QCOMPARE(server.readAllStandardError().count("The state could not be saved"), 1);
        QCOMPARE(server.exitCode(), 1);
    }

    void tokenComesFromItsFile() {
        QFile token(file("token.txt"));
        QVERIFY(token.open(QIODevice::WriteOnly));
        token.write("open sesame, please\nsecond line\n");
        token.close();
        QProcess server;
        server.start(bscopeProgram(),
                     QStringList{"serve", "--paused", "--token-file", token.fileName()} + tinyModel());
        const int port = portOf(server);
        QVERIFY(port > 0);
        RawViewer wrong(port);
        wrong.attach();
        QVERIFY(wrong.next()->has_failure());
        RawViewer right(port);
        right.attach("open sesame, please");
        QVERIFY(right.next()->has_hello());
        right.control(wire::Control::SHUTDOWN);
        QVERIFY(server.waitForFinished(20000));
        QCOMPARE(server.exitCode(), 0);
    }
};

BUBBLESCOPE_TEST(TestCli)

}  // namespace tst_cli

#include "tst_cli.moc"
