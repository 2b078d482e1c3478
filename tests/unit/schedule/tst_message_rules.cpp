// Orders of sends and receives under the four rules of message layers: which of them run, the circle of ranks
// where one stands still, what it costs, and that messages placed anew run under all of them.
#include <QTest>
#include <algorithm>

#include "catalog/catalog.h"
#include "hang/message_rules.h"
#include "oracle.h"
#include "registered_test.h"
#include "schedule/formats/csv.h"
#include "schedule/deadlock.h"
#include "schedule/program.h"

namespace tst_message_rules {

using namespace bscope;

namespace {

// Interleaved 1F1B of two ranks whose receives stand just before the computation that needs them: both send
// first, and with a link that takes no message before its receive neither gets any further.
constexpr const char* kReceivesLate =
    "0F0,0SEND_F0,0F1,0SEND_F1,2RECV_F0,2F0,2SEND_F0,2RECV_F1,2F1,2SEND_F1,2RECV_B0,2B0,2SEND_B0,2RECV_B1,"
    "2B1,"
    "2SEND_B1,0RECV_B0,0B0,0RECV_B1,0B1\n"
    "1RECV_F0,1F0,1SEND_F0,1RECV_F1,1F1,1SEND_F1,3RECV_F0,3F0,3B0,3SEND_B0,3RECV_F1,3F1,3B1,3SEND_B1,1RECV_"
    "B0,"
    "1B0,1SEND_B0,1RECV_B1,1B1,1SEND_B1\n";

// The same computation with receives where their senders placed them.
constexpr const char* kReceivesEarly =
    "0F0,0SEND_F0,2RECV_F0,0F1,0SEND_F1,2RECV_F1,2F0,2SEND_F0,2F1,2SEND_F1,2RECV_B0,2B0,2SEND_B0,2RECV_B1,"
    "2B1,"
    "2SEND_B1,0RECV_B0,0B0,0RECV_B1,0B1\n"
    "1RECV_F0,1F0,1SEND_F0,1RECV_F1,1F1,1SEND_F1,3RECV_F0,3F0,3RECV_F1,3B0,3SEND_B0,1RECV_B0,3F1,3B1,3SEND_"
    "B1,"
    "1RECV_B1,1B0,1SEND_B0,1B1,1SEND_B1\n";

ScheduleFile read(const std::string& text) {
    return readScheduleFile(text, "test", FileForm::Order);
}

std::string steps(const std::vector<WaitingRank>& cycle) {
    std::string text;
    for (const WaitingRank& each : cycle) text += say(each.text(), Language::English) + "\n";
    return text;
}

const RuleOutcome& of(const std::vector<RuleOutcome>& all, MessageRule rule) {
    return *std::ranges::find(all, rule, &RuleOutcome::rule);
}

// Every SEND and RECV of two neighbours once, whatever else the rows hold.
std::vector<std::string> sortedRow(const std::string& row) {
    std::vector<std::string> cells;
    for (const QString& cell : QString::fromStdString(row).trimmed().split(','))
        cells.push_back(cell.toStdString());
    std::ranges::sort(cells);
    return cells;
}

}  // namespace

class TestMessageRules : public QObject {
    Q_OBJECT
private slots:
    void lateReceivesStandStill() {
        const ScheduleFile file = read(kReceivesLate);
        QVERIFY(file.errors.empty());
        const auto rules = judgeMessages(file);
        QCOMPARE(rules.size(), kMessageRules.size());
        QVERIFY(of(rules, MessageRule::Buffered).runs());
        for (const MessageRule rule :
             {MessageRule::Rendezvous, MessageRule::PairQueue, MessageRule::RankQueue}) {
            const RuleOutcome& outcome = of(rules, rule);
            QVERIFY(!outcome.runs());
            QCOMPARE(outcome.messages, 1u);
            QCOMPARE(steps(outcome.cycle),
                     std::string("rank 0 stands at 0SEND_F1 until rank 1 does 1RECV_F1\n"
                                 "rank 1 stands at 1SEND_F0 until rank 0 does 2RECV_F0\n"));
        }
    }

