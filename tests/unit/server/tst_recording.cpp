// Recordings: what was written is read back; a file cut at any byte opens up to its last whole message and
// says so, or is refused in a sentence; a disk that fills up stops the recording once and nothing else.
#include <QTest>
#include <fstream>

#include "registered_test.h"
#include "wire/recording.h"
#include "wire_samples.h"

namespace tst_recording {

using namespace bscope;

class TestRecording : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::filesystem::path path(const char* name) const { return (folder_.path() + "/" + name).toStdString(); }

    static void put(const std::filesystem::path& file, std::string_view bytes) {
        std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

    static std::string flipped(std::string bytes, std::size_t bit) {
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
        return bytes;
    }

    static std::vector<std::string> smallStream() {
        Samples samples(1);
        std::vector<std::string> frames;
        wire::Message message;
        *message.mutable_iteration_start() = toWire(samples.start());
        frames.push_back(encode(message));
        *message.mutable_events() = toWire(0, samples.events(0, 5));
        frames.push_back(encode(message));
        *message.mutable_kernels() = toWire(0, samples.kernels(0, 5), 0);
        frames.push_back(encode(message));
        *message.mutable_iteration_report() = toWire(samples.report());
        frames.push_back(encode(message));
        return frames;
    }

private slots:
    void writtenIsRead() {
        const auto frames = smallStream();
        RecordingWriter writer(path("whole.bscope"), nullptr);
        for (const auto& frame : frames) writer.write(frame);
        writer.close();
        RecordingReader reader(path("whole.bscope"));
        std::size_t got = 0;
        while (const auto message = reader.next()) QVERIFY(encode(*message) == frames.at(got++));
        QCOMPARE(got, frames.size());
        QVERIFY(reader.warning().empty());
    }

    void cutAtEveryByte() {
        const auto frames = smallStream();
        std::string whole = recordingHeader();
        std::vector<std::size_t> ends{whole.size()};
        for (const auto& frame : frames) ends.push_back((whole += frame).size());
        const auto file = path("cut.bscope");
        for (std::size_t length = 0; length <= whole.size(); ++length) {
            put(file, std::string_view(whole).substr(0, length));
            if (length < kRecordingHeaderBytes) {
                QVERIFY_THROWS_EXCEPTION(WireError, RecordingReader{file});
                continue;
            }
            RecordingReader reader(file);
            std::size_t got = 0;
            while (reader.next()) ++got;
            const auto expected =
                static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), length) - ends.begin()) -
                1;
            QCOMPARE(got, expected);
            QCOMPARE(reader.warning().empty(), length == ends[expected]);
        }
    }

    // Version 1 had no checksums.
    void filesOfVersionOneStayReadable() {
        const auto frames = smallStream();
        std::string whole = recordingHeader(Framing::Unchecked);
        for (const auto& frame : frames) whole += framed(frame.substr(kFrameHeaderBytes), Framing::Unchecked);
        const auto file = path("old.bscope");
        put(file, whole);
        const auto read = [&] {
            RecordingReader reader(file);
            std::vector<std::string> got;
            while (const auto message = reader.next()) got.push_back(encode(*message));
            return std::pair(got, reader.warning().empty() && reader.framing() == Framing::Unchecked);
        };
        QCOMPARE(read(), std::pair(frames, true));
        // What is added to one is framed as it is.
        RunNote one;
        one.id = 1;
        one.text = "one";
        const wire::Message note = messageOf(one);
        const std::uint64_t grown = appendToRecording(file, note, whole.size());
        QCOMPARE(grown, std::filesystem::file_size(file));
        std::vector<std::string> with_note = frames;
        with_note.push_back(encode(note));
        QCOMPARE(read(), std::pair(with_note, true));
    }

    // Whichever bit is another, it is noticed: the file is refused, the message is, or it is waited for.
    void everyBitIsGuarded() {
        const std::string header = recordingHeader();
        for (std::size_t bit = 0; bit < 8 * header.size(); ++bit)
            QVERIFY_THROWS_EXCEPTION(WireError, framingOfRecording(flipped(header, bit)));
        for (const std::string& frame : smallStream())
            for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
                FrameReader reader;
                reader.feed(flipped(frame, bit));
                bool taken = false;
                try {
                    taken = reader.next().has_value();
                } catch (const WireError&) {  // noticed
                }
                QVERIFY2(!taken, qPrintable(QString::number(bit)));
            }
    }

    void damageIsLeftOut() {
        const auto frames = smallStream();
        put(path("damaged.bscope"), recordingHeader() + frames[0] + std::string(40, '\xff'));
        RecordingReader reader(path("damaged.bscope"));
        QVERIFY(reader.next().has_value());
        QVERIFY(!reader.next().has_value());
        QVERIFY(QString::fromStdString(say(reader.warning(), Language::English))
                    .contains("cannot be used after byte"));
    }

    // A message can be whole and yet say what no engine says.
    void nonsenseIsDamage_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("columns of different length") << 0;
        QTest::newRow("a time beyond all times") << 1;
        QTest::newRow("a send") << 2;
        QTest::newRow("an unknown operation") << 3;
    }
    void nonsenseIsDamage() {
        QFETCH(int, kind);
        const auto frames = smallStream();
        wire::Message nonsense;
        wire::EventBatch& batch = *nonsense.mutable_events();
        batch = toWire(0, Samples(2).events(0, 3));
        if (kind == 0) batch.add_bytes(1);
        if (kind == 1) batch.set_duration_ns(2, ~std::uint64_t{0});
        if (kind == 2) batch.set_op(1, static_cast<std::uint32_t>(Op::SendForward));
        if (kind == 3) batch.set_op(1, 99);
        put(path("nonsense.bscope"),
            recordingHeader() + frames[0] + frames[1] + encode(nonsense) + frames[3]);
        RecordingReader reader(path("nonsense.bscope"));
        std::size_t got = 0;
        reader.readAll([&](const wire::Message& message) {
            if (message.has_events()) fromWire(message.events());
            ++got;
        });
        QCOMPARE(got, std::size_t(2));
        const auto good = recordingHeader().size() + frames[0].size() + frames[1].size();
        QVERIFY2(QString::fromStdString(say(reader.warning(), Language::English))
                     .contains(QString("cannot be used after byte %1: ").arg(good)),
                 reader.warning().id.c_str());
    }

    void otherFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("text") << QByteArray("hello, this is a text file") << "not a Bubblescope recording";
        QTest::newRow("empty") << QByteArray() << "not a Bubblescope recording";
        QTest::newRow("later version") << QByteArray("BSCOPE\x1a\n\x63\0\0\0", 12) << "version 99";
    }
    void otherFilesAreRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, sentence);
        put(path("other"), bytes.toStdString());
        try {
            RecordingReader reader(path("other"));
            QFAIL("was opened");
        } catch (const WireError& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(sentence), error.what());
        }
    }

    void missingFileAndFolderAreRefused() {
        QVERIFY_THROWS_EXCEPTION(WireError, RecordingReader{path("none")});
        QVERIFY_THROWS_EXCEPTION(WireError, RecordingReader{folder_.path().toStdString()});
        QVERIFY_THROWS_EXCEPTION(WireError, RecordingWriter(path("no/such/folder.bscope"), nullptr));
    }

    void fullDiskStopsTheRecordingOnce() {
        int reported = 0;
        QString sentence;
        RecordingWriter writer("/dev/full", [&](const Sentence& what) {
            ++reported;
            sentence = QString::fromStdString(say(what, Language::English));
        });
        for (int i = 0; i < 2000; ++i) writer.write(smallStream()[2]);
        writer.flush();
        writer.close();
        QCOMPARE(reported, 1);
        QVERIFY(writer.stopped());
        QVERIFY2(sentence.contains("No space left") && sentence.contains("The run goes on"),
                 qPrintable(sentence));
    }
};

BUBBLESCOPE_TEST(TestRecording)

}  // namespace tst_recording

#include "tst_recording.moc"
