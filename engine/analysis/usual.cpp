#include "analysis/usual.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "schedule/index.h"
#include "shape/config_shape.h"
#include "timeline/median.h"

namespace bscope {

namespace {

constexpr double kLeast = 1.05;        // a rank, a stage or a micro-batch
constexpr double kLeastAtEnds = 1.25;  // a rank whose one stage has the embedding or the head
constexpr double kLeastLink = 1.25;
constexpr double kLeastDisturbed = 2;  // where other programs may be what took the time
constexpr double kLeastMessage_ns = 20'000;
constexpr double kOfAnOperation = 0.02;  // a link costs at least this share of the median operation more
constexpr double kErrors = 4;
constexpr std::size_t kLeastSamples = 3;

// Not above the median: with two values the smaller one.
template <class Number>
Number lowerMedian(std::vector<Number> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Of the median of values around 1, and of a reference like it.
double standardError(std::vector<double> values) {
    const double middle = median(values);
    const auto count = static_cast<double>(values.size());
    for (double& value : values) value = std::abs(value - middle);
    return 1.2533 * 1.4826 * median(std::move(values)) / std::sqrt(count) * std::sqrt(2.0);
}

bool isSignificant(double factor, double error, double least) {
    return factor > least && factor - 1 > kErrors * error;
}

// The greater of the two stays.
void keepGreater(std::optional<Outlier>& kept, const Outlier& found) {
    if (!kept || found.factor > kept->factor) kept = found;
}

}  // namespace

RunFacts factsOf(const Schedule& schedule) {
    RunFacts facts;
    facts.places.resize(schedule.placement.size());
    for (const std::vector<int>& chain : schedule.chains)
        for (std::size_t place = 0; place < chain.size(); ++place)
            facts.places[at(chain[place])] = static_cast<int>(place);
    facts.judges_ranks = schedule.params.t == 1;
    return facts;
}

RunFacts factsOfRun(const Schedule& schedule, const RunConfig& config, const ImportOrigin* import,
                    std::vector<double> work) {
    RunFacts facts = factsOf(schedule);
    if (import != nullptr) {
        facts.knows_messages = import->knows_transfers;
        return facts;
    }
    if (config.link != LinkModel{}) facts.link = config.link;
    for (const auto& [rank, factor] : config.slow_ranks) facts.slowed.push_back(rank);
    facts.work = std::move(work);
    return facts;
}

RunFacts factsOfIteration(const Schedule& order, const IterationStart& start, const IterationReport& report) {
    RunFacts facts = factsOfRun(order, start.config, start.import.get(),
                                start.import ? std::vector<double>() : workOfStages(start.config, order));
    facts.launch_gaps_ns = launchGaps_ns(report);
    return facts;
}

std::vector<std::int64_t> launchGaps_ns(const IterationReport& report) {
    std::vector<std::int64_t> gaps;
    for (const RankReport& rank : report.ranks)
        if (report.knowsLaunchGaps()) gaps.push_back(std::llround(rank.launch_gap_ms * 1e6));
    return gaps;
}

Usual::Usual(const EventGraph& graph, const RunFacts& facts)
    : graph_(graph), facts_(facts), slowness_(at(graph.ranks()), 1.0) {
    for (const EventGraph::Node& node : graph.nodes())
        if (isCompute(node.event->op)) stages_ = std::max(stages_, node.event->stage + 1);
    if (facts_.work.size() < at(stages_)) facts_.work.clear();
    if (facts_.places.size() < at(stages_)) facts_.places.clear();
    if (facts_.series && facts_.series->empty()) facts_.series.reset();
    countTimes();
    learnOperations();
    own_medians_ = medians_;
    ratios_ = ratiosOf(medians_);
    if (facts_.series) learnSeries();
    if (facts_.judges_ranks) {
        findSlowRanks();
        findHeavyStage();
    }
    settleDurations();
    findOddMicrobatch();
    learnLinks();
}

double Usual::work(std::size_t stage) const {
    return facts_.work.empty() || facts_.work[stage] <= 0 ? 1 : facts_.work[stage];
}

int Usual::place(std::size_t stage) const {
    return facts_.places.empty() ? static_cast<int>(stage) : facts_.places[stage];
}

void Usual::learnOperations() {
    std::vector<std::array<std::vector<double>, kOps>> all(at(stages_)), undisturbed(at(stages_));
    ranks_of_stages_.assign(at(stages_), -1);
    for (const EventGraph::Node& node : graph_.nodes()) {
        const Event& e = *node.event;
        if (!isCompute(e.op) || e.stage < 0) continue;
        all[at(e.stage)][static_cast<std::size_t>(e.op)].push_back(static_cast<double>(e.duration_ns()));
        if (!e.disturbed || !facts_.heeds_disturbance)
            undisturbed[at(e.stage)][static_cast<std::size_t>(e.op)].push_back(
                static_cast<double>(e.duration_ns()));
        ranks_of_stages_[at(e.stage)] = e.rank;
    }
    medians_.resize(at(stages_));
    scatter_.resize(at(stages_));
    is_calm_.assign(at(stages_), true);
    for (std::size_t stage = 0; stage < all.size(); ++stage)
        for (std::size_t op = 0; op < all[stage].size(); ++op) {
            const bool is_calm = undisturbed[stage][op].size() >= kLeastSamples ||
                                 undisturbed[stage][op].size() == all[stage][op].size();
            const std::vector<double>& durations = (is_calm ? undisturbed : all)[stage][op];
            if (durations.empty()) continue;
            if (!is_calm) is_calm_[stage] = false;
            const double middle = median(durations);
            medians_[stage][op] = middle;
            if (middle <= 0) continue;
            for (const double each : durations) scatter_[stage].push_back(each / middle);
        }
}

void Usual::countTimes() {
    times_.resize(at(stages_));
    for (const EventGraph::Node& node : graph_.nodes())
        if (isCompute(node.event->op) && node.event->stage >= 0)
            ++times_[at(node.event->stage)][static_cast<std::size_t>(node.event->op)];
}

// Medians of the medians of several iterations, and how much the iterations differ.
void Usual::learnSeries() {
    const SeriesMedians& series = *facts_.series;
    const auto knows = [](const IterationMedians& each, std::size_t stage) {
        return stage < each.of_stages.size();
    };
    for (std::size_t stage = 0; stage < medians_.size(); ++stage) {
        std::size_t calm = 0;
        for (const IterationMedians& each : series) calm += knows(each, stage) && each.calm[stage];
        is_calm_[stage] = 2 * calm > series.size();
        for (std::size_t op = 0; op < medians_[stage].size(); ++op) {
            if (medians_[stage][op] <= 0) continue;  // it did none of them
            std::vector<double> each_ns;
            for (const IterationMedians& each : series)
                if (knows(each, stage) && each.of_stages[stage][op] > 0)
                    each_ns.push_back(each.of_stages[stage][op]);
            if (!each_ns.empty()) medians_[stage][op] = median(std::move(each_ns));
        }
    }
    ratios_ = ratiosOf(medians_);
    // Of fewer nothing is named but what the configuration slows down.
    const bool names = series.size() >= kLeastInSeries;
    for (std::size_t stage = 0; stage < scatter_.size(); ++stage)
        if (names || !isSlowed(ranks_of_stages_[stage])) scatter_[stage].clear();
    if (!names) return;
    for (const IterationMedians& each : series) {
        Medians medians = each.of_stages;
        medians.resize(medians_.size());
        const std::vector<double> ratios = ratiosOf(medians);
        for (std::size_t stage = 0; stage < ratios.size(); ++stage)
            if (ratios[stage] > 0 && ratios_[stage] > 0)
                scatter_[stage].push_back(ratios[stage] / ratios_[stage]);
    }
}

// What is named of a series is there in three quarters of its iterations, with half its size or more.
bool Usual::isThere(double factor, const std::vector<double>& scatter) const {
    if (!facts_.series) return true;
    const auto there = std::ranges::count_if(
        scatter, [factor](double each) { return factor * each > 1 + (factor - 1) / 2; });
    return 4 * static_cast<std::size_t>(there) >= 3 * scatter.size();
}

// Kind by kind: a schedule may split the backwards of some stages and not those of others. Kinds that came a
// few times say nothing where others came more often.
std::vector<double> Usual::ratiosOf(const Medians& medians) const {
    std::vector<std::array<bool, kOps>> known_well(at(stages_));
    for (std::size_t stage = 0; stage < known_well.size(); ++stage) {
        const bool often = std::ranges::max(times_[stage]) >= kLeastSamples;
        for (std::size_t op = 0; op < known_well[stage].size(); ++op)
            known_well[stage][op] = medians[stage][op] > 0 && (!often || times_[stage][op] >= kLeastSamples);
    }
    std::array<double, kOps> usual{};
    for (std::size_t op = 0; op < usual.size(); ++op) {
        std::vector<double> known;
        for (std::size_t stage = 0; stage < medians.size(); ++stage)
            if (known_well[stage][op]) known.push_back(medians[stage][op] / work(stage));
        if (!known.empty()) usual[op] = lowerMedian(std::move(known));
    }
    std::vector<double> ratios(at(stages_));
    std::vector<double> known;
    for (std::size_t stage = 0; stage < ratios.size(); ++stage) {
        double own = 0, expected = 0;
        for (std::size_t op = 0; op < usual.size(); ++op) {
            if (!known_well[stage][op]) continue;
            own += medians[stage][op];
            expected += usual[op];
        }
        if (expected > 0) ratios[stage] = own / (expected * work(stage));
        if (ratios[stage] > 0) known.push_back(ratios[stage]);
    }
    if (known.empty()) return ratios;
    const double middle = lowerMedian(known);
    for (double& ratio : ratios) ratio /= middle;
    return ratios;
}

bool Usual::hasCopies(std::size_t stage) const {
    for (std::size_t other = 0; other < ratios_.size(); ++other)
        if (other != stage && place(other) == place(stage) && ranks_of_stages_[other] >= 0) return true;
    return false;
}

bool Usual::isSlowed(int rank) const {
    return std::ranges::find(facts_.slowed, rank) != facts_.slowed.end();
}

bool Usual::isTwin(std::size_t stage) const {
    return !hasCopies(stage) && std::ranges::count(ranks_of_stages_, ranks_of_stages_[stage]) == 1;
}

double Usual::besideCopies(std::size_t stage) const {
    std::vector<double> copies;
    for (std::size_t other = 0; other < ratios_.size(); ++other)
        if (place(other) == place(stage) && ratios_[other] > 0) copies.push_back(ratios_[other]);
    return copies.size() < 2 ? ratios_[stage] : ratios_[stage] / lowerMedian(copies);
}

double Usual::excess_ns(std::size_t stage, double factor) const {
    double sum_ns = 0;
    int kinds = 0;
    for (const double middle : medians_[stage]) {
        sum_ns += middle;
        kinds += middle > 0;
    }
    return kinds > 0 ? sum_ns / kinds * (1 - 1 / factor) : 0;
}

// The excess of its gaps over the others' usual ones, as a share of the excess of its operations.
std::optional<double> Usual::launchGapsOf(int rank, double factor) const {
    const std::vector<std::int64_t>& gaps_ns = facts_.launch_gaps_ns;
    if (gaps_ns.size() != at(graph_.ranks()) || gaps_ns.size() < 2) return std::nullopt;
    std::vector<std::int64_t> of_others = gaps_ns;
    of_others.erase(of_others.begin() + rank);
    std::int64_t busy_ns = 0;
    for (const EventGraph::Node& node : graph_.nodes())
        if (node.event->rank == rank && isCompute(node.event->op)) busy_ns += node.event->duration_ns();
    const double excess_ns = static_cast<double>(busy_ns) * (1 - 1 / factor);
    const std::int64_t more_ns = gaps_ns[at(rank)] - lowerMedian(std::move(of_others));
    return excess_ns > 0 ? std::optional(std::clamp(static_cast<double>(more_ns) / excess_ns, 0.0, 1.0))
                         : std::nullopt;
}

void Usual::findSlowRanks() {
    int last_place = 0;
    for (std::size_t stage = 0; stage < ratios_.size(); ++stage)
        last_place = std::max(last_place, place(stage));
    for (int rank = 0; rank < graph_.ranks(); ++rank) {
        std::vector<double> ratios, scatter;
        std::vector<std::size_t> own;
        double least = kLeast;
        bool is_calm = true;
        for (std::size_t stage = 0; stage < ratios_.size(); ++stage) {
            if (ranks_of_stages_[stage] != rank || ratios_[stage] <= 0) continue;
            own.push_back(stage);
            is_calm = is_calm && is_calm_[stage];
            ratios.push_back(besideCopies(stage));
            scatter.insert(scatter.end(), scatter_[stage].begin(), scatter_[stage].end());
            const bool at_an_end = place(stage) == 0 || place(stage) == last_place;
            if (at_an_end && !hasCopies(stage) && !isSlowed(rank))
                least = facts_.work.empty() ? INFINITY : kLeastAtEnds;
        }
        if (ratios.empty() || scatter.size() < kLeastSamples) continue;
        const double factor = lowerMedian(ratios), error = factor * standardError(scatter);
        if (ratios.size() > 1) least = kLeast;
        if (!isSignificant(factor, error, is_calm ? least : std::max(least, kLeastDisturbed))) continue;
        const auto isShort = [&](std::size_t stage) {
            return excess_ns(stage, factor) < facts_.least_excess_ns;
        };
        if (std::ranges::all_of(own, isShort)) continue;
        if (!isThere(factor, scatter)) continue;
        slowness_[at(rank)] = factor;
        const int twin = isTwin(own.front()) && !isSlowed(rank) ? static_cast<int>(own.front()) : -1;
        keepGreater(outliers_.slow_rank, {rank, -1, factor, error, static_cast<int>(scatter.size()),
                                          facts_.series ? iterations() : 0, twin,
                                          launchGapsOf(rank, factor)});
    }
}

void Usual::findHeavyStage() {
    for (std::size_t stage = 0; stage < ratios_.size(); ++stage) {
        if (ratios_[stage] <= 0 || scatter_[stage].size() < kLeastSamples) continue;
        const double factor = ratios_[stage] / slowness_[at(ranks_of_stages_[stage])];
        const double error = factor * standardError(scatter_[stage]);
        if (isSignificant(factor, error, is_calm_[stage] ? kLeast : kLeastDisturbed) &&
            excess_ns(stage, factor) >= facts_.least_excess_ns && isThere(factor, scatter_[stage]))
            keepGreater(outliers_.slow_stage,
                        {static_cast<int>(stage), -1, factor, error, static_cast<int>(scatter_[stage].size()),
                         facts_.series ? iterations() : 0, isTwin(stage) ? ranks_of_stages_[stage] : -1});
    }
}

void Usual::settleDurations() {
    settled_.resize(at(stages_));
    for (std::size_t op = 0; op < kOps; ++op) {
        double sum = 0;
        int count = 0;
        const auto ownSpeed = [&](std::size_t stage) {
            return medians_[stage][op] / slowness_[at(ranks_of_stages_[stage])];
        };
        for (std::size_t stage = 0; stage < medians_.size(); ++stage) {
            if (ranks_of_stages_[stage] < 0 || medians_[stage][op] <= 0) continue;
            sum += ownSpeed(stage);
            ++count;
        }
        for (std::size_t stage = 0; stage < medians_.size(); ++stage)
            if (ranks_of_stages_[stage] >= 0 && count > 0)
                settled_[stage][op] = {std::llround(medians_[stage][op]), std::llround(ownSpeed(stage)),
                                       std::llround(sum / count)};
    }
}

void Usual::findOddMicrobatch() {
    struct Lasted {
        std::vector<double> relative, excess_ns;
        std::size_t disturbed = 0;
    };
    std::map<std::int32_t, Lasted> all;
    for (const EventGraph::Node& node : graph_.nodes()) {
        const Event& e = *node.event;
        if (!isCompute(e.op) || e.stage < 0) continue;
        const double usual_ns = own_medians_[at(e.stage)][static_cast<std::size_t>(e.op)];
        if (usual_ns <= 0) continue;
        Lasted& own = all[e.microbatch];
        own.relative.push_back(static_cast<double>(e.duration_ns()) / usual_ns);
        own.excess_ns.push_back(static_cast<double>(e.duration_ns()) - usual_ns);
        own.disturbed += e.disturbed && facts_.heeds_disturbance;
    }
    if (all.size() < kLeastSamples) return;
    for (const auto& [microbatch, own] : all) {
        if (own.relative.size() < kLeastSamples) continue;
        const double factor = median(own.relative), error = standardError(own.relative);
        const double least = 2 * own.disturbed < own.relative.size() ? kLeast : kLeastDisturbed;
        if (isSignificant(factor, error, least) && median(own.excess_ns) >= facts_.least_excess_ns)
            keepGreater(outliers_.odd_microbatch,
                        {microbatch, -1, factor, error, static_cast<int>(own.relative.size())});
    }
}

void Usual::learnLinks() {
    std::map<std::pair<int, int>, std::vector<double>> transits;
    std::vector<double> operations;
    for (const EventGraph::Node& node : graph_.nodes()) {
        if (isCompute(node.event->op)) operations.push_back(static_cast<double>(node.event->duration_ns()));
        if (node.producer == EventGraph::kNone) continue;
        const int from = graph_.node(node.producer).event->rank, to = node.event->rank;
        transits[{from, to}].push_back(static_cast<double>(node.transit_ns));
    }
    std::vector<double> medians;
    std::int64_t quickest = INT64_MAX;
    for (const auto& [link, times] : transits) {
        medians.push_back(median(times));
        links_[link] = std::llround(medians.back());
        quickest = std::min(quickest, static_cast<std::int64_t>(std::ranges::min(times)));
    }
    if (medians.empty()) return;
    latency_ns_ = facts_.link ? std::llround(facts_.link->latency_us * 1e3) : quickest;
    if (!facts_.knows_messages) return;
    const double usual = lowerMedian(medians), of_operation = kOfAnOperation * median(std::move(operations));
    const double least = std::max(of_operation, std::min(facts_.least_excess_ns, kLeastMessage_ns));
    // A link that costs next to nothing is no measure of how many times longer another one takes.
    const double unit = std::max({usual, of_operation, 1.0});
    for (auto& [link, times] : transits) {
        const double own = median(times);
        if (own <= kLeastLink * usual || own - usual <= least || times.size() < kLeastSamples) continue;
        const double error = standardError(times) / unit;
        if ((own - usual) / unit > kErrors * error)
            keepGreater(outliers_.slow_link,
                        {.index = link.first,
                         .to = link.second,
                         .factor = own / unit,
                         .standard_error = error,
                         .samples = static_cast<int>(times.size()),
                         .excess_ns = own - usual});
    }
}

const Usual::Durations& Usual::of(const Event& event) const {
    static constexpr Durations kNothing{0, 0, 0};
    if (!isCompute(event.op) || event.stage < 0) return kNothing;
    return settled_[at(event.stage)][static_cast<std::size_t>(event.op)];
}

std::int64_t Usual::message_ns(int from, int to) const {
    const auto found = links_.find({from, to});
    return found == links_.end() ? 0 : found->second;
}

std::int64_t Usual::latency_ns(std::int64_t transit_ns) const {
    return std::min(transit_ns, latency_ns_);
}

}  // namespace bscope
