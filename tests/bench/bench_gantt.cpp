// Redraw of the canvas with a million boxes (8 ranks, one iteration of 1F1B with 62,500 micro-batches, plan
// and memory points on top) at 1920x1080 and 3840x2160: median of whole redraws over ten zooms, as they last,
// as a ratio to the limits of 4 and 8 ms; with more than two million boxes, of 8 and 12 ms, asked for ten
// million: a schedule has at most eight, on 64 ranks. Beside it the CPU time of all threads that paint.
// Meant for a quiet machine, or for `chrt -f 5`. Arguments: millions of boxes (1), one zoom (all ten).
#include <QApplication>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "sample_view.h"
#include "widgets/gantt/gantt_view.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

constexpr int kRedraws = 31;
struct Screen {
    int width, height;
    double limit_ms, limit_of_many_ms;
};
constexpr Screen kScreens[] = {{1920, 1080, 4, 8}, {3840, 2160, 8, 12}};

struct Cost {
    double wall_ms = 0, cpu_ms = 0;
};

Cost now() {
    const auto ms = [](clockid_t clock) {
        timespec time{};
        clock_gettime(clock, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    };
    return {ms(CLOCK_MONOTONIC), ms(CLOCK_PROCESS_CPUTIME_ID)};
}

Cost medianRedraw(GanttView& view) {
    std::vector<double> wall, cpu;
    for (int i = 0; i < kRedraws; ++i) {
        const Cost before = now();
        view.replot(QCustomPlot::rpImmediateRefresh);
        const Cost after = now();
        wall.push_back(after.wall_ms - before.wall_ms);
        cpu.push_back(after.cpu_ms - before.cpu_ms);
    }
    const auto median = [](std::vector<double>& times) {
        std::ranges::nth_element(times, times.begin() + kRedraws / 2);
        return times[kRedraws / 2];
    };
    return {median(wall), median(cpu)};
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const int ranks = 8 * (argc > 1 ? std::atoi(argv[1]) : 1);
    const IterationView sample = sampleView({.p = ranks, .m = 62'500});
    std::size_t boxes = 0;
    for (int rank = 0; rank < sample.ran->ranks(); ++rank) boxes += sample.ran->compute(rank).size();

    ViewState state;
    GanttView view(state);
    view.resize(kScreens[0].width, kScreens[0].height);
    view.show();
    const Cost before = now();
    view.setView(sample);
    std::printf("%zu boxes; first view prepared in %.1f ms (limit 100 for a million)\n", boxes,
                now().cpu_ms - before.cpu_ms);
    const double whole = view.fitRange().width();
    const double only = argc > 2 ? std::atof(argv[2]) : 0;
    for (const Screen& screen : kScreens) {
        view.resize(screen.width, screen.height);
        const double limit = boxes > 2'000'000 ? screen.limit_of_many_ms : screen.limit_ms;
        std::printf("%dx%d\n%12s %12s %10s %8s %10s\n", screen.width, screen.height, "zoom", "boxes/lane",
                    "median ms", "of limit", "CPU ms");
        double worst = 0;
        for (double zoom = 1; zoom <= 1e6; zoom *= 4) {
            if (only > 0 && zoom != only) continue;
            const double width = whole / zoom;
            state.setRange({0.4 * whole, 0.4 * whole + width}, false);
            const Cost cost = medianRedraw(view);
            worst = std::max(worst, cost.wall_ms);
            std::printf("%12.0f %12.0f %10.2f %8.2f %10.2f\n", zoom,
                        static_cast<double>(boxes) / ranks / zoom, cost.wall_ms, cost.wall_ms / limit,
                        cost.cpu_ms);
        }
        std::printf("worst: %.2f of the limit of %.0f ms\n", worst / limit, limit);
    }
    return 0;
}
