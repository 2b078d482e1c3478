// What other programs print about a run that stands still: PyTorch's own table of flight recorder dumps, and
// stacks of py-spy.
#include <QTemporaryDir>
#include <QTest>

#include "hang/dump_files.h"
#include "hang/flight_table.h"
#include "hang/hang_report.h"
#include "registered_test.h"
#include "words/sentence_error.h"

namespace tst_hang_tables {

using namespace bscope;

namespace {

// As torchfrtrace -j prints it: rank 1 waits for a message that rank 0 does not send.
const std::string kShort =
    "Rank 0                                                 Rank 1\n"
    "-----------------------------------------------------  ------------------------------------------------------\n"
    "send(s=0 d=1, input_sizes=[[4, 16]], state=completed)  recv(s=0 d=1, input_sizes=[[4, 16]], state=completed)\n"
    "recv(s=1 d=0, input_sizes=[[4, 16]], state=started)    recv(s=0 d=1, input_sizes=[[4, 16]], state=scheduled)\n"
    "                                                       all_reduce(input_sizes=[[8]], state=scheduled)\n";

std::string verbose(const std::string& name, const std::string& ends, long long ts, int sequence,
                    const std::string& state) {
    return name + "(timestamp_created=" + std::to_string(ts) + ", " + ends +
           ", input_sizes=[[4, 16]], output_sizes=[[4, 16]], input_dtypes=['Float'], output_dtypes=['Float'], "
           "collective_seq_id | p2p_seq_id=" +
           std::to_string(sequence) +
           ", pg_name=09000494312501845833, pg_description=default_pg, pg_size=2, stack_id=0, state=" + state + ")";
}

std::string refusalOf(const std::string& text) {
    try {
        readFlightTable(text, "fr.txt");
    } catch (const SentenceError<>& error) {
        return error.what();
    }
    return {};
}

std::string put(const QTemporaryDir& folder, const char* name, const std::string& text) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text.data(), static_cast<qint64>(text.size()));
    return file.fileName().toStdString();
}

}  // namespace

class TestHangTables : public QObject {
    Q_OBJECT

private slots:
    void theShortTableIsRead() {
        QVERIFY(looksLikeFlightTable(kShort));
        QVERIFY(looksLikeFlightTable("WARNING: something\nnot loaded\n" + kShort));
        QVERIFY(!looksLikeFlightTable("Rank 0 of 4 started\n"));
        const auto dumps = readFlightDumps("Loaded 2 files in 0.1 s\n" + kShort, "fr.txt");
        QCOMPARE(dumps.size(), std::size_t{2});
        QCOMPARE(dumps[1].rank, 1);
        QCOMPARE(dumps[0].entries.size(), std::size_t{2});
        QCOMPARE(dumps[1].entries.size(), std::size_t{3});
        const FlightEntry& entry = dumps[0].entries[1];
        QVERIFY(entry.kind == FlightKind::Receive && entry.is_p2p && entry.has_started && !entry.is_done);
        QCOMPARE(entry.peer, 1);
        QCOMPARE(entry.sizes, (std::vector<std::vector<std::int64_t>>{{4, 16}}));
        QVERIFY(dumps[1].entries[2].kind == FlightKind::Collective);
        QVERIFY(!dumps[0].is_whole);
        const HangReport report = analyseHang(dumps);
        QVERIFY(report.waits());
        QCOMPARE(report.circle, (std::vector<int>{0, 1}));
        QCOMPARE(report.ranks[0].stands_at->peer, 1);
        const std::string text = say(report.ranks[0].text(), Language::English);
        QVERIFY2(text.find("since ? (? s before") != std::string::npos, text.c_str());
        QVERIFY(say(report.notes.front(), Language::English).find("the table does not say") != std::string::npos);
    }

    void theLongTableIsRead() {
        const std::string cells[4] = {verbose("send", "s=4 d=5", 1700000000000000000, 1, "completed"),
                                      verbose("recv", "s=4 d=5", 1700000000000000001, 1, "completed"),
                                      verbose("recv", "s=5 d=4", 1700000007000000000, 2, "scheduled"), ""};
        std::size_t width = 0;
        for (const std::string& each : cells) width = std::max(width, each.size());
        const auto padded = [width](std::string text) {
            text.resize(width, ' ');
            return text;
        };
        const std::string text = padded("Rank 4") + "  Rank 5\n" + std::string(width, '-') + "  " +
                                 std::string(width, '-') + "\n" + padded(cells[0]) + "  " + cells[1] + "\n" +
                                 padded(cells[2]) + "  \n  stack_id  frame_stack\n----------  ------\n";
        const auto dumps = readFlightTable(text, "fr.txt");
        QCOMPARE(dumps.size(), std::size_t{2});
        QVERIFY(dumps[0].is_whole);
        QCOMPARE(dumps[0].rank, 4);
        QCOMPARE(dumps[0].groups.front().description, std::string("default_pg"));
        QCOMPARE(dumps[0].entries[1].created_ns, 1700000007000000000);
        QCOMPARE(dumps[0].entries[1].type, std::string("Float"));
        QCOMPARE(dumps[0].entries[1].p2p, 2);
        const HangReport report = analyseHang(dumps);
        QCOMPARE(report.findings.size(), std::size_t{1});
        QVERIFY(report.findings.front().kind == HangFinding::Kind::NeverPosted);
        QCOMPARE(report.findings.front().ranks.front(), 5);
    }

