// The way to an engine: attach, decode, be refused, break off; and an engine that cannot be started or dies.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/engine/engine_client.h"
#include "app/engine/engine_connection.h"
#include "fake_engine.h"
#include "registered_test.h"

namespace tst_engine_client {

using namespace bscope;
using namespace bscope::ui;

class TestEngineClient : public QObject {
    Q_OBJECT

    static EngineAddress at(quint16 port) { return {"127.0.0.1", port, {}}; }

    // What the system keeps of one connection, in bytes: it lets its buffers grow up to the third number of these.
    static qint64 mostOfSystem() {
        qint64 most = 0;
        for (const char* buffer : {"/proc/sys/net/ipv4/tcp_rmem", "/proc/sys/net/ipv4/tcp_wmem"}) {
            QFile file(buffer);
            const QByteArrayList sizes =
                file.open(QFile::ReadOnly) ? file.readAll().simplified().split(' ') : QByteArrayList();
            most += sizes.size() == 3 ? sizes[2].toLongLong() : 8 << 20;
        }
        return most;
    }

private slots:
    void initTestCase() { qRegisterMetaType<Notice>(); }

    void attachesAndDecodes() {
        FakeEngine engine;
        EngineClient client;
        QSignalSpy attached(&client, &EngineClient::attached);
        client.connectTo({"127.0.0.1", engine.port(), "secret"});
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        QCOMPARE(engine.last(wire::Message::kAttach)->attach().token(), std::string("secret"));
        QCOMPARE(engine.last(wire::Message::kAttach)->attach().protocol_version(), kProtocolVersion);
        engine.hello(RunConfig{});
        engine.start(RunConfig{}, 0, 0);
        engine.iteration(RunConfig{}, 0, 0);
        QTRY_COMPARE(attached.size(), 1);
        std::vector<Received> all;
        QTRY_VERIFY([&] {
            for (Received& received : client.take()) all.push_back(std::move(received));
            return !all.empty() && all.back().message.has_iteration_report();
        }());
        QVERIFY(all.front().message.has_hello());
        for (const Received& received : all) QCOMPARE(received.frame, encode(received.message));
    }

    // The reader of the greeting answers it at once, and an answer before Attached would be lost.
    void greetingWaitsUntilAnswersCanBeSent() {
        FakeEngine engine;
        EngineConnection connection;
        connection.connectTo(at(engine.port()));
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{});
        QThread::msleep(100);  // read by its thread, not yet delivered to this one
        QVERIFY(connection.phase() == EngineConnection::Phase::Starting);
        QVERIFY(connection.take().empty());
        QTRY_VERIFY(connection.phase() == EngineConnection::Phase::Attached);
        QCOMPARE(connection.take().size(), std::size_t{1});
    }

