#include "import/part_of_pipeline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "catalog/catalog.h"
#include "import/neighbours.h"
#include "import/range_ends.h"
#include "timeline/median.h"
#include "words/factor_text.h"
#include "words/number_text.h"

namespace bscope {
namespace {

// A pipeline that the ranks may be a part of.
struct Guess {
    std::vector<int> places;  // (ranks of the run,)
    std::vector<int> group;   // numbers of all its ranks
    bool samePlaces(const Guess& other) const {
        return places == other.places && group.size() == other.group.size();
    }
};

bool countsAs(Neighbour stated, bool there) {
    return stated == Neighbour::Unknown || (stated == Neighbour::There) == there;
}

int jobRanks(const TracedRun& run) {
    return std::ranges::max(run.ranks, {}, &TracedRank::job_ranks).job_ranks;
}

std::vector<Guess> guessesOf(const TracedRun& run) {
    std::vector<std::vector<int>> groups = run.groups;
    if (const int of_job = jobRanks(run); groups.empty() && of_job > 0 && of_job <= kMaxRanks) {
        groups.emplace_back(static_cast<std::size_t>(of_job));
        std::iota(groups.back().begin(), groups.back().end(), 0);
    }
    std::vector<Guess> guesses;
    for (const auto& group : groups) {
        if (group.size() <= run.ranks.size()) continue;
        Guess guess{{}, group};
        bool fits = true;
        for (const TracedRank& rank : run.ranks) {
            const auto at = std::ranges::find(group, numberInJob(rank));
            const auto place = static_cast<int>(at - group.begin());
            fits = fits && at != group.end() && countsAs(rank.before, place > 0) &&
                   countsAs(rank.after, place + 1 < static_cast<int>(group.size()));
            guess.places.push_back(place);
        }
        if (fits) guesses.push_back(std::move(guess));
    }
    return guesses;
}

// What a rank did in an iteration, in order.
using Cells = std::vector<TracedOp>;
std::map<int, Cells> cellsOf(const TracedRank& rank) {
    std::map<int, Cells> cells;
    for (const TracedOp& op : rank.ops)
        if (isCompute(op.op) && op.op != Op::Recompute) cells[op.iteration].push_back(op);
    for (auto& [iteration, of] : cells) std::ranges::stable_sort(of, {}, &TracedOp::start_ns);
    return cells;
}

std::string lettersOf(const Cells& cells) {
    std::string letters;
    for (const TracedOp& op : cells) letters += std::string(opText(op.op)) + ' ';
    return letters;
}

bool sameOrder(const Cells& cells, const std::vector<Action>& order) {
    return std::ranges::equal(cells, order, [](const TracedOp& op, const Action& action) {
        return op.op == action.op && (op.stage < 0 || op.stage == action.stage) &&
               (op.microbatch < 0 || op.microbatch == action.microbatch);
    });
}

// Schedules of the catalog in which these places have these orders; with the fewest chunks that any has, from
// `least` on.
struct Fitting {
    std::vector<std::string> names;
    int v = 0;
};
Fitting schedulesOf(const std::vector<Cells>& cells, const Guess& guess, int least) {
    Fitting fitting;
    std::vector<std::string>& names = fitting.names;
    const auto forwards = static_cast<int>(std::ranges::count(cells.front(), Op::Forward, &TracedOp::op));
    constexpr int most = 8;
    constexpr std::size_t most_cells = 1 << 18;
    for (int v = least; v <= most && names.empty(); ++v) {
        if (forwards == 0 || forwards % v != 0) continue;
        if (guess.group.size() * static_cast<std::size_t>(forwards) > most_cells) continue;
        fitting.v = v;
        for (const CatalogEntry& entry : catalog()) {
            const ScheduleParams params{static_cast<int>(guess.group.size()), v, forwards / v};
            if (!canBeMade(entry.name, params)) continue;
            const Schedule schedule = makeSchedule(entry.name, params);
            if (schedule.chains.size() != 1 || schedule.weights != WeightRule::Flush) continue;
            bool same = true;
            for (std::size_t at = 0; same && at < cells.size(); ++at)
                same = sameOrder(cells[at], schedule.orders[static_cast<std::size_t>(guess.places[at])]);
            if (same) names.emplace_back(entry.name);
        }
    }
    if (names.empty()) fitting.v = 0;
    return fitting;
}

// The iterations in which every rank did what it did in most.
std::vector<int> usualIterations(const TracedRun& run, const std::vector<std::map<int, Cells>>& cells) {
    std::map<int, int> ranks_there;
    for (const std::map<int, Cells>& own : cells) {
        std::map<int, std::string> letters;
        std::map<std::string, int> times;
        for (const auto& [iteration, of] : own) ++times[letters[iteration] = lettersOf(of)];
        if (times.empty()) continue;
        const auto longer = [](const auto& a, const auto& b) {
            return a.second != b.second ? a.second < b.second : a.first.size() < b.first.size();
        };
        const auto usual = std::max_element(times.begin(), times.end(), longer);
        for (const auto& [iteration, of] : letters)
            if (of == usual->first) ++ranks_there[iteration];
    }
    std::vector<int> iterations;
    for (const auto& [iteration, count] : ranks_there)
        if (count == static_cast<int>(run.ranks.size())) iterations.push_back(iteration);
    if (iterations.empty()) throw ImportError(sentence("no iteration is whole on every rank"));
    return iterations;
}

// With the numbers of their order where the files have none.
Cells numbered(Cells cells, int place) {
    std::map<Op, int> next;
    for (TracedOp& op : cells) {
        const int counted = next[op.op]++;
        if (op.stage < 0) op.stage = place;
        if (op.microbatch < 0) op.microbatch = counted;
    }
    return cells;
}

std::string orderText(const Cells& cells, int place) {
    std::string text;
    for (const TracedOp& op : numbered(cells, place)) {
        text += text.empty() ? "" : " ";
        text += op.stage >= 0 ? toText({op.stage, op.op, op.microbatch})
                              : std::string(opText(op.op)) + std::to_string(op.microbatch);
    }
    return text;
}

PipelinePart::Iteration iterationOf(const Cells& cells, int number) {
    PipelinePart::Iteration iteration{number};
    std::int64_t free_ns = cells.front().start_ns;
    for (const TracedOp& op : cells) {
        const std::int64_t start_ns = std::max(op.start_ns, free_ns);
        free_ns = std::max(op.end_ns, start_ns);
        iteration.busy_ns += free_ns - start_ns;
        iteration.around_ns += std::min(op.around_ns, free_ns - start_ns);
    }
    iteration.span_ns = free_ns - cells.front().start_ns;
    return iteration;
}

Sentence rankWords(const std::vector<int>& numbers) {
    return numbers.size() == 1 ? sentence("rank {0}", numbers.front())
                               : sentence("ranks {0}", numbersText(numbers));
}

std::vector<int> numbersOf(const PipelinePart& part) {
    std::vector<int> numbers;
    for (const PipelinePart::Rank& rank : part.ranks) numbers.push_back(rank.number);
    return numbers;
}

Sentence refusalOf(const PipelinePart& part) {
    std::vector<Sentence> idle;
    for (const PipelinePart::Rank& rank : part.ranks)
        idle.push_back(sentence("rank {0} {1} %", rank.number, std::lround(100 * rank.idleShare())));
    const Sentence missing =
        part.left_out.empty() ? missingOfPart(part)
                              : sentence("{0} (left out: {1})", missingOfPart(part), inARow(part.left_out));
    return sentence(
        "the files are of {0} of a pipeline: {1}. Idle from its first operation to its last: {2}. Bubble, "
        "schedule and advice need the files of all ranks",
        ranksOfPart(part), missing, inARow(idle));
}

}  // namespace

double PipelinePart::Rank::idleShare() const {
    std::vector<double> shares;
    for (const Iteration& each : iterations) shares.push_back(each.idleShare());
    return shares.empty() ? 0 : median(std::move(shares));
}

Sentence ranksOfPart(const PipelinePart& part) {
    const Sentence ranks = rankWords(numbersOf(part));
    if (part.p == 0) return ranks;
    std::vector<int> places;
    for (const PipelinePart::Rank& rank : part.ranks) places.push_back(rank.place);
    return places == numbersOf(part) ? sentence("{0} of {1}", ranks, part.p)
                                     : sentence("{0} (place {1} of {2})", ranks, numbersText(places), part.p);
}

Sentence missingOfPart(const PipelinePart& part) {
    if (!part.missing.empty())
        return sentence("the files of these are missing: {0}", numbersText(part.missing));
    if (!part.why.empty()) return part.why;
    const PipelinePart::Rank &front = part.ranks.front(), &back = part.ranks.back();
    const bool before = front.before == Neighbour::There, after = back.after == Neighbour::There;
    if (before && after)
        return sentence(
            "there is a rank before rank {0}, which receives before its first forward, and one after rank "
            "{1}, which receives before its first backward; their files are missing",
            front.number, back.number);
    if (before)
        return sentence(
            "there is a rank before rank {0}, which receives before its first forward; its file is missing",
            front.number);
    if (after)
        return sentence(
            "there is a rank after rank {0}, which sends after its forwards and receives before its first "
            "backward; its file is missing",
            back.number);
    return sentence("the job had more ranks, and the files do not say which of them belong to the pipeline");
}

PartOfPipeline::PartOfPipeline(PipelinePart of) : ImportError(refusalOf(of)), part(std::move(of)) {}

Completeness completenessOf(const TracedRun& run) {
    if (run.lacks_ranks) return Completeness::Part;
    if (run.placed || run.pipeline_named || run.replicas > 1 || run.ranks.empty()) return Completeness::Whole;
    if (!peersWithoutFile(run.ranks).empty()) return Completeness::Part;
    const auto files = static_cast<int>(run.ranks.size());
    const bool more_in_job = jobRanks(run) > files;
    // With the files of all ranks of the job none is missing, whichever receives first.
    if (!more_in_job && jobRanks(run) > 0) return Completeness::Whole;
    const bool proved = std::ranges::all_of(run.ranks, [](const TracedRank& rank) {
        return rank.before != Neighbour::Unknown && rank.after != Neighbour::Unknown;
    });
    if (!proved) {
        const bool messages_named = std::ranges::any_of(
            run.ranks, [](const TracedRank& rank) { return !rank.sends.empty() || !rank.receives.empty(); });
        return more_in_job && !messages_named ? Completeness::Open : Completeness::Whole;
    }
    std::vector<int> numbers;
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        const TracedRank& rank = run.ranks[at];
        if (rank.before != (at > 0 ? Neighbour::There : Neighbour::None)) return Completeness::Part;
        if (rank.after != (at + 1 < run.ranks.size() ? Neighbour::There : Neighbour::None))
            return Completeness::Part;
        numbers.push_back(numberInJob(rank));
    }
    if (std::ranges::all_of(run.ranks, [](const TracedRank& rank) { return rank.peers.known(); }))
        return Completeness::Whole;
    // Between ranks that are no neighbours in the job others may be missing.
    std::ranges::sort(numbers);
    const bool neighbours = numbers.back() - numbers.front() + 1 == static_cast<int>(numbers.size()) ||
                            std::ranges::any_of(run.groups, [&numbers](std::vector<int> group) {
                                std::ranges::sort(group);
                                return group == numbers;
                            });
    if (neighbours) return Completeness::Whole;
    return more_in_job ? Completeness::Open : Completeness::Part;
}

