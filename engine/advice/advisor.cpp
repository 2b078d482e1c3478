#include "advice/advisor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>

#include "analysis/layer_costs.h"
#include "catalog/catalog.h"
#include "config/sweep_axis.h"
#include "schedule/index.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

constexpr long kMostAdvisedCells = 100'000;  // p * v * m * d
constexpr double kWorthAPair = 0.01;         // gain of a single change
constexpr double kWorthBoth = 0.001;         // more than the better of the two alone
constexpr std::size_t kPairsOf = 5;          // the best change of so many kinds
constexpr std::size_t kMostSizes = 16;       // of micro-batches

using Change = std::function<void(Setting&)>;

// Sizes of micro-batches by which so many samples can be divided; of very many the powers of two.
std::vector<int> sizesThatShare(int samples) {
    std::vector<int> all, powers;
    for (int size = 1; size <= samples; ++size) {
        if (samples % size != 0) continue;
        all.push_back(size);
        if (std::has_single_bit(static_cast<unsigned>(size))) powers.push_back(size);
    }
    return all.size() <= kMostSizes ? all : powers;
}

bool comesBefore(const Candidate& a, const Candidate& b) {
    if (a.predicted.has_value() != b.predicted.has_value()) return a.predicted.has_value();
    if (a.trainsDifferently() != b.trainsDifferently()) return b.trainsDifferently();
    return a.gain > b.gain;
}

class Adviser {
public:
    Adviser(const AdviceRequest& request, const std::stop_token& stop) : request_(request), stop_(stop) {}

    Advice run() {
        try {
            advice_.now = predictSetting(request_, {request_.config()});
        } catch (const std::invalid_argument& error) {
            advice_.refusal = sentence("the order as it ran cannot be predicted: {0}", sentenceOf(error));
            return std::move(advice_);
        }
        schedules();
        microbatches();
        recomputation();
        split();
        world();
        machine();
        pairs();
        std::ranges::stable_sort(advice_.candidates, comesBefore);
        return std::move(advice_);
    }

private:
    struct Offered {
        Candidate::Kind kind;
        Sentence words;
        Change change;
        double gain = 0;
        bool adds_copies = false;  // of the weights, or versions
    };

    const RunConfig& config() const { return request_.config(); }

    // Why it cannot run; empty when it can.
    Sentence illegal(const RunConfig& changed) const {
        const bool same_order = changed.schedule == config().schedule && changed.params == config().params;
        std::vector<Problem> found;
        if (request_.knows_model)
            found = same_order ? problems(changed, request_.schedule()) : problems(changed);
        else if (!same_order)
            found = scheduleProblems(changed.schedule, changed.params);
        if (!found.empty()) return found.front().withLegal();
        if (changed.params.cells() > kMostAdvisedCells)
            return sentence("too large to be predicted here: {0} cells, at most {1}", changed.params.cells(),
                            kMostAdvisedCells);
        return {};
    }

    Candidate predicted(Candidate::Kind kind, const Sentence& words, const Change& change) const {
        Candidate candidate{kind, words, {config()}, std::nullopt, 0, {}};
        change(candidate.setting);
        candidate.excluded = illegal(candidate.setting.config);
        if (candidate.excluded.empty()) predictCandidate(request_, advice_.now, candidate);
        return candidate;
    }

    void offer(Candidate::Kind kind, const Sentence& words, Change change) {
        if (stop_.stop_requested()) return;
        advice_.candidates.push_back(predicted(kind, words, change));
        const Candidate& made = advice_.candidates.back();
        if (made.predicted && made.excluded.empty() && made.gain > kWorthAPair)
            offered_.push_back({kind, words, std::move(change), made.gain,
                                made.predicted->weight_copies > advice_.now.weight_copies});
    }

    // An uneven split does not carry over to other stages, and what the even one gains is part of the gain.
    Sentence withEvenSplit(const Sentence& words) const {
        return config().layers_per_stage.empty() ? words : sentence("{0}, layers split evenly", words);
    }

    // What a schedule gives with other stages than the run's needs the layers cut anew.
    static void put(Setting& setting, const std::string& schedule, int v) {
        if (setting.config.params.v != v) setting.config.layers_per_stage.clear();
        setting.config.schedule = schedule;
        setting.config.params.v = v;
        setting.config.params.group_size = 0;
        setting.config.params.vertical_sync = false;
        setting.config.params.segments = 1;
    }

    void schedules() {
        const ScheduleParams& own = config().params;
        const CatalogEntry* const current = findSchedule(config().schedule);
        for (const CatalogEntry& entry : catalog()) {
            if (entry.forward_only != request_.schedule().isForwardOnly()) continue;
            // What shorter operations cost on a machine is not known from whole ones.
            if (entry.usual_segments > 1) continue;
            std::set<int> chunks = {entry.fixed_v > 0 ? entry.fixed_v : defaultChunks(entry)};
            if (entry.fixed_v == 0 && own.v >= entry.min_v) chunks.insert(own.v);
            if (&entry == current && entry.fixed_v == 0)
                for (const int v : {1, 2, 4, own.v / 2, own.v * 2})
                    if (v >= entry.min_v) chunks.insert(v);
            for (const int v : chunks) {
                if (&entry == current && v == own.v) continue;
                const std::string name = entry.name;
                const Sentence title = sentence(entry.title);
                const Sentence words =
                    v > 1 ? sentence("schedule {0}, v = {1}", title, v) : sentence("schedule {0}", title);
                offer(Candidate::Kind::Schedule, v == own.v ? words : withEvenSplit(words),
                      [name, v](Setting& setting) { put(setting, name, v); });
            }
        }
    }

