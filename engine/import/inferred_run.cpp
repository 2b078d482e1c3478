#include "import/inferred_run.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "import/trace/import_error.h"
#include "import/neighbours.h"
#include "import/passes.h"

namespace bscope {
namespace {

// (ranks,) the letters of what each did in an iteration: "FFBB".
using Letters = std::vector<std::string>;

std::map<int, Letters> lettersOf(const TracedRun& run) {
    std::map<int, Letters> letters;
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        std::vector<const TracedOp*> ops;
        for (const TracedOp& op : run.ranks[rank].ops)
            if (isCompute(op.op)) ops.push_back(&op);
        std::ranges::stable_sort(ops, {}, [](const TracedOp* op) { return op->start_ns; });
        for (const TracedOp* op : ops) {
            Letters& of = letters.try_emplace(op->iteration, run.ranks.size()).first->second;
            of[rank] += op->op == Op::Forward ? 'F' : 'B';
        }
    }
    return letters;
}

int countOf(const std::string& letters, char letter) {
    return static_cast<int>(std::ranges::count(letters, letter));
}

// Iterations that did the same, on every rank.
struct Alike {
    Letters letters;
    std::set<int> iterations;
    bool trains() const {
        return std::ranges::all_of(letters, [](const std::string& of) { return countOf(of, 'B') > 0; });
    }
};

// Those of most iterations first; of as many those that train, then those that did most.
std::vector<Alike> alikeOf(const TracedRun& run) {
    std::map<Letters, std::set<int>> by_letters;
    for (const auto& [iteration, letters] : lettersOf(run)) by_letters[letters].insert(iteration);
    std::vector<Alike> all;
    for (auto& [letters, iterations] : by_letters) all.push_back({letters, iterations});
    std::ranges::stable_sort(all, [](const Alike& a, const Alike& b) {
        const auto size = [](const Alike& of) {
            std::size_t sum = 0;
            for (const std::string& letters : of.letters) sum += letters.size();
            return sum;
        };
        return std::tuple(a.trains(), a.iterations.size(), size(a)) >
               std::tuple(b.trains(), b.iterations.size(), size(b));
    });
    return all;
}

TracedRun only(TracedRun run, const std::set<int>& iterations) {
    const auto other = [&iterations](const auto& each) { return !iterations.contains(each.iteration); };
    for (TracedRank& rank : run.ranks) {
        std::erase_if(rank.ops, other);
        std::erase_if(rank.receives, other);
        std::erase_if(rank.sends, other);
    }
    return run;
}

void noteLeftOut(TracedRun& run, const std::vector<Alike>& all, const Alike& taken) {
    std::set<int> left_out;
    bool forward_only = true;
    for (const Alike& each : all) {
        if (&each == &taken) continue;
        left_out.insert(each.iterations.begin(), each.iterations.end());
        forward_only = forward_only && std::ranges::none_of(each.letters, [](const std::string& of) {
                           return countOf(of, 'B') > 0;
                       });
    }
    if (left_out.empty()) return;
    const std::string numbers = numbersText({left_out.begin(), left_out.end()});
    run.notes.push_back(
        forward_only && taken.trains()
            ? sentence("left out, since they only run forward (validation): iterations {0}", numbers)
            : sentence("left out, since their operations are not in the order of the other iterations: "
                       "iterations {0}",
                       numbers));
}

// How often an order repeats itself on every rank: k runs of the schedule in one step.
int repetitions(const Letters& letters) {
    const auto repeats = [](const std::string& of, std::size_t times) {
        const std::size_t length = of.size() / times;
        for (std::size_t at = length; at < of.size(); ++at)
            if (of[at] != of[at - length]) return false;
        return true;
    };
    std::size_t least = letters.front().size();
    for (const std::string& of : letters) least = std::min(least, of.size());
    for (std::size_t times = least / 2; times > 1; --times) {
        bool all = true;
        for (const std::string& of : letters) all = all && of.size() % times == 0 && repeats(of, times);
        if (all) return static_cast<int>(times);
    }
    return 1;
}

// Where the profiler saw no steps and the files hold no optimizer, nothing parts one iteration from the next
// but an order that can be no longer one.
void noteOneIteration(TracedRun& run, const std::vector<Alike>& all, const Alike& taken) {
    if (run.steps_seen || all.size() > 1 || taken.iterations.size() > 1) return;
    if (taken.trains() && repetitions(taken.letters) < 2) return;
    run.notes.push_back(
        sentence("the profiler recorded no steps and no optimizer: all {0} forwards of a rank count as one "
                 "iteration, and may be of several. Record with "
                 "profile(schedule=torch.profiler.schedule(wait=0, warmup=0, active=N)) and call prof.step() "
                 "after every iteration",
                 countOf(taken.letters.front(), 'F')));
}

// What comes several times in a step on every rank, each time as an iteration of its own. A run that holds
// one iteration without the profiler's steps is cut likewise.
TracedRun splitPasses(TracedRun run, const Alike& usual, int times) {
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        auto& ops = run.ranks[rank].ops;
        std::ranges::stable_sort(ops, [](const TracedOp& a, const TracedOp& b) {
            return std::tie(a.iteration, a.start_ns) < std::tie(b.iteration, b.start_ns);
        });
        const int length = static_cast<int>(usual.letters[rank].size()) / times;
        int iteration = -1, at = 0;
        for (TracedOp& op : ops) {
            if (std::exchange(iteration, op.iteration) != op.iteration) at = 0;
            // An optimizer step belongs to what comes before it.
            op.pass = isCompute(op.op) ? std::min(at++ / length, times - 1) : std::max(at - 1, 0) / length;
        }
    }
    std::vector<Sentence> notes = run.notes;
    notes.push_back(
        sentence("the same order comes {0} times in a step on every rank (gradient accumulation, or steps "
                 "that the profiler did not record): each time counts as an iteration",
                 times));
    numberPasses(run);
    run.notes = std::move(notes);  // which says as much as that of numberPasses()
    return run;
}

