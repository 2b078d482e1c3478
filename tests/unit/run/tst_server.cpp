// The server, in this process, against plain sockets: who may control, what everybody gets, and that no
// viewer (slow, silent, wrong or hostile) can stop the engine.
#include <QTest>
#include <fstream>
#include <thread>

#include "raw_viewer.h"
#include "registered_test.h"
#include "run/config_file.h"
#include "served.h"
#include "server/history.h"
#include "wire/convert.h"
#include "wire/recording.h"
#include "wire/scenario.h"
#include "wire_samples.h"

namespace tst_server {

using namespace bscope;

namespace {

wire::Message configureMessage(std::uint64_t request, const RunConfig& config) {
    wire::Message message;
    message.mutable_configure()->set_request(request);
    *message.mutable_configure()->mutable_config() = toWire(config);
    return message;
}

bool isState(const wire::Message& message, wire::RunState state) {
    return message.has_status() && message.status().state() == state;
}

int countEvents(const std::vector<wire::Message>& messages) {
    int count = 0;
    for (const auto& message : messages) count += message.events().start_delta_ns_size();
    return count;
}

}  // namespace

class TestServer : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string file(const char* name) const { return (folder_.path() + "/" + name).toStdString(); }

private slots:
    void firstControlsOthersWatch() {
        Served served;
        RawViewer first(served.port());
        first.attach();
        const auto hello = first.next();
        QVERIFY(hello && hello->has_hello());
        QVERIFY(hello->hello().controller());
        QCOMPARE(hello->hello().protocol_version(), kProtocolVersion);
        QVERIFY(fromWire(hello->hello().config()) == Served::small());
        QCOMPARE(hello->hello().state(), wire::IDLE);

        RawViewer second(served.port());
        second.attach();
        const auto other = second.next();
        QVERIFY(other && !other->hello().controller());
        second.control(wire::Control::RUN);
        const auto refusal = second.until(wire::Message::kLog);
        QVERIFY(refusal && refusal->log().text().find("watches") != std::string::npos);
        second.send(configureMessage(1, Served::small()));
        QVERIFY(second.until(wire::Message::kLog).has_value());
        QVERIFY(second.passed().empty());
    }

    void seatOfTheControllerCanBeTakenOver() {
        Served served;
        {
            RawViewer first(served.port());
            first.attach();
            QVERIFY(first.next()->hello().controller());
        }
        bool controls = false;
        for (int i = 0; i < 200 && !controls; ++i) {
            RawViewer next(served.port());
            next.attach();
            controls = next.next()->hello().controller();
        }
        QVERIFY(controls);
        RawViewer watcher(served.port());
        watcher.attach(kTestToken, kProtocolVersion, true);
        QVERIFY(!watcher.next()->hello().controller());
    }

    void oneStepIsOneIteration() {
        Served served;
        RawViewer viewer(served.port());
        viewer.attach();
        viewer.control(wire::Control::STEP);
        const auto report = viewer.until(wire::Message::kIterationReport);
        QVERIFY(report.has_value());
        QCOMPARE(report->iteration_report().iteration(), 0);
        bool started = false;
        for (const auto& message : viewer.passed()) started = started || message.has_iteration_start();
        QVERIFY(started);
        // At least F and B of 4 micro-batches on 2 ranks, and the optimizer's step on both.
        QVERIFY(countEvents(viewer.passed()) >= 2 * 4 * 2 + 2);
        QVERIFY(viewer.until(wire::Message::kStatus, [](const auto& m) { return isState(m, wire::PAUSED); })
                    .has_value());
        QVERIFY(!viewer.next(std::chrono::milliseconds(100)).has_value());
    }

