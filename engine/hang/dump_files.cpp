#include "hang/dump_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "files/user_file.h"
#include "hang/flight_table.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

namespace fs = std::filesystem;

// Empty where it cannot be read: who opens it says why.
std::string beginningOf(const std::string& path) {
    constexpr std::size_t kLooked = 4096;
    std::string bytes(kLooked, '\0');
    try {
        UserFile file(path);
        bytes.resize(file.read(bytes.data(), bytes.size()));
    } catch (const FileError&) {
        return {};
    }
    return bytes;
}

// A table names its ranks itself.
bool beginsAsTable(const std::string& path) {
    const bool of_text = path.ends_with(".txt") || path.ends_with(".log") || path.ends_with(".out");
    return of_text && looksLikeFlightTable(beginningOf(path));
}

bool beginsAsDump(const std::string& path) {
    if (beginsAsTable(path)) return true;
    if (rankOfFileName(path) < 0 && !path.ends_with(".json")) return false;
    const std::string bytes = beginningOf(path);
    if (bytes.size() < 2) return false;
    if (looksLikeFlightTable(bytes)) return true;
    if (looksLikeStacks(bytes)) return rankOfFileName(path) >= 0;
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
            (rankOfFileName(file) >= 0 || beginsAsTable(file) ? own : passed_over).push_back(file);
        }
        if (error) throw SentenceError<>(sentence("cannot read {0}: {1}", name, error.message()));
        std::ranges::sort(own, {},
                          [](const std::string& file) { return std::pair(rankOfFileName(file), file); });
        files.insert(files.end(), own.begin(), own.end());
    }
    if (files.empty())
        throw SentenceError<>(
            sentence("{0} holds no dump; legal: files whose names end in their rank, as nccl_trace_rank_3",
                     names.front()));
    std::ranges::sort(passed_over);
    return files;
}

HangFiles readHangFiles(const std::vector<std::string>& files) {
    HangFiles read;
    for (const std::string& file : files) {
        try {
            std::string bytes = readUserFile(file, kMostDumpBytes);
            if (looksLikeStacks(std::string_view(bytes).substr(0, 4096)))
                read.stacks.push_back(readStacks(bytes, file));
            else
                for (FlightDump& each : readFlightDumps(std::move(bytes), file))
                    read.dumps.push_back(std::move(each));
        } catch (const std::exception& error) {
            throw SentenceError<>(sentence("cannot read {0}: {1}", file, sentenceOf(error)));
        }
    }
    return read;
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
