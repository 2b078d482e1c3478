// Which files belong to which reader, by name and content.
#include <algorithm>
#include <array>
#include <regex>

#include "import/formats/file_text.h"
#include "import/formats/odd_files.h"
#include "import/formats/perfetto_events.h"
#include "import/formats/step_event.h"
#include "import/imported_run.h"
#include "import/trace/import_error.h"

namespace bscope {
namespace {

namespace fs = std::filesystem;

enum class Kind {
    Kineto,
    PrimusConfig,
    PrimusRank,
    OwnTrace,
    EventTimes,
    Probe,
    Nsys,
    AscendTrace,
    AscendDatabase,
    StepTrace,
    Unknown
};

struct KindWords {
    Kind kind;
    const char* as;   // of a file
    const char* run;  // what it belongs to; nullptr: nothing
};
constexpr KindWords kKinds[] = {
    {Kind::Kineto, "trace of PyTorch's profiler", "PyTorch's profiler"},
    {Kind::PrimusConfig, "configuration of a Primus pp_vis run", "Primus"},
    {Kind::PrimusRank, "a rank of a Primus pp_vis run", "Primus"},
    {Kind::OwnTrace, "Chrome trace that Bubblescope exported", "Bubblescope's export"},
    {Kind::EventTimes, "event times of a rank of Megatron-LM", "Megatron-LM's event times"},
    {Kind::Nsys, "database of nsys", "nsys"},
    {Kind::AscendTrace, "trace of Ascend's profiler", "Ascend's profiler"},
    {Kind::AscendDatabase, "database of Ascend's profiler", "Ascend's profiler"},
    {Kind::StepTrace, "trace of numbered forwards and backwards", "a trace of forwards and backwards"},
    {Kind::Probe, "a rank recorded with Bubblescope's probe", "Bubblescope's probe"},
};
const KindWords* wordsOf(Kind kind) {
    const auto found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [kind](const KindWords& each) { return each.kind == kind; });
    return found == std::end(kKinds) ? nullptr : found;
}

struct Found {
    fs::path file;
    Kind kind = Kind::Unknown;
    Sentence why;             // not recognised
    bool like_trace = false;  // not recognised, and a person may take it for one
};

Found recogniseOne(const fs::path& file) {
    static const std::regex primus_rank("pp_rank_[0-9]{1,6}\\.json");
    const std::string name = file.filename().string();
    if (std::regex_match(name, primus_rank)) return {file, Kind::PrimusRank, {}};
    if (isAscendTrace(file)) return {file, Kind::AscendTrace, {}};
    if (isAscendDatabase(file)) return {file, Kind::AscendDatabase, {}};
    if (isEventTimesFile(file)) return {file, Kind::EventTimes, {}};
    std::string text;
    try {
        text = beginningOf(file);
    } catch (const ImportError& error) {
        return {file, Kind::Unknown, error.said};
    }
    if (name == "config.json" && text.find("\"pp_size\"") != std::string::npos)
        return {file, Kind::PrimusConfig, {}};
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (text.compare(0, 15, "SQLite format 3") == 0) {
        if (auto other = otherDatabase(file)) return {file, Kind::Unknown, std::move(*other), true};
        return {file, Kind::Nsys, {}};
    }
    if (text.compare(0, 21, "{\"bubblescope_probe\":") == 0) return {file, Kind::Probe, {}};
    if (text.find("\"program\":\"bubblescope ") != std::string::npos) return {file, Kind::OwnTrace, {}};
    const bool json = first != std::string::npos && (text[first] == '{' || text[first] == '[');
    if (json && looksLikeSteps(text)) return {file, Kind::StepTrace, {}};
    // A list is a trace by its events; metrics and logs are lists, too.
    const bool events = text[json ? first : 0] == '[' ? text.find("\"ph\"") != std::string::npos
                                                      : text.find("\"traceEvents\"") != std::string::npos;
    if (json && events) return {file, Kind::Kineto, {}};
    switch (perfettoKind(text)) {
        case PerfettoKind::Profiler:
            return {file, Kind::Kineto, {}};
        case PerfettoKind::Own:
            return {file, Kind::Unknown,
                    sentence("a Perfetto trace that Bubblescope exported, which does not say all: open the "
                             "recording, or import its Chrome trace"),
                    true};
        case PerfettoKind::None:
            break;
    }
    if (auto odd = oddFile(text)) return {file, Kind::Unknown, std::move(*odd), true};
    return {file, Kind::Unknown, json ? sentence("a JSON file that is no trace") : sentence("no trace"), json};
}

std::vector<Found> find(std::span<const fs::path> paths) {
    constexpr std::size_t most = 100'000;
    std::vector<Found> found;
    for (const fs::path& path : paths) {
        std::error_code error;
        if (!fs::exists(path, error)) throw ImportError(sentence("{0} does not exist", path.string()));
        if (!fs::is_directory(path, error)) {
            found.push_back(recogniseOne(path));
            continue;
        }
        for (auto each =
                 fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error);
             each != fs::recursive_directory_iterator(); each.increment(error)) {
            if (error) break;
            if (!each->is_regular_file(error)) continue;
            if (found.size() == most)
                throw ImportError(sentence("{0} holds more than {1} files; name the folder of one run",
                                           path.string(), most));
            found.push_back(recogniseOne(each->path()));
        }
    }
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.file < b.file; });
    return found;
}