    void recordingIsTheStreamByteForByte() {
        ServerOptions options = Served::paused();
        options.record = file("run.bscope");
        std::string hello;
        std::string stream;
        {
            Served served(options);
            RawViewer viewer(served.port());
            viewer.attach();
            QVERIFY(viewer.next().has_value());
            hello = viewer.bytes();
            viewer.control(wire::Control::RUN);
            for (int i = 0; i < 5; ++i) QVERIFY(viewer.until(wire::Message::kIterationReport).has_value());
            viewer.control(wire::Control::SHUTDOWN);
            while (viewer.next()) continue;
            stream = viewer.bytes().substr(hello.size());
        }
        std::ifstream in(options.record, std::ios::binary);
        const std::string recorded{std::istreambuf_iterator<char>(in), {}};
        RecordingReader reader(options.record);
        const auto first = reader.next();
        QVERIFY(first && first->has_hello());
        const std::size_t begin = kRecordingHeaderBytes + encode(*first).size();
        QCOMPARE(recorded.size() - begin, stream.size());
        QVERIFY(recorded.substr(begin) == stream);
        while (reader.next()) continue;
        QVERIFY(reader.warning().empty());
    }

    void changesAreCheckedAndAnswered() {
        Served served;
        RawViewer viewer(served.port());
        viewer.attach();
        RunConfig illegal = Served::small();
        illegal.params.m = 0;
        illegal.model.heads = 5;
        viewer.send(configureMessage(7, illegal));
        auto reply = viewer.until(wire::Message::kConfigureReply);
        QVERIFY(reply.has_value());
        QCOMPARE(reply->configure_reply().request(), std::uint64_t{7});
        QCOMPARE(reply->configure_reply().problems_size(), 2);

        viewer.control(wire::Control::STEP);
        QVERIFY(viewer.until(wire::Message::kStatus, [](const auto& m) { return isState(m, wire::PAUSED); })
                    .has_value());
        RunConfig deeper = Served::small();
        deeper.params = {4, 1, 6, 0};
        viewer.send(configureMessage(8, deeper));
        reply = viewer.until(wire::Message::kConfigureReply);
        QVERIFY(reply.has_value());
        QCOMPARE(reply->configure_reply().problems_size(), 0);
        QCOMPARE(reply->configure_reply().from_iteration(), 1);
        QVERIFY(!reply->configure_reply().new_run());
        viewer.control(wire::Control::STEP);
        const auto report = viewer.until(wire::Message::kIterationReport);
        QVERIFY(report.has_value());
        QCOMPARE(report->iteration_report().iteration(), 1);
        QCOMPARE(report->iteration_report().p(), 4);
        QCOMPARE(report->iteration_report().m(), 6);

        RunConfig wider = deeper;
        wider.model.hidden = 64;
        viewer.send(configureMessage(9, wider));
        reply = viewer.until(wire::Message::kConfigureReply);
        QVERIFY(reply && reply->configure_reply().new_run());
        viewer.control(wire::Control::STEP);
        QCOMPARE(viewer.expect(wire::Message::kIterationReport).iteration_report().iteration(), 0);
    }

    void unknownWordsInAChangeAreProblems() {
        Served served;
        RawViewer viewer(served.port());
        viewer.attach();
        wire::Message message = configureMessage(3, Served::small());
        message.mutable_configure()->mutable_config()->set_recompute("sometimes");
        message.mutable_configure()->mutable_config()->set_m(0);
        viewer.send(message);
        const auto reply = viewer.until(wire::Message::kConfigureReply);
        QVERIFY(reply.has_value());
        QCOMPARE(reply->configure_reply().problems_size(), 2);
        QCOMPARE(reply->configure_reply().problems(0).field(), std::string("recompute"));
        QCOMPARE(reply->configure_reply().problems(1).field(), std::string("m"));
    }

    void aDumpedConfigurationIsComplete() {
        Samples samples(5);
        const auto file = std::filesystem::path(folder_.filePath("config.json").toStdString());
        for (int i = 0; i < 20; ++i) {
            const RunConfig config = samples.config();
            writeConfig(file, config);
            QVERIFY(fromWire(loadConfigFile(file)) == config);
        }
    }

