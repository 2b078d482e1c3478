#include "search/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

#include "catalog/catalog.h"
#include "schedule/index.h"
#include "search/list_scheduling.h"

namespace bscope {

namespace {

// Actions placed by list scheduling, and played by improvement, before the search is content.
constexpr std::int64_t kListEffort = 1'500'000, kImprovementEffort = 12'000'000;
constexpr std::int64_t kMostImprovementSteps = 6000;

struct Candidate {
    std::size_t instance = 0;
    Orders orders;
    std::int64_t makespan_ns = SearchInstance::kNever;
    std::string found_by;
};

ScheduleParams oneReplica(ScheduleParams params) {
    params.takeWorldOf({});
    params.segments = 1;
    params.group_size = 0;
    return params;
}

class Search {
public:
    Search(const SearchRequest& request, std::stop_token stop) : request_(request), stop_(std::move(stop)) {
        const int p = request.params.p, v = request.params.v, m = request.params.m;
        const double chunks = request.memory_cap > 0 ? std::floor(request.memory_cap * v + 1e-9) : 0;
        limit_ = request.memory_cap > 0 ? static_cast<int>(std::min<double>(chunks, 1.0 * m * v)) : m * v;
        const bool given = !request.placement.empty();
        instances_.emplace_back(p, v, m, given ? request.placement : loopPlacement(p, v), request.costs,
                                limit_);
        if (v > 1 && !given) instances_.emplace_back(p, v, m, zigzagPlacement(p, v), request.costs, limit_);
        for (const SearchInstance& instance : instances_) players_.emplace_back(instance);
    }

    SearchResult run() {
        SearchResult result;
        result.lower_bound_ns = SearchInstance::kNever;
        for (const SearchInstance& instance : instances_)
            result.lower_bound_ns = std::min(result.lower_bound_ns, instance.lowerBound().ns);
        bound_ = result.lower_bound_ns;
        for (std::size_t i = 0; i < instances_.size(); ++i) oneAtATime(i);
        tryCatalog(result);
        refillWeights();
        tryLists();
        improve();
        result.schedule = scheduleOf(best_);
        result.makespan_ns = best_.makespan_ns;
        result.found_by = best_.found_by;
        return result;
    }

private:
    void offer(std::size_t instance, Orders orders, const std::string& found_by) {
        if (best_.makespan_ns <= bound_) return;
        for (const std::vector<Action>& order : orders)
            if (peakInFlight(order) > limit_) return;
        const std::int64_t makespan = players_[instance].makespan(orders);
        if (makespan < best_.makespan_ns) best_ = {instance, std::move(orders), makespan, found_by};
    }

    // Needs the activations of one micro-batch only, so that there is always a result.
    void oneAtATime(std::size_t index) {
        const SearchInstance& instance = instances_[index];
        Orders orders(at(instance.p));
        for (int i = 0; i < instance.m; ++i) {
            for (int s = 0; s < instance.stages; ++s)
                orders[at(instance.placement[at(s)])].push_back({s, Op::Forward, i});
            for (int s = instance.stages - 1; s >= 0; --s)
                orders[at(instance.placement[at(s)])].push_back({s, Op::Backward, i});
        }
        offer(index, std::move(orders), "list scheduling");
    }

