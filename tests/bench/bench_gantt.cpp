// Redraw of the canvas with a million boxes (8 ranks, one iteration of 1F1B with 62,500 micro-batches, plan
// and memory points on top) at 1920x1080: median of whole redraws, shown as a ratio to the budget of 8 ms.
#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "gui/sample_view.h"
#include "widgets/gantt/gantt_view.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

constexpr double kBudgetMs = 8;
constexpr int kRedraws = 31;

// CPU time: all drawing happens on it, and other programs of the machine do not count.
double cpuMs() {
    return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

double medianRedrawMs(GanttView& view) {
    std::vector<double> times;
    for (int i = 0; i < kRedraws; ++i) {
        const double before = cpuMs();
        view.replot(QCustomPlot::rpImmediateRefresh);
        times.push_back(cpuMs() - before);
    }
    std::ranges::nth_element(times, times.begin() + kRedraws / 2);
    return times[kRedraws / 2];
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const int microbatches = argc > 1 ? std::atoi(argv[1]) : 62'500;
    const IterationView sample = sampleView({.p = 8, .m = microbatches});
    std::size_t boxes = 0;
    for (int rank = 0; rank < sample.ran->ranks(); ++rank) boxes += sample.ran->compute(rank).size();

    ViewState state;
    GanttView view(state);
    view.resize(1920, 1080);
    view.show();
    QElapsedTimer timer;
    timer.start();
    view.setView(sample);
    std::printf("%zu boxes, 1920x1080; first view prepared in %.1f ms\n", boxes,
                static_cast<double>(timer.nsecsElapsed()) / 1e6);
    const double whole = view.fitRange().width();
    std::printf("%12s %12s %10s %8s\n", "zoom", "boxes/lane", "median ms", "of 8 ms");
    double worst = 0;
    for (double zoom = 1; zoom <= 1e6; zoom *= 4) {
        const double width = whole / zoom;
        state.setRange({0.4 * whole, 0.4 * whole + width}, false);
        const double ms = medianRedrawMs(view);
        worst = std::max(worst, ms);
        std::printf("%12.0f %12.0f %10.2f %8.2f\n", zoom, static_cast<double>(boxes) / 8 / zoom, ms,
                    ms / kBudgetMs);
    }
    std::printf("worst: %.2f of the budget of %.0f ms\n", worst / kBudgetMs, kBudgetMs);
    return 0;
}