    void earlyReceivesRunButWait() {
        const ScheduleFile file = read(kReceivesEarly);
        QVERIFY(file.errors.empty());
        const auto rules = judgeMessages(file), anew = judgeSafeMessages(file);
        for (const RuleOutcome& each : rules) QVERIFY(each.runs());
        for (const RuleOutcome& each : anew) QVERIFY(each.runs());
        constexpr std::int64_t unit = 1'000'000'000;
        QCOMPARE(playComputation(file.schedule)->makespan_ns, 15 * unit);
        // 0F1 waits behind 2RECV_F0, which it does not need.
        QVERIFY(of(rules, MessageRule::Buffered).makespan_ns > 15 * unit);
        QCOMPARE(of(anew, MessageRule::Buffered).makespan_ns, 15 * unit);
        QCOMPARE(of(anew, MessageRule::Rendezvous).makespan_ns, 15 * unit);
    }

    // A receive for later that is posted first holds the send behind it only where a rank has a single queue.
    void aSingleQueueIsHeldByAnEarlyReceive() {
        const ScheduleFile file = read(
            "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
            "1RECV_F0,1RECV_F1,1RECV_B0,1F0,1SEND_F0,1F1,1SEND_F1,1RECV_B1,1B0,1SEND_B0,1B1,1SEND_B1\n"
            "2RECV_F0,2F0,2RECV_F1,2F1,2B0,2SEND_B0,2B1,2SEND_B1\n");
        QVERIFY(file.errors.empty());
        const auto rules = judgeMessages(file);
        QVERIFY(!of(rules, MessageRule::RankQueue).runs());
        QVERIFY(!of(rules, MessageRule::PairQueue).runs());  // the same pair
        QCOMPARE(steps(of(rules, MessageRule::RankQueue).cycle),
                 std::string("rank 1 stands at 1RECV_B0 until rank 2 does 2SEND_B0\n"
                             "rank 2 stands at 2RECV_F0 until rank 1 does 1SEND_F0\n"));
        const ScheduleFile apart = read(
            "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
            "1RECV_F0,1F0,1RECV_F1,1F1,1SEND_F0,1SEND_F1,1RECV_B0,1B0,1SEND_B0,1RECV_B1,1B1,1SEND_B1\n"
            "2RECV_F0,2F0,2RECV_F1,2F1,2B0,2SEND_B0,2B1,2SEND_B1\n");
        for (const RuleOutcome& each : judgeMessages(apart)) QVERIFY(each.runs());
    }

    // Two receives in the other order than their sends: the k-th meets the k-th.
    void messagesOutOfTurnStandStillUnderEveryRule() {
        const ScheduleFile file = read(
            "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
            "1RECV_F1,1RECV_F0,1F0,1F1,1B0,1SEND_B0,1B1,1SEND_B1\n");
        QVERIFY(!file.errors.empty());
        QVERIFY(file.computes);
        const auto rules = judgeMessages(file);
        QCOMPARE(rules.size(), kMessageRules.size());
        for (const RuleOutcome& each : rules) QVERIFY(!each.runs());
    }

    void aCircleOfTheComputationIsNamed() {
        const ScheduleFile file = read("0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n");
        QVERIFY(!file.computes);
        QVERIFY(judgeMessages(file).empty());
        const auto alone = playComputation(file.schedule);
        QVERIFY(alone.has_value());
        QCOMPARE(steps(alone->cycle), std::string("rank 0 stands at 0B0 until rank 1 does 1B0\n"
                                                  "rank 1 stands at 1F1 until rank 0 does 0F1\n"));
        QVERIFY(!playComputation(read("0F0,9B0\n").schedule).has_value());
    }

