// Notes of people: replaced, removed, void with their iteration; through the wire and into a finished
// recording, whose events stay as they are and which readers that know no notes read on.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "registered_test.h"
#include "wire/recording.h"
#include "wire_samples.h"

namespace tst_notes {

using namespace bscope;

namespace {

RunNote note(std::int64_t id, int iteration, std::string text) {
    RunNote note;
    note.id = id;
    note.iteration = iteration;
    note.text = std::move(text);
    return note;
}

RunNote onBox(std::int64_t id, int iteration, std::int64_t from_ns, std::string text) {
    RunNote box = note(id, iteration, std::move(text));
    box.when = {from_ns, from_ns + 10};
    box.rank = 2;
    box.action = Action{2, Op::Forward, 3};
    return box;
}

std::vector<std::string> textsOf(const RunNotes& notes) {
    std::vector<std::string> texts;
    for (const RunNote& each : notes.all()) texts.push_back(each.text);
    return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

class TestNotes : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::filesystem::path path(const char* name) const { return (folder_.path() + "/" + name).toStdString(); }

    // A recording of one message; how many bytes it has.
    std::uint64_t record(const std::filesystem::path& file) const {
        wire::Message message;
        *message.mutable_events() = toWire(0, Samples(1).events(0, 5));
        RecordingWriter writer(file, nullptr);
        writer.write(encode(message));
        writer.close();
        return std::filesystem::file_size(file);
    }

private slots:
    void theLastOfAnIdHolds() {
        RunNotes notes;
        notes.take(onBox(3, 1, 500, "later"));
        notes.take(note(2, 1, "whole"));
        notes.take(onBox(1, 1, 100, "first"));
        notes.take(note(4, 0, "before"));
        QCOMPARE(textsOf(notes), (Texts{"before", "whole", "first", "later"}));
        notes.take(onBox(1, 1, 900, "moved"));
        QCOMPARE(textsOf(notes), (Texts{"before", "whole", "later", "moved"}));
        RunNote removed = note(2, 1, "");
        removed.removed = true;
        notes.take(removed);
        QCOMPARE(textsOf(notes), (Texts{"before", "later", "moved"}));
        QCOMPARE(notes.nextId(), std::int64_t{5});  // never the id of one that is gone
        RunNote last = note(9, 0, "");
        last.removed = true;
        notes.take(last);
        QCOMPARE(notes.nextId(), std::int64_t{10});
    }

    void voidWithTheirIteration() {
        RunNotes notes;
        notes.take(note(1, 3, "three"));
        notes.take(onBox(2, 4, 7, "four"));
        notes.take(note(3, 9, "nine"));
        notes.startedFrom(4);
        QCOMPARE(textsOf(notes), (Texts{"three"}));
        notes.take(onBox(2, 3, 8, "again"));  // its place from before is forgotten
        QCOMPARE(textsOf(notes), (Texts{"three", "again"}));
    }

    void throughTheWire() {
        RunNote instant = note(1, 7, "here 气泡");
        instant.when = {5, 5};
        RunNote removed = note(2, 0, "");
        removed.removed = true;
        RunNote step = onBox(3, 0, -1000, "step");
        step.action = Action{-1, Op::OptimizerStep, -1};
        for (const RunNote& each : {instant, removed, step, note(4, 1, "whole"), onBox(5, 2, 9, "box")})
            QCOMPARE(fromWire(toWire(each)), each);
    }

    void whatCannotBeIsRefused() {
        const auto refused = [](void (*breakIt)(wire::Note&)) {
            wire::Note sent = toWire(onBox(1, 1, 100, "text"));
            breakIt(sent);
            try {
                fromWire(sent);
            } catch (const WireError&) {
                return true;
            }
            return false;
        };
        QVERIFY(!refused([](wire::Note&) {}));
        QVERIFY(refused([](wire::Note& n) { n.set_id(0); }));
        QVERIFY(refused([](wire::Note& n) { n.set_iteration(-1); }));
        QVERIFY(refused([](wire::Note& n) { n.clear_to_ns(); }));
        QVERIFY(refused([](wire::Note& n) { n.set_to_ns(99); }));  // before it begins
        QVERIFY(refused([](wire::Note& n) { n.set_rank(kMaxRanks); }));
        QVERIFY(refused([](wire::Note& n) { n.set_op(99); }));
        QVERIFY(refused([](wire::Note& n) { n.set_stage(-2); }));
        QVERIFY(refused([](wire::Note& n) { n.set_text(std::string(RunNote::kMostBytes + 1, 'x')); }));
    }

    void addedToAFinishedRecording() {
        const auto file = path("finished.bscope");
        const std::uint64_t before = record(file);
        const wire::Message first = messageOf(note(1, 0, "one")), second = messageOf(onBox(2, 0, 5, "two"));
        const std::uint64_t grown = appendToRecording(file, first, before);
        QCOMPARE(grown, before + encode(first).size());
        const std::uint64_t whole = appendToRecording(file, second, grown);
        QCOMPARE(whole, std::filesystem::file_size(file));
        RecordingReader reader(file);
        RunNotes notes;
        int events = 0;
        reader.readAll([&](const wire::Message& message) {
            if (message.has_note()) notes.take(fromWire(message.note()));
            if (message.has_events()) ++events;
        });
        QVERIFY(reader.warning().empty());
        QCOMPARE(reader.wholeBytes(), std::filesystem::file_size(file));
        QCOMPARE(events, 1);
        QCOMPARE(textsOf(notes), (Texts{"one", "two"}));
    }

    void aFileThatChangedStaysAsItIs() {
        const auto file = path("changed.bscope");
        const std::uint64_t size = record(file);
        const wire::Message added = messageOf(note(1, 0, "one"));
        QVERIFY_THROWS_EXCEPTION(WireError, appendToRecording(file, added, size - 1));
        QVERIFY_THROWS_EXCEPTION(WireError, appendToRecording(path("none.bscope"), added, 0));
        QVERIFY_THROWS_EXCEPTION(WireError, appendToRecording(folder_.path().toStdString(), added, 0));
        QCOMPARE(std::filesystem::file_size(file), size);
    }

    // A recording that another process writes keeps its size for a while, too.
    void aFileThatIsBeingRecordedStaysAsItIs() {
        const auto file = path("recorded.bscope");
        RecordingWriter writer(file, nullptr);
        writer.flush();
        const std::uint64_t size = std::filesystem::file_size(file);
        const wire::Message added = messageOf(note(1, 0, "one"));
        QVERIFY_THROWS_EXCEPTION(WireError, appendToRecording(file, added, size));
        writer.close();
        QCOMPARE(appendToRecording(file, added, size), size + encode(added).size());
    }

    // What readers of before notes do with one: the message has no body that they know.
    void readersWithoutNotesPassThemOver() {
        wire::Message read;
        wire::Message later;
        later.GetReflection()->MutableUnknownFields(&later)->AddLengthDelimited(99, "a later message");
        QVERIFY(read.ParseFromString(later.SerializeAsString()));
        QCOMPARE(read.body_case(), wire::Message::BODY_NOT_SET);
        const auto file = path("unknown.bscope");
        const std::uint64_t size = record(file);
        appendToRecording(file, later, size);
        RecordingReader reader(file);
        int messages = 0;
        while (reader.next()) ++messages;
        QVERIFY(reader.warning().empty());
        QCOMPARE(messages, 2);
    }
};

BUBBLESCOPE_TEST(TestNotes)

}  // namespace tst_notes

#include "tst_notes.moc"