    void lateViewersDrawAtOnce() {
        Served served;
        RawViewer viewer(served.port());
        viewer.attach();
        for (int i = 0; i < 3; ++i) {
            viewer.control(wire::Control::STEP);
            QVERIFY(
                viewer.until(wire::Message::kStatus, [](const auto& m) { return isState(m, wire::PAUSED); })
                    .has_value());
        }
        RawViewer late(served.port());
        late.attach();
        QVERIFY(late.next()->has_hello());
        const auto start = late.next();
        QVERIFY(start && start->has_iteration_start());
        for (int i = 0; i < 2; ++i)
            QCOMPARE(late.expect(wire::Message::kIterationReport).iteration_report().iteration(), i);
        QCOMPARE(late.expect(wire::Message::kIterationReport).iteration_report().iteration(), 2);
        QVERIFY(countEvents(late.passed()) >= 2 * 4 * 2 + 2);
    }

    void stalledViewersLoseEventsAndNothingElse() {
        ServerOptions options = Served::paused();
        options.viewer_queue_bytes = 4096;
        RunConfig config = Served::small();
        config.params.m = 16;
        Served served(options, config);
        RawViewer controller(served.port());
        controller.attach();
        QVERIFY(controller.next().has_value());
        RawViewer stalled(served.port(), 8192);
        stalled.attach();
        QVERIFY(stalled.next().has_value());
        controller.control(wire::Control::RUN);
        int seen = -1;
        while (seen < 30)
            seen = controller.expect(wire::Message::kIterationReport).iteration_report().iteration();
        controller.control(wire::Control::PAUSE);
        QVERIFY(
            controller.until(wire::Message::kStatus, [](const auto& m) { return isState(m, wire::PAUSED); })
                .has_value());

        int expected = 0;
        std::uint64_t dropped = 0;
        for (;;) {
            const auto message = stalled.next();
            QVERIFY(message.has_value());
            if (message->has_iteration_report())
                QCOMPARE(message->iteration_report().iteration(), expected++);
            if (message->has_status())
                dropped = std::max<std::uint64_t>(dropped, message->status().dropped_events());
            if (isState(*message, wire::PAUSED)) break;
        }
        QVERIFY(expected > seen);
        QVERIFY(dropped > 0);
    }

    void wrongViewersAreRefusedInASentence() {
        Served served;
        RawViewer wrong_token(served.port());
        wrong_token.attach("open");
        auto refusal = wrong_token.next();
        QVERIFY(refusal && refusal->failure().sentence().find("token") != std::string::npos);
        QVERIFY(!wrong_token.next().has_value());
        RawViewer wrong_version(served.port());
        wrong_version.attach(kTestToken, kProtocolVersion + 1);
        refusal = wrong_version.next();
        QVERIFY(refusal && refusal->failure().sentence().find("version") != std::string::npos);
        RawViewer impatient(served.port());
        impatient.control(wire::Control::RUN);
        QVERIFY(impatient.next()->has_failure());
        RawViewer right(served.port());
        right.attach(kTestToken);
        QVERIFY(right.next()->has_hello());
        right.close();
    }

    void garbageDoesNotStopTheEngine() {
        Served served;
        RawViewer controller(served.port());
        controller.attach();
        QVERIFY(controller.next().has_value());
        Samples samples(11);
        for (int i = 0; i < 40; ++i) {
            RawViewer hostile(served.port());
            if (samples.coin()) hostile.attach();
            std::string bytes(static_cast<std::size_t>(samples.number(1, 3000)), '\0');
            for (char& byte : bytes) byte = static_cast<char>(samples.number(-128, 127));
            if (samples.coin()) bytes = encode(configureMessage(1, samples.config())) + bytes;
            hostile.sendBytes(bytes);
            if (samples.coin()) hostile.next(std::chrono::milliseconds(5));
        }
        controller.control(wire::Control::STEP);
        QVERIFY(controller.until(wire::Message::kIterationReport).has_value());
    }

