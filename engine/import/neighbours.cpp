#include "import/neighbours.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "import/trace/import_error.h"

namespace bscope {
namespace {

// By start.
bool anyIn(const std::vector<HostRange>& messages, std::int64_t from_ns, std::int64_t until_ns) {
    const auto first =
        std::lower_bound(messages.begin(), messages.end(), from_ns,
                         [](const HostRange& each, std::int64_t time) { return each.start_ns < time; });
    return first != messages.end() && first->start_ns < until_ns;
}

std::vector<int> numbersOf(const std::vector<TracedRank>& ranks, Neighbour TracedRank::*side) {
    std::vector<int> numbers;
    for (const TracedRank& rank : ranks)
        if (rank.*side == Neighbour::None) numbers.push_back(numberInJob(rank));
    return numbers;
}

bool proves(const std::vector<TracedRank>& ranks) {
    return std::ranges::all_of(ranks, [](const TracedRank& rank) {
        return rank.before != Neighbour::Unknown && rank.after != Neighbour::Unknown;
    });
}

bool isOnePipeline(const std::vector<int>& group, const std::vector<TracedRank>& ranks) {
    int first = 0, last = 0;
    for (const int number : group) {
        const auto of = std::ranges::find(ranks, number, &TracedRank::rank);
        if (of == ranks.end()) return false;
        first += of->before == Neighbour::None;
        last += of->after == Neighbour::None;
    }
    return first == 1 && last == 1;
}

// Whether an order of the ranks begins with one that has none before it, and ends with one that has none
// after it.
bool fitsMessages(const TracedRun& run, const std::vector<std::size_t>& order) {
    for (std::size_t at = 0; at < order.size(); ++at) {
        const TracedRank& rank = run.ranks[order[at]];
        if (rank.before == (at > 0 ? Neighbour::None : Neighbour::There)) return false;
        if (rank.after == (at + 1 < order.size() ? Neighbour::None : Neighbour::There)) return false;
    }
    return true;
}

// By iteration: (ranks,) start of its first forward; kFarthest_ns where it has none.
std::map<int, std::vector<std::int64_t>> firstForwards(const TracedRun& run) {
    std::map<int, std::vector<std::int64_t>> starts;
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
        for (const TracedOp& op : run.ranks[rank].ops) {
            if (op.op != Op::Forward) continue;
            auto& of = starts.try_emplace(op.iteration, run.ranks.size(), kFarthest_ns).first->second;
            of[rank] = std::min(of[rank], op.start_ns);
        }
    return starts;
}

// (ranks,) forwards before the first backward, of all iterations together.
std::vector<int> forwardsAhead(const TracedRun& run) {
    std::vector<int> ahead;
    for (const TracedRank& rank : run.ranks) {
        std::set<int> turned;
        int count = 0;
        for (const TracedOp& op : rank.ops) {
            if (op.op == Op::Forward)
                count += !turned.contains(op.iteration);
            else if (isCompute(op.op))
                turned.insert(op.iteration);
        }
        ahead.push_back(count);
    }
    return ahead;
}

bool namesStages(const TracedRun& run) {
    return std::ranges::any_of(run.ranks, [](const TracedRank& rank) {
        return std::ranges::any_of(rank.ops, [](const TracedOp& op) { return op.stage >= 0; });
    });
}

}  // namespace

std::string numbersText(const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

void findNeighboursOfPlain(const RawTrace& trace, TracedRank& rank) {
    if (trace.plain.empty() || (trace.sent.empty() && trace.received.empty())) return;
    std::vector<HostRange> sent = trace.sent, received = trace.received;
    std::stable_sort(sent.begin(), sent.end(), byStart);
    std::stable_sort(received.begin(), received.end(), byStart);
    std::vector<const OperationRange*> ranges;
    for (const OperationRange& range : trace.plain) ranges.push_back(&range);
    std::ranges::stable_sort(ranges, {}, [](const OperationRange* range) { return range->start_ns; });
    int firsts = 0, before = 0, turns = 0, after = 0, sending = 0;
    for (std::size_t at = 0; at < ranges.size(); ++at) {
        const OperationRange& range = *ranges[at];
        const Action& action = range.actions.front();
        const std::int64_t from = at > 0 ? ranges[at - 1]->end_ns : range.start_ns - 1;
        const std::int64_t next = at + 1 < ranges.size() ? ranges[at + 1]->start_ns : range.end_ns + 1;
        const bool receives = anyIn(received, from, range.end_ns);
        if (action.op == Op::Forward) {
            sending += anyIn(sent, range.start_ns, next);
            if (at > 0 && ranges[at - 1]->actions.front().op == Op::Forward) continue;
            ++firsts;
            before += receives;
        } else if (at > 0 && ranges[at - 1]->actions.front().op == Op::Forward) {
            // What is named backward in a validation does nothing.
            bool gradients = false;
            for (std::size_t each = at;
                 each < ranges.size() && ranges[each]->actions.front().op != Op::Forward; ++each)
                gradients = gradients || anyIn(received, ranges[each]->start_ns, ranges[each]->end_ns) ||
                            anyIn(sent, ranges[each]->start_ns, ranges[each]->end_ns);
            if (!gradients) continue;
            ++turns;
            after += receives && sending > 0;
            sending = 0;
        }
    }
    if (firsts > 0) rank.before = 2 * before > firsts ? Neighbour::There : Neighbour::None;
    const bool goes_on = turns > 0 ? 2 * after > turns : sending > 0;
    rank.after = goes_on ? Neighbour::There : Neighbour::None;
}

Replicas pipelinesOfGroups(const std::vector<TracedRank>& ranks, const Replicas& groups) {
    if (!proves(ranks) || numbersOf(ranks, &TracedRank::before).size() < 2) return {};
    std::map<std::size_t, Replicas> by_size;
    for (const auto& group : groups)
        if (isOnePipeline(group, ranks)) by_size[group.size()].push_back(group);
    Replicas found;
    for (auto& [size, of] : by_size) {
        std::multiset<int> covered;
        for (const auto& group : of) covered.insert(group.begin(), group.end());
        const bool whole =
            covered.size() == ranks.size() && std::ranges::all_of(ranks, [&covered](const TracedRank& rank) {
                return covered.count(rank.rank) == 1;
            });
        if (!whole) continue;
        if (!found.empty()) return {};
        found = std::move(of);
    }
    std::ranges::sort(found);
    return found;
}

namespace {

std::set<int> peersOf(const TracedRank& rank) {
    std::set<int> peers = rank.peers.sends_to;
    peers.insert(rank.peers.receives_from.begin(), rank.peers.receives_from.end());
    peers.erase(numberInJob(rank));
    return peers;
}

}  // namespace

std::vector<int> peersWithoutFile(const std::vector<TracedRank>& ranks) {
    std::set<int> missing;
    for (const TracedRank& rank : ranks) missing.merge(peersOf(rank));
    for (const TracedRank& rank : ranks) missing.erase(numberInJob(rank));
    return {missing.begin(), missing.end()};
}

Replicas pipelinesOfPeers(const std::vector<TracedRank>& ranks) {
    const auto silent = [](const TracedRank& rank) { return peersOf(rank).empty(); };
    if (ranks.size() < 2 || std::ranges::any_of(ranks, silent) || !peersWithoutFile(ranks).empty()) return {};
    Replicas found;
    std::set<int> seen;
    for (const TracedRank& from : ranks) {
        if (seen.contains(numberInJob(from))) continue;
        std::vector<int> group, open = {numberInJob(from)};
        seen.insert(open.front());
        while (!open.empty()) {
            const int number = open.back();
            open.pop_back();
            group.push_back(number);
            for (const TracedRank& rank : ranks) {
                const std::set<int> peers = peersOf(rank);
                if (number == numberInJob(rank)) {
                    for (const int peer : peers)
                        if (seen.insert(peer).second) open.push_back(peer);
                } else if (peers.contains(number) && seen.insert(numberInJob(rank)).second) {
                    open.push_back(numberInJob(rank));
                }
            }
        }
        std::ranges::sort(group);
        found.push_back(std::move(group));
    }
    return found.size() > 1 ? found : Replicas{};
}

void numberByPlace(std::vector<TracedRank>& ranks) {
    for (std::size_t at = 0; at < ranks.size(); ++at) {
        ranks[at].in_job = numberInJob(ranks[at]);
        ranks[at].rank = static_cast<int>(at);
    }
}

TracedRun inOrder(TracedRun run, const std::vector<std::size_t>& order) {
    std::vector<TracedRank> ordered;
    std::vector<int> numbers;
    for (const std::size_t at : order) {
        numbers.push_back(numberInJob(run.ranks[at]));
        ordered.push_back(std::move(run.ranks[at]));
    }
    numberByPlace(ordered);
    run.ranks = std::move(ordered);
    run.notes.push_back(sentence(
        "the messages put the ranks of the files in this order of the stages: {0}; they are numbered by it",
        numbersText(numbers)));
    return run;
}

std::vector<std::vector<std::size_t>> possibleOrders(const TracedRun& run) {
    std::vector<std::vector<std::size_t>> orders(1, std::vector<std::size_t>(run.ranks.size()));
    std::iota(orders.front().begin(), orders.front().end(), std::size_t{0});
    if (run.ranks.empty() || run.placed || namesStages(run)) return orders;
    const auto sortedBy = [&](const auto& values, bool descending) {
        std::vector<std::size_t> order = orders.front();
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
            return descending ? values[a] > values[b] : values[a] < values[b];
        });
        if (fitsMessages(run, order) && std::ranges::find(orders, order) == orders.end())
            orders.push_back(std::move(order));
    };
    if (run.clocks == Clocks::Shared && !run.ranks.front().ops.empty()) {
        // The order of most iterations.
        std::map<std::vector<std::size_t>, int> times;
        for (const auto& [iteration, starts] : firstForwards(run)) {
            if (std::ranges::find(starts, kFarthest_ns) != starts.end()) continue;
            std::vector<std::size_t> order = orders.front();
            std::ranges::stable_sort(order, {}, [&starts = starts](std::size_t at) { return starts[at]; });
            ++times[order];
        }
        if (!times.empty()) {
            const auto& order =
                std::ranges::max_element(times, {}, [](const auto& each) { return each.second; })->first;
            if (fitsMessages(run, order) && order != orders.front()) orders.push_back(order);
        }
    }
    sortedBy(forwardsAhead(run), true);
    // Two ranks and their ends are enough.
    std::vector<int> place;
    for (const TracedRank& rank : run.ranks)
        place.push_back(rank.before == Neighbour::None ? 0 : rank.after == Neighbour::None ? 2 : 1);
    if (run.ranks.size() <= 3) sortedBy(place, false);
    return orders;
}