namespace {

// Where no rank's own messages show that others are missing.
Sentence whyPartOf(const TracedRun& run) {
    std::string places;
    for (std::size_t at = 0; at < run.ranks.size(); ++at)
        places += (at > 0 ? "," : "") + std::to_string(numberInJob(run.ranks[at])) + ':' + std::to_string(at);
    return sentence(
        "there may be ranks between them, which the files do not rule out; if these are all, bscope import "
        "--stages {0} confirms it",
        places);
}

void noteUnderstated(PipelinePart& part) {
    if (!part.operations_inferred || part.times != Times::Host) return;
    double most = 0;
    for (const PipelinePart::Rank& rank : part.ranks)
        for (const PipelinePart::Iteration& each : rank.iterations)
            most = std::max(most, each.understatedBy());
    if (roundsToNothing(most)) return;
    part.notes.push_back(sentence(
        "idle shares may be too low, by up to {0} percentage points: what the host does between a message "
        "and an operation's calls counts as work, since no file names the operation",
        percentNumber(roundedUp(most))));
}

}  // namespace

PipelinePart partOf(const TracedRun& run, Sentence why) {
    PipelinePart part;
    part.why = std::move(why);
    part.source = run.source;
    part.times = run.times;
    part.provenance = run.provenance;
    part.operations_inferred = run.operations_inferred;
    part.notes = run.notes;
    part.left_out = run.left_out;
    std::vector<std::map<int, Cells>> by_iteration;
    for (const TracedRank& rank : run.ranks) by_iteration.push_back(cellsOf(rank));
    const std::vector<int> iterations = usualIterations(run, by_iteration);
    std::vector<Cells> cells;
    for (const std::map<int, Cells>& own : by_iteration) cells.push_back(own.at(iterations.back()));
    std::vector<Guess> guesses = guessesOf(run);
    std::vector<Fitting> schedules;
    const int least_chunks = std::ranges::any_of(run.ranks, &TracedRank::forwards_return) ? 2 : 1;
    for (const Guess& guess : guesses) schedules.push_back(schedulesOf(cells, guess, least_chunks));
    // Of several pipelines those count whose schedules exist.
    std::vector<std::size_t> left;
    for (std::size_t at = 0; at < guesses.size(); ++at)
        if (!schedules[at].names.empty()) left.push_back(at);
    if (left.empty() && guesses.size() == 1) left.push_back(0);
    std::vector<int> places(run.ranks.size(), -1);
    const auto same = [&](std::size_t at) { return guesses[at].samePlaces(guesses[left.front()]); };
    if (!left.empty() && std::ranges::all_of(left, same)) {
        const Guess& guess = guesses[left.front()];
        part.p = static_cast<int>(guess.group.size());
        part.schedules = schedules[left.front()].names;
        part.v = schedules[left.front()].v;
        places = guess.places;
        if (left.size() == 1)
            for (const int number : guess.group)
                if (std::ranges::none_of(
                        run.ranks, [number](const TracedRank& rank) { return numberInJob(rank) == number; }))
                    part.missing.push_back(number);
    }
    if (part.missing.empty()) part.missing = peersWithoutFile(run.ranks);
    if (part.why.empty() && run.ranks.size() > 1 && run.ranks.front().before == Neighbour::None &&
        run.ranks.back().after == Neighbour::None && jobRanks(run) == 0)
        part.why = whyPartOf(run);
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        const TracedRank& of = run.ranks[at];
        PipelinePart::Rank& rank = part.ranks.emplace_back();
        rank.number = numberInJob(of);
        rank.place = places[at];
        rank.file = of.file;
        rank.before = of.before;
        rank.after = of.after;
        for (const TracedOp& op : cells[at]) {
            rank.forwards += op.op == Op::Forward;
            rank.backwards += op.op == Op::Backward || op.op == Op::BackwardInput;
        }
        rank.order = orderText(cells[at], part.v == 1 ? rank.place : -1);
        rank.last = numbered(cells[at], part.v == 1 ? rank.place : -1);
        for (const int iteration : iterations)
            rank.iterations.push_back(iterationOf(by_iteration[at].at(iteration), iteration));
    }
    noteUnderstated(part);
    return part;
}

}  // namespace bscope
