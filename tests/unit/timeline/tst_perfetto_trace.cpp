// A timeline as Perfetto's own trace: every box, wait, memory point and arrow is there once, at its time and
// on its track.
#include <QTest>
#include <map>
#include <set>
#include <sstream>

#include "catalog/catalog.h"
#include "export/perfetto.pb.h"
#include "export/perfetto_trace.h"
#include "export/trace_parts.h"
#include "registered_test.h"
#include "schedule/program.h"
#include "timeline/predict.h"

namespace tst_perfetto_trace {

using namespace bscope;
using perfetto::TrackEvent;

namespace {

struct Slice {
    std::string name;
    std::uint64_t start_ns = 0, end_ns = 0;
    std::vector<std::uint64_t> leaving, arriving;
    std::map<std::string, std::int64_t> numbers;
    bool operator==(const Slice&) const = default;
};

struct Track {
    std::string name, parent;
    bool counts_bytes = false;
    std::vector<Slice> slices;
    std::vector<std::pair<std::uint64_t, std::int64_t>> points;
};

// By name, as a reader of the format finds them.
std::map<std::string, Track> read(const Timeline& timeline, std::span<const KernelEvent> kernels = {}) {
    std::ostringstream out;
    writePerfettoTrace(out, timeline, kernels);
    perfetto::Trace trace;
    if (!trace.ParseFromString(out.str())) qFatal("no trace");
    std::map<std::uint64_t, Track> tracks;
    for (const auto& packet : trace.packet()) {
        if (packet.has_track_descriptor()) {
            const auto& of = packet.track_descriptor();
            Track& track = tracks[of.uuid()];
            track.name = of.name();
            if (of.has_parent_uuid()) track.parent = tracks.at(of.parent_uuid()).name;
            track.counts_bytes = of.counter().unit() == perfetto::CounterDescriptor::UNIT_SIZE_BYTES;
            continue;
        }
        const TrackEvent& event = packet.track_event();
        Track& track = tracks.at(event.track_uuid());
        if (event.type() == TrackEvent::TYPE_COUNTER) {
            track.points.emplace_back(packet.timestamp(), event.counter_value());
        } else if (event.type() == TrackEvent::TYPE_SLICE_BEGIN) {
            Slice& slice = track.slices.emplace_back();
            slice.name = event.name();
            slice.start_ns = packet.timestamp();
            slice.leaving.assign(event.flow_ids().begin(), event.flow_ids().end());
            slice.arriving.assign(event.terminating_flow_ids().begin(), event.terminating_flow_ids().end());
            for (const auto& annotation : event.debug_annotations())
                if (annotation.has_int_value()) slice.numbers[annotation.name()] = annotation.int_value();
        } else {
            track.slices.back().end_ns = packet.timestamp();
        }
    }
    std::map<std::string, Track> by_name;
    for (auto& [uuid, track] : tracks) by_name[track.name] = std::move(track);
    return by_name;
}

Timeline played(const char* name, const ScheduleParams& params) {
    return predict(lower(makeSchedule(name, params)), unitCosts(params.p * params.v, 1, 1, 1, 0.25));
}

}  // namespace

class TestPerfettoTrace : public QObject {
    Q_OBJECT
private slots:
    void everyEventIsThereOnce_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("v");
        QTest::newRow("1f1b") << "1f1b" << 1;
        QTest::newRow("interleaved") << "interleaved" << 2;
        QTest::newRow("zb-v") << "zb-v" << 2;
    }
    void everyEventIsThereOnce() {
        QFETCH(QString, schedule);
        QFETCH(int, v);
        const Timeline timeline = played(schedule.toUtf8().constData(), {4, v, 8});
        const std::map<std::string, Track> tracks = read(timeline);
        QCOMPARE(tracks.size(), std::size_t{1 + 3 * 4});
        const std::string root = "pipeline (PREDICTED), bubblescope " BUBBLESCOPE_VERSION;
        QVERIFY(tracks.contains(root));
        for (int rank = 0; rank < timeline.ranks(); ++rank) {
            const std::string name = "rank " + std::to_string(rank);
            const Track& boxes = tracks.at(name);
            QCOMPARE(boxes.parent, root);
            std::size_t at = 0;
            for (const Event& event : timeline.compute(rank)) {
                const Slice& slice = boxes.slices.at(at++);
                QCOMPARE(slice.name, toText(event.action()));
                QCOMPARE(slice.start_ns, static_cast<std::uint64_t>(event.start_ns));
                QCOMPARE(slice.end_ns, static_cast<std::uint64_t>(event.end_ns));
                for (const auto& [what, number] : numbersOf(event)) QCOMPARE(slice.numbers.at(what), number);
            }
            QCOMPARE(boxes.slices.size(), at);
            std::int64_t waited_ns = 0, expected_ns = 0;
            for (const Slice& slice : tracks.at(name + " receives").slices)
                waited_ns += static_cast<std::int64_t>(slice.end_ns - slice.start_ns);
            for (const Event& event : timeline.receives(rank)) expected_ns += event.duration_ns();
            QCOMPARE(waited_ns, expected_ns);
            const Track& memory = tracks.at("activations of " + name);
            QVERIFY(memory.counts_bytes);
            std::vector<std::pair<std::uint64_t, std::int64_t>> points;
            for (const MemoryPoint& point : timeline.memory(rank))
                points.emplace_back(point.time_ns, point.live_bytes);
            QVERIFY(memory.points == points);
        }
    }

