// From the end of an iteration's first box to the screen: the default scenario served on a thread of this
// process, the real window attached to it over a socket. A second viewer notes when each iteration was
// reported, which is when the next one began; its first operation starts there, so what passes until the
// window has painted a box of it, less that operation's own length, is the time asked for (limit 100 ms).
// Arguments: the hidden sizes to try.
#include <QApplication>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>

#include "after_paint.h"
#include "opened_window.h"
#include "required.h"
#include "served.h"
#include "wire/convert.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

constexpr int kIterations = 12;
using Clock = std::chrono::steady_clock;

// When each iteration began, as the engine reported it.
class Starts {
public:
    explicit Starts(int port) : viewer_(port), thread_([this] { listen(); }) {}
    ~Starts() { thread_.join(); }
    std::optional<Clock::time_point> of(int iteration) {
        const std::lock_guard lock(mutex_);
        const auto found = starts_.find(iteration);
        return found == starts_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    void listen() {
        viewer_.attach(kTestToken, kProtocolVersion, true);
        while (const auto report = viewer_.until(wire::Message::kIterationReport)) {
            const int next = report->iteration_report().iteration() + 1;
            const std::lock_guard lock(mutex_);
            starts_[next] = Clock::now();
            if (next > kIterations + 1) return;
        }
    }
    RawViewer viewer_;
    std::mutex mutex_;
    std::map<int, Clock::time_point> starts_;
    std::thread thread_;
};

// Notes when the canvas had first painted a box of each iteration.
class Painted {
public:
    explicit Painted(GanttView& gantt) : gantt_(gantt), after_paint_(gantt, [this] { painted(); }) {}
    struct Box {
        Clock::time_point at;
        double length_ms;
    };
    std::map<int, Box> boxes;

private:
    void painted() {
        for (const PreparedView& group : gantt_.picture().groups) {
            const auto drawn = group.view().ran->ranks() > 0 ? group.ran(0) : EventSlice();
            if (drawn.empty()) continue;
            boxes.try_emplace(group.view().iteration,
                              Box{Clock::now(), static_cast<double>(drawn.front().duration_ns()) / 1e6});
        }
    }
    GanttView& gantt_;
    AfterPaint after_paint_;
};

void measure(int hidden) {
    RunConfig config;
    config.clock = ClockChoice::Reconstructed;
    config.model.hidden = hidden;
    const Served engine(Served::paused(), config);
    Starts starts(engine.port());
    LessonBook book;
    OpenedWindow opened(book);
    Painted painted(canvasOf(opened.window));
    opened.window.connectTo({"127.0.0.1", static_cast<quint16>(engine.port()), kTestToken}, false);
    REQUIRE_SOON(part<Session>(opened.window).state() == SessionState::Paused);
    part<Session>(opened.window).run();
    REQUIRE(QTest::qWaitFor([&] { return starts.of(kIterations + 1).has_value(); }, 600'000));

    std::vector<double> late_ms;
    for (const auto& [iteration, box] : painted.boxes) {
        const auto start = starts.of(iteration);
        if (!start) continue;
        const double ms = std::chrono::duration<double, std::milli>(box.at - *start).count();
        late_ms.push_back(ms - box.length_ms);
    }
    if (late_ms.empty()) return void(std::fprintf(stderr, "no iteration was painted\n"));
    std::sort(late_ms.begin(), late_ms.end());
    std::printf(
        "hidden %4d: first box on the screen after its end, %zu iterations: median %.0f ms, worst %.0f ms "
        "(limit 100; the box itself %.1f ms)\n",
        hidden, late_ms.size(), late_ms[late_ms.size() / 2], late_ms.back(),
        painted.boxes.begin()->second.length_ms);
    part<Session>(opened.window).pause();
}

}  // namespace

int main(int count, char** values) {
    QApplication application(count, values);
    OpenedWindow::useTestSettings();
    for (int i = 1; i < count; ++i) measure(std::atoi(values[i]));
    if (count == 1) measure(256);
    return 0;
}
