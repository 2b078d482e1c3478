#include "lessons/lesson_course.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "catalog/catalog.h"
#include "lessons/pooled_runs.h"
#include "schedule/formats/schedule_file.h"
#include "timeline/median.h"

namespace bscope {

namespace {

double medianForward_ns(const LessonRun& run) {
    std::vector<std::int64_t> forwards;
    for (int rank = 0; run.ran && rank < run.ran->ranks(); ++rank)
        for (const Event& event : run.ran->compute(rank))
            if (event.op == Op::Forward) forwards.push_back(event.duration_ns());
    return forwards.empty() ? 0 : median(forwards);
}

// Index of the median by iteration time; of an even count the quicker of the two in the middle.
std::size_t medianIteration(const std::vector<LessonRun>& iterations) {
    std::vector<std::size_t> order(iterations.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>((order.size() - 1) / 2);
    std::nth_element(order.begin(), middle, order.end(), [&](std::size_t a, std::size_t b) {
        return iterations[a].report.iteration_ms < iterations[b].report.iteration_ms;
    });
    return *middle;
}

// A turn of it fills and drains the stream: what counts is never the first of it.
bool isStream(const RunConfig& config) {
    return findSchedule(config.schedule) != nullptr && canBeMade(config.schedule, config.params) &&
           makeSchedule(config.schedule, config.params).step_every > 0;
}

// What is wrong with it is all there is to be known of a table.
LessonRun readTable(const CourseRun& run) {
    LessonRun read{.config = run.config, .report = {}, .ran = nullptr};
    const ScheduleFile file = readScheduleFile(run.table, "table", FileForm::TimeTable);
    read.problems = static_cast<int>(file.errors.size());
    return read;
}

}  // namespace

CourseRun courseRun(const wire::LessonRun& run) {
    CourseRun made{.config = {}, .iterations = run.iterations(), .latency_of_f = run.latency_of_f()};
    for (const std::string& line : run.table()) made.table += line + '\n';
    return made;
}

LessonCourse::LessonCourse(std::vector<CourseRun> runs, WarmUp warm_up)
    : runs_(std::move(runs)), warm_up_(warm_up), counted_(runs_.size()), kept_(runs_.size()) {
    const bool warms_up = warm_up != WarmUp::OnGpus;
    if (std::ranges::any_of(runs_, [](const CourseRun& run) { return run.latency_of_f > 0; }))
        turns_.push_back({.iterations = warms_up ? kEachTurn : 1, .counts = false});
    for (std::size_t run = 0; run < runs_.size(); ++run)
        if (!runs_[run].table.empty())
            kept_[run] = readTable(runs_[run]);
        else if (runs_[run].iterations > 0)
            turns_.push_back({.run = run, .iterations = runs_[run].iterations, .from_start = true});
    const int rounds = warms_up ? kRounds : kRoundsWithoutWarmUp;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t run = 0; run < runs_.size(); ++run) {
            if (!alternates(run)) continue;
            const bool is_warm = warm_up == WarmUp::OnGpus || (round > 0 && warm_up == WarmUp::FirstTurn);
            const bool is_short = is_warm && !isStream(runs_[run].config);
            turns_.push_back({.run = run, .iterations = is_short ? kEachTurn - 1 : kEachTurn});
        }
    beginTurn();
}

bool LessonCourse::alternates(std::size_t run) const {
    return runs_[run].iterations == 0 && runs_[run].table.empty();
}

void LessonCourse::beginTurn() {
    done_here_ = 0;
    if (finished()) return finish();
    const Turn& turn = turns_[at_];
    const CourseRun& run = runs_[turn.run];
    config_ = run.config;
    if (!turn.counts) config_.link = {};
    if (turn.counts) setLatency(config_, turn.run, forward_ns_);
}

void LessonCourse::setLatency(RunConfig& config, std::size_t run, double forward_ns) const {
    if (runs_[run].latency_of_f > 0)
        config.link.latency_us = std::max(1.0, std::round(runs_[run].latency_of_f * forward_ns / 1e3));
}

RunConfig LessonCourse::plannedConfigOf(std::size_t run, double forward_ns) const {
    RunConfig config = runs_[run].config;
    setLatency(config, run, forward_ns_ > 0 ? forward_ns_ : forward_ns);
    return config;
}

bool LessonCourse::add(LessonRun made) {
    Turn& turn = turns_[at_];
    ++done_;
    const bool is_cold = done_here_ == 0 && turn.iterations == 1 && counted_[turn.run].empty();
    if (is_cold && warm_up_ == WarmUp::OnGpus && made.report.timing.ofGpus()) turn.iterations = kEachTurn;
    const bool warms_up = done_here_++ == 0 && turn.iterations > 1;
    const bool counts = turn.counts && !warms_up;
    if (!turn.counts) forward_ns_ = medianForward_ns(made);
    if (counts) {
        std::vector<LessonRun>& counted = counted_[turn.run];
        counted.push_back(std::move(made));
        kept_[turn.run] = counted[medianIteration(counted)];
        kept_[turn.run]->counted = std::make_shared<const std::vector<LessonRun>>(counted);
        if (turn.from_start) kept_[turn.run]->report.loss = counted.back().report.loss;
    }
    if (done_here_ >= turn.iterations) {
        ++at_;
        beginTurn();
    }
    return counts;
}

int LessonCourse::total() const {
    int total = 0;
    for (const Turn& turn : turns_) total += turn.iterations;
    return total;
}

LessonRuns LessonCourse::named(const Kept& kept, const std::string& set) {
    LessonRuns runs;
    for (std::size_t run = 0; run < kept.size(); ++run) runs[set + runName(run)] = kept[run];
    return runs;
}

LessonRuns LessonCourse::kept(const std::string& set) const {
    return named(kept_, set);
}

int LessonCourse::rounds() const {
    std::size_t rounds = 0;
    bool is_first = true;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        if (!alternates(run)) continue;
        rounds = is_first ? counted_[run].size() : std::min(rounds, counted_[run].size());
        is_first = false;
    }
    return static_cast<int>(rounds);
}