    // An engine that never stops sending: what the client holds is bounded, in bytes whether its messages are
    // large or small, and whether the window takes them or not.
    void whatWaitsIsBounded_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("takes");
        QTest::newRow("large, not taken") << 100'000 << 0;
        QTest::newRow("failures of 1 MB, not taken") << 1'000'000 << 0;
        QTest::newRow("small, taken") << 10 << 60;
    }
    void whatWaitsIsBounded() {
        QFETCH(int, size);
        QFETCH(int, takes);
        // The queue's bytes, what both sockets hold and a message in pieces; the system's own are its settings.
        const qint64 most_held = (32 << 20) + (16 << 20) + mostOfSystem();
        FakeEngine engine;
        EngineClient client;
        QSignalSpy attached(&client, &EngineClient::attached);
        client.connectTo(at(engine.port()));
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{});
        QTRY_COMPARE(attached.size(), 1);
        wire::Message message;
        message.mutable_log()->set_text(std::string(static_cast<std::size_t>(size), 'x'));
        std::string frames;
        while (frames.size() < (1u << 20)) frames += encode(message);
        qint64 sent = 0, taken = 0;
        int quiet = 0;
        for (int round = 0; quiet < 20 && sent - taken < 2 * most_held && (takes == 0 || round < takes);
             ++round) {
            const qint64 before = sent;
            for (int i = 0; i < 8 && engine.bytesToWrite() < (4 << 20); ++i) {
                engine.sendBytes(frames);
                sent += static_cast<qint64>(frames.size());
            }
            quiet = sent == before && takes == 0 ? quiet + 1 : 0;
            QTest::qWait(10);
            if (takes > 0)
                for (const Received& received : client.take())
                    taken += static_cast<qint64>(received.frame.size());
        }
        const qint64 held = sent - taken - engine.bytesToWrite();
        QVERIFY2(held < most_held, qPrintable(QString("%1 of %2 bytes").arg(held).arg(most_held)));
    }

    void sendsFrames() {
        FakeEngine engine;
        EngineClient client;
        client.connectTo(at(engine.port()));
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{});
        wire::Message run;
        run.mutable_control()->set_verb(wire::Control::RUN);
        client.send(run);
        QTRY_VERIFY(engine.last(wire::Message::kControl));
    }

    void refusedConnectionIsTransient() {
        quint16 port = 0;
        { port = FakeEngine().port(); }
        EngineClient client;
        QSignalSpy lost(&client, &EngineClient::lost);
        client.connectTo(at(port));
        QTRY_COMPARE(lost.size(), 1);
        const Notice notice = lost[0][0].value<Notice>();
        QVERIFY2(notice.sentence.text().contains(QString::number(port)) &&
                     notice.sentence.text().contains("refused"),
                 qPrintable(notice.sentence.text()));
        QVERIFY(!notice.what_to_do.isEmpty());
        QVERIFY(lost[0][1].toBool());
    }

    void anotherVersionIsPersistent() {
        FakeEngine engine;
        EngineClient client;
        QSignalSpy lost(&client, &EngineClient::lost);
        client.connectTo(at(engine.port()));
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{}, wire::IDLE, true, kProtocolVersion + 7);
        QTRY_COMPARE(lost.size(), 1);
        QVERIFY(lost[0][0].value<Notice>().sentence.text().contains(QString::number(kProtocolVersion + 7)));
        QVERIFY(!lost[0][1].toBool());
        QVERIFY(client.take().empty());
    }

    void refusalInWordsIsPersistent() {
        FakeEngine engine;
        EngineClient client;
        QSignalSpy lost(&client, &EngineClient::lost);
        client.connectTo(at(engine.port()));
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        wire::Message refusal;
        refusal.mutable_failure()->set_sentence("The token is wrong.");
        engine.send(refusal);
        engine.hangUp();
        QTRY_COMPARE(lost.size(), 1);
        QCOMPARE(lost[0][0].value<Notice>().sentence.text(), QStringLiteral("The token is wrong."));
        QVERIFY(!lost[0][1].toBool());
    }

    void notAnEngine() {
        FakeEngine engine;
        EngineClient client;
        QSignalSpy lost(&client, &EngineClient::lost);
        client.connectTo(at(engine.port()));
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.sendBytes("HTTP/1.1 400 Bad Request\r\n\r\n");
        QTRY_COMPARE(lost.size(), 1);
        QVERIFY(!lost[0][1].toBool());
    }

    void brokenLineIsTransient() {
        FakeEngine engine;
        EngineClient client;
        QSignalSpy attached(&client, &EngineClient::attached), lost(&client, &EngineClient::lost);
        client.connectTo(at(engine.port()));
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{});
        QTRY_COMPARE(attached.size(), 1);
        engine.hangUp();
        QTRY_COMPARE(lost.size(), 1);
        QVERIFY(lost[0][1].toBool());
    }

    void slowReaderLosesNothing() {
        FakeEngine engine;
        EngineClient client;
        client.connectTo(at(engine.port()));
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{});
        constexpr int kMessages = 50'000;  // more than the queue holds
        std::string bytes;
        wire::Message mark;
        for (int i = 0; i < kMessages; ++i) {
            mark.mutable_watermark()->set_time_ns(i + 1);
            bytes += encode(mark);
        }
        engine.sendBytes(bytes);
        QTest::qWait(200);
        std::int64_t expected = 1;
        QTRY_VERIFY([&] {
            for (const Received& received : client.take())
                if (received.message.has_watermark() && received.message.watermark().time_ns() == expected)
                    ++expected;
            return expected == kMessages + 1;
        }());
    }

    void connectsAgainAfterTheLineBroke() {
        auto engine = std::make_unique<FakeEngine>();
        const quint16 port = engine->port();
        EngineConnection connection;
        QSignalSpy disconnected(&connection, &EngineConnection::disconnected);
        connection.connectTo(at(port));
        QTRY_VERIFY(engine->last(wire::Message::kAttach));
        engine->hello(RunConfig{});
        QTRY_COMPARE(connection.phase(), EngineConnection::Phase::Attached);
        engine.reset();
        QTRY_COMPARE(disconnected.size(), 1);
        QCOMPARE(connection.phase(), EngineConnection::Phase::Waiting);
        QVERIFY(connection.secondsToRetry() >= 1);
        engine = std::make_unique<FakeEngine>(port);
        QTRY_VERIFY_WITH_TIMEOUT(engine->last(wire::Message::kAttach), 20'000);
        engine->hello(RunConfig{});
        QTRY_COMPARE(connection.phase(), EngineConnection::Phase::Attached);
    }

    // Other users see its command line; they do not see the token, and do not get in without.
    void ownEngineIsOursAlone() {
        qputenv("BSCOPE", BUBBLESCOPE_BIN_DIR "/bscope");
        EngineConnection connection;
        connection.startOwn();
        QTRY_COMPARE_WITH_TIMEOUT(connection.phase(), EngineConnection::Phase::Attached, 20'000);
        const QByteArray token = QByteArray::fromStdString(connection.address().token);
        QVERIFY(token.size() >= 32);
        for (const char* place : {"cmdline", "environ"}) {
            QFile file(QStringLiteral("/proc/%1/%2").arg(connection.enginePid()).arg(QLatin1String(place)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(!file.readAll().contains(token));
        }
        EngineConnection stranger;
        QSignalSpy failed(&stranger, &EngineConnection::failed);
        EngineAddress address = connection.address();
        address.token.clear();
        stranger.connectTo(address);
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].value<Notice>().sentence.text().contains("token"));
        QCOMPARE(connection.phase(), EngineConnection::Phase::Attached);
        qunsetenv("BSCOPE");
    }

    // Nothing is lost of what it said before it ended, whichever is seen first: that it closed the line or
    // that the process has ended.
    void whatAnOwnEngineSaidLastIsRead_data() {
        QTest::addColumn<bool>("line_first");
        QTest::newRow("the line") << true;
        QTest::newRow("the process") << false;
    }
    void whatAnOwnEngineSaidLastIsRead() {
        QFETCH(bool, line_first);
        FakeEngine engine;
        const QTemporaryDir folder;
        const QString end = folder.filePath(QStringLiteral("end"));
        QFile program(folder.filePath(QStringLiteral("engine")));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write(QStringLiteral("#!/bin/sh\necho listening on 127.0.0.1:%1\n"
                                     "while [ ! -e '%2' ]; do sleep 0.02; done\nexit 3\n")
                          .arg(engine.port())
                          .arg(end)
                          .toUtf8());
        program.close();
        QVERIFY(program.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner));
        qputenv("BSCOPE", program.fileName().toUtf8());

        EngineConnection connection;
        std::vector<Received> last;
        connect(&connection, &EngineConnection::ending, this, [&] { last = connection.take(); });
        QSignalSpy failed(&connection, &EngineConnection::failed);
        connection.startOwn();
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{});
        QTRY_COMPARE(connection.phase(), EngineConnection::Phase::Attached);
        engine.start(RunConfig{}, 0, 0);
        engine.iteration(RunConfig{}, 0, 0);
        const auto endProcess = [&] { return QFile(end).open(QIODevice::WriteOnly); };
        if (!line_first) {
            QVERIFY(endProcess());
            QTRY_COMPARE(connection.enginePid(), 0);
        }
        engine.leave();
        if (line_first) QVERIFY(endProcess());
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!last.empty() && last.back().message.has_iteration_report());
        QCOMPARE(connection.phase(), EngineConnection::Phase::Off);
        qunsetenv("BSCOPE");
    }

    void missingProgramSaysSo() {
        qputenv("BSCOPE", "/nowhere/bscope");
        EngineConnection connection;
        QSignalSpy failed(&connection, &EngineConnection::failed);
        connection.startOwn();
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].value<Notice>().sentence.text().contains("could not be started"));
        QCOMPARE(connection.phase(), EngineConnection::Phase::Off);
        qunsetenv("BSCOPE");
    }

    void programThatEndsAtOnceSaysItsCode() {
        qputenv("BSCOPE", "/bin/false");
        EngineConnection connection;
        QSignalSpy failed(&connection, &EngineConnection::failed);
        connection.startOwn();
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].value<Notice>().sentence.text().contains("exit code 1"));
        qunsetenv("BSCOPE");
    }
};

BUBBLESCOPE_TEST(TestEngineClient)

}  // namespace tst_engine_client

#include "tst_engine_client.moc"
