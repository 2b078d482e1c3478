// bscope hang and the messages of bscope validate as people start them: folders and files, exit status, JSON,
// both languages, what is refused.
#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "bscope_process.h"
#include "catalog/catalog.h"
#include "flight_dumps.h"
#include "registered_test.h"

namespace tst_hang_command {

using namespace bscope;

namespace {

QString put(const QTemporaryDir& folder, const QString& name, const std::string& bytes) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    return file.fileName();
}

// 1F1B of four ranks that stands because rank 3 never ends 3B1.
void putDumps(const QTemporaryDir& folder, bool as_json = false) {
    const Program program = lower(makeSchedule("1f1b", {4, 1, 8, 0}));
    for (const MadeDump& each : MadeRun{program, 2, 3, {3, Op::Backward, 1}}.run())
        put(folder, QStringLiteral("nccl_trace_rank_%1%2").arg(each.rank).arg(as_json ? ".json" : ""),
            as_json ? each.json() : each.pickle(2));
}

}  // namespace

class TestHangCommand : public QObject {
    Q_OBJECT
private slots:
    void aFolderIsReadWithThePlan() {
        for (const bool as_json : {false, true}) {
            const QTemporaryDir folder;
            putDumps(folder, as_json);
            put(folder, QStringLiteral("notes.txt"), "mine");
            const Outcome text =
                bscopeRun({"hang", folder.path(), "--schedule", "1f1b", "-p", "4", "-m", "8"});
            QCOMPARE(text.code, 3);
            QVERIFY2(text.out.contains("rank 2 stands at 2RECV_B1 from rank 3, which 2B1 needs"), text.out);
            QVERIFY2(text.out.contains("rank 3 never posted its side of what rank 2 waits for, 2RECV_B1"),
                     text.out);
            QVERIFY2(text.out.contains("by the plan it is in 3F1, or in what follows up to 3B1"), text.out);
            QVERIFY2(text.out.contains("notes.txt was skipped"), text.out);
            const Outcome chinese = bscopeRun(
                {"hang", folder.path(), "--schedule", "1f1b", "-p", "4", "-m", "8", "--lang", "zh"});
            QVERIFY2(chinese.out.contains("一直没有提交"), chinese.out);
        }
    }

    void jsonSaysTheSame() {
        const QTemporaryDir folder;
        putDumps(folder);
        const Outcome outcome =
            bscopeRun({"hang", folder.path(), "--schedule", "1f1b", "-p", "4", "-m", "8", "--json"});
        QCOMPARE(outcome.code, 3);
        const QJsonObject json = outcome.json().value(0);
        QVERIFY(json["waits"].toBool());
        QCOMPARE(json["ranks"].toArray().size(), 4);
        const QJsonObject at = json["ranks"].toArray()[2].toObject()["stands_at"].toObject();
        QCOMPARE(at["message"].toString(), QStringLiteral("2RECV_B1"));
        QCOMPARE(at["computation"].toString(), QStringLiteral("2B1"));
        QCOMPARE(at["iteration"].toInt(), 1);
        QCOMPARE(at["other_side"].toString(), QStringLiteral("not posted"));
        QCOMPARE(at["where"].toString(), QStringLiteral("_step at train.py:12"));
        const QJsonArray findings = json["findings"].toArray();
        QCOMPARE(findings.size(), 1);
        QCOMPARE(findings[0].toObject()["kind"].toString(), QStringLiteral("never-posted"));
    }

    void someFilesWithoutAPlan() {
        const QTemporaryDir folder;
        putDumps(folder);
        const Outcome outcome =
            bscopeRun({"hang", folder.filePath("nccl_trace_rank_0"), folder.filePath("nccl_trace_rank_1"),
                       folder.filePath("nccl_trace_rank_2")});
        QCOMPARE(outcome.code, 3);
        QVERIFY2(outcome.out.contains("rank 3 left no dump, and rank 2 waits for it"), outcome.out);
    }

    // Nothing that a dump holds drives the terminal.
    void whatADumpHoldsIsEscaped() {
        const QTemporaryDir folder;
        MadeDump one{0, {{"0", {0, 1}}}, {}};
        one.add({.name = "nccl:recv 0<-1", .type = "Fl\x1b[2J", .state = "scheduled"});
        one.frame_file = "/code/\x1b[31mtrain.py";
        put(folder, QStringLiteral("rank_0"), one.pickle(2));
        const Outcome outcome = bscopeRun({"hang", folder.path()});
        QCOMPARE(outcome.code, 3);
        QVERIFY2(!outcome.out.contains('\x1b'), outcome.out);
        QVERIFY2(outcome.out.contains("\\u001b[31mtrain.py") || outcome.out.contains("\\x1b[31mtrain.py"),
                 outcome.out);
    }

