// The engine's thread between asynchronous schedules and changes: what has begun is completed and reported
// before a change holds, and the reply names the iteration from which it does.
#include <QTest>
#include <condition_variable>
#include <mutex>

#include "registered_test.h"
#include "run_fixture.h"
#include "server/engine_loop.h"
#include "wire/convert.h"
#include "wire/frame.h"

namespace tst_engine_loop {

using namespace bscope;
using namespace std::chrono_literals;

namespace {

// Keeps the reports of a stream of frames.
class Reports {
public:
    void take(const OutFrame& frame) {
        if (frame.body != wire::Message::kIterationReport) return;
        FrameReader reader;
        reader.feed(*frame.bytes);
        const std::lock_guard lock(mutex_);
        reports_.push_back(fromWire(reader.next()->iteration_report()));
        changed_.notify_all();
    }
    // Once there are `count` of them; fewer when they do not come in time.
    std::vector<IterationReport> first(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, 20s, [&] { return reports_.size() >= count; });
        return {reports_.begin(),
                reports_.begin() + static_cast<std::ptrdiff_t>(std::min(count, reports_.size()))};
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<IterationReport> reports_;
};

}  // namespace

class TestEngineLoop : public QObject {
    Q_OBJECT

private slots:
    void aStreamComesHomeBeforeAChange() {
        for (const char* name : {"pipedream", "pipedream-2bw"}) {
            Reports reports;
            EngineLoop loop(tinyConfig(name, 2, 4), [&](const OutFrame& frame) { reports.take(frame); });
            for (std::size_t steps = 1; steps <= 3; ++steps) {
                loop.step();
                QCOMPARE(reports.first(steps).size(), steps);
            }
            QTRY_COMPARE(loop.state(), wire::PAUSED);
            const wire::ConfigureReply reply = loop.configure(1, tinyConfig("chimera", 2, 4, 2));
            QCOMPARE(reply.problems_size(), 0);
            QVERIFY(!reply.new_run());
            QVERIFY(reply.from_iteration() > 3);
            loop.step();
            const auto all = static_cast<std::size_t>(reply.from_iteration()) + 1;
            const std::vector<IterationReport> reported = reports.first(all);
            QCOMPARE(reported.size(), all);
            for (std::size_t i = 0; i < all; ++i) {
                QCOMPARE(reported[i].iteration, static_cast<int>(i));
                QCOMPARE(reported[i].schedule, std::string(i + 1 == all ? "chimera" : name));
                QCOMPARE(reported[i].ranks[0].weight_versions, i + 1 == all ? 1 : 2);
            }
        }
    }

    // Between STOP and the new run there is none to tell a change to; the change holds all the same.
    void aChangeWhileARunIsMadeIsNotLost() {
        class Slow final : public Launcher {
        public:
            std::function<void()> meanwhile;
            std::vector<Problem> problems(const RunConfig& config, const Plan* plan) const override {
                if (meanwhile) meanwhile();
                return threads_->problems(config, plan);
            }
            std::unique_ptr<WorkerGroup> launch(Model& model, const Plan& plan, LiveEvents& live) override {
                return threads_->launch(model, plan, live);
            }

        private:
            std::unique_ptr<Launcher> threads_ = makeThreadLauncher();
        } launcher;
        Reports reports;
        EngineOptions options;
        options.launcher = &launcher;
        EngineLoop loop(
            tinyConfig("1f1b", 2, 4), [&](const OutFrame& frame) { reports.take(frame); }, options);
        const auto engine = std::make_shared<std::atomic<bool>>(false);
        launcher.meanwhile = [&, engine] {
            if (engine->exchange(true)) return;  // configure() asks for problems too
            QCOMPARE(loop.configure(1, tinyConfig("gpipe", 2, 8)).problems_size(), 0);
        };
        loop.stop();
        QTRY_VERIFY(*engine && loop.state() == wire::IDLE);
        loop.step();
        const std::vector<IterationReport> reported = reports.first(1);
        QCOMPARE(reported.size(), std::size_t{1});
        QCOMPARE(reported[0].m, 8);
        QCOMPARE(reported[0].schedule, std::string("gpipe"));
    }

    void aRunningStreamCanBeStopped() {
        Reports reports;
        EngineLoop loop(tinyConfig("pipedream", 2, 4), [&](const OutFrame& frame) { reports.take(frame); });
        loop.go();
        QCOMPARE(reports.first(3).size(), std::size_t{3});
        loop.stop();
        QTRY_COMPARE(loop.state(), wire::IDLE);
        loop.go();
    }
};

BUBBLESCOPE_TEST(TestEngineLoop)

}  // namespace tst_engine_loop

#include "tst_engine_loop.moc"