    void tryCatalog(SearchResult& result) {
        const ScheduleParams params = oneReplica(request_.params);
        result.best_entry_ns = SearchInstance::kNever;
        for (const CatalogEntry& entry : catalog()) {
            if (stop_.stop_requested()) break;
            if (entry.forward_only || !canBeMade(entry.name, params)) continue;
            Schedule schedule = makeSchedule(entry.name, params);
            if (schedule.replicas() != 1 || schedule.weights != WeightRule::Flush) continue;
            for (std::size_t i = 0; i < instances_.size(); ++i) {
                if (schedule.placement != instances_[i].placement) continue;
                const bool fits =
                    std::all_of(schedule.orders.begin(), schedule.orders.end(),
                                [&](const auto& order) { return peakInFlight(order) <= limit_; });
                const std::int64_t makespan =
                    fits ? players_[i].makespan(schedule.orders) : SearchInstance::kNever;
                if (makespan < result.best_entry_ns) {
                    result.best_entry = entry.name;
                    result.best_entry_ns = makespan;
                }
                offer(i, schedule.orders, entry.name);
                skeletons_.push_back({i, std::move(schedule.orders), makespan, entry.name});
                break;
            }
        }
        if (result.best_entry.empty()) result.best_entry_ns = 0;
    }

    // Keeps the order of forwards and backwards of a catalog entry, splits the backward, and puts the weight
    // gradients where the rank would be idle or memory is full.
    void refillWeights() {
        for (const Candidate& skeleton : skeletons_)
            for (const double patience : {0.0, 0.5, 1.0}) {
                if (stop_.stop_requested()) return;
                ListRules rules;
                rules.skeleton = &skeleton.orders;
                rules.patience = patience;
                if (auto orders = listSchedule(instances_[skeleton.instance], rules))
                    offer(skeleton.instance, std::move(*orders), skeleton.found_by);
            }
    }

    std::vector<ListRules> allRules() const {
        using R = ListRules;
        const int p = request_.params.p, v = request_.params.v;
        const std::set<std::pair<int, int>> windows = {
            {0, 0},         {v * p, v},           {v * (2 * p - 1), 2 * v},
            {v * p, 0},     {v * (2 * p - 1), 0}, {v * (p + 1), 0},
            {v * p + p, 0}, {v * p + p, 1}};
        const std::vector<R::Chunks> chunks =
            v == 1 ? std::vector{R::Chunks::Deepest}
                   : std::vector{R::Chunks::Deepest, R::Chunks::Groups, R::Chunks::Oldest};
        std::vector<R> all;
        for (const bool whole_ways : {true, false})
            for (const double patience : {0.0, 0.6, 1.0})
                for (const bool split : {true, false})
                    for (const R::Weights weights :
                         {R::Weights::WhenIdle, R::Weights::Lagging, R::Weights::AtOnce})
                        for (const auto& [window, per_rank] : windows)
                            for (const R::Prefer prefer :
                                 {R::Prefer::Backward, R::Prefer::Alternate, R::Prefer::Forward})
                                for (const R::Chunks chunk : chunks) {
                                    if (v == 1 && !whole_ways) continue;
                                    if (!split && (patience > 0 || weights != R::Weights::WhenIdle)) continue;
                                    if (weights == R::Weights::AtOnce && patience > 0) continue;
                                    all.push_back({split, prefer, chunk, weights, window, per_rank,
                                                   whole_ways, patience, nullptr});
                                }
        return all;
    }

    void tryLists() {
        std::int64_t effort = kListEffort;
        const std::int64_t cost = 3L * request_.params.p * request_.params.v * request_.params.m;
        for (const ListRules& rules : allRules())
            for (std::size_t i = 0; i < instances_.size(); ++i) {
                if (effort < 0 || best_.makespan_ns <= bound_ || stop_.stop_requested()) return;
                effort -= cost;
                if (auto orders = listSchedule(instances_[i], rules))
                    offer(i, std::move(*orders), "list scheduling");
            }
    }