    void withMicrobatches(int m) {
        offer(Candidate::Kind::Microbatches, sentence("m = {0}", m),
              [m](Setting& setting) { setting.config.params.m = m; });
    }

    void microbatches() {
        const int m = config().params.m;
        for (const int other : {m / 2, 2 * m, 4 * m})
            if (other >= 1) withMicrobatches(other);
        if (const auto most = mostUnderTheCap()) withMicrobatches(*most);
        if (!request_.knows_model) return;
        const int samples = m * config().micro_batch;
        for (const int size : sizesThatShare(samples)) {
            if (size == config().micro_batch) continue;
            const int other = samples / size;
            offer(Candidate::Kind::MiniBatch,
                  sentence("m = {0} with micro-batches of {1}, the same mini-batch", other, size),
                  [other, size](Setting& setting) {
                      setting.config.params.m = other;
                      setting.config.micro_batch = size;
                  });
        }
    }

    // The largest m whose activations the cap allows, where it is none of those that are offered anyway.
    // Where only some m are legal, activations do not grow with m.
    std::optional<int> mostUnderTheCap() const {
        const int m = config().params.m;
        if (request_.memory_cap_bytes <= 0 && request_.most_in_flight <= 0) return std::nullopt;
        const auto fits = [this](int other) {
            const Candidate found = predicted(Candidate::Kind::Microbatches, {},
                                              [other](Setting& setting) { setting.config.params.m = other; });
            return found.predicted && found.excluded.empty();
        };
        int under = 1, over = 4 * m;
        if (fits(over) || !fits(under)) return std::nullopt;
        while (over - under > 1) {
            const int middle = std::midpoint(under, over);
            (fits(middle) ? under : over) = middle;
        }
        const bool is_offered = under == m || under == m / 2 || under == 2 * m;
        return is_offered ? std::nullopt : std::optional(under);
    }

    void recomputation() {
        if (request_.schedule().isForwardOnly()) return;
        for (const Recompute mode : {Recompute::None, Recompute::Full, Recompute::Selective}) {
            // Of another program's run neither is known what selective recomputation takes.
            if (mode == config().recompute || (!request_.knows_model && mode == Recompute::Selective))
                continue;
            offer(Candidate::Kind::Recompute, sentence("recomputation: {0}", sentence(toText(mode))),
                  [mode](Setting& setting) { setting.config.recompute = mode; });
        }
    }

    void split() {
        const std::vector<int>& chain = request_.schedule().chains.front();
        const auto stages = static_cast<int>(chain.size());
        if (stages < 2) return;
        if (!request_.knows_model) {
            if (request_.schedule().replicas() == config().params.d)
                offer(Candidate::Kind::Split, sentence("every stage with equal work"),
                      [](Setting& setting) { setting.equal_work = true; });
            return;
        }
        if (config().model.layers < stages) return;
        const std::vector<int> now = layersPerStage(config(), stages);
        std::vector<StageCosts> own_speed;
        SplitRequest split{config().model.layers, 0, 0, 0, {}};
        for (const int stage : chain) {
            const int rank = request_.schedule().placement[at(stage)];
            const std::vector<double>& all = request_.known.slowness;
            const double slowness = at(rank) < all.size() ? all[at(rank)] : 1;
            split.slowness.push_back(slowness);
            own_speed.push_back(request_.known.costs.stages[at(stage)]);
            for (const DurationField& field : kDurationFields) own_speed.back().*field.ns /= slowness;
        }
        const LayerCosts layers = layerCosts(own_speed, now);
        const bool halves = request_.schedule().hasSplitBackward(),
                   recomputes = config().recompute != Recompute::None;
        split.block_ns = microbatch_ns(layers.block, halves, recomputes);
        split.embedding_ns = microbatch_ns(layers.embedding, halves, recomputes);
        split.head_ns = microbatch_ns(layers.head, halves, recomputes);
        const std::vector<int> best = bestSplit(split);
        if (best == now) return;
        std::string text;
        for (const int blocks : best) text.append(text.empty() ? "" : ",").append(std::to_string(blocks));
        offer(Candidate::Kind::Split, sentence("layers {0}", text),
              [best](Setting& setting) { setting.config.layers_per_stage = best; });
    }