    void stopMeansNewWeights() {
        Served served;
        RawViewer viewer(served.port());
        viewer.attach();
        viewer.control(wire::Control::RUN);
        QVERIFY(viewer
                    .until(wire::Message::kIterationReport,
                           [](const auto& m) { return m.iteration_report().iteration() == 3; })
                    .has_value());
        viewer.control(wire::Control::STOP);
        QVERIFY(viewer.until(wire::Message::kStatus, [](const auto& m) { return isState(m, wire::IDLE); })
                    .has_value());
        viewer.control(wire::Control::STEP);
        QCOMPARE(viewer.expect(wire::Message::kIterationReport).iteration_report().iteration(), 0);
        RawViewer late(served.port());
        late.attach();
        QCOMPARE(late.expect(wire::Message::kIterationReport).iteration_report().iteration(), 0);
    }

    void stateIsSavedAndLoaded() {
        Served served;
        RawViewer viewer(served.port());
        viewer.attach();
        const auto step = [&] {
            viewer.control(wire::Control::STEP);
            return viewer.expect(wire::Message::kIterationReport).iteration_report();
        };
        step();
        wire::Message message;
        message.mutable_save_state()->set_path(file("state.safetensors"));
        viewer.send(message);
        QVERIFY(viewer.expect(wire::Message::kLog).log().text().find("saved") != std::string::npos);
        const double loss = step().loss();
        message.mutable_load_state()->set_path(file("state.safetensors"));
        viewer.send(message);
        QVERIFY(viewer.expect(wire::Message::kLog).log().text().find("loaded") != std::string::npos);
        const auto again = step();
        QCOMPARE(again.iteration(), 1);
        QCOMPARE(again.loss(), loss);
        message.mutable_load_state()->set_path(file("none.safetensors"));
        viewer.send(message);
        QVERIFY(viewer.expect(wire::Message::kLog).log().text().find("could not") != std::string::npos);
    }

    void failuresAreReportedAndDoNotEndTheEngine() {
        Served served;
        RawViewer viewer(served.port());
        viewer.attach();
        const std::string text = file("text.txt");
        std::ofstream(text) << std::string(4000, 'a');
        RunConfig config = Served::small();
        config.data_file = text;
        viewer.send(configureMessage(1, config));
        QCOMPARE(viewer.expect(wire::Message::kConfigureReply).configure_reply().problems_size(), 0);
        QVERIFY(std::filesystem::remove(text));
        viewer.control(wire::Control::RUN);
        const auto failure = viewer.until(wire::Message::kFailure);
        QVERIFY(failure && !failure->failure().sentence().empty() &&
                !failure->failure().what_to_do().empty());
        QVERIFY(viewer.until(wire::Message::kStatus, [](const auto& m) { return isState(m, wire::FAILED); })
                    .has_value());
        RawViewer late(served.port());
        late.attach();
        QCOMPARE(late.next()->hello().state(), wire::FAILED);
        QVERIFY(late.next()->has_failure());
        viewer.send(configureMessage(2, Served::small()));
        QCOMPARE(viewer.expect(wire::Message::kConfigureReply).configure_reply().problems_size(), 0);
        viewer.control(wire::Control::STEP);
        QVERIFY(viewer.until(wire::Message::kIterationReport).has_value());
    }

