#include "trace/gpu_tracer.h"

#include <algorithm>
#include <ctime>
#include <deque>

namespace bscope {

namespace {

class CuptiTracer final : public GpuTracer {
public:
    explicit CuptiTracer(const BscopePlugin& api) : api_(api) {}
    CuptiTracer(const CuptiTracer&) = delete;
    CuptiTracer& operator=(const CuptiTracer&) = delete;
    ~CuptiTracer() override { api_.trace_stop(); }

    void begin(const TracedAction& traced) override { check(api_.trace_push(packActionId(traced))); }
    void end() override { check(api_.trace_pop()); }
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
    std::uint64_t dropped() const override { return dropped_; }
    const std::string& fallbackReason() const override { return none_; }

private:
    const BscopePlugin& api_;
    KernelJoin join_;
    std::uint64_t dropped_ = 0;
    const std::string none_;
};

// An action's place is where the host began it, pushed back by the action before it; its length is the
// events'.
class EventTracer final : public GpuTracer {
public:
    EventTracer(const BscopePlugin& api, BscopeStream* stream, std::string reason)
        : api_(api), stream_(stream), reason_(std::move(reason)) {
        spare_.push_back(open());
    }
    EventTracer(const EventTracer&) = delete;
    EventTracer& operator=(const EventTracer&) = delete;
    ~EventTracer() override {
        for (const Timed& timed : timed_) api_.timer_close(timed.timer);
        for (BscopeTimer* timer : spare_) api_.timer_close(timer);
    }

    void begin(const TracedAction& traced) override {
        BscopeTimer* timer = nullptr;
        if (spare_.empty()) {
            timer = open();
        } else {
            timer = spare_.back();
            spare_.pop_back();
        }
        timed_.push_back({traced, timer, monotonicNow()});
        check(api_.timer_start(timer));
    }
    void end() override { check(api_.timer_stop(timed_.back().timer)); }

    std::vector<ActionSpan> drain() override {
        std::vector<ActionSpan> spans;
        for (; !timed_.empty(); timed_.pop_front()) {
            const Timed& timed = timed_.front();
            std::int64_t duration_ns = 0;
            check(api_.timer_read(timed.timer, &duration_ns));
            const std::int64_t start_ns = std::max(timed.begun_ns, last_end_ns_);
            last_end_ns_ = start_ns + duration_ns;
            spans.push_back(
                {.traced = timed.traced, .start_ns = start_ns, .end_ns = last_end_ns_, .kernels = {}});
            spare_.push_back(timed.timer);
        }
        return spans;
    }
    std::uint64_t dropped() const override { return 0; }
    const std::string& fallbackReason() const override { return reason_; }

private:
    struct Timed {
        TracedAction traced;
        BscopeTimer* timer;
        std::int64_t begun_ns;
    };
    static std::int64_t monotonicNow() {
        std::timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec * 1'000'000'000 + now.tv_nsec;
    }
    BscopeTimer* open() {
        BscopeTimer* timer = nullptr;
        check(api_.timer_open(stream_, &timer));
        return timer;
    }

    const BscopePlugin& api_;
    BscopeStream* stream_;
    std::string reason_;
    std::deque<Timed> timed_;
    std::vector<BscopeTimer*> spare_;
    std::int64_t last_end_ns_ = 0;
};

}  // namespace

std::unique_ptr<GpuTracer> makeGpuTracer(const BscopePlugin& api, BscopeStream* stream) {
    if (const BscopeError error = api.trace_start())
        return std::make_unique<EventTracer>(api, stream, std::string("without CUPTI: ") + error);
    return std::make_unique<CuptiTracer>(api);
}

}  // namespace bscope