LessonRuns LessonCourse::soFar(const std::string& set) const {
    return named(finished() ? kept_ : pooled(kept_, counted_), set);
}

LessonRuns LessonCourse::ofRound(int round, const std::string& set) const {
    Kept kept = kept_;
    Counted counted = counted_;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        if (!alternates(run)) continue;
        kept[run] = counted_[run][static_cast<std::size_t>(round)];
        counted[run] = {*kept[run]};
    }
    return named(pooled(std::move(kept), counted), set);
}

void LessonCourse::finish() {
    at_ = turns_.size();
    kept_ = pooled(std::move(kept_), counted_);
}

std::size_t LessonCourse::keptIndex(std::size_t run) const {
    return medianIteration(counted_[run]);
}

// Groups of runs that compute the same. Durations of a run alone stay as they were measured.
LessonCourse::Kept LessonCourse::pooled(Kept kept, const Counted& counted) {
    std::vector<bool> is_done(kept.size(), false);
    for (std::size_t first = 0; first < kept.size(); ++first) {
        if (is_done[first] || !kept[first]) continue;
        std::vector<std::size_t> group;
        std::vector<LessonRun> iterations;
        std::string names;
        for (std::size_t run = first; run < kept.size(); ++run) {
            if (is_done[run] || !kept[run] || !kept[run]->ran || !computeTheSame(*kept[first], *kept[run]))
                continue;
            group.push_back(run);
            names += (names.empty() ? "" : ", ") + runName(run);
            iterations.insert(iterations.end(), counted[run].begin(), counted[run].end());
        }
        if (group.size() < 2) continue;
        const std::vector<StageCosts> durations = pooledDurations(iterations);
        std::vector<LessonRun> anew;
        for (const std::size_t run : group) {
            is_done[run] = true;
            if (std::optional<LessonRun> placed = placedAnew(*kept[run], durations))
                anew.push_back(std::move(*placed));
        }
        if (anew.size() < group.size()) continue;
        for (std::size_t i = 0; i < group.size(); ++i) {
            kept[group[i]] = std::move(anew[i]);
            kept[group[i]]->pooled_over = names;
        }
    }
    return kept;
}

}  // namespace bscope
