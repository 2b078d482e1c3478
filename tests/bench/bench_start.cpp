// Starting the window with the default scenario and its own engine, as the program does, several times, each
// in a process of its own: from the start of the process until the window has painted the plan (limit 0.7 s),
// and until it has painted a box that really ran (limit 1.5 s). Prints wall time, CPU time of this process
// and, for the box, of the engine's too, medians; and what the parts of the first took. Settings are those of
// a second start. Arguments: rounds (7). `--once` is what a round runs.
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "after_paint.h"
#include "opened_window.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

double secondsOf(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Since the exec, in steps of 10 ms: field 22 of stat, after the name in brackets.
double wallSeconds() {
    std::ifstream file("/proc/self/stat");
    std::string stat;
    std::getline(file, stat);
    const char* at = stat.c_str() + stat.rfind(')') + 1;
    for (int field = 2; field < 22; ++field) at = std::strchr(at, ' ') + 1;
    return secondsOf(CLOCK_BOOTTIME) - std::atof(at) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Of the process with this number; 0 when it is gone.
double cpuSecondsOf(qint64 process) {
    clockid_t clock{};
    if (process <= 0 || clock_getcpuclockid(static_cast<pid_t>(process), &clock) != 0) return 0;
    return secondsOf(clock);
}

void tell(const char* what, qint64 engine = 0) {
    std::printf("%s\t%.4f\t%.4f\t%.4f\n", what, wallSeconds(), secondsOf(CLOCK_PROCESS_CPUTIME_ID),
                cpuSecondsOf(engine));
    std::fflush(stdout);
}

// Reports when the canvas had first painted the plan, and first a box that ran; then ends the program.
class FirstPaints {
public:
    explicit FirstPaints(GanttView& canvas) : canvas_(canvas), after_paint_(canvas, [this] { painted(); }) {}

private:
    void painted() {
        for (const PreparedView& group : canvas_.picture().groups) {
            const IterationView& view = group.view();
            if (!plan_ && view.planned && view.planned->ranks() > 0) {
                plan_ = true;
                tell("plan painted");
            }
            bool ran = false;
            for (int rank = 0; view.ran && rank < view.ran->ranks(); ++rank)
                ran = ran || !view.ran->compute(rank).empty();
            if (!ran || ended_) continue;
            ended_ = true;
            tell("box painted", engine());
            QApplication::quit();
        }
    }
    // This process's only child.
    static qint64 engine() {
        std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
        qint64 child = 0;
        children >> child;
        return child;
    }
    GanttView& canvas_;
    AfterPaint after_paint_;
    bool plan_ = false, ended_ = false;
};

int once(int count, char** values) {
    QApplication application(count, values);
    QApplication::setStyle(QStringLiteral("Fusion"));
    OpenedWindow::useBuiltEngine();
    tell("application");
    Preferences preferences;
    preferences.first_steps_shown = true;
    const LessonBook book = LessonBook::embedded();
    tell("lessons read");
    MainWindow window(preferences, book);
    tell("window made");
    FirstPaints paints(canvasOf(window));
    window.show();
    tell("window shown");
    window.openScenario(openScenario(QStringLiteral("default")), true);
    tell("scenario opened");
    return QApplication::exec();
}

// What a round printed: name, wall, CPU, CPU of the engine.
using Steps = std::vector<std::pair<std::string, std::array<double, 3>>>;

Steps round(const char* program) {
    std::FILE* out = popen((std::string(program) + " --once").c_str(), "r");
    Steps steps;
    char line[256];
    while (out != nullptr && std::fgets(line, sizeof line, out) != nullptr) {
        char name[64];
        std::array<double, 3> times{};
        if (std::sscanf(line, "%63[^\t]\t%lf\t%lf\t%lf", name, &times[0], &times[1], &times[2]) == 4)
            steps.emplace_back(name, times);
    }
    if (out != nullptr) pclose(out);
    return steps;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

}  // namespace

int main(int count, char** values) {
    if (count > 1 && std::strcmp(values[1], "--once") == 0) return once(count, values);
    const int rounds = count > 1 ? std::atoi(values[1]) : 7;
    const std::map<std::string, double> limits{{"plan painted", 0.7}, {"box painted", 1.5}};
    std::vector<Steps> all;
    for (int i = 0; i <= rounds; ++i) {
        Steps steps = round(values[0]);
        if (steps.empty() || steps.back().first != "box painted") {
            std::fprintf(stderr, "the window did not show a box\n");
            return 1;
        }
        if (i > 0) all.push_back(std::move(steps));  // the first one fills the system's caches
    }
    std::printf("%16s %8s %8s %10s %8s\n", "median, s", "wall", "CPU", "engine's", "limit");
    for (std::size_t step = 0; step < all[0].size(); ++step) {
        std::array<double, 3> middle{};
        for (std::size_t which = 0; which < 3; ++which) {
            std::vector<double> each;
            for (const Steps& steps : all) each.push_back(steps[step].second[which]);
            middle[which] = median(each);
        }
        const auto limit = limits.find(all[0][step].first);
        std::printf("%16s %8.2f %8.2f %10.2f", all[0][step].first.c_str(), middle[0], middle[1], middle[2]);
        if (limit != limits.end()) std::printf(" %8.1f", limit->second);
        std::printf("\n");
    }
    return 0;
}