    void noRankWaits() {
        const QTemporaryDir folder;
        const Program program = lower(makeSchedule("1f1b", {2, 1, 4, 0}));
        for (const MadeDump& each : MadeRun{program}.run())
            put(folder, QStringLiteral("rank_%1").arg(each.rank), each.pickle(4));
        const Outcome outcome = bscopeRun({"hang", folder.path()});
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.out.contains("no rank waits"));
    }

    void whatIsRefused() {
        const QTemporaryDir folder;
        const QString calls = put(folder, QStringLiteral("rank_0"),
                                  std::string("\x80\x02"
                                              "cos\nsystem\n.",
                                              14));
        const Outcome code = bscopeRun({"hang", calls});
        QCOMPARE(code.code, 1);
        QVERIFY2(code.errors.contains("GLOBAL os.system at byte 2"), code.errors);
        const QTemporaryDir empty;
        const Outcome none = bscopeRun({"hang", empty.path()});
        QCOMPARE(none.code, 1);
        QVERIFY2(none.errors.contains("holds no dump"), none.errors);
        const Outcome usage = bscopeRun({"hang", "--schedule", "1f1b", "--order", "x.csv", "-p", "0"});
        QCOMPARE(usage.code, 2);
        QVERIFY2(usage.errors.contains("3 problems"), usage.errors);
        QCOMPARE(bscopeRun({"hang", folder.filePath("nothing")}).code, 1);
    }

    void anOrderWithItsMessagesAsThePlan() {
        const QTemporaryDir folder;
        putDumps(folder);
        const QString order =
            put(folder, QStringLiteral("order.csv"),
                bscopeRun({"schedule", "1f1b", "-p", "4", "-m", "8", "--csv-comms"}).out.toStdString());
        const Outcome outcome = bscopeRun({"hang", folder.path(), "--order", order});
        QCOMPARE(outcome.code, 3);
        QVERIFY2(outcome.out.contains("2RECV_B1"), outcome.out);
        QVERIFY2(!outcome.out.contains("where the plan has"), outcome.out);
    }

    void validatePlaysTheMessagesAndPlacesThemAnew() {
        const QTemporaryDir folder;
        const QString late = put(folder, QStringLiteral("late.csv"),
                                 "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
                                 "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\n");
        const QString safe = folder.filePath(QStringLiteral("safe.csv"));
        Outcome outcome = bscopeRun({"validate", late});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.contains(
                     "(rendezvous): stands still, messages delivered before: 1; rank 0 stands at "
                     "0SEND_F1 until rank 1 does 1RECV_F1; rank 1 stands at 1SEND_B0 until rank 0 "
                     "does 0RECV_B0"),
                 outcome.out);
        QVERIFY(outcome.out.contains("valid, but it does not run under every rule"));
        QCOMPARE(bscopeRun({"validate", late, "--strict"}).code, 2);
        outcome = bscopeRun({"validate", late, "--fix", "-o", safe, "--json"});
        QCOMPARE(outcome.code, 0);
        const QJsonArray rules = outcome.json().value(0)["rules"].toArray();
        QCOMPARE(rules.size(), 4);
        QCOMPARE(rules[1].toObject()["rule"].toString(), QStringLiteral("rendezvous"));
        QVERIFY(!rules[1].toObject()["runs"].toBool());
        QVERIFY(rules[1].toObject()["makespan"].isNull());
        QVERIFY(rules[1].toObject()["makespan_fixed"].toDouble() > 0);
        QCOMPARE(rules[1].toObject()["cycle"].toArray().size(), 2);
        outcome = bscopeRun({"validate", safe, "--strict"});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.endsWith("valid\n"), outcome.out);
        QCOMPARE(bscopeRun({"validate", late, "--fix"}).code, 2);
        QCOMPARE(bscopeRun({"validate", late, "-o", safe}).code, 2);
        const QString crossed =
            put(folder, QStringLiteral("crossed.csv"), "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n");
        outcome = bscopeRun({"validate", crossed});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.out.contains(
                     "a circle: rank 0 stands at 0B0 until rank 1 does 1B0; rank 1 stands at 1F1 until "
                     "rank 0 does 0F1"),
                 outcome.out);
        QCOMPARE(bscopeRun({"validate", crossed, "--fix", "-o", safe}).code, 1);
        // Messages are not what is wrong: no file is written that breaks a rule all the same.
        const QString bare = put(folder, QStringLiteral("bare.csv"), "0F0,0UNSHARD,0F1\n"),
                      still = folder.filePath(QStringLiteral("still.csv"));
        outcome = bscopeRun({"validate", bare, "--fix", "-o", still});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.errors.contains("still breaks a rule"), outcome.errors);
        QVERIFY(!QFile::exists(still));
    }
};

BUBBLESCOPE_TEST(TestHangCommand)

}  // namespace tst_hang_command

#include "tst_hang_command.moc"
