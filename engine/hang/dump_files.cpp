#include "hang/dump_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "files/user_file.h"
#include "words/said.h"

namespace bscope {

namespace {

namespace fs = std::filesystem;

bool beginsAsDump(const std::string& path) {
    constexpr std::size_t kLooked = 4096;
    if (rankOfFileName(path) < 0 && !path.ends_with(".json")) return false;
    std::string bytes(kLooked, '\0');
    try {
        UserFile file(path);
        bytes.resize(file.read(bytes.data(), bytes.size()));
    } catch (const FileError&) {
        return false;  // whoever opens it says why
    }
    if (bytes.size() < 2) return false;
    if (bytes[0] == '\x80') return bytes[1] >= 2 && bytes[1] <= 5 && rankOfFileName(path) >= 0;
    const auto says = [&bytes](const char* word) { return bytes.find(word) != std::string::npos; };
    if (says("\"record_id\"") || says("\"collective_seq_id\"")) return true;
    // Traces of PyTorch's profiler describe process groups, too.
    return says("\"pg_config\"") && !says("\"distributedInfo\"") && !says("\"schemaVersion\"") &&
           !says("\"traceEvents\"");
}

}  // namespace

std::vector<std::string> dumpFilesOf(const std::vector<std::string>& names,
                                     std::vector<std::string>& passed_over) {
    std::vector<std::string> files;
    for (const std::string& name : names) {
        std::error_code error;
        if (!fs::is_directory(name, error)) {
            files.push_back(name);
            continue;
        }
        std::vector<std::string> own;
        for (fs::directory_iterator each(name, error), end; !error && each != end; each.increment(error)) {
            std::error_code ignored;  // what is no file is no dump
            if (!each->is_regular_file(ignored)) continue;
            const std::string file = each->path().string();
            (rankOfFileName(file) >= 0 ? own : passed_over).push_back(file);
        }
        if (error) throw SaidError<>(sentence("cannot read {0}: {1}", name, error.message()));
        std::ranges::sort(own, {},
                          [](const std::string& file) { return std::pair(rankOfFileName(file), file); });
        files.insert(files.end(), own.begin(), own.end());
    }
    if (files.empty())
        throw SaidError<>(
            sentence("{0} holds no dump; legal: files whose names end in their rank, as nccl_trace_rank_3",
                     names.front()));
    std::ranges::sort(passed_over);
    return files;
}

std::vector<FlightDump> readDumpFiles(const std::vector<std::string>& files) {
    std::vector<FlightDump> dumps;
    for (const std::string& file : files) {
        try {
            for (FlightDump& each : readFlightDumps(readUserFile(file, kMostDumpBytes), file))
                dumps.push_back(std::move(each));
        } catch (const std::exception& error) {
            throw SaidError<>(sentence("cannot read {0}: {1}", file, sentenceOf(error)));
        }
    }
    return dumps;
}

bool looksLikeFlightDumps(const std::string& path) {
    constexpr int kLooked = 64;
    std::error_code error;
    if (!fs::is_directory(path, error)) return beginsAsDump(path);
    int looked = 0;
    for (fs::directory_iterator each(path, error), end; !error && each != end && looked < kLooked;
         each.increment(error), ++looked)
        if (beginsAsDump(each->path().string())) return true;
    return false;
}

}  // namespace bscope
