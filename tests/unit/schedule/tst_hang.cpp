// Flight recorder dumps: what a pickle may hold, what is read of it, and what follows: who waits for whom,
// who never posted, circles, orders and sizes that differ, with and without the planned order.
#include <QTest>
#include <algorithm>
#include <limits>

#include "catalog/catalog.h"
#include "flight_dumps.h"
#include "hang/hang_report.h"
#include "hang/message_rules.h"
#include "registered_test.h"
#include "words/sentence_error.h"

namespace tst_hang {

using namespace bscope;

namespace {

std::vector<FlightDump> readAll(const std::vector<MadeDump>& made, int protocol = 2) {
    std::vector<FlightDump> dumps;
    for (const MadeDump& each : made)
        for (FlightDump& dump :
             readFlightDumps(each.pickle(protocol), "nccl_trace_rank_" + std::to_string(each.rank)))
            dumps.push_back(std::move(dump));
    return dumps;
}

std::string refusal(const std::string& bytes) {
    try {
        readDumpTree(bytes);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

std::string english(const Sentence& said) {
    return say(said, Language::English);
}

const HangRank& of(const HangReport& report, int rank) {
    return *std::ranges::find(report.ranks, rank, &HangRank::rank);
}

const HangFinding* finding(const HangReport& report, HangFinding::Kind kind) {
    const auto found = std::ranges::find(report.findings, kind, &HangFinding::kind);
    return found == report.findings.end() ? nullptr : &*found;
}

std::string kinds(const HangReport& report) {
    std::string text;
    for (const HangFinding& each : report.findings) text += std::string(kindName(each.kind)) + " ";
    return text;
}

MessagePlan planOf(const Program& program, bool is_given = false) {
    return {program.schedule, program.actions, is_given};
}

// As frameworks do it: a receive stands just before the computation that needs it.
Program withLateReceives(Program program) {
    for (std::vector<Action>& list : program.actions) {
        std::vector<Action> moved;
        for (const Action& action : list) {
            if (isReceive(action.op)) continue;
            const Action receive{action.stage, action.op == Op::Forward ? Op::RecvForward : Op::RecvBackward,
                                 action.microbatch};
            if (isCompute(action.op) && std::ranges::find(list, receive) != list.end())
                moved.push_back(receive);
            moved.push_back(action);
        }
        list = std::move(moved);
    }
    return program;
}

std::string pickled(const std::string& body) {
    return std::string("\x80\x02", 2) + body + ".";
}

}  // namespace

class TestHang : public QObject {
    Q_OBJECT
private slots:
    // What Python writes of {"a": 7, "b": -1, "c": -32768, "d": None, "e": True, "f": [1, 258], "g": (5, 6),
    // "h": 0, "i": 1.0, "j": 10**30, "k": "x" * 300}.
    void plainValuesAreRead_data() {
        QTest::addColumn<QByteArray>("hex");
        QTest::newRow("protocol 2") << QByteArray(
            "80027d71002858010000006171014b0758010000006271024affffffff58010000006371034a0080ffff580100"
            "00006471044e58010000006571058858010000006671065d7107284b014d02016558010000006771084b054b06"
            "867109580100000068710a4b00580100000069710b473ff000000000000058010000006a710c8a0d00000040ea"
            "ed7446d09c2c9f0c58010000006b710d582c010000787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878710e752e");
        QTest::newRow("protocol 5") << QByteArray(
            "8005959a010000000000007d94288c0161944b078c0162944affffffff8c0163944a0080ffff8c0164944e8c01"
            "6594888c0166945d94284b014d0201658c0167944b054b0686948c0168944b008c016994473ff0000000000000"
            "8c016a948a0d00000040eaed7446d09c2c9f0c8c016b94582c0100007878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
            "7878787878787878787878787894752e");
    }
    void plainValuesAreRead() {
        QFETCH(QByteArray, hex);
        const DumpTree tree = readPickle(QByteArray::fromHex(hex).toStdString());
        const DumpValue root(tree);
        QVERIFY(root.isDict());
        QCOMPARE(root.size(), 11u);
        QCOMPARE(root.find("a").integer(), 7);
        QCOMPARE(root.find("b").integer(), -1);
        QCOMPARE(root.find("c").integer(), -32768);
        QVERIFY(root.find("d").isNone());
        QVERIFY(root.find("e").truth());
        QCOMPARE(root.find("f").size(), 2u);
        QCOMPARE(root.find("f")[1].integer(), 258);
        QCOMPARE(root.find("g")[1].integer(), 6);
        QCOMPARE(root.find("h").integer(5), 0);
        QVERIFY(root.find("i").kind() == DumpTree::Kind::Float);
        QCOMPARE(root.find("j").integer(), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(root.find("k").text().size(), 300u);
        QVERIFY(root.find("nothing").isNone());
    }

    void whatWouldRunCodeIsRefusedByName_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("global") << QByteArray("cos\nsystem\n(X\x02\0\0\0lstR", 21)
                                << QByteArray("GLOBAL os.system");
        QTest::newRow("stack global")
            << QByteArray("X\x02\0\0\0osX\x06\0\0\0system\x93", 19) << QByteArray("STACK_GLOBAL");
        QTest::newRow("reduce") << QByteArray("NNR") << QByteArray("REDUCE");
        QTest::newRow("build") << QByteArray("NNb") << QByteArray("BUILD");
        QTest::newRow("inst") << QByteArray("(ios\nsystem\n") << QByteArray("INST");
        QTest::newRow("obj") << QByteArray("(No") << QByteArray("OBJ");
        QTest::newRow("newobj") << QByteArray("NN\x81") << QByteArray("NEWOBJ");
        QTest::newRow("newobj ex") << QByteArray("NNN\x92") << QByteArray("NEWOBJ_EX");
        QTest::newRow("ext") << QByteArray("\x82\x01") << QByteArray("EXT1");
        QTest::newRow("persistent") << QByteArray("NQ") << QByteArray("BINPERSID");
        QTest::newRow("buffer") << QByteArray("\x97") << QByteArray("NEXT_BUFFER");
    }
    void whatWouldRunCodeIsRefusedByName() {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, name);
        const std::string said = refusal(pickled(body.toStdString()));
        QVERIFY2(said.find("asks for " + name.toStdString()) != std::string::npos, said.c_str());
    }

    void brokenPicklesAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("hello");
        QTest::newRow("protocol 9") << QByteArray("\x80\x09N.", 4);
        QTest::newRow("no end") << QByteArray("\x80\x02N", 3);
        QTest::newRow("nothing on the stack") << QByteArray("\x80\x02.", 3);
        QTest::newRow("two values") << QByteArray("\x80\x02NN.", 5);
        QTest::newRow("mark left") << QByteArray("\x80\x02N(.", 5);
        QTest::newRow("no mark") << QByteArray("\x80\x02Nt.", 5);
        QTest::newRow("tuple below the mark") << QByteArray("\x80\x02N(N\x86.", 7);
        QTest::newRow("append to no list") << QByteArray("\x80\x02NNa.", 6);
        QTest::newRow("odd dict") << QByteArray("\x80\x02}(Nu.", 7);
        QTest::newRow("memo that is not there") << QByteArray("\x80\x02h\x05.", 5);
        QTest::newRow("text longer than the file") << QByteArray(
            "\x80\x02X\xff\xff\xff\x7f"
            "a.",
            9);
        QTest::newRow("text of 2^63") << QByteArray(
            "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7f"
            "a.",
            13);
        QTest::newRow("too deep") << QByteArray("\x80\x02") + QByteArray(1000, '(') + QByteArray(".");
        QTest::newRow("json") << QByteArray("{\"a\":[1,}");
        QTest::newRow("deep json") << QByteArray(100000, '[');
    }
    void brokenPicklesAreRefused() {
        QFETCH(QByteArray, bytes);
        QVERIFY(!refusal(bytes.toStdString()).empty());
    }

