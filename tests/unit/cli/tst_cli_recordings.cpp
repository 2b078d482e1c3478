// Recordings by the command line: made by run and import, replayed, exported; the real program.
#include <QJsonArray>
#include <QTest>
#include <iostream>
#include <sstream>

#include "bscope_process.h"
#include "cli/input/analysed_run.h"
#include "export/perfetto.pb.h"
#include "registered_test.h"
#include "wire/convert.h"
#include "wire/frame.h"
#include "wire/recording.h"

namespace tst_cli_recordings {

using namespace bscope;

class TestCliRecordings : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString file(const char* name) const { return folder_.path() + "/" + name; }

private slots:
    // Several files are one run; what is kept of it is a recording like any other.
    void importKeepsARecording() {
        QTemporaryDir folder;
        const QString runs = QStringLiteral(BUBBLESCOPE_SOURCE_DIR
                                            "/tests/data/real-runs/kineto-interleaved-p2-v2-m4"),
                      recording = folder.filePath("run.bscope"), chrome = folder.filePath("run.json");
        const auto imported =
            bscopeRun({"import", runs + "/rank0_trace.json.gz", runs + "/rank1_trace.json.gz", "-o",
                       recording, "--json", "--progress"});
        QVERIFY2(imported.code == 0, imported.errors);
        QVERIFY(imported.errors.contains(R"({"progress":{"done":100,"of":100}})"));
        const QJsonObject reported = imported.json().front();
        QCOMPARE(reported["schedule"].toString(), "interleaved");
        QCOMPARE(reported["inferred"].toBool(true), false);
        const auto replayed = bscopeRun({"replay", recording, "--json"});
        QVERIFY2(replayed.code == 0, replayed.errors);
        const auto lines = replayed.json();
        QCOMPARE(static_cast<int>(lines.size()), 3);
        for (int at = 0; at < 3; ++at) {
            QCOMPARE(lines[at]["provenance"].toString(), "IMPORTED");
            QCOMPARE(lines[at], reported["rows"].toArray()[at].toObject());
        }
        QCOMPARE(bscopeRun({"export", recording, "--chrome", chrome, "--iteration", "3"}).code, 0);
        const auto again = bscopeRun({"import", chrome, "--json"});
        QVERIFY2(again.code == 0, again.errors);
        QCOMPARE(again.json().front()["rows"].toArray()[0].toObject()["bubble_of_total"],
                 lines[1]["bubble_of_total"]);
        const auto refused = bscopeRun({"import", runs, "--stages", "0:1,1:0"});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.errors.contains("names its stages itself"), refused.errors);
    }

    // Between its two readings: the file is cut, emptied, replaced by another run, loses its end.
    void aFileThatChangesWhileItIsReadIsRefused() {
        const QString recording = file("changing.bscope"), other = file("other.bscope");
        for (const auto& [made, m] : {std::pair(recording, "4"), std::pair(other, "8")})
            QCOMPARE(bscopeRun(QStringList{"run", "-p", "2", "-m", m, "--iterations", "3", "--record", made} +
                               tinyModel())
                         .code,
                     0);
        const auto bytesOf = [](const QString& name) {
            QFile in(name);
            return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
        };
        const QByteArray whole = bytesOf(recording);
        const auto write = [&](const QByteArray& bytes) {
            QFile out(recording);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(bytes);
        };
        std::ostringstream reported;
        std::streambuf* const usual = std::cerr.rdbuf(reported.rdbuf());
        const auto read = [&](const QByteArray& then) {
            write(whole);
            return cli::readAnalysedRun(recording.toStdString(), 2, Language::English, [&] { write(then); });
        };
        const auto hello = RecordingReader(recording.toStdString()).wholeBytes();
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, read(whole.left(static_cast<qsizetype>(hello))));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, read(whole.left(whole.size() / 8)));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, read(bytesOf(other)));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, read({}));
        reported.str({});
        QCOMPARE(read(whole).report.iteration, 1);
        QCOMPARE(reported.str(), std::string());
        QCOMPARE(read(whole.left(whole.size() - 3)).report.iteration, 1);
        QVERIFY(reported.str().find("was cut in the middle") != std::string::npos);
        std::cerr.rdbuf(usual);
    }

    // A report that was lost, or came twice, in a file that is whole otherwise.
    void reportsThatAreMissingOrCameTwiceAreNamed() {
        const QString recording = file("reports.bscope"), changed = file("changed.bscope");
        QCOMPARE(
            bscopeRun(QStringList{"run", "-p", "2", "-m", "2", "--iterations", "3", "--record", recording} +
                      tinyModel())
                .code,
            0);
        const auto copyWith = [&](std::size_t times) {
            RecordingWriter writer(changed.toStdString(), [](const Sentence&) {});
            RecordingReader reader(recording.toStdString());
            while (const auto message = reader.next()) {
                const bool of_middle =
                    message->has_iteration_report() && message->iteration_report().iteration() == 1;
                for (std::size_t i = 0; i < (of_middle ? times : 1); ++i)
                    writer.write(framed(message->SerializeAsString()));
            }
        };
        copyWith(0);
        const auto lost = bscopeRun({"replay", changed, "--json"});
        QCOMPARE(static_cast<int>(lost.json().size()), 2);
        QVERIFY2(lost.errors.contains("The reports of these iterations are not in the file"), lost.errors);
        const auto checked = bscopeRun({"check", changed, "--json"});
        QCOMPARE(static_cast<int>(checked.json().front()["missing"].toArray().size()), 1);
        copyWith(2);
        const auto twice = bscopeRun({"replay", changed, "--json"});
        QCOMPARE(static_cast<int>(twice.json().size()), 3);
        QVERIFY2(twice.errors.contains("reported more than once: 2"), twice.errors);
        QCOMPARE(bscopeRun({"check", changed}).code, 1);
    }

    // Events behind their report are not used; an iteration without its events is not proved by its report.
    void whatProvesNoReportIsNamed() {
        const QString recording = file("proofs.bscope"), changed = file("unproved.bscope");
        QCOMPARE(
            bscopeRun(QStringList{"run", "-p", "2", "-m", "2", "--iterations", "3", "--record", recording} +
                      tinyModel())
                .code,
            0);
        QCOMPARE(bscopeRun({"check", recording}).code, 0);
        std::vector<wire::Message> messages;
        RecordingReader(recording.toStdString()).readAll([&](const wire::Message& message) {
            messages.push_back(message);
        });
        const auto isOfLast = [](const wire::Message& message) {
            return message.has_events() && message.events().iteration(0) == 2;
        };
        const auto write = [&](const std::vector<wire::Message>& all) {
            RecordingWriter writer(changed.toStdString(), [](const Sentence&) {});
            for (const wire::Message& message : all) writer.write(encode(message));
        };
        const QByteArray bubble = bscopeRun({"replay", recording, "--bubble", "--json"}).out;
        std::vector<wire::Message> late = messages;
        late.push_back(*std::ranges::find_if(messages, isOfLast));
        write(late);
        const auto replayed = bscopeRun({"replay", changed, "--bubble", "--json"});
        QVERIFY2(replayed.errors.contains("come after their reports and are left out: 3"), replayed.errors);
        QCOMPARE(replayed.out, bubble);
        const auto found = bscopeRun({"check", changed});
        QCOMPARE(found.code, 1);
        QVERIFY2(found.out.contains("events or memory points come after its report"), found.out);

        std::vector<wire::Message> without = messages;
        std::erase_if(without, isOfLast);
        without.back().mutable_iteration_report()->set_bubble_of_total(0.02);
        write(without);
        const auto unproved = bscopeRun({"check", changed});
        QCOMPARE(unproved.code, 1);
        QVERIFY2(unproved.out.contains("operations of theirs are missing: 3."), unproved.out);
    }

    // Of a file without checksums every command that opens it says so, once.
    void filesWithoutChecksumsAreNamed() {
        const QString recording = file("checked.bscope"), old = file("version1.bscope");
        QCOMPARE(
            bscopeRun(QStringList{"run", "-p", "2", "-m", "2", "--iterations", "3", "--record", recording} +
                      tinyModel())
                .code,
            0);
        QFile out(old);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QByteArray::fromStdString(recordingHeader(Framing::Unchecked)));
        RecordingReader(recording.toStdString()).readAll([&](const wire::Message& message) {
            out.write(QByteArray::fromStdString(encode(message, Framing::Unchecked)));
        });
        out.close();
        for (const QStringList& command : {QStringList{"replay", old},
                                           {"replay", old, "--bubble"},
                                           {"replay", old, "--series"},
                                           {"compare", old, recording},
                                           {"advise", "--from", old},
                                           {"export", old, "--markdown", "-"},
                                           {"export", old, "--csv", file("old.csv")},
                                           {"cards", "--from", old},
                                           {"import", old},
                                           {"schedule", "1f1b", "-p", "2", "-m", "2", "--costs-from", old},
                                           {"check", old}}) {
            const auto said = bscopeRun(command);
            QVERIFY2(said.code == 0, said.errors);
            const bool is_result = command.front() == "check" || command.front() == "import";
            QVERIFY2((is_result ? said.out : said.errors).count("version 1, without checksums") == 1,
                     qPrintable(command.join(' ') + ": " + said.out + said.errors));
        }
        QVERIFY(!bscopeRun({"replay", recording}).errors.contains("version 1"));
    }

    // No line would be taken for success.
    void ofNoWholeIterationThereIsNoJson() {
        const QString recording = file("empty.bscope");
        {
            RecordingWriter writer(recording.toStdString(), [](const Sentence&) {});
        }
        for (const QStringList& words :
             {QStringList{"replay", recording}, QStringList{"replay", recording, "--json"},
              QStringList{"replay", recording, "--series", "--json"},
              QStringList{"replay", recording, "--bubble", "--json"},
              QStringList{"replay", recording, "--iteration", "2", "--json"}}) {
            const auto ran = bscopeRun(words);
            QCOMPARE(ran.code, 1);
            QVERIFY(ran.out.isEmpty());
            QCOMPARE(ran.errors, "bscope replay: the recording holds no complete iteration\n");
        }
        const auto notes = bscopeRun({"replay", recording, "--notes", "--json"});
        QCOMPARE(notes.code, 1);
        QCOMPARE(notes.errors, "bscope replay: there are no notes\n");
    }

    void recordReplayExport() {
        const QString recording = file("run.bscope");
        const auto ran =
            bscopeRun(QStringList{"run", "-p", "2", "--iterations", "3", "--json", "--record", recording} +
                      tinyModel());
        QVERIFY2(ran.code == 0, ran.errors);
        const auto replayed = bscopeRun({"replay", recording, "--json"});
        QCOMPARE(replayed.out, ran.out);
        const auto picture = bscopeRun({"replay", recording, "--iteration", "1"});
        QCOMPARE(picture.code, 0);
        QVERIFY(picture.out.contains("iteration 1"));
        QVERIFY(picture.out.contains("rank 1 "));

        QVERIFY(bscopeRun({"replay", recording}).out.contains("iteration 3"));

        const auto exported = bscopeRun({"export", recording, "--chrome", file("run.json"), "--csv",
                                         file("run.csv"), "--perfetto", file("run.pftrace")});
        QVERIFY2(exported.code == 0, exported.errors);
        QFile chrome(file("run.json"));
        QVERIFY(chrome.open(QIODevice::ReadOnly));
        const auto trace = QJsonDocument::fromJson(chrome.readAll()).object();
        QVERIFY(trace["traceEvents"].toArray().size() > 3 * 2 * 8 * 2);
        QFile csv(file("run.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const auto rows = csv.readAll().split('\n');
        QVERIFY(rows[0].startsWith("provenance,iteration,rank,op,stage,microbatch,start_ns"));
        // Header, and for 3 iterations: F and B of 8 micro-batches on 2 ranks, 8 + 8 receives, 2 optimizer
        // steps.
        QCOMPARE(rows.size() - 1, 1 + 3 * (2 * 2 * 8 + 16 + 2));
        // "-" is standard output for every format, and nothing else is written there.
        for (const auto& [option, written] :
             {std::pair("--csv", "run.csv"), {"--chrome", "run.json"}, {"--perfetto", "run.pftrace"}}) {
            const auto printed = bscopeRun({"export", recording, option, "-"});
            QVERIFY2(printed.code == 0, printed.errors);
            QFile same(file(written));
            QVERIFY(same.open(QIODevice::ReadOnly));
            QVERIFY2(printed.out == same.readAll(), option);
        }
        for (const char* option : {"--html", "--gaps", "--markdown", "--ascii", "--tikz"}) {
            const auto printed = bscopeRun({"export", recording, option, "-"});
            QVERIFY2(printed.code == 0 && printed.out.size() > 100, printed.errors);
        }
        QVERIFY(!QFile::exists("-"));
        const auto both = bscopeRun({"export", recording, "--csv", "-", "--html", "-"});
        QCOMPARE(both.code, 2);
        QVERIFY2(both.errors.contains("give each a file of its own"), both.errors);
        const auto refused = bscopeRun(QStringList{"run", "--record", "-"} + tinyModel());
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.errors.contains("stands for standard output"), refused.errors);
        QFile perfetto_file(file("run.pftrace"));
        QVERIFY(perfetto_file.open(QIODevice::ReadOnly));
        perfetto::Trace packets;
        QVERIFY(packets.ParseFromString(perfetto_file.readAll().toStdString()));
        const auto isBox = [](const perfetto::TracePacket& packet) {
            const auto& of = packet.track_event();
            return of.type() == perfetto::TrackEvent::TYPE_SLICE_BEGIN && !of.name().starts_with("wait ");
        };
        QCOMPARE(std::ranges::count_if(packets.packet(), isBox), rows.size() - 2);

        const auto none = bscopeRun({"replay", recording, "--iteration", "0"});
        QCOMPARE(none.code, 1);
        QVERIFY2(none.errors.contains("has no iteration 0; it has 1 to 3"), none.errors);
        const auto one = bscopeRun({"replay", recording, "--json", "--iteration", "2"}).json();
        QCOMPARE(one.size(), 1);
        QCOMPARE(one[0]["iteration"].toInt(), 1);
        QFile cut(recording);
        QVERIFY(cut.open(QIODevice::ReadWrite) && cut.resize(cut.size() - 10));
        const auto warned = bscopeRun({"replay", recording});
        QCOMPARE(warned.code, 0);
        QVERIFY(warned.errors.contains("cut in the middle"));
    }

    // What a run on GPUs adds, put into the recording of one on the CPU.
    void kernelsOfARecordingAreExported() {
        const QString recording = file("cpu.bscope"), on_gpus = file("gpu.bscope");
        const auto ran =
            bscopeRun(QStringList{"run", "-p", "2", "--iterations", "1", "--json", "--record", recording} +
                      tinyModel());
        QVERIFY2(ran.code == 0, ran.errors);
        {
            RecordingReader reader(recording.toStdString());
            RecordingWriter writer(on_gpus.toStdString(), nullptr);
            std::vector<KernelEvent> kernels;
            while (auto message = reader.next()) {
                if (message->has_events())
                    for (const Event& event : fromWire(message->events()))
                        if (event.rank == 0 && event.op == Op::Forward)
                            kernels.push_back({event.start_ns, event.end_ns, 0, 0, event.stage,
                                               event.microbatch, 0, event.op, KernelEvent::Kind::Kernel,
                                               "gemm"});
                if (message->has_iteration_report()) {
                    wire::Message batch;
                    *batch.mutable_kernels() = toWire(0, kernels, 0);
                    writer.write(encode(batch));
                    message->mutable_iteration_report()->set_timing("CUPTI");
                    message->mutable_iteration_report()->set_tracing_cost(0.01);
                    message->mutable_iteration_report()->mutable_ranks(0)->set_driver_bytes(7'000'000);
                    // As streams were before it was sent.
                    message->mutable_iteration_report()->mutable_ranks(1)->clear_reserved_activation_bytes();
                }
                writer.write(encode(*message));
            }
        }
        const auto exported =
            bscopeRun({"export", on_gpus, "--chrome", file("gpu.json"), "--csv", file("gpu.csv")});
        QVERIFY2(exported.code == 0, exported.errors);
        QFile chrome(file("gpu.json")), csv(file("gpu.csv"));
        QVERIFY(chrome.open(QIODevice::ReadOnly) && csv.open(QIODevice::ReadOnly));
        QCOMPARE(chrome.readAll().count("\"cat\":\"kernel\""), 8);
        QCOMPARE(csv.readAll().split('\n').size() - 1, 1 + 2 * 2 * 8 + 16 + 2);
        const auto lines = bscopeRun({"replay", on_gpus, "--json"}).json();
        QCOMPARE(lines[0]["timing"].toString(), QString("CUPTI"));
        QCOMPARE(lines[0]["tracing_cost"].toDouble(), 0.01);
        QCOMPARE(lines[0]["ranks"][0]["driver_bytes"].toInt(), 7'000'000);
        QVERIFY(lines[0]["ranks"].toArray()[1].toObject().contains("launch_gap_ms"));
        QVERIFY(!lines[0]["ranks"].toArray()[1].toObject().contains("driver_bytes"));
        QVERIFY(lines[0]["ranks"][0]["reserved_activation_bytes"].toInt() >=
                lines[0]["ranks"][0]["peak_activation_bytes"].toInt());
        QVERIFY(!lines[0]["ranks"].toArray()[1].toObject().contains("reserved_activation_bytes"));
        const auto reported = bscopeRun({"replay", on_gpus});
        QVERIFY(reported.out.contains(" · CUPTI]"));
        QVERIFY(reported.out.contains("tracing costs 1.0 %"));
    }
};

BUBBLESCOPE_TEST(TestCliRecordings)

}  // namespace tst_cli_recordings

#include "tst_cli_recordings.moc"