    // The sends and receives of a batch end with the entry behind them.
    void batchesHaveTheStateOfTheirEnd() {
        const std::string table =
            "Rank 0\n--------------------------------------------------------\n"
            "send(s=0 d=1, input_sizes=[[4]], state=completed)\n"
            "send(s=0 d=1, input_sizes=[[4]], state=scheduled)\n"
            "recv(s=1 d=0, input_sizes=[[4]], state=scheduled)\n"
            "coalesced(input_sizes=None, state=completed)\n"
            "recv(s=1 d=0, input_sizes=[[4]], state=scheduled)\n"
            "coalesced(input_sizes=None, state=started)\n";
        const auto dumps = readFlightTable(table, "fr.txt");
        const auto& entries = dumps.front().entries;
        QCOMPARE(entries.size(), std::size_t{6});
        QVERIFY(entries[1].is_done && entries[2].is_done && entries[1].batch == entries[2].batch);
        QVERIFY(!entries[4].is_done && entries[4].has_started && entries[4].batch != entries[2].batch);
        QCOMPARE(entries[0].batch, -1);
    }

    void brokenTablesAreRefused() {
        QVERIFY(!refusalOf("").empty());
        QVERIFY(!refusalOf("Rank 0  Rank 1\n------\n").empty());
        const std::string said = refusalOf("Rank 3\n----------\nsend(1)\n");
        QVERIFY2(said.find("line 3, rank 3: \"send(1)\"") != std::string::npos, said.c_str());
        QVERIFY(!refusalOf("Rank 3\n----------\nsend(s=0 d=x, input_sizes=[[4]], state=completed)\n").empty());
    }

    void stacksAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("text") << QStringLiteral(
            "Process 30097: python train.py\nPython v3.11.7 (/usr/bin/python3.11)\n\n"
            "Thread 30101 (idle): \"loader\"\n    wait (threading.py:327)\n"
            "Thread 30097 (active): \"MainThread\"\n    recv_forward (p2p.py:2)\n        Arguments:\n"
            "            n: 3 (three)\n    step (torch/train.py:30)\n    <module> (train.py:4)\n");
        QTest::newRow("one thread") << QStringLiteral(
            "Process 7: python train.py\r\nPython v3.11.7 (/usr/bin/python3.11)\r\n\r\nThread 7 (idle)\r\n"
            "    recv_forward (p2p.py:2)\r\n    step (train.py:30)\r\n    <module> (train.py:4)\r\n");
        QTest::newRow("json") << QStringLiteral(
            R"([{"pid":7,"thread_id":1,"thread_name":null,"os_thread_id":9,"owns_gil":false,"frames":[
                {"name":"wait","filename":"/x/threading.py","line":327}]},
               {"pid":7,"thread_id":2,"thread_name":null,"os_thread_id":7,"owns_gil":true,"frames":[
                {"name":"recv_forward","filename":"/x/p2p.py","line":2},
                {"name":"step","filename":"/x/train.py","line":30},
                {"name":"<module>","filename":"/x/train.py","line":4}]}])");
    }
    void stacksAreRead() {
        QFETCH(QString, text);
        const std::string bytes = text.toStdString();
        QVERIFY(looksLikeStacks(bytes));
        const StackDump stack = readStacks(bytes, "/tmp/pyspy_rank_3.txt");
        QCOMPARE(stack.rank, 3);
        QCOMPARE(stackText(stack.frames),
                 std::string("recv_forward (p2p.py:2) < step (train.py:30) < <module> (train.py:4)"));
    }

    // Of a rank without a dump a stack is all there is; a folder holds both.
    void aFolderHoldsTablesAndStacks() {
        const QTemporaryDir folder;
        put(folder, "fr.txt", kShort);
        put(folder, "readme.txt", "Rank 0 is mine\n");
        const std::string stack = "Process 7: python\nPython v3.11.7 (x)\n\nThread 7 (active)\n    tokenize (data.py:31)\n";
        put(folder, "pyspy_rank_2.txt", stack);
        put(folder, "pyspy_again_2.txt", stack);
        std::vector<std::string> passed_over;
        const auto files = dumpFilesOf({folder.path().toStdString()}, passed_over);
        QCOMPARE(files.size(), std::size_t{3});
        QCOMPARE(passed_over.size(), std::size_t{1});
        QVERIFY(looksLikeFlightDumps(folder.path().toStdString()));
        const HangFiles read = readHangFiles(files);
        HangReport report = analyseHang(read.dumps);
        addStacks(report, read.stacks);
        QCOMPARE(report.ranks.size(), std::size_t{3});
        QVERIFY(!report.ranks[2].has_dump);
        QCOMPARE(report.ranks[2].stack, (std::vector<std::string>{"tokenize (data.py:31)"}));
        QVERIFY(std::ranges::any_of(report.notes, [](const Sentence& note) {
            return say(note, Language::English).find("another stack of rank 2") != std::string::npos;
        }));
        bool refused = false;
        try {
            readHangFiles({put(folder, "stacks.txt", stack)});
        } catch (const SentenceError<>& error) {
            refused = std::string(error.what()).find("pyspy_rank_3.txt") != std::string::npos;
        }
        QVERIFY(refused);
    }
};

BUBBLESCOPE_TEST(TestHangTables)

}  // namespace tst_hang_tables

#include "tst_hang_tables.moc"
