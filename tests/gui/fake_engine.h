// FakeEngine: an engine made of a script, for tests of the window's side: accepts one viewer, keeps what it
// says, says what the test wants. Iterations are played from the plan of their configuration, so every number
// that arrives is known.
#pragma once

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <functional>
#include <memory>
#include <vector>

#include "app/history/planned_iteration.h"
#include "schedule/catalog.h"
#include "timeline/iteration_events.h"
#include "timeline/measured_report.h"
#include "wire/convert.h"
#include "wire/frame.h"
#include "wire/recording.h"

namespace bscope::ui {

class FakeEngine : public QObject {
public:
    explicit FakeEngine(quint16 port = 0) {
        connect(&server_, &QTcpServer::newConnection, this, [this] {
            socket_.reset(server_.nextPendingConnection());
            frames_ = FrameReader();
            connect(socket_.get(), &QTcpSocket::readyRead, this, [this] { read(); });
        });
        server_.listen(QHostAddress::LocalHost, port);
    }

    quint16 port() const { return server_.serverPort(); }
    bool hasViewer() const { return socket_ && socket_->state() == QAbstractSocket::ConnectedState; }
    qint64 bytesToWrite() const { return socket_->bytesToWrite(); }
    void hangUp() {
        if (socket_) socket_->abort();
    }
    // After what was sent.
    void leave() { socket_->disconnectFromHost(); }
    void stopListening() { server_.close(); }
    void startAnew() { ++started_unix_ms_; }  // a later greeting is another engine's

    void send(const wire::Message& message) { sendBytes(encode(message)); }
    void sendBytes(const std::string& bytes) {
        socket_->write(bytes.data(), static_cast<qint64>(bytes.size()));
        socket_->flush();
    }

    void hello(const RunConfig& config, wire::RunState state = wire::IDLE, bool controller = true,
               std::uint32_t version = kProtocolVersion) {
        wire::Message message;
        wire::Hello& hello = *message.mutable_hello();
        hello.set_protocol_version(version);
        hello.set_engine_version("0.1.0");
        hello.set_device("CPU, 2 cores");
        hello.set_controller(controller);
        hello.set_state(state);
        hello.set_started_unix_ms(started_unix_ms_);
        *hello.mutable_config() = toWire(config);
        send(message);
    }
    void status(wire::RunState state, int iteration = 0) {
        wire::Message message;
        message.mutable_status()->set_state(state);
        message.mutable_status()->set_iteration(iteration);
        send(message);
    }
    void start(const RunConfig& config, int iteration, std::int64_t start_ns) {
        wire::Message message;
        *message.mutable_iteration_start() = toWire(startOf(config, iteration, start_ns));
        send(message);
    }
    // Events, memory and watermark; with report = false the iteration stays unfinished. Ends at the returned
    // time.
    std::int64_t iteration(const RunConfig& config, int iteration, std::int64_t start_ns,
                           bool report = true) {
        std::int64_t end_ns = start_ns;
        for (const wire::Message& message : iterationMessages(config, iteration, start_ns, report, &end_ns))
            send(message);
        return end_ns;
    }
    void accept(std::uint64_t request, int from_iteration, bool new_run = false) {
        wire::Message message;
        message.mutable_configure_reply()->set_request(request);
        message.mutable_configure_reply()->set_from_iteration(from_iteration);
        message.mutable_configure_reply()->set_new_run(new_run);
        send(message);
    }

    // What the viewer said so far; the last message of one kind, or null.
    const std::vector<wire::Message>& said() const { return said_; }
    const wire::Message* last(wire::Message::BodyCase kind) const {
        for (auto message = said_.rbegin(); message != said_.rend(); ++message)
            if (message->body_case() == kind) return &*message;
        return nullptr;
    }

    static IterationStart startOf(const RunConfig& config, int iteration, std::int64_t start_ns) {
        IterationStart start;
        start.config = config;
        start.iteration = iteration;
        start.start_ns = start_ns;
        start.provenance = Provenance::Reconstructed;
        start.device = "CPU, 2 cores";
        if (problems(config).empty())
            start.schedule = std::make_shared<const Schedule>(makeSchedule(config.schedule, config.params));
        return start;
    }

    // What ran otherwise than its costs say.
    using Oddity = std::function<void(Costs&)>;

    static std::vector<wire::Message> iterationMessages(const RunConfig& config, int iteration,
                                                        std::int64_t start_ns, bool report,
                                                        std::int64_t* end_ns, const Oddity& oddity = {}) {
        const Costs costs = estimateCosts(config, nullptr);
        Costs odd = costs;
        if (oddity) oddity(odd);
        const PlannedIteration plan = planIteration(config, odd, start_ns, iteration);
        const auto timeline = plan.stream ? aloneOf(*plan.timeline, iteration) : plan.timeline;
        std::vector<wire::Message> messages;
        for (int rank = 0; rank < timeline->ranks(); ++rank) {
            for (const auto row : {timeline->compute(rank), timeline->receives(rank)}) {
                if (row.empty()) continue;
                *messages.emplace_back().mutable_events() = toWire(rank, std::vector(row.begin(), row.end()));
            }
            const auto points = timeline->memory(rank);
            if (!points.empty())
                *messages.emplace_back().mutable_memory() =
                    toWire(rank, std::vector(points.begin(), points.end()));
        }
        *end_ns = timeline->end_ns();
        messages.emplace_back().mutable_watermark()->set_time_ns(*end_ns);
        if (!report) return messages;
        IterationReport reported;
        reported.iteration = iteration;
        reported.schedule = config.schedule;
        reported.p = config.params.p;
        reported.m = config.params.m;
        reported.v = config.params.v;
        reported.d = config.params.d;
        reported.provenance = Provenance::Reconstructed;
        reported.device = "CPU, 2 cores";
        const IterationSummary summary = summarize(*timeline, iteration);
        fillMeasured(reported, summary);
        reported.host_ms = 500;
        reported.predicted_bubble_of_total = reported.bubble_of_total;
        reported.tokens_per_s = tokensPerSecond(config, summary.iteration_ns);
        reported.predicted_iteration_ms = reported.iteration_ms;
        reported.loss = 5.5 / (1.0 + 0.1 * iteration);
        reported.costs = costs;
        *messages.emplace_back().mutable_iteration_report() = toWire(reported);
        return messages;
    }

    // A recording of that many whole iterations of the configuration.
    static void record(const QString& path, const RunConfig& config, int iterations,
                       const Oddity& oddity = {}) {
        RecordingWriter writer(path.toStdString(), [](const Sentence& why) { QFAIL(why.id.c_str()); });
        wire::Message start;
        *start.mutable_iteration_start() = toWire(startOf(config, 0, 0));
        writer.write(encode(start));
        std::int64_t end_ns = 0;
        for (int i = 0; i < iterations; ++i)
            for (const auto& message : iterationMessages(config, i, end_ns, true, &end_ns, oddity))
                writer.write(encode(message));
    }

private:
    void read() {
        const QByteArray bytes = socket_->readAll();
        frames_.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        while (auto message = frames_.next()) said_.push_back(std::move(*message));
    }

    QTcpServer server_;
    std::unique_ptr<QTcpSocket> socket_;
    FrameReader frames_;
    std::vector<wire::Message> said_;
    std::int64_t started_unix_ms_ = 1;
};

}  // namespace bscope::ui
