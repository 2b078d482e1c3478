#include "cli/report/growing_files_json.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "files/shallow_json.h"
#include "files/user_file.h"
#include "files/whole_file.h"

namespace bscope::cli {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostBytes = 16u << 20;

GrowingFile fileOf(const json& content) {
    return {content.at("path"),
            content.at("head"),
            {{content.at("iteration").get<int>(), content.at("line").get<int>(),
              content.at("offset").get<std::uintmax_t>()}}};
}

}  // namespace

std::optional<GrowingFiles> readGrowingFiles(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    try {
        const json content = parsedJson<json>(readUserFile(file, kMostBytes));
        GrowingFiles growing{{}, content.at("base_ns"), content.at("end_ns")};
        for (const json& each : content.at("files")) growing.files.push_back(fileOf(each));
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
    const json content = {
        {"base_ns", growing.base_ns}, {"end_ns", growing.end_ns}, {"files", std::move(files)}};
    writeWholeFile(file, [&content](std::ostream& out) {
        out << content.dump(-1, ' ', false, json::error_handler_t::replace);
    });
}

}  // namespace bscope::cli
