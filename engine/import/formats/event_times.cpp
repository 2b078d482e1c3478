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

#include "import/formats/file_text.h"
#include "import/trace/import_error.h"
#include "import/ranks_of_run.h"
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
    int p = 0, v = 0, replica = 0, place = 0, rank = 0;
};

std::optional<EventFile> parsedName(const std::filesystem::path& path) {
    const std::string leaf = path.filename().string();
    std::smatch match;
    if (!std::regex_match(leaf, match, eventFileName())) return std::nullopt;
    return EventFile{path,
                     std::stoi(match[1]),
                     std::max(1, std::stoi(match[2])),
                     std::stoi(match[3]),
                     std::stoi(match[4]),
                     std::stoi(match[5])};
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
    simdjson::dom::object parsed;
    const std::string text = wholeJson(file.path, kMostEventBytes);
    if (parser.parse(text).get(parsed) != simdjson::SUCCESS)
        throw ImportError(ofFile(file.path, sentence("it is no JSON object")));
    std::map<std::tuple<bool, int, int>, std::pair<std::optional<double>, std::optional<double>>> times;
    for (const auto each : parsed) {
        const auto key = parsedKey(each.key);
        double ms = 0;
        if (!key || each.value.get(ms) != simdjson::SUCCESS) continue;
        if (!(std::abs(ms) < 1e12))
            throw ImportError(ofFile(file.path, sentence("\"{0}\" is no time", std::string(each.key))));
        auto& of = times[{key->forward, key->chunk, key->microbatch}];
        (key->start ? of.first : of.second) = ms;
    }
    for (const auto& [key, when] : times) {
        const auto& [forward, chunk, microbatch] = key;
        TracedOp& op = rank.ops.emplace_back();
        op.op = forward ? Op::Forward : Op::Backward;
        op.stage = chunk * file.p + file.place;
        op.microbatch = microbatch;
        const std::string name = toText({op.stage, op.op, op.microbatch});
        if (!when.first) throw ImportError(ofFile(file.path, sentence("{0} has no start", name)));
        if (!when.second) throw ImportError(ofFile(file.path, sentence("{0} has no end", name)));
        op.start_ns = std::llround(*when.first * 1e6);
        op.end_ns = std::llround(*when.second * 1e6);
        if (op.end_ns < op.start_ns)
            throw ImportError(ofFile(file.path, sentence("{0} ends before it starts", name)));
    }
    return rank;
}

}  // namespace

bool isEventTimesFile(const std::filesystem::path& file) {
    return parsedName(file).has_value();
}

TracedRun readEventTimes(std::span<const std::filesystem::path> paths, const ReadOptions& options) {
    std::vector<EventFile> files;
    for (const auto& path : paths)
        if (const auto file = parsedName(path)) files.push_back(*file);
    TracedRun run;
    run.source = "Megatron-LM event times";
    run.p = files.front().p;
    run.v = files.front().v;
    std::map<int, std::map<int, int>> groups;  // replica, place in the pipeline, rank
    std::vector<TracedRank> ranks;
    for (const EventFile& file : files) {
        if (file.p != run.p || file.v != run.v)
            throw ImportError(sentence("{0} is of another run than {1}: p and v differ", file.path.string(),
                                       files.front().path.string()));
        ranks.push_back(readEvents(file));
        if (const auto [known, fresh] = groups[file.replica].try_emplace(file.place, file.rank); !fresh)
            throw ImportError(
                sentence("{0} and {1} are both of rank {2}; import the files of one run",
                         std::ranges::find(files, known->second, &EventFile::rank)->path.string(),
                         file.path.string(), file.place));
    }
    Replicas replicas;
    for (const auto& [replica, places] : groups)
        for (auto& group = replicas.emplace_back(); const auto& [place, rank] : places) group.push_back(rank);
    takeReplica(run, std::move(ranks), replicas, options.replica);
    const auto taken = std::next(groups.begin(), run.replicas > 1 ? *options.replica : 0);
    std::vector<int> places;
    for (const auto& [place, rank] : taken->second) places.push_back(place);
    requireRanks(places, run.p, files.front().path);
    return run;
}

}  // namespace bscope
