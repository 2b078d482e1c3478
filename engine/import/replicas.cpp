// Which ranks make one pipeline.
#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "import/neighbours.h"
#include "import/ranks_of_run.h"

namespace bscope {
namespace {

std::vector<int> numbersOfAll(const std::vector<TracedRank>& ranks) {
    std::vector<int> numbers;
    for (const TracedRank& rank : ranks) numbers.push_back(rank.rank);
    return numbers;
}

// Several only where every rank names its stages and each set of stages is run by as many ranks.
Replicas replicasByStages(const std::vector<TracedRank>& ranks) {
    std::map<std::set<int>, std::vector<int>> by_stages;
    for (const TracedRank& rank : ranks) {
        std::set<int> stages;
        for (const TracedOp& op : rank.ops) {
            if (!isCompute(op.op)) continue;
            if (op.stage < 0) return {};
            stages.insert(op.stage);
        }
        if (stages.empty()) return {};
        by_stages[stages].push_back(rank.rank);
    }
    if (by_stages.empty()) return {};
    const std::size_t count = by_stages.begin()->second.size();
    std::set<int> seen;
    for (const auto& [stages, of] : by_stages) {
        if (of.size() != count) return {};
        for (const int stage : stages)
            if (!seen.insert(stage).second) return {};
    }
    Replicas replicas(count);
    for (const auto& [stages, of] : by_stages)
        for (std::size_t at = 0; at < count; ++at) replicas[at].push_back(of[at]);
    return replicas;
}

// A pipeline of one rank sends nothing, and nothing goes from one replica to another: where something does,
// the stages have wrong names.
void requireReplicas(const std::vector<TracedRank>& ranks, const Replicas& replicas) {
    if (replicas.size() < 2) return;
    const auto exchanges = [](const TracedRank& rank) {
        return rank.has_messages || rank.peers.known() || !rank.receives.empty() || !rank.sends.empty();
    };
    if (replicas.front().size() == 1) {
        const auto found = std::ranges::find_if(ranks, exchanges);
        if (found == ranks.end()) return;
        throw ImportError(sentence(
            "the ranks {0} all name their work the same stages, as replicas do whose pipeline is one rank "
            "long, and rank {1} sends or receives, which no such rank does. If they are one pipeline, number "
            "its stages through all ranks: PP:0F0 on the first one, PP:1F0 on the next one",
            numbersText(numbersOfAll(ranks)), found->rank));
    }
    for (const TracedRank& rank : ranks) {
        const auto of = std::ranges::find_if(replicas, [&rank](const std::vector<int>& replica) {
            return std::ranges::find(replica, rank.rank) != replica.end();
        });
        if (of == replicas.end()) continue;
        for (const auto* peers : {&rank.peers.sends_to, &rank.peers.receives_from})
            for (const int peer : *peers) {
                const bool known =
                    std::ranges::find(ranks, peer, &TracedRank::rank) != ranks.end() && peer != rank.rank;
                if (!known || std::ranges::find(*of, peer) != of->end()) continue;
                throw ImportError(sentence(
                    "by the stages they name, ranks {0} and {1} are of two replicas of the pipeline, "
                    "and one sends to the other: the stages have wrong names, or the files are of "
                    "mixed runs",
                    rank.rank, peer));
            }
    }
}

Sentence namesOf(const Replicas& replicas) {
    constexpr std::size_t most = 8;
    std::vector<Sentence> names;
    for (std::size_t at = 0; at < std::min(most, replicas.size()); ++at)
        names.push_back(sentence("{0}: ranks {1}", at, numbersText(replicas[at])));
    if (replicas.size() > most) names.push_back(sentence("..."));
    return inARow(names);
}

// Numbered from 0 in the order of the group; those that no file has are added to `missing`.
std::vector<TracedRank> ranksOf(const std::vector<int>& group, std::vector<TracedRank>& ranks,
                                std::vector<int>& missing) {
    std::vector<TracedRank> found;
    for (const int rank : group) {
        const auto of = std::ranges::find(ranks, rank, &TracedRank::rank);
        if (of == ranks.end()) {
            missing.push_back(rank);
            continue;
        }
        found.push_back(std::move(*of));
    }
    numberByPlace(found);
    return found;
}

}  // namespace

int rankInName(const std::filesystem::path& file) {
    static const std::regex pattern("rank[-_]?([0-9]{1,6})", std::regex::icase);
    const std::string name = file.filename().string();
    std::smatch match;
    return std::regex_search(name, match, pattern) ? std::stoi(match[1]) : -1;
}

void requireRanks(const std::vector<int>& ranks, int p, const std::filesystem::path& file) {
    std::vector<int> missing;
    for (int rank = 0; rank < p; ++rank)
        if (std::ranges::find(ranks, rank) == ranks.end()) missing.push_back(rank);
    if (!missing.empty())
        throw ImportError(sentence("{0} says p = {1}; the files of these ranks are missing: {2}",
                                   file.string(), p, numbersText(missing)));
    if (ranks.size() != static_cast<std::size_t>(p))
        throw ImportError(
            sentence("{0} says p = {1}, and there are files of {2} ranks: they are of mixed runs",
                     file.string(), p, ranks.size()));
}

void takeReplica(TracedRun& run, std::vector<TracedRank> ranks, Replicas known, std::optional<int> wanted) {
    if (ranks.empty()) throw ImportError(sentence("there is no rank"));
    sortRanks(ranks);
    if (known.empty()) {
        const int of_job = std::ranges::max(ranks, {}, &TracedRank::job_ranks).job_ranks;
        if (of_job > static_cast<int>(ranks.size()))
            run.notes.push_back(
                sentence("the job had {0} ranks, and there are files of {1}", of_job, ranks.size()));
        known = replicasByStages(ranks);
        requireReplicas(ranks, known);
    } else {
        run.pipeline_named = true;
    }
    run.replicas = std::max(1, static_cast<int>(known.size()));
    if (wanted && run.replicas > 1 && *wanted >= run.replicas)
        throw ImportError(
            sentence("there is no replica {0}; the files are of {1} replicas of the pipeline: {2}", *wanted,
                     run.replicas, namesOf(known)));
    const bool one_file = ranks.front().file == ranks.back().file;
    if (run.replicas > 1 && !wanted)
        throw SeveralReplicas(
            one_file
                ? sentence("the file is of {0} replicas of the pipeline ({1}): choose one with --replica N, "
                           "or see "
                           "all of them beside each other with --grid",
                           run.replicas, namesOf(known))
                : sentence(
                      "the files are of {0} replicas of the pipeline ({1}): choose one with --replica N, "
                      "see all of them beside each other with --grid, or give only the files of one",
                      run.replicas, namesOf(known)),
            known);
    if (known.empty()) {
        run.ranks = std::move(ranks);
    } else {
        const int shown = run.replicas > 1 ? *wanted : 0;
        const std::vector<int>& group = known[static_cast<std::size_t>(shown)];
        std::vector<int> missing;
        run.ranks = ranksOf(group, ranks, missing);
        for (int number = 0; number < run.replicas; ++number) {
            if (number == shown) continue;
            std::vector<int> absent;
            auto of = ranksOf(known[static_cast<std::size_t>(number)], ranks, absent);
            if (absent.empty()) run.others.push_back({number, std::move(of)});
        }
        if (!missing.empty()) {
            if (run.ranks.empty())
                throw ImportError(sentence("the pipeline has {0} ranks; the files of these are missing: {1}",
                                           group.size(), numbersText(missing)));
            run.groups = {group};
            run.lacks_ranks = true;
        }
        if (const std::size_t others = ranks.size() - run.ranks.size(); others > 0)
            run.notes.push_back(
                one_file
                    ? sentence("ranks of other replicas of the pipeline, which are left out: {0}", others)
                : others == 1
                    ? sentence("1 file is of another replica of the pipeline and left out")
                    : sentence("{0} files are of other replicas of the pipeline and left out", others));
    }
    numberByPlace(run.ranks);
}

Sentence severalRunsNote(const std::filesystem::path& file, int runs) {
    return sentence(
        "{0} holds {1} runs, one after another, each numbered from the start: the newest is shown",
        file.string(), runs);
}

Sentence severalTracesNote(const std::filesystem::path& file, std::size_t traces) {
    return sentence("{0} holds {1} traces of a rank, one behind the other: the last of each rank is shown",
                    file.string(), traces);
}

Sentence cutOffNote(const std::filesystem::path& file) {
    return sentence("{0} is cut off: what comes before its end is shown", file.string());
}

}  // namespace bscope