    // Each flow leaves the box that made the message and arrives at the one that waited for it.
    void flowsAreMessages() {
        const Timeline timeline = played("zb-v", {4, 2, 8});
        std::map<std::uint64_t, Slice> leaves, arrives;
        for (const auto& [name, track] : read(timeline))
            for (const Slice& slice : track.slices) {
                for (const std::uint64_t id : slice.leaving) QVERIFY(leaves.emplace(id, slice).second);
                for (const std::uint64_t id : slice.arriving) QVERIFY(arrives.emplace(id, slice).second);
            }
        const std::vector<TraceArrow> arrows = arrowsOf(timeline);
        QVERIFY(arrows.size() > 50);
        QCOMPARE(leaves.size(), arrows.size());
        QCOMPARE(arrives.size(), arrows.size());
        std::multiset<std::pair<std::string, std::string>> expected, found;
        for (const TraceArrow& each : arrows)
            expected.emplace(toText(each.from.action()), toText(each.to.action()));
        for (const auto& [id, from] : leaves) {
            found.emplace(from.name, arrives.at(id).name);
            QVERIFY(from.end_ns <= arrives.at(id).start_ns);
        }
        QVERIFY(found == expected);
    }

    // A clock that is ahead begins before 0, which the format cannot say.
    void timesBeforeZeroMoveEverything() {
        Timeline timeline(1, Provenance::Measured);
        timeline.append(Event{.start_ns = -500, .end_ns = -200, .stage = 0, .microbatch = 0});
        timeline.append(
            Event{.start_ns = 100, .end_ns = 300, .stage = 0, .microbatch = 0, .op = Op::Backward});
        const KernelEvent kernel{
            .start_ns = -700, .end_ns = -600, .stage = 0, .microbatch = 0, .name = "a\nb"};
        const std::map<std::string, Track> tracks = read(timeline, std::vector{kernel});
        const std::vector<Slice>& boxes = tracks.at("rank 0").slices;
        QCOMPARE(boxes.at(0).start_ns, std::uint64_t{200});
        QCOMPARE(boxes.at(0).end_ns, std::uint64_t{500});
        QCOMPARE(boxes.at(1).end_ns, std::uint64_t{1000});
        const Slice& of_kernel = tracks.at("rank 0 kernels").slices.at(0);
        QCOMPARE(of_kernel.start_ns, std::uint64_t{0});
        QCOMPARE(of_kernel.name, std::string("a b"));
    }
};

BUBBLESCOPE_TEST(TestPerfettoTrace)

}  // namespace tst_perfetto_trace

#include "tst_perfetto_trace.moc"