void orderRanks(TracedRun& run) {
    if (run.placed || !proves(run.ranks) || namesStages(run)) return;
    const auto orders = possibleOrders(run);
    if (fitsMessages(run, orders.front()) || orders.size() < 2) return;
    run = inOrder(std::move(run), orders[1]);
}

namespace {

// What the messages of ranks say that are no chain.
std::vector<Sentence> factsOf(const TracedRun& run, const std::vector<int>& first,
                              const std::vector<int>& last) {
    std::vector<Sentence> facts;
    if (first.empty())
        facts.push_back(
            sentence("every rank receives before its first forward, the first one of a pipeline does not"));
    else if (first.size() == 1)
        facts.push_back(
            sentence("rank {0} receives nothing before its first forward, as the first one of a pipeline",
                     first.front()));
    else
        facts.push_back(
            sentence("ranks {0} receive nothing before their first forward, of a pipeline only one does not",
                     numbersText(first)));
    if (last.empty())
        facts.push_back(
            sentence("every rank sends and receives between its first forward and its first backward, the "
                     "last one of a "
                     "pipeline does not"));
    else if (last.size() == 1)
        facts.push_back(
            sentence("rank {0} does not send and receive between its first forward and its first backward, "
                     "as the last one "
                     "of a pipeline",
                     last.front()));
    else
        facts.push_back(
            sentence("ranks {0} do not send and receive between their first forward and their first "
                     "backward, of a pipeline "
                     "only one does not",
                     numbersText(last)));
    const TracedRank& rank = run.ranks.front();
    if (rank.ops.empty()) return facts;
    const int iteration = rank.ops.front().iteration;
    int forwards = 0, backwards = 0;
    for (const TracedOp& op : rank.ops)
        if (op.iteration == iteration) forwards += op.op == Op::Forward, backwards += isBackward(op.op);
    facts.push_back(sentence("rank {0} ran {1} forwards and {2} backwards in iteration {3}",
                             numberInJob(rank), forwards, backwards, iteration));
    return facts;
}

}  // namespace

