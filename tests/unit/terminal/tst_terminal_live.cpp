// The terminal view of a run that goes on: it follows, asks the engine for what a person wants, and says what
// became of the engine. The setup form takes nearest legal values.
#include <QTest>

#include "played_run.h"
#include "registered_test.h"
#include "terminal/viewer.h"

namespace tst_terminal_live {

using namespace bscope;
using namespace bscope::terminal;

namespace {

constexpr int kColumns = 120, kRows = 36;

RunConfig smallRun() {
    RunConfig config;
    config.params = {4, 1, 8, 0};
    config.micro_batch = 1;
    config.model = {8, 32, 2, 16, 256};
    return config;
}

}  // namespace

class TestTerminalLive : public QObject {
    Q_OBJECT

    std::unique_ptr<Viewer> viewer_;
    std::int64_t end_ns_ = 0;

    void press(char32_t key) { QVERIFY(viewer_->handle({static_cast<Key>(key)}, kColumns, kRows)); }
    void press(Key key) { QVERIFY(viewer_->handle({key}, kColumns, kRows)); }
    QString picture() {
        const Grid grid = viewer_->draw(Colours(TerminalColours::Indexed, true), kColumns, kRows);
        QString text;
        for (int row = 0; row < grid.rows(); ++row) text += QString::fromStdString(grid.text(row)) + '\n';
        return text;
    }
    void hello(bool controller, int engine = 1) {
        wire::Message message;
        message.mutable_hello()->set_protocol_version(kProtocolVersion);
        message.mutable_hello()->set_controller(controller);
        message.mutable_hello()->set_state(wire::RUNNING);
        message.mutable_hello()->set_started_unix_ms(engine);
        *message.mutable_hello()->mutable_config() = toWire(smallRun());
        viewer_->take(message);
    }
    void status(wire::RunState state) {
        wire::Message message;
        message.mutable_status()->set_state(state);
        viewer_->take(message);
    }
    // Values of m with their tokens/s; 0: not measured yet.
    static wire::Message sweepOf(const std::vector<std::pair<int, double>>& rates, bool finished) {
        SweepState state;
        state.finished = finished;
        for (const auto& [m, tokens_per_s] : rates) {
            SweepPoint point;
            point.value = point.m = m;
            point.micro_batch = 1;
            point.iterations = 3;
            if (tokens_per_s > 0) {
                point.iterations_done = 3;
                IterationReport report;
                report.provenance = Provenance::Reconstructed;
                report.p = 4;
                report.m = m;
                report.tokens_per_s = tokens_per_s;
                report.v = 1;
                report.recompute = Recompute::None;
                for (int rank = 0; rank < 4; ++rank) report.ranks.emplace_back().rank = rank;
                point.median = report;
                point.tokens_per_s_min = point.tokens_per_s_max = tokens_per_s;
            }
            state.points.push_back(point);
        }
        wire::Message message;
        *message.mutable_sweep() = toWire(state);
        return message;
    }
    void start(int iteration) {
        wire::Message message;
        *message.mutable_iteration_start() = toWire(playedStart(smallRun(), iteration, end_ns_));
        viewer_->take(message);
    }
    // Whole, or as far as the messages before its last.
    void play(int iteration, bool whole) {
        for (const auto& message : playedMessages(smallRun(), iteration, end_ns_, whole, &end_ns_))
            viewer_->take(message);
    }

private slots:
    void init() {
        viewer_ = std::make_unique<Viewer>(Language::English);
        end_ns_ = 0;
        viewer_->setLink(Viewer::Link::Starting, {});
        hello(true);
        start(0);
    }

    void theNewestIterationIsFollowedUntilAnotherIsLookedAt() {
        play(0, true);
        play(1, true);
        QCOMPARE(viewer_->look().iteration, 1);
        QVERIFY2(picture().contains("running, iteration 2"), qPrintable(picture()));
        press(U'j');
        QCOMPARE(viewer_->look().iteration, 0);
        play(2, true);
        QCOMPARE(viewer_->look().iteration, 0);
        QVERIFY(picture().contains("End follows it"));
        press(Key::End);
        QCOMPARE(viewer_->look().iteration, 2);
        play(3, true);
        QCOMPARE(viewer_->look().iteration, 3);
    }

