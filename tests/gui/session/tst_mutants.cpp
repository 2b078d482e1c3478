// Whatever comes over the line or out of a file, the window lives: a good stream of several configurations is
// changed here and there and shown, as a recording and as an engine would send it. The changes follow from a
// seed, so that a failure comes again; each failure names its mutant. BUBBLESCOPE_MUTANTS sets how many there
// are, BUBBLESCOPE_FIRST_MUTANT the one to begin with: for more than the tests' few by hand.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "app/schedules/schedule_controller.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"
#include "wire/recording.h"

namespace tst_mutants {

using namespace bscope;
using namespace bscope::ui;

namespace {

int number(const char* variable, int otherwise) {
    bool is_number = false;
    const int value = qEnvironmentVariableIntValue(variable, &is_number);
    return is_number ? value : otherwise;
}

// Changes of a few bytes, of a number inside a message, of whole frames; some of all.
class Mutator {
public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::vector<std::string> mutated(std::vector<std::string> frames) {
        for (int change = upTo(3); change >= 0; --change) {
            if (frames.empty()) break;
            const std::size_t at = pick(frames.size());
            switch (upTo(5)) {
                case 0:
                    frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(at));
                    break;
                case 1:
                    frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(pick(frames.size())),
                                  frames[at]);
                    break;
                case 2:
                    std::swap(frames[at], frames[pick(frames.size())]);
                    break;
                case 3:
                    changeBytes(frames[at]);
                    break;
                default:
                    changeNumbers(frames[at]);
            }
        }
        return frames;
    }

private:
    int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
    std::size_t pick(std::size_t size) {
        return std::uniform_int_distribution<std::size_t>(0, size - 1)(random_);
    }

    // Anything in the message, under a checksum that fits; now and then one that does not.
    void changeBytes(std::string& frame) {
        std::string message = frame.substr(kFrameHeaderBytes);
        for (int change = upTo(3); change >= 0; --change)
            message[pick(message.size())] = static_cast<char>(upTo(255));
        if (upTo(9) > 0)
            frame = framed(message);
        else
            frame.replace(kFrameHeaderBytes, message.size(), message);
    }

    // The message stays one; what it says does not.
    void changeNumbers(std::string& frame) {
        wire::Message message;
        if (!message.ParseFromArray(frame.data() + kFrameHeaderBytes,
                                    static_cast<int>(frame.size() - kFrameHeaderBytes)))
            return;
        changeFields(message);
        if (message.ByteSizeLong() > 0) frame = encode(message);
    }

    std::int64_t strange() {
        constexpr std::int64_t kStrange[] = {0,         1,         -1,        2,        3,     7,
                                             8,         255,       1023,      1024,     65536, 20'000'000,
                                             INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
        return kStrange[pick(std::size(kStrange))];
    }

    void changeFields(google::protobuf::Message& message) {
        using Field = google::protobuf::FieldDescriptor;
        const auto& reflection = *message.GetReflection();
        std::vector<const Field*> fields;
        reflection.ListFields(message, &fields);
        if (fields.empty()) return;
        const Field& field = *fields[pick(fields.size())];
        const bool repeated = field.is_repeated();
        const int size = repeated ? reflection.FieldSize(message, &field) : 1;
        if (size == 0) return;
        const int at = static_cast<int>(pick(static_cast<std::size_t>(size)));
        const std::int64_t value = strange();
        switch (field.cpp_type()) {
            case Field::CPPTYPE_MESSAGE:
                return changeFields(repeated ? *reflection.MutableRepeatedMessage(&message, &field, at)
                                             : *reflection.MutableMessage(&message, &field));
            case Field::CPPTYPE_INT32:
                return repeated ? reflection.SetRepeatedInt32(&message, &field, at,
                                                              static_cast<std::int32_t>(value))
                                : reflection.SetInt32(&message, &field, static_cast<std::int32_t>(value));
            case Field::CPPTYPE_UINT32:
                return repeated ? reflection.SetRepeatedUInt32(&message, &field, at,
                                                               static_cast<std::uint32_t>(value))
                                : reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(value));
            case Field::CPPTYPE_INT64:
                return repeated ? reflection.SetRepeatedInt64(&message, &field, at, value)
                                : reflection.SetInt64(&message, &field, value);
            case Field::CPPTYPE_UINT64:
                return repeated ? reflection.SetRepeatedUInt64(&message, &field, at,
                                                               static_cast<std::uint64_t>(value))
                                : reflection.SetUInt64(&message, &field, static_cast<std::uint64_t>(value));
            case Field::CPPTYPE_DOUBLE:
                return reflection.SetDouble(&message, &field,
                                            upTo(3) == 0 ? NAN : static_cast<double>(value) * 1e12);
            case Field::CPPTYPE_ENUM:
                return reflection.SetEnumValue(&message, &field, static_cast<int>(value));
            case Field::CPPTYPE_STRING:
                return reflection.SetString(&message, &field, upTo(1) == 0 ? "" : "file:/nowhere");
            default:
                return;
        }
    }