    void sweepsRunBetweenIterations() {
        Served served;
        RawViewer viewer(served.port());
        viewer.attach();
        viewer.control(wire::Control::STEP);
        QVERIFY(viewer.until(wire::Message::kIterationReport).has_value());
        wire::Message message;
        for (const int m : {1, 2, 4}) message.mutable_start_sweep()->add_m(m);
        message.mutable_start_sweep()->set_iterations(2);
        viewer.send(message);
        const auto first = viewer.until(wire::Message::kSweep);
        QVERIFY(first.has_value());
        QCOMPARE(first->sweep().points_size(), 3);
        QVERIFY(first->sweep().points(2).predicted_tokens_per_s() > 0);
        const auto last =
            viewer.until(wire::Message::kSweep, [](const auto& m) { return m.sweep().finished(); });
        QVERIFY(last && last->sweep().best_m() > 0 && last->sweep().has_why());
        viewer.control(wire::Control::STEP);
        QCOMPARE(viewer.expect(wire::Message::kIterationReport).iteration_report().iteration(), 1);
    }

    void sweepsCanBeCancelled() {
        Served served;
        RawViewer viewer(served.port());
        viewer.attach();
        wire::Message message;
        message.mutable_start_sweep()->add_m(64);
        message.mutable_start_sweep()->set_iterations(100000);
        viewer.send(message);
        QVERIFY(viewer.until(wire::Message::kSweep).has_value());
        message.mutable_cancel_sweep();
        viewer.send(message);
        QVERIFY(viewer.until(wire::Message::kSweep, [](const auto& m) { return m.sweep().cancelled(); })
                    .has_value());
    }

    void engineEndsWhenAlone() {
        ServerOptions options = Served::paused();
        options.paused = false;
        options.exit_when_alone = true;
        Served served(options);
        {
            RawViewer viewer(served.port());
            viewer.attach();
            QVERIFY(viewer.until(wire::Message::kIterationReport).has_value());
        }
        QTRY_VERIFY(served.ended());
    }

    void loopbackIsKnown() {
        QVERIFY(isLoopback("127.0.0.1") && isLoopback("::1") && isLoopback("localhost") &&
                isLoopback("127.3.2.1"));
        QVERIFY(!isLoopback("0.0.0.0") && !isLoopback("192.168.1.2") && !isLoopback("::"));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, isLoopback("my-machine"));
    }

    void takenPortIsReported() {
        Served served;
        ServerOptions options = Served::paused();
        options.port = static_cast<std::uint16_t>(served.port());
        try {
            Server second(options, Served::small());
            QFAIL("listens on a taken port");
        } catch (const std::runtime_error& error) {
            QVERIFY2(QString::fromUtf8(error.what()).startsWith("cannot listen on 127.0.0.1:"), error.what());
        }
    }

    void historyKeepsTheLastReports() {
        History history;
        wire::Message message;
        message.mutable_iteration_start()->set_iteration(0);
        history.add(makeFrame(message));
        for (int i = 0; i < 300; ++i) {
            message.mutable_iteration_report()->set_iteration(i);
            history.add(makeFrame(message));
        }
        QCOMPARE(history.catchUp().size(), History::kReports + 1);
        message.mutable_iteration_start()->set_iteration(0);
        history.add(makeFrame(message));
        QCOMPARE(history.catchUp().size(), std::size_t{1});
    }

    void historyForgetsWhatIsRunAgain() {
        History history;
        wire::Message message;
        const auto add = [&](std::int32_t iteration) {
            message.mutable_events()->add_iteration(iteration);
            history.add(makeFrame(message));
            message.mutable_iteration_report()->set_iteration(iteration);
            history.add(makeFrame(message));
        };
        message.mutable_iteration_start()->set_iteration(0);
        history.add(makeFrame(message));
        for (int iteration = 0; iteration < 5; ++iteration) add(iteration);
        message.mutable_iteration_start()->set_iteration(3);
        history.add(makeFrame(message));
        add(3);
        std::vector<std::int32_t> reports;
        for (const OutFrame& frame : history.catchUp())
            if (frame.body == wire::Message::kIterationReport) reports.push_back(frame.iteration);
        QCOMPARE(reports, (std::vector<std::int32_t>{0, 1, 2, 3}));
    }
};

BUBBLESCOPE_TEST(TestServer)

}  // namespace tst_server

#include "tst_server.moc"