void requireOnePipeline(const TracedRun& run) {
    if (run.placed || !proves(run.ranks) || namesStages(run)) return;
    const std::vector<int> first = numbersOf(run.ranks, &TracedRank::before),
                           last = numbersOf(run.ranks, &TracedRank::after);
    if (first.size() < 2 && last.size() < 2) return;
    const std::string begin = first.empty() ? "-" : numbersText(first),
                      end = last.empty() ? "-" : numbersText(last);
    // Of a job whose other ranks have no file, some begin a pipeline whose end is not there.
    const bool others = std::ranges::any_of(run.ranks, [&run](const TracedRank& rank) {
        return rank.job_ranks > static_cast<int>(run.ranks.size());
    });
    if (first.size() != last.size() && !others)
        throw ImportError(
            sentence("by their messages the files are of no pipeline with a stage a rank. Known is: {0}. "
                     "Where a rank runs "
                     "several stages (interleaved, or a V as of ZB-V and DualPipeV) or posts its receives "
                     "ahead, names alone "
                     "say what ran: torch.profiler.record_function(\"PP:2F0\") around forward 0 of stage 2, "
                     "\"PP:2B0\" "
                     "around its backward or \"PP:2I0\" and \"PP:2W0\" around the halves, which the "
                     "schedules of PyTorch "
                     "2.9 and newer with several stages a rank write by themselves; or record with "
                     "integrations/pytorch/bubblescope_probe.py. Of several pipelines side by side give the "
                     "files of one",
                     inARow(factsOf(run, first, last))));
    throw ImportError(sentence(
        "the files are of several pipelines that ran side by side: by their messages these ranks each begin "
        "one: {0}; these each end one: {1}. Give the files of one pipeline alone",
        begin, end));
}

}  // namespace bscope
