// `bscope collect` as a process: what probes send becomes the files that they write themselves, and a sender
// without the token, or of what no probe sends, gets a sentence and nothing else.
#include <QElapsedTimer>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <vector>

#include "bscope_process.h"
#include "import_files.h"
#include "imported_runs.h"
#include "raw_socket.h"
#include "registered_test.h"

namespace tst_collect {

using namespace bscope;

namespace {

constexpr int kPatience_ms = 60'000;

std::string helloOf(int rank, int world_size, const std::string& token = kTestToken,
                    const std::string& probe = {}) {
    return R"({"bubblescope_live":1,"token":)" + quoted(token) + R"(,"rank":)" + std::to_string(rank) +
           R"(,"world_size":)" + std::to_string(world_size) +
           (probe.empty() ? std::string() : R"(,"probe":)" + quoted(probe)) + "}\n";
}

std::string contentOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestCollect : public QObject {
    Q_OBJECT

    // A collector, ended with the object.
    struct Collecting {
        QTemporaryDir folder;
        QProcess process;
        int port = 0;
        explicit Collecting(const QStringList& more = {}) {
            process.start(bscopeProgram(),
                          QStringList{"collect", "-o", folder.filePath("x")} + withTestToken() + more);
            QByteArray line;
            QElapsedTimer since;
            for (since.start(); !line.contains('\n') && since.elapsed() < kPatience_ms;) {
                process.waitForReadyRead(1000);
                line += process.readAllStandardOutput();
            }
            port = line.trimmed().split(':').back().toInt();
        }
        ~Collecting() {
            process.kill();
            process.waitForFinished();
        }
        std::filesystem::path file(int rank, const char* of = "x") const {
            return folder.filePath(QStringLiteral("%1/probe_rank_%2.jsonl").arg(of).arg(rank)).toStdString();
        }
        // A probe that is admitted and sends one line.
        void send(RawSocket& socket, const std::string& hello, const std::string& line) {
            socket.connect(port);
            socket.send(hello);
            QCOMPARE(socket.line(), std::string(R"({"ok":true})"));
            socket.send(line);
        }
    };

private slots:
    void whatProbesSendIsWhatTheyWrite() {
        QTemporaryDir written;
        const std::filesystem::path root = written.path().toStdString();
        putProbeFiles(root, playedTimeline("1f1b", {2, 1, 4}));
        Collecting collecting({"--once"});
        std::vector<RawSocket> ranks(2);
        for (int rank = 1; rank >= 0; --rank) {
            RawSocket& socket = ranks[static_cast<std::size_t>(rank)];
            socket.connect(collecting.port);
            socket.send(helloOf(rank, 2));
            QCOMPARE(socket.line(), std::string(R"({"ok":true})"));
        }
        for (int rank = 0; rank < 2; ++rank) {
            const std::string text = contentOf(root / ("probe_rank_" + std::to_string(rank) + ".jsonl"));
            RawSocket& socket = ranks[static_cast<std::size_t>(rank)];
            socket.send(text.substr(0, 100));  // cut within a line
            socket.send(text.substr(100) + R"({"i":1,"op":"F")");
            socket.close();
        }
        QVERIFY(collecting.process.waitForFinished(kPatience_ms));  // every rank has come and gone
        QCOMPARE(collecting.process.exitCode(), 0);
        for (int rank = 0; rank < 2; ++rank)
            QCOMPARE(contentOf(collecting.file(rank)),
                     contentOf(root / ("probe_rank_" + std::to_string(rank) + ".jsonl")));
        QCOMPARE(recognised(imported(collecting.file(0).parent_path())), std::string("1f1b"));
    }

    // What stands in the probe's own files arrives, and a refusal reaches the training.
    void theProbeSendsWhatItWrites() {
        Collecting collecting({"--once"});
        QTemporaryDir own;
        QProcess training;
        training.start(QStringLiteral("python3"),
                       {QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/pytorch/send_live.py"),
                        QString::number(collecting.port), withTestToken().back(), own.path()});
        if (!training.waitForStarted()) QSKIP("no Python here");
        QVERIFY(training.waitForFinished(kPatience_ms));
        const QByteArray reported = training.readAllStandardOutput();
        QVERIFY2(training.exitCode() == 0, training.readAllStandardError().constData());
        QVERIFY2(reported.contains("rank 1 has come already"), reported.constData());
        QVERIFY(collecting.process.waitForFinished(kPatience_ms));
        for (int rank = 0; rank < 2; ++rank) {
            const std::filesystem::path file =
                own.filePath(QStringLiteral("probe_rank_%1.jsonl").arg(rank)).toStdString();
            QVERIFY(!contentOf(file).empty());
            QCOMPARE(contentOf(collecting.file(rank)), contentOf(file));
        }
        // Of so short iterations the first may take as long as one that starts up, and is left out then.
        const ImportedRun run = imported(collecting.file(0).parent_path());
        QCOMPARE(run.reports.size() + (run.start_up ? 1 : 0), std::size_t{3});
    }

    // The collector starts when the training has run for a while, and is sent what there was before.
    void theTrainingDoesNotWaitForIt() {
        QTemporaryDir own;
        Collecting* collecting = nullptr;
        const auto end = qScopeGuard([&collecting] { delete collecting; });
        QProcess training;
        training.start(QStringLiteral("python3"),
                       {QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/pytorch/send_late.py"),
                        withTestToken().back(), own.path()});
        if (!training.waitForStarted()) QSKIP("no Python here");
        const auto said = [&training](const QByteArray& what) {
            QByteArray reported;
            while (!reported.contains(what) && training.waitForReadyRead(kPatience_ms))
                reported += training.readAllStandardOutput();
            return reported;
        };
        const QByteArray alone = said("recorded\n");  // what it warned of, then the port that it tries
        QCOMPARE(alone.count("nothing is sent to 127.0.0.1"), 1);
        const QByteArrayList lines = alone.trimmed().split('\n');
        const QString port = lines[lines.size() - 2];
        collecting = new Collecting({"--once", "--listen", "127.0.0.1:" + port});
        QCOMPARE(QString::number(collecting->port), port);
        training.write("go on\n");
        QVERIFY(training.waitForFinished(kPatience_ms));
        QVERIFY2(training.exitCode() == 0, training.readAllStandardError().constData());
        QVERIFY(collecting->process.waitForFinished(kPatience_ms));
        const std::filesystem::path file = own.filePath("probe_rank_0.jsonl").toStdString();
        QVERIFY(contentOf(file).ends_with("{\"closed\":true}\n"));
        QCOMPARE(contentOf(collecting->file(0)), contentOf(file));
    }

    // A broken line: the probe of the same file receives what is there, and goes on behind it.
    void aProbeComesBack() {
        Collecting collecting;
        RawSocket first, again, other;
        collecting.send(first, helloOf(0, 2, kTestToken, "a"), "{\"bubblescope_probe\":1}\n{\"cut");
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(collecting.file(0)), std::string("{\"bubblescope_probe\":1}\n"),
                                  kPatience_ms);
        again.connect(collecting.port);  // the first connection still looks open
        again.send(helloOf(0, 2, kTestToken, "a"));
        QCOMPARE(again.line(), std::string(R"({"ok":true,"have":24})"));
        QCOMPARE(first.line(), std::string());  // closed
        again.send("{\"i\":0,\"end\":true}\n");
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(collecting.file(0)),
                                  std::string("{\"bubblescope_probe\":1}\n{\"i\":0,\"end\":true}\n"),
                                  kPatience_ms);
        other.connect(collecting.port);
        other.send(helloOf(0, 2, kTestToken, "b"));
        QVERIFY(other.line().find("rank 0 has come already") != std::string::npos);
    }

