#include "import/formats/odd_files.h"

#include "import/formats/sqlite_file.h"
#include "import/trace/import_error.h"

namespace bscope {

namespace {

// A protobuf of packets, each field 1 of the whole: its length, then the first field of a packet, as they
// stand in trace_packet.proto: clocks (6), time (8), sequence (10, 13), an event (11), names (12), a clock
// (58), a track (60).
bool isPerfetto(std::string_view beginning) {
    using namespace std::string_view_literals;
    if (!beginning.starts_with('\n')) return false;
    std::size_t at = 1;
    while (at < beginning.size() && at < 5 && static_cast<unsigned char>(beginning[at]) >= 0x80) ++at;
    if (++at >= beginning.size()) return false;
    const std::string_view packet = beginning.substr(at);
    if (packet.starts_with("\xd0\x03"sv) || packet.starts_with("\xe2\x03"sv)) return true;
    return "\x32\x40\x50\x5a\x62\x68"sv.find(packet.front()) != std::string_view::npos;
}

}  // namespace

std::optional<Sentence> oddFile(std::string_view beginning) {
    using namespace std::string_view_literals;
    constexpr std::size_t tar_magic = 257;
    if (beginning.find_first_not_of(" \t\r\n\0"sv) == std::string_view::npos)
        return sentence("it is empty: its process ended before it wrote its trace");
    if (beginning.starts_with("version https://git-lfs"))
        return sentence("a pointer of Git LFS, not the file itself: fetch it with git lfs pull");
    if (beginning.starts_with("PAR1"))
        return sentence(
            "a Parquet table: export the trace as Chrome JSON (export_chrome_trace) or as SQLite instead");
    if (beginning.size() > tar_magic + 5 && beginning.substr(tar_magic, 5) == "ustar")
        return sentence("a tar archive: unpack it (tar xf) and name the folder");
    if (beginning.starts_with("PK\x03\x04"sv)) return sentence("a zip archive: unpack it and name the folder");
    if (beginning.starts_with("\x28\xb5\x2f\xfd"sv))
        return sentence("compressed with Zstandard: unpack it first (zstd -d)");
    if (beginning.starts_with("\xfd"
                              "7zXZ"sv))
        return sentence("compressed with xz: unpack it first (xz -d)");
    if (isPerfetto(beginning))
        return sentence(
            "a trace in Perfetto's own format: write JSON instead, export_chrome_trace(\"rank0.json\"); of a "
            "run of "
            "Bubblescope give the recording");
    if (beginning.starts_with("BZh")) return sentence("compressed with bzip2: unpack it first (bunzip2)");
    return std::nullopt;
}

#ifdef BUBBLESCOPE_SQLITE

std::optional<Sentence> otherDatabase(const std::filesystem::path& file) {
    try {
        SqliteFile database(file, [] { return true; });
        for (const char* table : {"StepTraceTime", "CommAnalyzerTime", "CommAnalyzerBandwidth",
                                  "ClusterStepTraceTime", "ClusterBaseInfo"})
            if (database.has(table))
                return sentence(
                    "what Ascend's analysis made of its traces, not the traces: name the "
                    "ascend_pytorch_profiler_R.db or trace_view.json of the ranks");
    } catch (const ImportError&) {
        return std::nullopt;  // damaged: its reader says so
    }
    return std::nullopt;
}

#else

std::optional<Sentence> otherDatabase(const std::filesystem::path&) {
    return std::nullopt;
}

#endif

}  // namespace bscope
