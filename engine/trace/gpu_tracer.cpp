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
    ~CuptiTracer() override { api_.trace_stop(); }

    void expect(const TracedStream&) override {}
    void begin(const TracedAction& traced, const TracedStream&) override {
        if (!paused_) check(api_.trace_push(packActionId(traced)));
    }
    void end(const TracedStream&) override {
        if (!paused_) check(api_.trace_pop());
    }
    std::vector<ActionSpan> drain() override {
        std::uint64_t dropped = 0;
        check(api_.trace_drain(
            [](void* join, const BscopeTraceRecord* record) { static_cast<KernelJoin*>(join)->add(*record); },
            &join_, &dropped));
        dropped_ += dropped;
        std::vector<ActionSpan> spans = join_.takeActions();
        join_.dropUnmatched();
        return spans;
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
    const std::string& fallbackReason() const override { return none_; }

private:
    const BscopePlugin& api_;
    KernelJoin join_;
    std::uint64_t dropped_ = 0;
    bool paused_ = false;
    const std::string none_;
};

// Each stream has an origin, recorded while it was idle, of which the host knows the time; an action's events
// are timed from there. The origin is renewed with every drain, so that the GPU's clock has no time to drift.
class EventTracer final : public GpuTracer {
public:
    EventTracer(const BscopePlugin& api, std::string reason) : api_(api), reason_(std::move(reason)) {}

    void expect(const TracedStream& stream) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto [row, is_new] = rows_.try_emplace(
            stream.stream, Row{GpuEvent(api_, stream.device), GpuEvent(api_, stream.device), 0, {}, {}});
        if (is_new) setOrigin(stream.stream, row->second);
    }

    void begin(const TracedAction& traced, const TracedStream& on) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (paused_) return;
        Row& row = rows_.at(on.stream);
        if (row.spare.empty()) row.spare.push_back({GpuEvent(api_, on.device), GpuEvent(api_, on.device)});
        row.timed.push_back({traced, std::move(row.spare.back())});
        row.spare.pop_back();
        row.timed.back().events.start.record(on.stream);
    }
    void end(const TracedStream& on) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!paused_) rows_.at(on.stream).timed.back().events.stop.record(on.stream);
    }

    std::vector<ActionSpan> drain() override {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::vector<ActionSpan> spans;
        for (auto& [stream, row] : rows_) {
            for (Timed& timed : row.timed) {
                const std::int64_t start_ns = row.origin_ns + timed.events.start.elapsedSince_ns(row.origin);
                const std::int64_t end_ns = start_ns + timed.events.stop.elapsedSince_ns(timed.events.start);
                spans.push_back(
                    {.traced = timed.traced, .start_ns = start_ns, .end_ns = end_ns, .kernels = {}});
                row.spare.push_back(std::move(timed.events));
            }
            row.timed.clear();
            setOrigin(stream, row);
        }
        std::sort(spans.begin(), spans.end(),
                  [](const ActionSpan& a, const ActionSpan& b) { return a.start_ns < b.start_ns; });
        return spans;
    }
    void pause() override { paused_ = true; }
    void resume() override { paused_ = false; }
    std::uint64_t dropped() const override { return 0; }
    const std::string& fallbackReason() const override { return reason_; }

private:
    struct Events {
        GpuEvent start, stop;
    };
    struct Timed {
        TracedAction traced;
        Events events;
    };
    struct Row {
        GpuEvent origin, next_origin;
        std::int64_t origin_ns = 0;  // the host's
        std::vector<Timed> timed;
        std::vector<Events> spare;
    };

    // The stream is idle, or nearly. Of several tries the quickest is the one that can be least wrong.
    void setOrigin(BscopeStream* stream, Row& row) {
        constexpr int kTries = 4;
        std::int64_t shortest_ns = std::numeric_limits<std::int64_t>::max();
        check(api_.stream_synchronize(stream));
        for (int i = 0; i < kTries; ++i) {
            const std::int64_t before_ns = monotonicNow();
            row.next_origin.record(stream);
            check(api_.stream_synchronize(stream));
            const std::int64_t trip_ns = monotonicNow() - before_ns;
            if (trip_ns >= shortest_ns) continue;
            shortest_ns = trip_ns;
            row.origin_ns = before_ns + trip_ns / 2;
            std::swap(row.origin, row.next_origin);
        }
    }

    const BscopePlugin& api_;
    std::string reason_;
    std::mutex mutex_;
    std::map<BscopeStream*, Row> rows_;
    bool paused_ = false;
};

}  // namespace

std::unique_ptr<GpuTracer> makeGpuTracer(const BscopePlugin& api) {
    if (const BscopeError error = api.trace_start())
        return makeEventTracer(api, std::string("without CUPTI: ") + error);
    return std::make_unique<CuptiTracer>(api);
}

std::unique_ptr<GpuTracer> makeEventTracer(const BscopePlugin& api, std::string reason) {
    return std::make_unique<EventTracer>(api, std::move(reason));
}

}  // namespace bscope