    // The two rules that the older check knows give what it gives, also for orders that stand still.
    void agreesWithTheOtherCheck() {
        int standing = 0;
        for (const CatalogEntry& entry : catalog())
            for (const int m : {1, 4, 8}) {
                const ScheduleParams params{4, entry.fixed_v > 0 ? entry.fixed_v : entry.min_v, m, 0};
                if (!scheduleProblems(entry.name, params).empty()) continue;
                Program program = lower(makeSchedule(entry.name, params));
                for (const bool moved : {false, true}) {
                    if (moved)
                        for (std::vector<Action>& list : program.actions) {
                            const auto first = std::ranges::find_if(
                                list, [](const Action& each) { return isSend(each.op); });
                            const auto next =
                                first == list.end()
                                    ? first
                                    : std::find_if(first + 1, list.end(),
                                                   [](const Action& each) { return isReceive(each.op); });
                            if (next != list.end()) std::rotate(first, first + 1, next + 1);
                        }
                    for (const auto& [rule, transport] :
                         {std::pair(MessageRule::Buffered, Transport::Buffered),
                          std::pair(MessageRule::Rendezvous, Transport::Rendezvous)}) {
                        const auto outcome = playMessages(program.schedule, program.actions, rule);
                        QVERIFY(outcome.has_value());
                        QCOMPARE(outcome->runs(), !findDeadlock(program, transport).has_value());
                        standing += outcome->runs() ? 0 : 1;
                    }
                }
            }
        QVERIFY(standing > 0);
    }

    void messagesPlacedAnewRunForEverySchedule_data() {
        QTest::addColumn<QString>("name");
        for (const CatalogEntry& entry : catalog())
            if (entry.replicas == 1) QTest::newRow(entry.name) << QString(entry.name);
    }
    void messagesPlacedAnewRunForEverySchedule() {
        QFETCH(QString, name);
        for (const int p : {2, 3, 4, 6})
            for (const int v : {1, 2, 3})
                for (const int m : {1, 2, 5, 8, 12}) {
                    const ScheduleParams params{p, v, m, 0};
                    if (!scheduleProblems(name.toStdString(), params).empty()) continue;
                    const Schedule schedule = makeSchedule(name.toStdString(), params);
                    if (schedule.replicas() != 1) continue;
                    const std::string theirs = toCommsCsv(schedule);
                    const ScheduleFile file = read(theirs);
                    QVERIFY2(file.errors.empty(), theirs.c_str());
                    const std::string ours = toCsv(safeMessages(file));
                    const ScheduleFile anew = read(ours);
                    QVERIFY2(anew.errors.empty(),
                             anew.errors.empty() ? "" : (anew.errors.front().text() + "\n" + ours).c_str());
                    QCOMPARE(anew.schedule.orders, file.schedule.orders);
                    for (const RuleOutcome& each : judgeMessages(anew))
                        QVERIFY2(each.runs(), (std::string(ruleName(each.rule)) + "\n" + ours).c_str());
                    const QStringList before =
                                          QString::fromStdString(theirs).split("\r\n", Qt::SkipEmptyParts),
                                      after = QString::fromStdString(ours).split("\r\n", Qt::SkipEmptyParts);
                    for (int rank = 0; rank < before.size(); ++rank)
                        QCOMPARE(sortedRow(after[rank].toStdString()), sortedRow(before[rank].toStdString()));
                }
    }

    void aMessageWithoutAnOtherEndIsNotPlayed() {
        const Schedule schedule = makeSchedule("1f1b", {2, 1, 2, 0});
        std::vector<std::vector<Action>> lists = lower(schedule).actions;
        QVERIFY(playMessages(schedule, lists, MessageRule::Buffered).has_value());
        lists[1].push_back({1, Op::SendForward, 0});
        QVERIFY(!playMessages(schedule, lists, MessageRule::Buffered).has_value());
        lists[1].back() = {1, Op::RecvForward, 99};
        QVERIFY(!playMessages(schedule, lists, MessageRule::Buffered).has_value());
    }

    // What one rank leaves out is waited for in vain; no circle is made up.
    void aMissingSendEndsTheChain() {
        const Schedule schedule = makeSchedule("1f1b", {2, 1, 2, 0});
        std::vector<std::vector<Action>> lists = lower(schedule).actions;
        std::erase(lists[1], Action{1, Op::SendBackward, 1});
        for (const MessageRule rule : kMessageRules) {
            const auto outcome = playMessages(schedule, lists, rule);
            QVERIFY(outcome && !outcome->runs());
            QVERIFY(outcome->cycle.empty());
            QCOMPARE(outcome->standing.size(), 1u);
            QCOMPARE(outcome->standing.front().rank, 0);
            QCOMPARE(toText(outcome->standing.front().until), std::string("1SEND_B1"));
        }
    }
};

BUBBLESCOPE_TEST(TestMessageRules)

}  // namespace tst_message_rules

#include "tst_message_rules.moc"
