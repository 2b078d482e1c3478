// From a tracer's records to times of actions, with a tracer made up here: packing of ids, the join, what is
// lost, waiting and transfer, clocks of other processes, and events where there is no CUPTI.
#include <QTest>

#include "kernels/plugin/error_text.h"
#include "registered_test.h"
#include "trace/clock_alignment.h"
#include "trace/gpu_tracer.h"
#include "trace/receive_split.h"
#include "words/catalog.h"

namespace tst_trace {

using namespace bscope;

namespace {

const TracedWork kForward{.iteration = 7, .rank = 3, .id = {2, Op::Forward, 5}};
const TracedWork kBackward{.iteration = 7, .rank = 3, .id = {2, Op::Backward, 4}};

BscopeTraceRecord correlation(std::uint32_t call, const TracedWork& traced) {
    BscopeTraceRecord record{};
    record.kind = BSCOPE_CORRELATION;
    record.correlation = call;
    record.external = packTraceId(traced);
    return record;
}

BscopeTraceRecord kernel(std::uint32_t call, std::int64_t start_ns, std::int64_t end_ns,
                         const char* name = "kernel") {
    BscopeTraceRecord record{};
    record.kind = BSCOPE_KERNEL;
    record.correlation = call;
    record.start_ns = start_ns;
    record.end_ns = end_ns;
    record.name = name;
    return record;
}

// A plugin whose tracer is this structure. The C interface gives its functions no context, hence one at a
// time.
struct FakeTracer {
    const char* start_error = nullptr;
    std::vector<std::uint64_t> pushed;
    std::vector<BscopeTraceRecord> records;
    std::uint64_t dropped = 0;
    int started = 0, stopped = 0, pops = 0;
    std::vector<std::int64_t> elapsed_ns;  // between events, in the order of asking
    int events = 0;