    // The same ranks and the same mini-batch.
    void world() {
        const int ranks = config().params.layout().groups();
        for (const int p : usualValues(SweepAxis::Ranks, config())) {
            if (p == config().params.p) continue;
            const SweptConfig made = swept(config(), SweepAxis::Ranks, p);
            if (made.problem)
                advice_.candidates.push_back({Candidate::Kind::World,
                                              sentence("p = {0}, d = {1}", p, ranks / p),
                                              {config()},
                                              std::nullopt,
                                              0,
                                              made.problem->withLegal()});
            else
                offer(Candidate::Kind::World,
                      withEvenSplit(sentence("p = {0}, d = {1}, m = {2}", p, made.config.params.d,
                                             made.config.params.m)),
                      [params = made.config.params](Setting& setting) {
                          setting.config.params.p = params.p;
                          setting.config.params.d = params.d;
                          setting.config.params.zero = params.zero;
                          setting.config.params.m = params.m;
                          setting.config.layers_per_stage.clear();
                      });
        }
    }

    // Of one that has no other stage, and of which no other rank has a copy (Outlier::twin); -1: there is
    // none.
    int onlyStageOf(int rank) const {
        const Schedule& schedule = request_.schedule();
        const auto& placement = schedule.placement;
        if (schedule.replicas() > 1 || std::ranges::count(placement, rank) != 1) return -1;
        return static_cast<int>(std::ranges::find(placement, rank) - placement.begin());
    }

    void machine() {
        if (config().link != LinkModel{})
            offer(Candidate::Kind::Link, sentence("a link twice as fast"), [](Setting& setting) {
                setting.config.link.latency_us /= 2;
                setting.config.link.gbps *= 2;
            });
        const std::vector<double>& slowness = request_.known.slowness;
        const auto slowest = std::ranges::max_element(slowness);
        if (slowest == slowness.end() || *slowest <= 1) return;
        const auto rank = static_cast<int>(slowest - slowness.begin());
        // A slowdown made on purpose can be switched off; a rank that is slow by itself is repaired.
        const bool by_itself = std::ranges::find(config().slow_ranks, rank, &std::pair<int, double>::first) ==
                               config().slow_ranks.end();
        const int stage = by_itself ? onlyStageOf(rank) : -1;
        offer(Candidate::Kind::Rank,
              stage >= 0 ? sentence("rank {0} or its stage {1} as fast as the others", rank, stage)
                         : sentence("rank {0} as fast as the others", rank),
              [rank, by_itself](Setting& setting) {
                  if (by_itself) setting.repaired_rank = rank;
                  std::erase_if(setting.config.slow_ranks,
                                [rank](const auto& slow) { return slow.first == rank; });
              });
    }

    // m and the mini-batch are one choice.
    static bool contradict(Candidate::Kind a, Candidate::Kind b) {
        const auto isM = [](Candidate::Kind kind) {
            return kind == Candidate::Kind::Microbatches || kind == Candidate::Kind::MiniBatch ||
                   kind == Candidate::Kind::World;
        };
        const auto cuts = [](Candidate::Kind kind) {
            return kind == Candidate::Kind::Split || kind == Candidate::Kind::World ||
                   kind == Candidate::Kind::Schedule;
        };
        return a == b || (isM(a) && isM(b)) ||
               (cuts(a) && cuts(b) && (a == Candidate::Kind::Split || b == Candidate::Kind::Split));
    }

    void pairs() {
        std::ranges::stable_sort(offered_, std::ranges::greater(), &Offered::gain);
        std::vector<Offered> best;
        for (const Offered& each : offered_)
            if (best.size() < kPairsOf && std::ranges::find(best, each.kind, &Offered::kind) == best.end())
                best.push_back(each);
        // The quickest schedule may cost copies or stale gradients; then the quickest that does not is
        // another choice.
        const auto same_weights = std::ranges::find_if(offered_, [](const Offered& each) {
            return each.kind == Candidate::Kind::Schedule && !each.adds_copies;
        });
        const bool is_new =
            same_weights != offered_.end() && std::ranges::any_of(best, [](const Offered& each) {
                return each.kind == Candidate::Kind::Schedule && each.adds_copies;
            });
        if (is_new) {
            best.push_back(*same_weights);
            std::ranges::stable_sort(best, std::ranges::greater(), &Offered::gain);
        }
        for (std::size_t i = 0; i < best.size(); ++i)
            for (std::size_t k = i + 1; k < best.size(); ++k) {
                if (contradict(best[i].kind, best[k].kind)) continue;
                const Candidate both =
                    predicted(best[i].kind, sentence("{0} and {1}", best[i].words, best[k].words),
                              [&](Setting& setting) {
                                  best[i].change(setting);
                                  best[k].change(setting);
                              });
                if (both.predicted && both.gain > std::max(best[i].gain, best[k].gain) + kWorthBoth)
                    advice_.candidates.push_back(both);
            }
    }

    const AdviceRequest& request_;
    std::stop_token stop_;
    Advice advice_;
    std::vector<Offered> offered_;
};

}  // namespace

Advice advise(const AdviceRequest& request, const std::stop_token& stop) {
    return Adviser(request, stop).run();
}

void addInOrder(Advice& advice, Candidate candidate) {
    advice.candidates.insert(std::ranges::upper_bound(advice.candidates, candidate, comesBefore),
                             std::move(candidate));
}

}  // namespace bscope