std::vector<fs::path> ofKind(const std::vector<Found>& found, Kind kind) {
    std::vector<fs::path> files;
    for (const Found& each : found)
        if (each.kind == kind) files.push_back(each.file);
    return files;
}

// Files that may be taken for traces and are none, by name.
std::vector<Sentence> leftOut(const std::vector<Found>& found) {
    constexpr std::size_t most = 5;
    std::vector<Sentence> all;
    std::size_t count = 0;
    for (const Found& each : found)
        if (each.kind == Kind::Unknown && each.like_trace && ++count <= most)
            all.push_back(ofFile(each.file, each.why));
    if (count > most) all.push_back(sentence("{0} more", count - most));
    return all;
}

TracedRun readFound(const std::vector<Found>& found, const ReadOptions& options) {
    const Found* first = nullptr;
    for (const Found& each : found) {
        const KindWords* words = wordsOf(each.kind);
        if (words == nullptr) continue;
        if (first == nullptr) {
            first = &each;
            continue;
        }
        const KindWords& other = *wordsOf(first->kind);
        if (std::string_view(other.run) != words->run)
            throw ImportError(sentence("{0} is of {1} and {2} of {3}: name the files of one run",
                                       first->file.string(), Sentence{other.run, {}}, each.file.string(),
                                       Sentence{words->run, {}}));
    }
    if (first == nullptr) {
        std::vector<Sentence> odd = leftOut(found);
        const Sentence why = found.size() == 1 ? ofFile(found.front().file, found.front().why)
                             : odd.empty()     ? sentence("nothing here can be imported")
                                               : sentence("nothing here can be imported: {0}", inARow(odd));
        throw ImportError(sentence(
            "{0}. What can be imported: traces of PyTorch's profiler (one a rank, .json, .json.gz or "
            ".pftrace), "
            "files of Bubblescope's probe, databases of nsys (nsys export --type sqlite), folders of Primus "
            "pp_vis "
            "(config.json, pp_rank_R.json), "
            "trace_view.json and ascend_pytorch_profiler_R.db of Ascend's profiler, "
            "event_times_PP...json of Megatron-LM, traces of MegatronApp and of the straggler analysis, "
            "Chrome traces that Bubblescope exported",
            why));
    }
    const auto files = ofKind(found, first->kind);
    switch (first->kind) {
        case Kind::Kineto:
            return readKineto(files, options);
        case Kind::Probe:
            return readProbe(files, options);
        case Kind::Nsys:
            return readNsys(files, options);
        case Kind::AscendTrace:
        case Kind::AscendDatabase: {
            // A rank may have both; the table has what the analysis made of it.
            const auto databases = ofKind(found, Kind::AscendDatabase);
            return databases.empty() ? readAscendTraces(files, options)
                                     : readAscendDatabases(databases, options);
        }
        case Kind::EventTimes:
            return readEventTimes(files, options);
        case Kind::StepTrace:
            return readStepTraces(files, options);
        case Kind::OwnTrace:
            if (files.size() > 1)
                throw ImportError(
                    sentence("{0} and {1} are of two runs: name one", files[0].string(), files[1].string()));
            return readOwnTrace(files.front(), options);
        default:
            break;
    }
    const auto configs = ofKind(found, Kind::PrimusConfig), ranks = ofKind(found, Kind::PrimusRank);
    if (ranks.empty())
        throw ImportError(
            sentence("{0} needs the pp_rank_R.json of every rank beside it", configs.front().string()));
    if (configs.empty())
        throw ImportError(sentence("{0} needs its config.json beside it", ranks.front().string()));
    if (configs.size() > 1)
        throw ImportError(sentence("{0} and {1} are of two runs: name the folder of one", configs[0].string(),
                                   configs[1].string()));
    return readPrimus(configs.front(), ranks);
}

}  // namespace

std::vector<RecognisedFile> recogniseFiles(std::span<const fs::path> paths) {
    std::vector<RecognisedFile> files;
    for (const Found& each : find(paths)) {
        const KindWords* words = wordsOf(each.kind);
        files.push_back({each.file.string(),
                         words ? Sentence{words->as, {}} : sentence("not recognised: {0}", each.why)});
    }
    return files;
}

TracedRun readTracedRun(std::span<const fs::path> paths, const ReadOptions& options) {
    const std::vector<Found> found = find(paths);
    TracedRun run = readFound(found, options);
    run.left_out = leftOut(found);
    if (!run.left_out.empty()) run.notes.push_back(sentence("left out: {0}", inARow(run.left_out)));
    if (options.replica && *options.replica >= run.replicas)
        throw ImportError(
            sentence("there is no replica {0}: the files are of one pipeline, replica 0", *options.replica));
    return run;
}

}  // namespace bscope