    BscopePlugin api();
};
FakeTracer* fake = nullptr;

BscopePlugin FakeTracer::api() {
    fake = this;
    BscopePlugin plugin{};
    plugin.trace_start = []() -> BscopeError {
        if (fake->start_error) return lastError(fake->start_error);
        ++fake->started;
        return nullptr;
    };
    plugin.trace_stop = []() -> BscopeError {
        ++fake->stopped;
        return nullptr;
    };
    plugin.trace_push = [](std::uint64_t id) -> BscopeError {
        fake->pushed.push_back(id);
        return nullptr;
    };
    plugin.trace_pop = []() -> BscopeError {
        ++fake->pops;
        return nullptr;
    };
    plugin.trace_drain = [](BscopeTraceHandler handler, void* context, std::uint64_t* lost) -> BscopeError {
        for (const auto& record : fake->records) handler(context, &record);
        fake->records.clear();
        *lost = std::exchange(fake->dropped, 0);
        return nullptr;
    };
    plugin.stream_open = [](BscopeDevice*, std::int32_t, BscopeStream** opened) -> BscopeError {
        *opened = nullptr;
        return nullptr;
    };
    plugin.stream_close = [](BscopeStream*) {};
    plugin.stream_synchronize = [](BscopeStream*) -> BscopeError { return nullptr; };
    plugin.event_open = [](BscopeDevice*, BscopeEvent** event) -> BscopeError {
        *event = reinterpret_cast<BscopeEvent*>(static_cast<std::uintptr_t>(++fake->events));
        return nullptr;
    };
    plugin.event_close = [](BscopeEvent*) { --fake->events; };
    plugin.event_record = [](BscopeEvent*, BscopeStream*) -> BscopeError { return nullptr; };
    plugin.event_elapsed = [](BscopeEvent*, BscopeEvent*, std::int64_t* ns) -> BscopeError {
        *ns = fake->elapsed_ns.front();
        fake->elapsed_ns.erase(fake->elapsed_ns.begin());
        return nullptr;
    };
    return plugin;
}

}  // namespace

class TestTrace : public QObject {
    Q_OBJECT

private slots:
    void anIdHoldsTheWholeAction() {
        for (const Op op : {Op::Forward, Op::BackwardWeight, Op::ReduceGradients})
            for (const int stage : {-1, 0, 8190})
                for (const int mb : {-1, 0, 131070}) {
                    const TracedWork traced{
                        .iteration = kIterationIds - 1, .rank = 16383, .id = {stage, op, mb}};
                    QCOMPARE(unpackTraceId(packTraceId(traced)), traced);
                    QVERIFY(packTraceId(traced) != 0);
                }
        for (const auto& [action, part] : {std::pair(Action{8190, Op::ReduceGradients}, WorkPart::Gather),
                                           std::pair(Action{0, Op::ReduceGradients}, WorkPart::Fold),
                                           std::pair(Action{-1, Op::OptimizerStep}, WorkPart::Norm)}) {
            const TracedWork traced{.iteration = 3, .rank = 1, .id = {action, part}};
            QCOMPARE(unpackTraceId(packTraceId(traced)), traced);
        }
        const TracedWork step{
            .iteration = 0, .rank = 2, .id = {{-1, Op::OptimizerStep}, WorkPart::Main, 131'070}};
        QCOMPARE(unpackTraceId(packTraceId(step)), step);
        QVERIFY(packTraceId({}) != 0);
        QCOMPARE(unpackTraceId(packTraceId({.iteration = kIterationIds + 9, .id = {}})).iteration, 9);
    }

    void whatDoesNotFitIsRefused() {
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, packTraceId({.rank = 16384, .id = {}}));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, packTraceId({.rank = -1, .id = {}}));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, packTraceId({.id = {8191, Op::Forward}}));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, packTraceId({.id = {0, Op::Forward, 131071}}));
    }

    void kernelsFindTheirAction() {
        KernelJoin join;
        join.add(correlation(1, kForward));
        join.add(kernel(1, 100, 150, "first"));
        join.add(kernel(2, 170, 200, "second"));  // before its correlation
        join.add(correlation(2, kForward));
        join.add(kernel(3, 300, 340, "other"));
        join.add(correlation(3, kBackward));
        join.add(kernel(9, 400, 500, "unowned"));
        const auto spans = join.takeSpans();
        QCOMPARE(spans.size(), std::size_t{2});
        QCOMPARE(spans[0].traced, kForward);
        QCOMPARE(spans[0].start_ns, 100);
        QCOMPARE(spans[0].end_ns, 200);
        QCOMPARE(spans[0].gap_ns, 20);
        QCOMPARE(spans[0].kernels.size(), std::size_t{2});
        QCOMPARE(spans[0].kernels[1].name, std::string("second"));
        QCOMPARE(spans[1].traced, kBackward);
        QCOMPARE(join.unmatched(), std::size_t{1});
        QVERIFY(join.takeSpans().empty());
    }

    void whatComesInPartsIsTakenInParts() {
        KernelJoin join;
        join.add(correlation(1, kForward));
        join.add(correlation(2, kForward));
        join.add(kernel(2, 160, 170));
        auto spans = join.takeSoFar();
        QCOMPARE(spans.size(), std::size_t{1});
        QCOMPARE(spans[0].kernels.size(), std::size_t{1});
        QVERIFY(join.takeSoFar().empty());
        join.add(kernel(1, 100, 150));  // held back by a buffer
        spans = join.takeSoFar();
        QCOMPARE(spans.size(), std::size_t{1});
        QCOMPARE(spans[0].traced, kForward);
        QCOMPARE(spans[0].start_ns, 100);
    }

    // A library's kernels belong to no action, and a stream has no end.
    void unownedRecordsAreForgottenInTime() {
        KernelJoin join;
        for (std::uint32_t call = 1; call <= 300'000; ++call) join.add(kernel(call, call, call + 1));
        join.takeSoFar();
        QVERIFY(join.unmatched() < 300'000);
        join.add(correlation(300'000, kBackward));
        QCOMPARE(join.takeSoFar().size(), std::size_t{1});
    }

    void overlappingKernelsLeaveNoGap() {
        KernelJoin join;
        join.add(correlation(1, kForward));
        join.add(kernel(1, 0, 100));
        join.add(kernel(1, 20, 60));  // inside the first
        join.add(kernel(1, 130, 140));
        const auto spans = join.takeSpans();
        QCOMPARE(spans[0].gap_ns, 30);
        QCOMPARE(spans[0].end_ns, 140);
    }

    void aReceiveWaitsUntilBothSidesRun() {
        const auto is = [](const ReceiveSplit& split, std::int64_t wait, std::int64_t transfer) {
            return split.wait_ns == wait && split.transfer_ns == transfer;
        };
        QVERIFY(is(splitReceive(100, 200, 170), 70, 30));  // the sender came late
        QVERIFY(is(splitReceive(100, 200, 40), 0, 100));   // the sender was waiting
        QVERIFY(is(splitReceive(100, 200, 900), 100, 0));  // clocks that disagree: never negative
        QVERIFY(is(splitReceive(100, 90, 95), 0, 0));
    }

    void theQuickestProbeGivesTheOffset() {
        ClockAlignment alignment;
        // The remote clock is 5000 ahead; slow probes are lopsided.
        const ClockProbe probes[] = {{0, 5800, 1000}, {2000, 7050, 2100}, {4000, 9900, 6000}};
        alignment.addBurst(probes);
        QCOMPARE(alignment.offset_ns(), 5000.0);
        QCOMPARE(alignment.toLocal(7050), std::int64_t{2050});
        QCOMPARE(alignment.residual_ns(), 50.0);
        QCOMPARE(alignment.drift(), 0.0);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, alignment.addBurst({}));
    }

    void driftIsALineThroughTheBursts() {
        ClockAlignment alignment;
        const double drift = 20e-6;
        const std::int64_t day = 86'400'000'000'000, origin = 3 * day;  // a machine that has run for days
        const auto remote = [&](std::int64_t local) {
            return local + 123'456'789'012 +
                   static_cast<std::int64_t>(drift * static_cast<double>(local - origin));
        };
        for (int i = 0; i < 10; ++i) {
            const std::int64_t asked = origin + i * 1'000'000'000LL;
            const ClockProbe probe{asked, remote(asked + 400), asked + 800};
            alignment.addBurst({&probe, 1});
        }
        QVERIFY2(std::abs(alignment.drift() - drift) < 1e-9, qPrintable(QString::number(alignment.drift())));
        QVERIFY(alignment.residual_ns() < 410);
        for (const std::int64_t local : {origin, origin + 4'500'000'000, origin + 12'000'000'000})
            QVERIFY(std::abs(alignment.toLocal(remote(local)) - local) <= 2);
    }

    // A line through them would tell any drift.
    void burstsThatLieTogetherTellNoDrift() {
        ClockAlignment alignment;
        const ClockProbe poor{0, 5'900'000, 2'000'000}, good{6'000'000, 11'000'400, 6'000'800};
        alignment.addBurst({&poor, 1});
        QCOMPARE(alignment.offset_ns(), 4'900'000.0);
        alignment.addBurst({&good, 1});
        QCOMPARE(alignment.drift(), 0.0);
        QCOMPARE(alignment.offset_ns(), 5'000'000.0);
        QCOMPARE(alignment.toLocal(11'000'400), std::int64_t{6'000'400});
        QCOMPARE(alignment.residual_ns(), 400.0);
        // Two seconds later a good one says that the clock drifts.
        const ClockProbe later{2'006'000'000, 2'011'000'400 + 100'000, 2'006'000'800};
        alignment.addBurst({&later, 1});
        QVERIFY(std::abs(alignment.toLocal(2'011'100'400) - 2'006'000'400) <= 100'000);
    }

    void cuptiGivesKernelsAndCountsWhatItDropped() {
        FakeTracer state;
        const BscopePlugin api = state.api();
        {
            const auto tracer = makeGpuTracer(api);
            QVERIFY(tracer->fallbackReason().empty());
            tracer->begin(kForward, {});
            tracer->end({});
            QCOMPARE(state.pushed, std::vector<std::uint64_t>{packTraceId(kForward)});
            QCOMPARE(state.pops, 1);
            state.records = {correlation(4, kForward), kernel(4, 10, 30)};
            state.dropped = 2;
            const auto spans = tracer->drain();
            QCOMPARE(spans.size(), std::size_t{1});
            QCOMPARE(spans[0].end_ns, 30);
            state.dropped = 3;
            QVERIFY(tracer->drain().empty());
            QCOMPARE(tracer->dropped(), std::uint64_t{5});
        }
        QCOMPARE(state.stopped, 1);
    }

    void withoutCuptiEventsTellTheLength() {
        FakeTracer state;
        state.start_error = "another profiler holds CUPTI";
        const BscopePlugin api = state.api();
        {
            const auto tracer = makeGpuTracer(api);
            QVERIFY(QString::fromStdString(say(tracer->fallbackReason(), Language::English))
                        .contains("another profiler"));
            tracer->expect({});
            tracer->begin(kForward, {});
            tracer->end({});
            tracer->begin(kBackward, {});
            tracer->end({});
            state.elapsed_ns = {1000, 2'000'000'000, 2'000'003'000, 500};  // from the origin, and long
            const auto spans = tracer->drain();
            QCOMPARE(spans.size(), std::size_t{2});
            QCOMPARE(spans[0].traced, kForward);
            QCOMPARE(spans[0].end_ns - spans[0].start_ns, 2'000'000'000);
            QCOMPARE(spans[1].start_ns - spans[0].start_ns, 2'000'002'000);
            QCOMPARE(spans[1].end_ns - spans[1].start_ns, 500);
            tracer->begin(kForward, {});  // events serve again
            tracer->end({});
            QCOMPARE(state.events, 5);  // one for the origin, and two pairs
            state.elapsed_ns = {1, 1};
            QCOMPARE(tracer->drain().size(), std::size_t{1});
            tracer->pause();
            tracer->begin(kForward, {});
            tracer->end({});
            QVERIFY(tracer->drain().empty());
        }
        QCOMPARE(state.events, 0);
        QCOMPARE(state.stopped, 0);
    }

    // Others may use CUPTI: what was stopped is not stopped once more.
    void aTracerThatWasPausedIsStoppedOnce() {
        FakeTracer state;
        const BscopePlugin api = state.api();
        {
            const auto tracer = makeGpuTracer(api);
            tracer->pause();
            QCOMPARE(state.stopped, 1);
        }
        QCOMPARE(state.stopped, 1);
    }
};

BUBBLESCOPE_TEST(TestTrace)

}  // namespace tst_trace

#include "tst_trace.moc"
