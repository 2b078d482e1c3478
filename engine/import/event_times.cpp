// Dumps of Megatron-LM's event timers: event_times_PP{p}_VPP{v}_TPxCPxDP_rank_{i}_pp_rank_{r}_rank_{g}.json,
// one object {"forward-3-start": ms, "forward-3-end": ms, ...}, with v > 1
// "forward-{chunk}-{micro-batch}-start". One iteration.
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <tuple>

#include "import/file_text.h"
#include "import/import_error.h"
#include "import/readers.h"

namespace bscope {
namespace {

constexpr std::size_t kMostEventBytes = 64u << 20;
const std::regex& eventFileName() {
    static const std::regex name(
        "event_times_PP([0-9]{1,6})_VPP([0-9]{1,6})_TPxCPxDP_rank_([0-9]{1,6})_pp_rank_([0-9]{1,6})_rank_"
        "([0-9]{1,6})\\.json");
    return name;
}

struct EventFile {
    std::filesystem::path path;
    int p = 0, v = 0, replica = 0, rank = 0;
};

std::optional<EventFile> parsedName(const std::filesystem::path& path) {
    const std::string leaf = path.filename().string();
    std::smatch match;
    if (!std::regex_match(leaf, match, eventFileName())) return std::nullopt;
    return EventFile{path, std::stoi(match[1]), std::max(1, std::stoi(match[2])), std::stoi(match[3]),
                     std::stoi(match[4])};
}

// "forward-3-start", "backward-1-3-end".
struct EventKey {
    bool forward = true, start = true;
    int chunk = 0, microbatch = 0;
};

std::optional<EventKey> parsedKey(std::string_view key) {
    static const std::regex form("(forward|backward)-(?:([0-9]{1,6})-)?([0-9]{1,6})-(start|end)");
    std::cmatch match;
    if (!std::regex_match(key.data(), key.data() + key.size(), match, form)) return std::nullopt;
    EventKey out;
    out.forward = match[1] == "forward";
    out.start = match[4] == "start";
    if (match[2].matched) out.chunk = std::stoi(match[2]);
    out.microbatch = std::stoi(match[3]);
    return out;
}

TracedRank readEvents(const EventFile& file) {
    TracedRank rank;
    rank.rank = file.rank;
    rank.file = file.path.string();
    simdjson::dom::parser parser;
    simdjson::dom::object told;
    const std::string text = wholeText(file.path, kMostEventBytes);
    if (parser.parse(text).get(told) != simdjson::SUCCESS)
        throw ImportError(rank.file + ": it is no JSON object");
    std::map<std::tuple<bool, int, int>, std::pair<std::optional<double>, std::optional<double>>> times;
    for (const auto each : told) {
        const auto key = parsedKey(each.key);
        double ms = 0;
        if (!key || each.value.get(ms) != simdjson::SUCCESS) continue;
        if (!(std::abs(ms) < 1e12))
            throw ImportError(rank.file + ": \"" + std::string(each.key) + "\" is no time");
        auto& of = times[{key->forward, key->chunk, key->microbatch}];
        (key->start ? of.first : of.second) = ms;
    }
    for (const auto& [key, when] : times) {
        const auto& [forward, chunk, microbatch] = key;
        const std::string name =
            std::string(forward ? "forward" : "backward") + " of micro-batch " + std::to_string(microbatch);
        if (!when.first || !when.second)
            throw ImportError(rank.file + ": the " + name + " has no " + (when.first ? "end" : "start"));
        TracedOp& op = rank.ops.emplace_back();
        op.op = forward ? Op::Forward : Op::Backward;
        op.stage = chunk * file.p + file.rank;
        op.microbatch = microbatch;
        op.start_ns = std::llround(*when.first * 1e6);
        op.end_ns = std::llround(*when.second * 1e6);
        if (op.end_ns < op.start_ns)
            throw ImportError(rank.file + ": the " + name + " ends before it starts");
    }
    return rank;
}

}  // namespace

bool isEventTimesFile(const std::filesystem::path& file) {
    return parsedName(file).has_value();
}

TracedRun readEventTimes(std::span<const std::filesystem::path> paths) {
    std::vector<EventFile> files;
    for (const auto& path : paths)
        if (const auto file = parsedName(path)) files.push_back(*file);
    TracedRun run;
    run.source = "Megatron-LM event times";
    run.p = files.front().p;
    run.v = files.front().v;
    const int replica = std::min_element(files.begin(), files.end(), [](const auto& a, const auto& b) {
                            return a.replica < b.replica;
                        })->replica;
    int others = 0;
    for (const EventFile& file : files) {
        if (file.p != run.p || file.v != run.v)
            throw ImportError(file.path.string() + " is of another run than " + files.front().path.string() +
                              ": p and v differ");
        if (file.replica != replica) {
            ++others;
            continue;
        }
        for (const TracedRank& known : run.ranks)
            if (known.rank == file.rank)
                throw ImportError(known.file + " and " + file.path.string() + " are both of rank " +
                                  std::to_string(file.rank) + "; import the files of one run");
        run.ranks.push_back(readEvents(file));
    }
    std::sort(run.ranks.begin(), run.ranks.end(),
              [](const TracedRank& a, const TracedRank& b) { return a.rank < b.rank; });
    for (int rank = 0; rank < run.p; ++rank)
        if (static_cast<std::size_t>(rank) >= run.ranks.size() ||
            run.ranks[static_cast<std::size_t>(rank)].rank != rank)
            throw ImportError(files.front().path.string() + " says p = " + std::to_string(run.p) +
                              "; the files of these ranks are missing: " + std::to_string(rank));
    if (others > 0)
        run.notes.push_back(std::to_string(others) + (others == 1 ? " file is" : " files are") +
                            " of other replicas of the pipeline and left out");
    return run;
}

}  // namespace bscope