    // What is to come stands there as the plan has it, and the numbers are those of the iteration before.
    void aRunningIterationGrows() {
        play(0, true);
        const std::int64_t begin_ns = end_ns_;
        std::vector<wire::Message> messages = playedMessages(smallRun(), 1, begin_ns, true, &end_ns_);
        messages.pop_back();
        messages.back().mutable_watermark()->set_time_ns(begin_ns + (end_ns_ - begin_ns) / 2);
        for (const auto& message : messages) viewer_->take(message);
        const QString text = picture();
        QVERIFY2(text.contains(QString::fromUtf8("╌")), qPrintable(text));
        QVERIFY2(text.contains("(of iteration 1)"), qPrintable(text));
    }

    void keysAskTheEngine() {
        const auto asked = [this] {
            const auto requests = viewer_->takeRequests();
            return requests.size() == 1 && requests.front().has_control()
                       ? int(requests.front().control().verb())
                       : -1;
        };
        press(Key::Space);
        QCOMPARE(asked(), int(wire::Control::PAUSE));
        status(wire::PAUSED);
        QVERIFY(picture().contains("paused, iteration"));
        press(U'p');
        QCOMPARE(asked(), int(wire::Control::RUN));
        press(Key::F6);
        QCOMPARE(asked(), int(wire::Control::STEP));
        QVERIFY(viewer_->takeRequests().empty());
    }

    void whoOnlyWatchesAsksForNothing() {
        hello(false);
        play(0, true);
        press(Key::Space);
        QVERIFY(viewer_->takeRequests().empty());
        QVERIFY(picture().contains("This viewer only watches"));
        QVERIFY(picture().contains("; watching"));
    }

    void anIllegalValueBecomesTheNearestLegalOne() {
        play(0, true);
        press(Key::Tab);
        QVERIFY2(picture().startsWith("The next iterations"), qPrintable(picture()));
        QVERIFY(picture().contains("PREDICTED: bubble"));
        press(Key::Down);
        for (const char32_t digit : std::u32string(U"9")) press(digit);  // nine ranks for eight layers
        const QString refused = picture();
        QVERIFY2(refused.contains("Enter takes the nearest legal values"), qPrintable(refused));
        press(Key::Enter);
        QVERIFY2(picture().contains("PREDICTED: bubble"), qPrintable(picture()));
        QVERIFY(viewer_->takeRequests().empty());
        press(Key::Enter);
        const auto requests = viewer_->takeRequests();
        QCOMPARE(requests.size(), std::size_t{1});
        QVERIFY(requests.front().has_configure());
        QCOMPARE(requests.front().configure().config().p(), 8);
        QVERIFY(picture().contains("rank 3"));
        wire::Message reply;
        reply.mutable_configure_reply()->set_request(1);
        reply.mutable_configure_reply()->set_from_iteration(2);
        viewer_->take(reply);
        QVERIFY2(picture().contains(QString::fromUtf8("From iteration 3 on: 1F1B · p=8 m=8")),
                 qPrintable(picture()));
    }

    void theFormChangesEveryField() {
        SetupForm form(smallRun());
        form.handle(Key::Right);
        QVERIFY(form.config().schedule != "1f1b");
        form.handle(Key::Left);
        QCOMPARE(form.config().schedule, std::string("1f1b"));
        form.handle(Key::Down);
        form.handle(Key::Down);
        form.handle(static_cast<Key>(U'1'));
        form.handle(static_cast<Key>(U'6'));
        QCOMPARE(form.config().params.m, 16);
        form.handle(Key::Backspace);
        QCOMPARE(form.config().params.m, 1);
        form.handle(Key::Up);
        form.handle(Key::Up);
        form.handle(Key::Up);
        form.handle(Key::Right);
        QCOMPARE(form.config().recompute, Recompute::Full);
        QCOMPARE(form.handle(Key::Escape), SetupForm::Outcome::Left);
        QVERIFY(!form.page(nullptr, Language::Chinese).lines.empty());
    }

