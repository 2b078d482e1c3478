#include "trace/gpu_tracer.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <map>
#include <mutex>

#include "kernels/plugin/gpu_event.h"

namespace bscope {

namespace {

std::int64_t monotonicNow() {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

class CuptiTracer final : public GpuTracer {
public:
    explicit CuptiTracer(const BscopePlugin& api) : api_(api) {}
    CuptiTracer(const CuptiTracer&) = delete;
    CuptiTracer& operator=(const CuptiTracer&) = delete;
    ~CuptiTracer() override {
        if (!paused_) api_.trace_stop();
    }

    void expect(const TracedStream&) override {}
    void begin(const TracedWork& traced, const TracedStream&) override {
        if (!paused_) check(api_.trace_push(packTraceId(traced)));
    }
    void end(const TracedStream&) override {
        if (!paused_) check(api_.trace_pop());
    }
    std::vector<WorkSpan> take(const WorkFilter& wanted) override {
        readRecords();
        return join_.takeSpans(wanted);
    }
    std::vector<WorkSpan> takeSoFar() override {
        readRecords();
        return join_.takeSoFar();
    }
    void pause() override {
        check(api_.trace_stop());
        paused_ = true;
    }
    void resume() override {
        check(api_.trace_start());
        paused_ = false;
    }
    std::uint64_t dropped() const override { return dropped_; }
    const Sentence& fallbackReason() const override { return none_; }

private:
    void readRecords() {
        std::uint64_t dropped = 0;
        check(api_.trace_drain(
            [](void* join, const BscopeTraceRecord* record) { static_cast<KernelJoin*>(join)->add(*record); },
            &join_, &dropped));
        dropped_ += dropped;
    }

    const BscopePlugin& api_;
    KernelJoin join_;
    std::uint64_t dropped_ = 0;
    bool paused_ = false;
    const Sentence none_;
};

// A moment of a GPU whose time on the host is known. Events that come later are timed from there: between a
// later and an earlier one the manual defines no time.
struct Moment {
    GpuEvent event;
    std::int64_t time_ns = 0;  // the host's

    std::int64_t timeOf_ns(const GpuEvent& later) const { return time_ns + later.elapsedSince_ns(event); }
};

// Makes moments of a GPU, on a stream of its own that is always idle. The latest one is renewed whenever
// spans are taken, so that the GPU's clock has no time to drift; a reader that began before keeps the one
// from then.
class Origin {
public:
    Origin(const BscopePlugin& api, BscopeDevice* device) : api_(api), device_(device) {
        check(api.stream_open(device, 0, &stream_));
        renew();
    }
    Origin(const Origin&) = delete;
    Origin& operator=(const Origin&) = delete;
    ~Origin() { api_.stream_close(stream_); }

    const std::shared_ptr<const Moment>& latest() const { return latest_; }

    // Of several tries the quickest is the one that can be least wrong.
    void renew() {
        const auto made = std::make_shared<Moment>(Moment{.event = GpuEvent(api_, device_)});
        GpuEvent next(api_, device_);
        constexpr int kTries = 4;
        std::int64_t shortest_ns = std::numeric_limits<std::int64_t>::max();
        for (int i = 0; i < kTries; ++i) {
            const std::int64_t before_ns = monotonicNow();
            next.record(stream_);
            check(api_.stream_synchronize(stream_));
            const std::int64_t trip_ns = monotonicNow() - before_ns;
            if (trip_ns >= shortest_ns) continue;
            shortest_ns = trip_ns;
            made->time_ns = before_ns + trip_ns / 2;
            std::swap(made->event, next);
        }
        latest_ = made;
    }

private:
    const BscopePlugin& api_;
    BscopeDevice* const device_;
    BscopeStream* stream_ = nullptr;
    std::shared_ptr<const Moment> latest_;
};

class EventTracer final : public GpuTracer {
public:
    EventTracer(const BscopePlugin& api, Sentence reason) : api_(api), reason_(std::move(reason)) {}

    void expect(const TracedStream& stream) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::unique_ptr<Origin>& origin = origins_[stream.device];
        if (!origin) origin = std::make_unique<Origin>(api_, stream.device);
        rows_.try_emplace(stream.stream, Row{origin.get(), {}, {}});
    }

    void begin(const TracedWork& traced, const TracedStream& on) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (paused_) return;
        Row& row = rows_.at(on.stream);
        if (row.spare.empty()) row.spare.push_back({GpuEvent(api_, on.device), GpuEvent(api_, on.device)});
        row.timed.push_back({traced, std::move(row.spare.back()), row.origin->latest()});
        row.spare.pop_back();
        row.timed.back().events.start.record(on.stream);
    }
    void end(const TracedStream& on) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!paused_) rows_.at(on.stream).timed.back().events.stop.record(on.stream);
    }

    // Threads that hand work over meanwhile do not wait for what others have under way.
    std::vector<WorkSpan> take(const WorkFilter& wanted) override {
        std::vector<std::pair<Row*, Timed>> taken;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            for (auto& [stream, row] : rows_) {
                const auto first =
                    std::stable_partition(row.timed.begin(), row.timed.end(),
                                          [&](const Timed& timed) { return !wanted(timed.traced); });
                for (auto timed = first; timed != row.timed.end(); ++timed)
                    taken.emplace_back(&row, std::move(*timed));
                row.timed.erase(first, row.timed.end());
            }
        }
        std::vector<WorkSpan> spans;
        for (const auto& [row, timed] : taken) {
            const std::int64_t start_ns = timed.since->timeOf_ns(timed.events.start);
            const std::int64_t end_ns = start_ns + timed.events.stop.elapsedSince_ns(timed.events.start);
            spans.push_back({.traced = timed.traced, .start_ns = start_ns, .end_ns = end_ns, .kernels = {}});
        }
        std::sort(spans.begin(), spans.end(),
                  [](const WorkSpan& a, const WorkSpan& b) { return a.start_ns < b.start_ns; });
        const std::lock_guard<std::mutex> lock(mutex_);
        for (auto& [row, timed] : taken) row->spare.push_back(std::move(timed.events));
        for (const auto& [device, origin] : origins_) origin->renew();
        return spans;
    }
    void pause() override { paused_ = true; }
    void resume() override { paused_ = false; }
    std::uint64_t dropped() const override { return 0; }
    const Sentence& fallbackReason() const override { return reason_; }

private:
    struct Events {
        GpuEvent start, stop;
    };
    struct Timed {
        TracedWork traced;
        Events events;
        std::shared_ptr<const Moment> since;
    };
    struct Row {
        Origin* origin;
        std::vector<Timed> timed;  // the last one may be under way
        std::vector<Events> spare;
    };

    const BscopePlugin& api_;
    Sentence reason_;
    std::mutex mutex_;
    std::map<BscopeDevice*, std::unique_ptr<Origin>> origins_;
    std::map<BscopeStream*, Row> rows_;
    bool paused_ = false;
};

}  // namespace

TracingSession::TracingSession(const BscopePlugin& api) : api_(api), started_(api.trace_start() == nullptr) {}

TracingSession::~TracingSession() {
    if (started_) api_.trace_stop();
}

std::unique_ptr<GpuTracer> makeGpuTracer(const BscopePlugin& api) {
    if (const BscopeError error = api.trace_start())
        return makeEventTracer(api, sentence("without CUPTI: {0}", sentenceOf(error)));
    return std::make_unique<CuptiTracer>(api);
}

std::unique_ptr<GpuTracer> makeEventTracer(const BscopePlugin& api, Sentence reason) {
    return std::make_unique<EventTracer>(api, std::move(reason));
}

}  // namespace bscope