    std::mt19937 random_;
};

}  // namespace

class TestMutants : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;
    const int count_ = number("BUBBLESCOPE_MUTANTS", 40), first_ = number("BUBBLESCOPE_FIRST_MUTANT", 0);

    // Two configurations, one of them a stream; the last iteration is not whole.
    static std::vector<std::string> goodFrames() {
        std::vector<std::string> frames;
        std::int64_t end_ns = 0;
        int iteration = 0;
        for (const char* schedule : {"interleaved", "pipedream", "zb-h1"}) {
            RunConfig config;
            config.schedule = schedule;
            config.params = {4, iteration == 0 ? 2 : 1, 4};
            wire::Message start;
            *start.mutable_iteration_start() = toWire(playedStart(config, iteration, end_ns));
            frames.push_back(encode(start));
            for (int i = 0; i < 2; ++i, ++iteration)
                for (const auto& message :
                     playedMessages(config, iteration, end_ns, iteration < 5, &end_ns))
                    frames.push_back(encode(message));
        }
        return frames;
    }

    // Everything that is drawn is drawn.
    static void look(MainWindow& window) {
        window.grab();
        part<Session>(window).selectNeighbour(-1);
        window.grab();
        part<Session>(window).follow();
    }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void recordings() {
        const std::vector<std::string> good = goodFrames();
        OpenedWindow opened(book_);
        opened.window.resize(800, 560);  // drawn quickly
        QTest::keyClick(&canvasOf(opened.window), Qt::Key_G);
        Replayer& replayer = part<Session>(opened.window).replayer();
        QSignalSpy loaded(&replayer, &Replayer::loaded), failed(&replayer, &Replayer::failed);
        int shown = 0;
        for (int mutant = first_; mutant < first_ + count_; ++mutant) {
            qInfo("recording %d", mutant);
            const QString path = folder_.filePath(QStringLiteral("mutant.bscope"));
            {
                RecordingWriter writer(path.toStdString(), nullptr);
                for (const auto& frame : Mutator(static_cast<unsigned>(mutant)).mutated(good))
                    writer.write(frame);
            }
            const qsizetype before = loaded.size() + failed.size();
            part<Session>(opened.window).openRecording(path);
            QTRY_COMPARE_WITH_TIMEOUT(loaded.size() + failed.size(), before + 1, 20'000);
            if (part<Session>(opened.window).state() != SessionState::Replaying) continue;
            ++shown;
            replayer.stepOperation();
            for (const IterationBar& bar : replayer.bars()) replayer.seekIteration(bar.iteration);
            look(opened.window);
            part<Session>(opened.window).closeRecording();
        }
        QVERIFY(shown > count_ / 2);  // most say enough to be looked at
    }

    void streams() {
        const std::vector<std::string> good = goodFrames();
        OpenedWindow opened(book_);
        opened.window.resize(800, 560);
        Session& session = part<Session>(opened.window);
        int shown = 0;
        for (int mutant = first_; mutant < first_ + count_; ++mutant) {
            qInfo("stream %d", mutant);
            FakeEngine engine;
            session.connectTo({"127.0.0.1", engine.port(), {}}, false);
            QTRY_VERIFY(engine.last(wire::Message::kAttach));
            engine.hello(RunConfig{}, wire::RUNNING, mutant % 2 == 0);
            for (const auto& frame : Mutator(static_cast<unsigned>(mutant)).mutated(good)) {
                if (!engine.hasViewer()) break;  // it may hang up on nonsense
                engine.sendBytes(frame);
            }
            QTest::qWait(40);
            shown += !session.history().empty();
            look(opened.window);
        }
        QVERIFY(shown > count_ / 2);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestMutants)

}  // namespace tst_mutants

#include "tst_mutants.moc"