// Such an order says nothing of chunks: those of few micro-batches would fit, whatever ran.
bool allForwardsFirst(const Letters& letters) {
    return std::ranges::all_of(letters,
                               [](const std::string& of) { return of.find("BF") == std::string::npos; });
}

// Every rank ran forwards that no backward belongs to.
bool hasValidation(const TracedRun& run) {
    return std::ranges::all_of(run.ranks, &TracedRank::leaves_out_forwards);
}

bool isRing(const TracedRun& run) {
    return run.ranks.size() > 1 && std::ranges::all_of(run.ranks, [](const TracedRank& rank) {
               return rank.before == Neighbour::There;
           });
}

// Every rank but the first receives before its first forward, every one but the last sends after it.
bool isChain(const TracedRun& run, const std::vector<std::size_t>& order) {
    for (std::size_t at = 0; at < order.size(); ++at) {
        const TracedRank& rank = run.ranks[order[at]];
        if (rank.before != (at > 0 ? Neighbour::There : Neighbour::None)) return false;
        if (rank.after != (at + 1 < order.size() ? Neighbour::There : Neighbour::None)) return false;
    }
    return true;
}

// What is known of a run that is the order of no schedule.
std::vector<Sentence> facts(const TracedRun& run, const std::vector<Alike>& all) {
    std::vector<Sentence> known;
    if (all.empty()) return known;
    const Alike& usual = all.front();
    const std::string& first = usual.letters.front();
    const int forwards = countOf(first, 'F'), backwards = countOf(first, 'B');
    bool as_many = true;
    for (std::size_t rank = 1; rank < usual.letters.size(); ++rank) {
        const std::string& of = usual.letters[rank];
        if (countOf(of, 'F') == forwards && countOf(of, 'B') == backwards) continue;
        as_many = false;
        known.push_back(
            sentence("rank {0} ran {1} forwards and {2} backwards in iteration {3}, rank {4} {5} and {6}",
                     numberInJob(run.ranks[rank]), countOf(of, 'F'), countOf(of, 'B'),
                     *usual.iterations.begin(), numberInJob(run.ranks.front()), forwards, backwards));
        break;
    }
    if (isRing(run)) {
        known.push_back(
            sentence("every rank receives before its first forward: a ring (context parallelism) or a "
                     "parameter server, not a pipeline, which begins at a rank that receives nothing"));
        return known;
    }
    for (const TracedRank& rank : run.ranks)
        if (rank.forwards_return)
            known.push_back(sentence(
                "rank {0} receives nothing for its first forward and something for others: the ranks run "
                "several stages each",
                numberInJob(rank)));
    if (hasValidation(run))
        known.push_back(sentence(
            "every rank ran forwards without a backward, as in a validation; torch.distributed.pipelining "
            "learns the shapes anew in the step after its eval(), with a forward and a backward more. "
            "Record steps without a validation"));
    if (!as_many) return known;
    if (backwards == 0)
        known.push_back(sentence("no backward: inference, {0} forwards per rank", forwards));
    else if (forwards != backwards)
        known.push_back(
            sentence("{0} forwards and {1} backwards per rank in an iteration: a validation pass, or work "
                     "outside the pipeline",
                     forwards, backwards));
    const int times = forwards == backwards ? repetitions(usual.letters) : 1;
    if (!run.steps_seen && lettersOf(run).size() == 1 && backwards > 0)
        known.push_back(sentence(
            "{0} forwards and {1} backwards per rank but one iteration: the profiler recorded no "
            "steps. Record with profile(schedule=torch.profiler.schedule(wait=0, warmup=0, active=N)) and "
            "call prof.step() after every training step",
            forwards, backwards));
    else if (times > 1)
        known.push_back(sentence(
            "in every step the same order comes {0} times (gradient accumulation, or micro-batches one "
            "after the other)",
            times));
    // Of three ranks the ends show their order.
    if (run.ranks.size() > 3 || (run.ranks.size() == 3 && !isChain(run, {0, 1, 2})))
        known.push_back(
            sentence("if the ranks are not in the order of the stages, bscope import --stages RANK:PLACE,... "
                     "gives it"));
    return known;
}