    // Its rows come while it runs; the chosen one becomes the next configuration.
    void aSweepIsRunAndItsBestIsTaken() {
        play(0, true);
        press(U'x');
        QVERIFY2(picture().startsWith("Sweep: 3 iterations"), qPrintable(picture()));
        QVERIFY2(picture().contains("m = 1; m = 2; m = 4; m = 8; m = 16; m = 32"), qPrintable(picture()));
        press(Key::Right);
        QVERIFY2(picture().contains("v = 1; v = 2"), qPrintable(picture()));
        press(Key::Left);
        press(Key::Enter);
        auto requests = viewer_->takeRequests();
        QCOMPARE(requests.size(), std::size_t{1});
        QVERIFY(requests.front().has_start_sweep());
        QCOMPARE(requests.front().start_sweep().m_size(), 6);
        viewer_->take(sweepOf({{4, 100}, {8, 100}, {16, 0}}, false));  // none of the two is ahead
        QCOMPARE(picture().count("<- no difference"), 2);
        viewer_->take(sweepOf({{4, 100}, {8, 0}}, false));
        QVERIFY2(picture().contains("<- ahead so far") && picture().contains("Enter: end the sweep"),
                 qPrintable(picture()));
        press(Key::Escape);
        QVERIFY2(picture().contains("sweep: 3 of 6 iterations"), qPrintable(picture()));
        press(U'x');
        viewer_->take(sweepOf({{4, 100}, {8, 200}}, true));
        QVERIFY2(picture().contains("<- best") && picture().contains("RECONSTRUCTED on"),
                 qPrintable(picture()));
        press(Key::Down);
        press(Key::Space);
        requests = viewer_->takeRequests();
        QCOMPARE(requests.size(), std::size_t{1});
        QCOMPARE(requests.front().configure().config().m(), 8);
        QVERIFY(picture().contains("rank 3"));
    }

    void aWatcherStartsNoSweep() {
        hello(false);
        play(0, true);
        press(U'x');
        press(Key::Enter);
        QVERIFY(viewer_->takeRequests().empty());
        QVERIFY2(picture().contains("This viewer only watches"), qPrintable(picture()));
    }

    void whatBecameOfTheEngineIsSaid() {
        play(0, true);
        viewer_->setLink(Viewer::Link::Waiting,
                         {sentence("The connection to the engine at {0} is lost.", "a:1")}, 4);
        QVERIFY(picture().contains("disconnected, next try in 4 s"));
        QVERIFY(picture().contains("The connection to the engine at a:1 is lost."));
        QVERIFY(picture().contains("rank 3"));  // what came stays
        press(U'r');
        QVERIFY(viewer_->takeReconnect());
        QVERIFY(!viewer_->takeReconnect());
        viewer_->setLink(Viewer::Link::Ended, {sentence("The engine was ended by signal {0}.", "SIGKILL")});
        QVERIFY(picture().contains("the engine is gone"));
        QVERIFY(picture().contains("SIGKILL"));
        press(Key::Space);
        QVERIFY(viewer_->takeRequests().empty());
    }

    void aFailureOfTheRunIsSaidWithWhatToDo() {
        play(0, true);
        wire::Message message;
        message.mutable_failure()->set_sentence("Rank 2 ran out of memory.");
        message.mutable_failure()->set_what_to_do("Take fewer micro-batches.");
        viewer_->take(message);
        QVERIFY(picture().contains("Rank 2 ran out of memory. Take fewer micro-batches."));
        QVERIFY(picture().contains("the run has stopped"));
    }

    // An engine that begins anew makes what it says again of an iteration void.
    void aNewEngineBeginsAnew() {
        play(0, true);
        play(1, true);
        end_ns_ = 0;
        hello(true, 2);
        start(0);
        play(0, true);
        QCOMPARE(viewer_->look().iteration, 0);
        QVERIFY(!picture().contains("iteration 2"));
    }
};

BUBBLESCOPE_TEST(TestTerminalLive)

}  // namespace tst_terminal_live

#include "tst_terminal_live.moc"