    // A training that is started anew: its files are new ones, beside those of the first.
    void theNextTrainingHasItsOwnFolder() {
        Collecting collecting;
        const auto line = [](const std::string& of) { return "{\"bubblescope_probe\":\"" + of + "\"}\n"; };
        for (const std::string training : {"first", "second"}) {
            RawSocket ranks[2];
            const char* folder = training == "first" ? "x" : "x-2";
            for (int rank : {0, 1})
                collecting.send(ranks[rank], helloOf(rank, 2, kTestToken, training + std::to_string(rank)),
                                line(training));
            for (int rank : {0, 1})
                QTRY_COMPARE_WITH_TIMEOUT(contentOf(collecting.file(rank, folder)), line(training),
                                          kPatience_ms);
            for (RawSocket& each : ranks) each.close();
            QByteArray reported;
            QTRY_VERIFY_WITH_TIMEOUT(
                (reported += collecting.process.readAllStandardError()).contains("every rank has left"),
                kPatience_ms);
        }
        // Ranks that died before all had come leave room as well; a late one of the training before does not.
        RawSocket third, late, fourth;
        collecting.send(third, helloOf(1, 3, kTestToken, "third"), line("third"));
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(collecting.file(1, "x-3")), line("third"), kPatience_ms);
        third.close();
        late.connect(collecting.port);
        late.send(helloOf(0, 2, kTestToken, "first0"));
        QVERIFY(late.line().find("its training is over") != std::string::npos);
        QByteArray reported;
        QTRY_VERIFY_WITH_TIMEOUT(
            (reported += collecting.process.readAllStandardError()).contains("rank 1 has left"),
            kPatience_ms);
        collecting.send(fourth, helloOf(1, 3, kTestToken, "fourth"), line("fourth"));
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(collecting.file(1, "x-4")), line("fourth"), kPatience_ms);
        QCOMPARE(contentOf(collecting.file(0)), line("first"));
        QVERIFY(collecting.process.state() == QProcess::Running);
    }

    void othersAreRefused_data() {
        QTest::addColumn<QByteArray>("hello");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char* name, const std::string& hello, const char* why) {
            QTest::newRow(name) << QByteArray::fromStdString(hello) << QByteArray(why);
        };
        row("wrong token", helloOf(1, 2, "not the right one"), "its token is wrong");
        row("no token", "{\"bubblescope_live\":1,\"rank\":1,\"world_size\":2}\n", "no probe");
        row("rank that is a path",
            "{\"bubblescope_live\":1,\"token\":\"" + std::string(kTestToken) +
                "\",\"rank\":\"../../x\",\"world_size\":2}\n",
            "no probe");
        row("rank of no run", helloOf(2, 2), "its rank must be 0 to world_size - 1");
        row("world too large", helloOf(1, 1 << 20), "its world_size must be 1 to");
        row("another run", helloOf(1, 3), "a run of 3 ranks");
        row("rank that is here", helloOf(0, 2), "rank 0 has come already");
        row("no JSON", "GET / HTTP/1.1\r\n", "no probe");
        row("no end", std::string(10'000, 'x'), "longer than any");
        row("a line that is none", helloOf(1, 2) + "no JSON\n", "a line is none");
    }
    void othersAreRefused() {
        QFETCH(QByteArray, hello);
        QFETCH(QByteArray, why);
        Collecting collecting;
        RawSocket first, other;
        first.connect(collecting.port);
        first.send(helloOf(0, 2));
        QCOMPARE(first.line(), std::string(R"({"ok":true})"));
        other.connect(collecting.port);
        other.send(hello.toStdString());
        std::string answer = other.line();
        if (answer == R"({"ok":true})") answer = other.line();
        QVERIFY2(answer.find(why.toStdString()) != std::string::npos, answer.c_str());
        QCOMPARE(other.line(), std::string());  // closed
        // The one that was here goes on, and nothing of the other lies anywhere.
        first.send("{\"bubblescope_probe\":1}\n");
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(collecting.file(0)), std::string("{\"bubblescope_probe\":1}\n"),
                                  kPatience_ms);
        QVERIFY(contentOf(collecting.file(1)).empty());
        int files = 0;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(collecting.folder.path().toStdString()))
            files += entry.is_regular_file() ? 1 : 0;
        QVERIFY(files <= 2);
    }

    void endsOnRequest() {
        Collecting collecting;
        RawSocket socket;
        socket.connect(collecting.port);
        socket.send(helloOf(0, 2) + "{\"bubblescope_probe\":1}\n");
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(collecting.file(0)), std::string("{\"bubblescope_probe\":1}\n"),
                                  kPatience_ms);
        collecting.process.terminate();
        QVERIFY(collecting.process.waitForFinished(kPatience_ms));
        QCOMPARE(collecting.process.exitCode(), 0);
        QVERIFY(collecting.process.readAllStandardError().contains("1 of 2 ranks"));
    }

    void theCommandLineIsChecked() {
        QTemporaryDir folder;
        const Outcome nowhere = bscopeRun({"collect"});
        QCOMPARE(nowhere.code, 2);
        QVERIFY(nowhere.errors.contains("-o FOLDER"));
        const Outcome open = bscopeRun({"collect", "-o", folder.path(), "--listen", "0.0.0.0:0"});
        QCOMPARE(open.code, 2);
        QVERIFY(open.errors.contains("--token-file"));
        put(folder.filePath("probe_rank_0.jsonl").toStdString(), "x");
        const Outcome used = bscopeRun({"collect", "-o", folder.path()});
        QCOMPARE(used.code, 2);
        QVERIFY(used.errors.contains("holds files of a probe already"));
    }
};

BUBBLESCOPE_TEST(TestCollect)

}  // namespace tst_collect

#include "tst_collect.moc"
