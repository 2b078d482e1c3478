#include "cli/growing_files_json.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "files/shallow_json.h"
#include "files/user_file.h"
#include "files/whole_file.h"

namespace bscope::cli {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostBytes = 16u << 20;

GrowingFile fileOf(const json& told) {
    return {told.at("path"),
            told.at("head"),
            {{told.at("iteration").get<int>(), told.at("line").get<int>(),
              told.at("offset").get<std::uintmax_t>()}}};
}

}  // namespace

std::optional<GrowingFiles> readGrowingFiles(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    try {
        const json told = parsedJson<json>(readUserFile(file, kMostBytes));
        GrowingFiles growing{{}, told.at("base_ns"), told.at("end_ns")};
        for (const json& each : told.at("files")) growing.files.push_back(fileOf(each));
        return growing.files.empty() ? std::nullopt : std::optional(std::move(growing));
    } catch (const std::exception&) {
        return std::nullopt;  // then everything is read, and the file written anew
    }
}

void writeGrowingFiles(const GrowingFiles& growing, const std::filesystem::path& file) {
    json files = json::array();
    for (const GrowingFile& each : growing.files) {
        const IterationEnd& end = each.ends.front();
        files.push_back({{"path", each.path},
                         {"head", each.head},
                         {"iteration", end.iteration},
                         {"line", end.line},
                         {"offset", end.offset}});
    }
    const json told = {{"base_ns", growing.base_ns}, {"end_ns", growing.end_ns}, {"files", std::move(files)}};
    writeWholeFile(file, [&told](std::ostream& out) {
        out << told.dump(-1, ' ', false, json::error_handler_t::replace);
    });
}

}  // namespace bscope::cli
