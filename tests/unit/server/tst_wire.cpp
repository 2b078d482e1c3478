// The stream: frames come out as they went in whatever the pieces they arrive in, garbage is refused with a
// sentence, and every plain type survives the way through its message unchanged.
#include <QTest>

#include "registered_test.h"
#include "wire/frame.h"
#include "wire_samples.h"

namespace tst_wire {

using namespace bscope;

namespace {

// Through bytes, not only through the object.
template <class Message>
Message throughBytes(const Message& message) {
    Message out;
    out.ParseFromString(message.SerializeAsString());
    return out;
}

// The plain types of report/report.h have no equality; their messages have.
template <class Message>
bool same(const Message& a, const Message& b) {
    return a.SerializeAsString() == b.SerializeAsString();
}

wire::Message logMessage(const std::string& text) {
    wire::Message message;
    message.mutable_log()->set_text(text);
    return message;
}

}  // namespace

class TestWire : public QObject {
    Q_OBJECT

private slots:
    void configRoundTrip() {
        Samples samples(1);
        for (int i = 0; i < 300; ++i) {
            const RunConfig config = samples.config();
            QVERIFY(fromWire(throughBytes(toWire(config))) == config);
        }
    }

    void absentFieldsAreDefaults() {
        QVERIFY(fromWire(wire::RunConfig{}) == RunConfig{});
        wire::RunConfig partial;
        partial.mutable_model()->set_layers(12);
        partial.mutable_training()->set_clip_norm(0);
        RunConfig expected;
        expected.model.layers = 12;
        expected.training.clip_norm = 0;
        QVERIFY(fromWire(throughBytes(partial)) == expected);
    }

    void overlayKeepsWhatIsAbsent() {
        RunConfig config;
        config.params.m = 17;
        config.layers_per_stage = {1, 2, 3, 2};
        wire::RunConfig from;
        from.set_p(2);
        QVERIFY(overlay(from, config).empty());
        QCOMPARE(config.params.p, 2);
        QCOMPARE(config.params.m, 17);
        QCOMPARE(config.layers_per_stage.size(), std::size_t{4});
    }

    void unknownWordsAreAllReported() {
        wire::RunConfig from;
        from.set_recompute("ful");
        from.set_clock("sundial");
        from.set_durations("");
        from.set_device("gpu");
        from.set_dtype("fp16");
        RunConfig config;
        const auto problems = overlay(from, config);
        QCOMPARE(problems.size(), std::size_t{5});
        QCOMPARE(problems[0].field, std::string("recompute"));
        QVERIFY(problems[0].text().find("selective") != std::string::npos);
        QCOMPARE(problems[3].text(), std::string("device = gpu is unknown; legal: cpu, cuda, auto"));
        QCOMPARE(problems[4].text(), std::string("dtype = fp16 is unknown; legal: fp32, bf16"));
        QVERIFY(config == RunConfig{});
        QVERIFY_THROWS_EXCEPTION(WireError, fromWire(from));
    }

    void reportsRoundTrip() {
        Samples samples(2);
        for (int i = 0; i < 100; ++i) {
            const auto report = samples.report();
            QVERIFY(fromWire(throughBytes(toWire(report))).theory_bubble_of_total ==
                    report.theory_bubble_of_total);
            QVERIFY(fromWire(throughBytes(toWire(report))).tracing_cost == report.tracing_cost);
            QVERIFY(same(toWire(fromWire(throughBytes(toWire(report)))), toWire(report)));
            const auto start = samples.start();
            QVERIFY(same(toWire(fromWire(throughBytes(toWire(start)))), toWire(start)));
            const auto sweep = samples.sweep();
            QVERIFY(same(toWire(fromWire(throughBytes(toWire(sweep)))), toWire(sweep)));
            const auto problem = samples.problem();
            QVERIFY(same(toWire(fromWire(throughBytes(toWire(problem)))), toWire(problem)));
        }
    }

    void costsKeepTheirLink() {
        const Costs costs = Samples(3).costs();
        const Costs back = fromWire(throughBytes(toWire(costs)));
        QVERIFY(back.link == costs.link);
        QCOMPARE(back.stages.size(), costs.stages.size());
    }

    void eventsRoundTrip() {
        Samples samples(4);
        for (const int count : {0, 1, 2, 256}) {
            const auto events = samples.events(7, count);
            QVERIFY(fromWire(throughBytes(toWire(7, events))) == events);
            const auto points = samples.memory(3, count);
            QVERIFY(fromWire(throughBytes(toWire(3, points))) == points);
        }
    }

    void kernelsRoundTripInParts() {
        Samples samples(6);
        for (const std::size_t count : {std::size_t{1}, std::size_t{256}, std::size_t{600}}) {
            const auto reported = samples.kernels(5, static_cast<int>(count));
            std::vector<KernelEvent> back;
            for (std::size_t first = 0; first < count; first += kEventsPerBatch) {
                const KernelPart part = fromWire(throughBytes(toWire(5, reported, first)));
                QCOMPARE(part.first, first);
                QCOMPARE(part.total, count);
                QVERIFY(part.kernels.size() <= kEventsPerBatch);
                back.insert(back.end(), part.kernels.begin(), part.kernels.end());
            }
            QVERIFY(back == reported);
        }
    }