    // Swaps neighbours and moves weight gradients; keeps what is not longer.
    void improve() {
        const std::int64_t cost = 3L * request_.params.p * request_.params.v * request_.params.m;
        const std::int64_t steps = std::min(kMostImprovementSteps, kImprovementEffort / cost);
        OrderPlayer& player = players_[best_.instance];
        for (std::int64_t step = 0; step < steps && best_.makespan_ns > bound_; ++step) {
            if (stop_.stop_requested()) return;
            std::vector<Action>& order = best_.orders[random(best_.orders.size())];
            const std::size_t from = random(order.size());
            const std::size_t distance = order[from].op == Op::BackwardWeight ? 1 + random(6) : 1;
            const bool later = random(2) == 1;
            if (later ? from + distance >= order.size() : from < distance) continue;
            const std::size_t to = later ? from + distance : from - distance;
            if (breaksOrder(order, from, to)) continue;
            move(order, from, to);
            const bool fits = peakInFlight(order) <= limit_;
            const std::int64_t makespan = fits ? player.makespan(best_.orders) : SearchInstance::kNever;
            if (makespan <= best_.makespan_ns)
                best_.makespan_ns = makespan;
            else
                move(order, to, from);
        }
    }

    static void move(std::vector<Action>& order, std::size_t from, std::size_t to) {
        const auto begin = order.begin();
        const auto a = static_cast<std::ptrdiff_t>(from), b = static_cast<std::ptrdiff_t>(to);
        if (from < to)
            std::rotate(begin + a, begin + a + 1, begin + b + 1);
        else
            std::rotate(begin + b, begin + a, begin + a + 1);
    }

    // Whether the action would pass one of its own (stage, micro-batch).
    static bool breaksOrder(const std::vector<Action>& order, std::size_t from, std::size_t to) {
        const Action& moved = order[from];
        const auto [first, last] = std::minmax(from, to);
        for (std::size_t i = first; i <= last; ++i)
            if (i != from && order[i].stage == moved.stage && order[i].microbatch == moved.microbatch)
                return true;
        return false;
    }

    // xorshift: the same sequence everywhere.
    std::size_t random(std::size_t below) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<std::size_t>(state_ % below);
    }

    Schedule scheduleOf(const Candidate& candidate) const {
        Schedule schedule;
        schedule.name = "auto";
        schedule.params = oneReplica(request_.params);
        schedule.placement = instances_[candidate.instance].placement;
        std::vector<int>& chain = schedule.chains.emplace_back(schedule.placement.size());
        std::iota(chain.begin(), chain.end(), 0);
        schedule.orders = candidate.orders;
        for (std::vector<Action>& order : schedule.orders)
            for (Action& action : order) action.overlaps_next = false;
        return schedule;
    }

    const SearchRequest& request_;
    std::stop_token stop_;
    int limit_ = 0;  // chunks in flight on a rank
    std::int64_t bound_ = 0;
    std::vector<SearchInstance> instances_;  // loop, zigzag
    std::vector<OrderPlayer> players_;
    std::vector<Candidate> skeletons_;
    Candidate best_;
    std::uint64_t state_ = 0x9E3779B97F4A7C15u;
};

}  // namespace

double SearchResult::gap() const {
    return lower_bound_ns > 0 ? static_cast<double>(makespan_ns) / static_cast<double>(lower_bound_ns) - 1
                              : 0;
}

std::vector<Problem> searchProblems(const SearchRequest& request) {
    // Looped BFS takes any p, v and m: what is left are the catalog's own limits.
    std::vector<Problem> found = scheduleProblems("looped-bfs", request.params);
    if (!std::isfinite(request.memory_cap) || request.memory_cap < 0 ||
        (request.memory_cap > 0 && request.memory_cap < 1))
        found.push_back({"memory_cap",
                         "memory cap = {0} must be at least 1, the activations of one micro-batch on a rank, "
                         "or 0 for no cap",
                         {std::to_string(request.memory_cap)},
                         {1, 0}});
    return found;
}

SearchResult searchSchedule(const SearchRequest& request, std::stop_token stop) {
    std::string sentences;
    for (const Problem& problem : searchProblems(request)) {
        if (!sentences.empty()) sentences += '\n';
        sentences += problem.text();
    }
    if (!sentences.empty()) throw std::invalid_argument(sentences);
    return Search(request, std::move(stop)).run();
}

}  // namespace bscope
