// Memory of the window for a million boxes: by how much the resident set of this process grows when one
// iteration of 1F1B (8 ranks, 62,500 micro-batches, 1,000,008 boxes with their plan, messages and memory
// curves) is made, prepared and shown at 1920x1080. Prints bytes a box, part by part, and the limit of 100.
// Arguments: micro-batches (62,500).
#include <malloc.h>
#include <unistd.h>

#include <QApplication>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "sample_view.h"
#include "widgets/gantt/gantt_view.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

constexpr double kLimitBytes = 100;

// Without what the allocator keeps for later.
double residentBytes() {
    malloc_trim(0);
    std::ifstream statm("/proc/self/statm");
    double whole = 0, resident = 0;
    statm >> whole >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const int microbatches = argc > 1 ? std::atoi(argv[1]) : 62'500;
    ViewState state;
    GanttView view(state);
    view.resize(1920, 1080);
    view.show();
    view.setView(sampleView({.p = 8, .m = 16}));
    view.replot(QCustomPlot::rpImmediateRefresh);

    const double empty = residentBytes();
    IterationView sample = sampleView({.p = 8, .m = microbatches});
    sample.plan_summary.gaps = {};  // as RunHistory leaves them out
    double boxes = 0, messages = 0, points = 0;
    for (int rank = 0; rank < sample.ran->ranks(); ++rank) {
        boxes += static_cast<double>(sample.ran->compute(rank).size());
        messages += static_cast<double>(sample.ran->receives(rank).size());
        points += static_cast<double>(sample.ran->memory(rank).size());
    }
    const auto gaps = static_cast<double>(sample.summary->gaps.size());
    const double made = residentBytes();
    view.setView(sample);
    sample = {};
    view.replot(QCustomPlot::rpImmediateRefresh);
    const double shown = residentBytes();
    std::printf("%.0f boxes; of the run a box: %.2f messages, %.2f memory points, %.2f gaps\n", boxes,
                messages / boxes, points / boxes, gaps / boxes);
    std::printf("run and plan with their numbers: %.0f bytes a box\n", (made - empty) / boxes);
    std::printf("prepared and shown: %.0f bytes a box in all (limit %.0f)\n", (shown - empty) / boxes,
                kLimitBytes);
    return 0;
}