    void kernelNamesTravelOnce() {
        auto reported = Samples(7).kernels(0, 100);
        for (auto& kernel : reported) kernel.name = "gemm";
        QCOMPARE(toWire(0, reported, 0).names_size(), 1);
    }

    void kernelsThatNoEngineSendsAreRefused() {
        const auto good = toWire(0, Samples(8).kernels(0, 3), 0);
        auto batch = good;
        batch.set_name(1, 99);
        QVERIFY_THROWS_EXCEPTION(WireError, fromWire(batch));
        batch = good;
        batch.set_kind(1, 9);
        QVERIFY_THROWS_EXCEPTION(WireError, fromWire(batch));
        batch = good;
        batch.set_total(2);
        QVERIFY_THROWS_EXCEPTION(WireError, fromWire(batch));
        batch = good;
        batch.add_bytes(1);
        QVERIFY_THROWS_EXCEPTION(WireError, fromWire(batch));
    }

    void batchesThatNoEngineSendsAreRefused() {
        auto batch = toWire(0, Samples(5).events(0, 3));
        batch.add_bytes(1);
        QVERIFY_THROWS_EXCEPTION(WireError, fromWire(batch));
        batch = toWire(0, Samples(5).events(0, 3));
        batch.set_op(1, 99);
        QVERIFY_THROWS_EXCEPTION(WireError, fromWire(batch));
        batch = toWire(0, Samples(5).events(0, 3));
        batch.set_rank(-1);
        QVERIFY_THROWS_EXCEPTION(WireError, fromWire(batch));
    }

    void framesArriveInAnyPieces() {
        std::string stream;
        std::vector<std::string> frames;
        for (const auto& text : {std::string("one"), std::string(700, 'x'), std::string("三")}) {
            frames.push_back(encode(logMessage(text)));
            stream += frames.back();
        }
        for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{100}, stream.size()}) {
            FrameReader reader;
            std::size_t got = 0;
            for (std::size_t at = 0; at < stream.size(); at += piece) {
                reader.feed(std::string_view(stream).substr(at, piece));
                while (const auto message = reader.next()) {
                    QVERIFY(got < frames.size());
                    QVERIFY(reader.lastFrame() == frames[got++]);
                    QVERIFY(message->has_log());
                }
            }
            QCOMPARE(got, frames.size());
            QCOMPARE(reader.pendingBytes(), std::size_t{0});
        }
    }

    void garbageIsRefusedInASentence() {
        for (const std::string& bytes : {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(8, '\xff'),
                                         std::string(8, '\0'), std::string("\x02\0\0\0\xff\xff\xff\xff\xff\xff", 10)}) {
            FrameReader reader;
            reader.feed(bytes);
            try {
                reader.next();
                QFAIL("garbage was taken for a message");
            } catch (const WireError& error) {
                const QString said = QString::fromUtf8(error.what());
                QVERIFY2(said.startsWith("these bytes are not a Bubblescope stream") ||
                             said.contains("checksum does not fit"),
                         error.what());
            }
        }
    }

    // Against the definition (RFC 3720, section 12.1), bit by bit, which gives "123456789" its published check
    // value.
    void checksumIsCrc32c() {
        const std::string frame = framed("56789");
        const auto bitwise = [](std::string_view bytes) {
            std::uint32_t crc = 0xffffffffu;
            for (const char byte : bytes) {
                crc ^= static_cast<unsigned char>(byte);
                for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0u);
            }
            return ~crc;
        };
        QCOMPARE(bitwise("123456789"), 0xe3069283u);
        std::uint32_t stored = 0;
        for (std::size_t i = 0; i < 4; ++i)
            stored |= std::uint32_t{static_cast<unsigned char>(frame[4 + i])} << (8 * i);
        QCOMPARE(stored, bitwise(frame.substr(0, 4) + frame.substr(8)));
    }

    // A peer of version 1 greets without a checksum, and is refused by its version and not for its bytes.
    void aPeerWithoutChecksumsIsKnownByItsGreeting() {
        wire::Message attach;
        attach.mutable_attach()->set_protocol_version(1);
        FrameReader reader;
        reader.feed(encode(attach, Framing::Unchecked));
        const auto greeted = reader.next();
        QVERIFY(greeted);
        QCOMPARE(greeted->attach().protocol_version(), 1U);
        QVERIFY(!versionMismatch(greeted->attach().protocol_version()).empty());
        FrameReader strict;
        strict.feed(encode(logMessage("no greeting"), Framing::Unchecked) + std::string(64, '\0'));
        QVERIFY_THROWS_EXCEPTION(WireError, strict.next());
    }

    void emptyMessagesCannotBeSent() { QVERIFY_THROWS_EXCEPTION(WireError, encode(wire::Message{})); }

    void versionsMustMatch() {
        QVERIFY(versionMismatch(kProtocolVersion).empty());
        QVERIFY(!versionMismatch(kProtocolVersion + 1).empty());
        QVERIFY(!versionMismatch(0).empty());
    }
};

BUBBLESCOPE_TEST(TestWire)

}  // namespace tst_wire

#include "tst_wire.moc"