[[noreturn]] void refuse(const TracedRun& run, const std::vector<Alike>& all,
                         const std::vector<Sentence>& why) {
    if (run.ranks.size() == 1)
        throw ImportError(
            sentence("{0} names no operation, and the messages of its one rank show no rank before or after "
                     "it, so it is not a pipeline: give the files of all ranks",
                     run.ranks.front().file));
    std::vector<Sentence> known = facts(run, all);
    if (known.empty()) known = why;
    if (known.empty())
        throw ImportError(sentence(
            "the files name no operation, and the order that follows from their messages matches no schedule "
            "of the catalog. Name operations with torch.profiler.record_function(\"PP:0F0\")"));
    throw ImportError(sentence(
        "the files name no operation, and what follows from their messages is the order of no schedule "
        "of the catalog. Known is: {0}. Names of operations, torch.profiler.record_function(\"PP:0F0\"), "
        "leave nothing to infer, nor does integrations/pytorch/bubblescope_probe.py",
        inARow(known)));
}

}  // namespace

ImportedRun importInferred(const TracedRun& run, const ImportOne& import_one) {
    constexpr std::size_t most_kinds = 4;
    constexpr int most_chunks = 8;
    const std::vector<Alike> all = alikeOf(run);
    std::vector<Sentence> why;
    const auto tried = [&](const TracedRun& taken, std::size_t kind,
                           bool first) -> std::optional<ImportedRun> {
        const auto orders = possibleOrders(taken);
        for (std::size_t order = 0; order < orders.size(); ++order)
            for (int choice = 2; choice <= 2 * most_chunks + 1; ++choice) {
                const int chunks = choice / 2;
                const bool in_turn = choice % 2 == 1;
                // One chunk has no turns, and its first rank receives for no forward.
                if (chunks == 1 && (in_turn || taken.ranks[orders[order].front()].forwards_return)) continue;
                if (chunks > 1 && !in_turn && allForwardsFirst(all[kind].letters)) continue;
                TracedRun attempt = order == 0 ? taken : inOrder(taken, orders[order]);
                attempt.v = chunks;
                attempt.chunks_in_turn = in_turn;
                try {
                    ImportedRun imported = import_one(std::move(attempt));
                    const bool proved = all[kind].trains() || isChain(run, orders[order]);
                    if (!imported.recognition.schedule || !imported.origin.aligned || !proved) continue;
                    if (hasValidation(run))
                        imported.origin.notes.push_back(sentence(
                            "forwards without a backward, as of a validation, are left out on every rank"));
                    if (in_turn)
                        imported.origin.notes.push_back(
                            sentence("the files do not say which micro-batch a backward belongs to: the last "
                                     "one is taken first, as in looped BFS"));
                    return imported;
                } catch (const ImportError& error) {
                    // Of more chunks the sentence would be about stages that there may not be.
                    if (first && order == 0 && chunks == 1) why = {error.said};
                }
            }
        return std::nullopt;
    };
    for (std::size_t kind = 0; kind < std::min(most_kinds, all.size()) && run.ranks.size() > 1; ++kind) {
        TracedRun taken = only(run, all[kind].iterations);
        noteLeftOut(taken, all, all[kind]);
        TracedRun whole = taken;
        noteOneIteration(whole, all, all[kind]);
        if (auto imported = tried(whole, kind, kind == 0)) return std::move(*imported);
        const int times = repetitions(all[kind].letters);
        if (times < 2) continue;
        if (auto imported = tried(splitPasses(std::move(taken), all[kind], times), kind, false))
            return std::move(*imported);
    }
    refuse(run, all, why);
}

}  // namespace bscope