    // A list that holds itself, and one that holds each of the lists before twice: no copy is made.
    void sharedValuesCostNothing() {
        QCOMPARE(refusal(pickled(std::string("]q\0h\0a", 6))), std::string());
        std::string body("]q\0", 3);
        for (int i = 1; i < 60; ++i)
            body += "](h" + std::string(1, static_cast<char>(i - 1)) + "h" +
                    std::string(1, static_cast<char>(i - 1)) + "eq" + std::string(1, static_cast<char>(i));
        std::string pops;
        for (int i = 1; i < 60; ++i) pops += "0";
        QCOMPARE(refusal(pickled(body + pops)), std::string());
        // One entry, named a million times, with a list of a thousand numbers: refused, not worked through.
        const auto word = [](const std::string& text) {
            return std::string("X") + static_cast<char>(text.size()) + std::string(3, '\0') + text;
        };
        std::string many = "}(" + word("version") + word("2") + word("entries") + "](}q\1(" +
                           word("profiling_name") + word("nccl:send 0->1") + word("input_sizes") + "](";
        for (int i = 0; i < 64; ++i) {
            many += "](";
            for (int j = 0; j < 16; ++j) many += "K\1";
            many += "e";
        }
        many += "eu";
        for (int i = 0; i < 900'000; ++i) many += "h\1";
        many += "eu";
        try {
            readFlightDumps(pickled(many), "rank_0");
            QFAIL("read");
        } catch (const std::exception& error) {
            QVERIFY2(std::string(error.what()).find("more than is read") != std::string::npos, error.what());
        }
    }

    void picklesAndJsonSayTheSame() {
        const Program program = lower(makeSchedule("1f1b", {2, 1, 2, 0}));
        const auto made = MadeRun{program, 1, 1, {1, Op::Backward, 1}}.run();
        const FlightDump two = readFlightDumps(made[0].pickle(2), "x_0").front();
        const FlightDump four = readFlightDumps(made[0].pickle(4), "x_0").front();
        const FlightDump json = readFlightDumps(made[0].json(), "x_0.json").front();
        for (const FlightDump* each : {&four, &json}) {
            QCOMPARE(each->rank, two.rank);
            QCOMPARE(each->version, std::string("2.10"));
            QVERIFY(each->is_whole);
            QCOMPARE(each->groups.size(), 1u);
            QCOMPARE(each->groups.front(), two.groups.front());
            QCOMPARE(each->entries.size(), two.entries.size());
            for (std::size_t i = 0; i < two.entries.size(); ++i) {
                const FlightEntry &a = each->entries[i], &b = two.entries[i];
                QCOMPARE(a.name, b.name);
                QCOMPARE(a.peer, b.peer);
                QCOMPARE(a.is_done, b.is_done);
                QCOMPARE(a.sizes, b.sizes);
                QCOMPARE(a.created_ns, b.created_ns);
            }
        }
        QCOMPARE(two.entries.front().where, std::string("_step at train.py:12"));
        // All ranks in one JSON object, by rank.
        const std::string both = "{\"0\":" + made[0].json() + ",\"1\":" + made[1].json() + "}";
        QCOMPARE(readFlightDumps(both, "all.json").size(), 2u);
    }

    void fileNamesEndInTheirRank() {
        QCOMPARE(rankOfFileName("/tmp/nccl_trace_rank_3"), 3);
        QCOMPARE(rankOfFileName("rank_12.json"), 12);
        QCOMPARE(rankOfFileName("trace7.pkl"), 7);
        QCOMPARE(rankOfFileName("notes"), -1);
        QCOMPARE(rankOfFileName("rank_99999999999999999999"), -1);
    }

    // Rank 2 never ends 2B1: the one that nothing is outstanding of, whatever waits for it.
    void theRankThatStoppedIsNamed_data() {
        QTest::addColumn<bool>("is_planned");
        QTest::addColumn<int>("iterations");
        QTest::newRow("with the plan") << true << 1;
        QTest::newRow("third iteration") << true << 3;
        QTest::newRow("from the dumps alone") << false << 2;
    }
    void theRankThatStoppedIsNamed() {
        QFETCH(bool, is_planned);
        QFETCH(int, iterations);
        const Program program = lower(makeSchedule("1f1b", {4, 1, 8, 0}));
        const auto dumps = readAll(MadeRun{program, iterations, 3, {3, Op::Backward, 1}}.run());
        const MessagePlan plan = planOf(program);
        const HangReport report = analyseHang(dumps, is_planned ? &plan : nullptr);
        QVERIFY(report.waits());
        QVERIFY(report.circle.empty());
        QCOMPARE(kinds(report), std::string("never-posted "));
        QCOMPARE(report.findings.front().ranks.front(), 3);
        for (const int rank : {0, 1, 2}) {
            QVERIFY(of(report, rank).stands_at.has_value());
            QVERIFY(of(report, rank).stands_at->other == OtherSide::NotPosted);
            QCOMPARE(of(report, rank).stands_at->waits_for, std::vector<int>{rank + 1});
        }
        // Rank 3 has received what it needs for more forwards: those receives are posted, and no rank's
        // fault.
        if (!is_planned) return;
        const OutstandingOperation& at = *of(report, 2).stands_at;
        QCOMPARE(toText(*at.message), std::string("2RECV_B1"));
        QCOMPARE(toText(*at.computation), std::string("2B1"));
        QCOMPARE(at.iteration, iterations - 1);
        QCOMPARE(english(at.text()), std::string("2RECV_B1 from rank 3, which 2B1 needs"));
        QVERIFY(english(report.findings.front().what)
                    .find("by the plan it is in 3F1, or in what follows up to 3B1") != std::string::npos);
    }

    void aRankWithoutADump() {
        const Program program = lower(makeSchedule("1f1b", {4, 1, 8, 0}));
        auto made = MadeRun{program, 1, 1, {1, Op::Forward, 5}}.run();
        made.erase(made.begin() + 1);
        const HangReport report = analyseHang(readAll(made));
        QCOMPARE(kinds(report), std::string("no-dump "));
        QCOMPARE(report.findings.front().ranks, std::vector<int>{1});
        QVERIFY(!of(report, 1).has_dump);
        QVERIFY(of(report, 0).stands_at->other == OtherSide::NoDump);
    }

    // Sends that wait for their receives, and receives just before their consumers: both neighbours send
    // first.
    void aCircleOfTheOrderIsNamed() {
        const Program program = withLateReceives(lower(makeSchedule("1f1b", {2, 1, 4, 0})));
        const auto dumps = readAll(MadeRun{program, 1, -1, {}, true}.run());
        const MessagePlan plan = planOf(program, true);
        HangReport report = analyseHang(dumps, &plan);
        QCOMPARE(report.circle, (std::vector<int>{0, 1}));
        QCOMPARE(kinds(report), std::string("circle "));
        const std::string said = english(report.findings.front().what);
        QVERIFY2(said.find("rank 0 in 0SEND_F1 to rank 1, made by 0F1 for rank 1") != std::string::npos,
                 said.c_str());
        QVERIFY2(said.find("rank 1 in 1SEND_B0 to rank 0, made by 1B0 for rank 0") != std::string::npos,
                 said.c_str());
        judgePlan(report, program.schedule, plan);
        QVERIFY(finding(report, HangFinding::Kind::PlanStandsStill));
        QVERIFY(analyseHang(dumps).circle == report.circle);
    }

    void orderedTheOtherWayRound() {
        MadeDump one{1, {{"0", {0, 1, 2}}}, {}}, two{2, {{"0", {0, 1, 2}}}, {}};
        for (const auto& sizes : {std::vector<std::int64_t>{8, 2}, std::vector<std::int64_t>{64}})
            one.add({.name = "nccl:send 1->2", .sizes = sizes, .state = "scheduled"});
        for (const auto& sizes : {std::vector<std::int64_t>{64}, std::vector<std::int64_t>{8, 2}})
            two.add({.name = "nccl:recv 2<-1", .sizes = sizes, .state = "scheduled"});
        const HangReport report = analyseHang(readAll({one, two}));
        const HangFinding* differs = finding(report, HangFinding::Kind::OrderDiffers);
        QVERIFY(differs);
        QCOMPARE(
            english(differs->what),
            std::string(
                "rank 1 sends Float [8, 2] and then Float [64]; rank 2 receives Float [64] and then Float "
                "[8, 2]"));
    }

    // Both send first and then receive, posted at once: on one communicator neither is the first of both.
    void bothSendFirst() {
        MadeDump one{0, {{"0", {0, 1}}}, {}}, two{1, {{"0", {0, 1}}}, {}};
        one.add({.name = "nccl:send 0->1", .state = "scheduled"});
        one.add({.name = "nccl:recv 0<-1", .state = "scheduled"});
        two.add({.name = "nccl:send 1->0", .state = "scheduled"});
        two.add({.name = "nccl:recv 1<-0", .state = "scheduled"});
        HangReport report = analyseHang(readAll({one, two}));
        QCOMPARE(kinds(report), std::string("order-differs "));
        QCOMPARE(report.circle, (std::vector<int>{0, 1}));
        // In one batch they are posted together, and it is the link that stands.
        for (MadeDump* each : {&one, &two}) {
            for (MadeEntry& entry : each->entries) entry.p2p = 1;
            each->add({.name = "nccl:coalesced", .state = "started", .p2p = 1});
        }
        report = analyseHang(readAll({one, two}));
        QCOMPARE(kinds(report), std::string("transfer-stands "));
        QVERIFY(report.circle.empty());
    }

    void sizesAndTypesThatDiffer() {
        for (const bool by_type : {false, true}) {
            MadeDump one{0, {{"0", {0, 1}}}, {}}, two{1, {{"0", {0, 1}}}, {}};
            one.add({.name = "nccl:send 0->1"});
            one.add({.name = "nccl:send 0->1", .type = by_type ? "BFloat16" : "Float", .state = "started"});
            two.add({.name = "nccl:recv 1<-0"});
            two.add({.name = "nccl:recv 1<-0",
                     .sizes = by_type ? std::vector<std::int64_t>{4, 16} : std::vector<std::int64_t>{4, 8},
                     .state = "started"});
            const HangReport report = analyseHang(readAll({one, two}));
            QCOMPARE(kinds(report), std::string(by_type ? "type-differs " : "size-differs "));
            QVERIFY(english(report.findings.front().what).starts_with("message 2 of rank 0 to rank 1"));
        }
    }

    // Ranks in names are of the group.
    void ranksOfGroupsAreRanksOfTheWorld() {
        MadeDump four{4, {{"pp", {2, 4}}}, {}};
        four.add({.name = "nccl:recv 1<-0", .state = "scheduled", .group = "pp"});
        const FlightDump dump = readFlightDumps(four.pickle(2), "rank_4").front();
        QCOMPARE(dump.entries.front().peer, 2);
        QVERIFY(dump.notes.empty());
        // A file that is called after another rank than its messages.
        const FlightDump other = readFlightDumps(four.pickle(2), "rank_0").front();
        QCOMPARE(other.rank, 4);
        QCOMPARE(other.notes.size(), 1u);
    }

    // What a batch ends with has its state.
    void batchesHaveTheStateOfTheirEnd() {
        MadeDump one{0, {{"0", {0, 1}}}, {}};
        for (const char* state : {"completed", "scheduled"}) {
            const std::int64_t p2p = state[0] == 'c' ? 1 : 2;
            one.add({.name = "nccl:send 0->1", .state = "scheduled", .p2p = p2p});
            one.add({.name = "nccl:recv 0<-1", .state = "scheduled", .p2p = p2p});
            one.add({.name = "nccl:coalesced", .state = state, .p2p = p2p});
        }
        const FlightDump dump = readFlightDumps(one.pickle(2), "rank_0").front();
        for (const std::size_t i : {0u, 1u}) QVERIFY(dump.entries[i].is_done);
        for (const std::size_t i : {3u, 4u}) QVERIFY(!dump.entries[i].is_done);
        QCOMPARE(dump.entries[3].batch, dump.entries[4].batch);
        QVERIFY(dump.entries[0].batch != dump.entries[3].batch);
    }

    void aCollectiveThatOneRankDidNotJoin() {
        std::vector<MadeDump> made;
        for (int rank = 0; rank < 3; ++rank) {
            MadeDump each{rank, {{"0", {0, 1, 2}}}, {}};
            each.add({.name = "nccl:all_reduce", .is_p2p = false, .collective = 1});
            if (rank != 1)
                each.add({.name = "nccl:all_reduce", .state = "started", .is_p2p = false, .collective = 2});
            made.push_back(each);
        }
        HangReport report = analyseHang(readAll(made));
        QCOMPARE(kinds(report), std::string("not-joined "));
        QCOMPARE(report.findings.front().ranks.front(), 1);
        QCOMPARE(of(report, 0).stands_at->waits_for, std::vector<int>{1});
        made[1].add({.name = "nccl:broadcast", .state = "started", .is_p2p = false, .collective = 2});
        report = analyseHang(readAll(made));
        QCOMPARE(kinds(report), std::string("collective-differs "));
        made[1].entries.back().name = "nccl:all_reduce";
        report = analyseHang(readAll(made));
        QCOMPARE(kinds(report), std::string("transfer-stands "));
    }

    void aTransferThatStandsByItself() {
        MadeDump one{0, {{"0", {0, 1}}}, {}}, two{1, {{"0", {0, 1}}}, {}};
        one.add({.name = "nccl:send 0->1", .state = "started"});
        two.add({.name = "nccl:recv 1<-0", .state = "started"});
        const HangReport report = analyseHang(readAll({one, two}));
        QCOMPARE(kinds(report), std::string("transfer-stands "));
    }

    // The ring buffer keeps the last entries only.
    void lostBeginningsAreAlignedByWhatEnded() {
        const Program program = lower(makeSchedule("1f1b", {4, 1, 8, 0}));
        auto made = MadeRun{program, 3, 3, {3, Op::Backward, 4}}.run();
        for (MadeDump& each : made)
            each.entries.erase(each.entries.begin(), each.entries.begin() + 7 + each.rank);
        const MessagePlan plan = planOf(program);
        const HangReport report = analyseHang(readAll(made), &plan);
        QCOMPARE(kinds(report), std::string("never-posted "));
        QCOMPARE(report.findings.front().ranks.front(), 3);
        QCOMPARE(toText(*of(report, 2).stands_at->message), std::string("2RECV_B4"));
        QVERIFY(std::ranges::any_of(report.notes, [](const Sentence& each) {
            return english(each).starts_with("the records of ranks 0, 1, 2, 3 have lost their beginning");
        }));
    }

    // What ran posts its receives elsewhere than the plan; the middle ranks name what the outer ones cannot.
    void lostBeginningsOfAnotherLowering() {
        const Schedule schedule = makeSchedule("1f1b", {4, 1, 8, 0});
        auto made = MadeRun{withLateReceives(lower(schedule)), 3, 3, {3, Op::Backward, 4}}.run();
        for (MadeDump& each : made)
            each.entries.erase(each.entries.begin(), each.entries.begin() + 5 + 2 * each.rank);
        const MessagePlan plan = planOf(lower(schedule));
        const HangReport report = analyseHang(readAll(made), &plan);
        QCOMPARE(kinds(report), std::string("never-posted "));
        for (const int rank : {0, 1, 2}) {
            const std::string needed = std::to_string(rank) + "B";
            QVERIFY(of(report, rank).stands_at->computation.has_value());
            QVERIFY(toText(*of(report, rank).stands_at->computation).starts_with(needed));
            QCOMPARE(of(report, rank).stands_at->iteration, -1);  // of which the record has lost count
        }
        QCOMPARE(toText(*of(report, 2).stands_at->computation), std::string("2B4"));
        QVERIFY(!std::ranges::any_of(report.notes, [](const Sentence& each) {
            return english(each).find("have no names") != std::string::npos;
        }));
        // Without anything but steady pairs of one rank there is nothing to count from.
        for (MadeDump& each : made) each.entries.erase(each.entries.begin(), each.entries.end() - 4);
        const HangReport little = analyseHang(readAll(made), &plan);
        QVERIFY(std::ranges::any_of(little.notes, [](const Sentence& each) {
            return english(each).find("have no names") != std::string::npos;
        }));
    }

    // Shapes are exchanged before the first iteration; they are no activations.
    void messagesOfWholeNumbersAreNotCounted() {
        const Program program = lower(makeSchedule("1f1b", {2, 1, 4, 0}));
        auto made = MadeRun{program, 1, 1, {1, Op::Backward, 2}}.run();
        for (MadeDump& each : made) {
            MadeDump with{each.rank, each.groups, {}};
            for (const char* type : {"Long", "Byte"})
                with.add({.name = each.rank == 0 ? "nccl:send 0->1" : "nccl:recv 1<-0",
                          .sizes = {1},
                          .type = type});
            for (const MadeEntry& entry : each.entries) with.add(entry);
            each = with;
        }
        const MessagePlan plan = planOf(program);
        const HangReport report = analyseHang(readAll(made), &plan);
        QCOMPARE(toText(*of(report, 0).stands_at->message), std::string("0RECV_B2"));
    }

    void aPlanThatIsNotWhatRan() {
        const Program ran = lower(makeSchedule("gpipe", {2, 1, 4, 0}));
        const auto dumps = readAll(MadeRun{ran, 1, 1, {1, Op::Backward, 2}}.run());
        const MessagePlan plan = planOf(lower(makeSchedule("1f1b", {2, 1, 4, 0})), true);
        const HangReport report = analyseHang(dumps, &plan);
        QVERIFY(finding(report, HangFinding::Kind::PlanDiffers));
        const MessagePlan wide = planOf(lower(makeSchedule("1f1b", {4, 1, 4, 0})));
        const HangReport other = analyseHang(dumps, &wide);
        QVERIFY(std::ranges::any_of(other.notes, [](const Sentence& each) {
            return english(each) == "the plan has 4 ranks; ranks 0, 1 exchange messages, and are 2";
        }));
    }

    void noRankWaitsAfterAWholeRun() {
        const Program program = lower(makeSchedule("zb-h1", {4, 1, 8, 0}));
        const auto dumps = readAll(MadeRun{program, 2}.run(), 4);
        const MessagePlan plan = planOf(program);
        const HangReport report = analyseHang(dumps, &plan);
        QVERIFY(!report.waits());
        QCOMPARE(kinds(report), std::string());
    }

    // Wherever one rank of any schedule stops, it is the one that is found, and every name is the plan's.
    void everyScheduleWhereverItStops() {
        for (const CatalogEntry& entry : catalog()) {
            const ScheduleParams params{4, entry.fixed_v > 0 ? entry.fixed_v : entry.min_v, 8, 0};
            if (entry.replicas != 1 || !scheduleProblems(entry.name, params).empty()) continue;
            const Program program = lower(makeSchedule(entry.name, params));
            const MessagePlan plan = planOf(program);
            for (std::size_t rank = 0; rank < program.actions.size(); ++rank)
                for (std::size_t i = rank; i < program.actions[rank].size(); i += 23) {
                    const Action& at = program.actions[rank][i];
                    if (!isCompute(at.op)) continue;
                    const auto made = MadeRun{program, 2, static_cast<int>(rank), at}.run();
                    const HangReport report = analyseHang(readAll(made), &plan);
                    if (!report.waits()) continue;
                    QVERIFY2(report.circle.empty(), entry.name);
                    for (const HangFinding& each : report.findings) {
                        if (each.kind != HangFinding::Kind::NeverPosted) continue;
                        QCOMPARE(each.ranks.front(), static_cast<int>(rank));
                    }
                }
        }
    }

    void twoDumpsOfOneRankAreRefused() {
        const Program program = lower(makeSchedule("1f1b", {2, 1, 2, 0}));
        auto made = MadeRun{program}.run();
        auto dumps = readAll(made);
        dumps.push_back(dumps.front());
        QVERIFY_EXCEPTION_THROWN(analyseHang(dumps), std::runtime_error);
    }
};

BUBBLESCOPE_TEST(TestHang)

}  // namespace tst_hang

#include "tst_hang.moc"
