// Which files belong to which reader, by name and content.
#include <algorithm>
#include <array>
#include <regex>

#include "import/file_text.h"
#include "import/import_error.h"
#include "import/imported_run.h"

namespace bscope {
namespace {

namespace fs = std::filesystem;

enum class Kind { Kineto, PrimusConfig, PrimusRank, Unknown };

struct Found {
    fs::path file;
    Kind kind = Kind::Unknown;
    std::string why;  // not recognised
};

// The first 64 KiB, decompressed.
std::string beginning(const fs::path& file) {
    FileText text(file);
    std::string piece(1 << 16, '\0');
    std::size_t count = 0;
    while (count < piece.size()) {
        const std::size_t got = text.read(std::span(piece).subspan(count));
        if (got == 0) break;
        count += got;
    }
    piece.resize(count);
    return piece;
}

Found recogniseOne(const fs::path& file) {
    static const std::regex primus_rank("pp_rank_[0-9]{1,6}\\.json");
    const std::string name = file.filename().string();
    if (std::regex_match(name, primus_rank)) return {file, Kind::PrimusRank, {}};
    std::string text;
    try {
        text = beginning(file);
    } catch (const ImportError& error) {
        return {file, Kind::Unknown, error.what()};
    }
    if (name == "config.json" && text.find("\"pp_size\"") != std::string::npos)
        return {file, Kind::PrimusConfig, {}};
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool json = first != std::string::npos && (text[first] == '{' || text[first] == '[');
    if (json && (text.find("\"traceEvents\"") != std::string::npos || text[first] == '['))
        return {file, Kind::Kineto, {}};
    return {file, Kind::Unknown, json ? "a JSON file that is no trace" : "no trace"};
}

std::vector<Found> find(std::span<const fs::path> paths) {
    constexpr std::size_t most = 100'000;
    std::vector<Found> found;
    for (const fs::path& path : paths) {
        std::error_code error;
        if (!fs::exists(path, error)) throw ImportError(path.string() + " does not exist");
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
                throw ImportError(path.string() + " holds more than " + std::to_string(most) +
                                  " files; name the folder of one run");
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

}  // namespace

std::vector<RecognisedFile> recogniseFiles(std::span<const fs::path> paths) {
    std::vector<RecognisedFile> files;
    for (const Found& each : find(paths)) {
        const char* as = each.kind == Kind::Kineto         ? "trace of PyTorch's profiler"
                         : each.kind == Kind::PrimusConfig ? "configuration of a Primus pp_vis run"
                         : each.kind == Kind::PrimusRank   ? "a rank of a Primus pp_vis run"
                                                           : "";
        files.push_back(
            {each.file.string(), each.kind == Kind::Unknown ? "not recognised: " + each.why : as});
    }
    return files;
}

TracedRun readTracedRun(std::span<const fs::path> paths, const ImportProgress& progress) {
    const std::vector<Found> found = find(paths);
    const auto configs = ofKind(found, Kind::PrimusConfig), ranks = ofKind(found, Kind::PrimusRank),
               kineto = ofKind(found, Kind::Kineto);
    if (!ranks.empty() && !kineto.empty())
        throw ImportError(ranks.front().string() + " is of Primus and " + kineto.front().string() +
                          " of PyTorch's profiler: name the files of one run");
    if (!ranks.empty()) {
        if (configs.empty()) throw ImportError(ranks.front().string() + " needs its config.json beside it");
        if (configs.size() > 1)
            throw ImportError(configs[0].string() + " and " + configs[1].string() +
                              " are of two runs: name the folder of one");
        return readPrimus(configs.front(), ranks);
    }
    if (!kineto.empty()) return readKineto(kineto, progress);
    std::string sentence = "nothing here can be imported";
    if (found.size() == 1) sentence = found.front().file.string() + ": " + found.front().why;
    throw ImportError(sentence +
                      ". What can be: traces of PyTorch's profiler (one a rank, .json or .json.gz), folders "
                      "of Primus pp_vis (config.json, pp_rank_R.json)");
}

}  // namespace bscope
