// Scenario and config files; see scenario.h.
#include "wire/scenario.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <vector>

#include "files/shallow_json.h"
#include "files/user_file.h"
#include "wire/convert.h"

namespace bscope {
namespace {

std::string readFile(const std::filesystem::path& file) {
    try {
        return readUserFile(file, kMaxConfigFileBytes);
    } catch (const FileError& error) {
        throw WireError(sentence("cannot read {0}: {1}", file.string(), sentenceOf(error)));
    }
}

template <class Message>
Message parseJson(std::string_view json, const std::string& name) {
    if (isTooDeepJson(json)) throw WireError(sentence("{0} is not legal: {1}", name, JsonTooDeep().said));
    Message message;
    const auto status = google::protobuf::util::JsonStringToMessage({json.data(), json.size()}, &message);
    if (!status.ok()) {
        const std::string text =
            status.message().ToString();  // a syntax error draws its place on further lines
        throw WireError(sentence("{0} is not legal: {1}", name, text.substr(0, text.find('\n'))));
    }
    return message;
}

}  // namespace

wire::RunConfig parseConfigJson(std::string_view json, const std::string& name) {
    return parseJson<wire::RunConfig>(json, name);
}

wire::Scenario parseScenarioJson(std::string_view json, const std::string& name) {
    return parseJson<wire::Scenario>(json, name);
}

wire::RunConfig loadConfigFile(const std::filesystem::path& file) {
    return parseConfigJson(readFile(file), file.string());
}

wire::Scenario loadScenarioFile(const std::filesystem::path& file) {
    auto scenario = parseScenarioJson(readFile(file), file.string());
    if (scenario.id().empty()) scenario.set_id(file.stem().string());
    return scenario;
}

std::string configJson(const RunConfig& config) {
    google::protobuf::util::JsonPrintOptions options;
    options.add_whitespace = true;
    options.preserve_proto_field_names = true;
    std::string json;
    if (const auto status = google::protobuf::util::MessageToJsonString(toWire(config), &json, options);
        !status.ok())
        throw WireError(sentence("the configuration has no JSON form: {0}", status.message().ToString()));
    return json;
}

std::optional<std::filesystem::path> scenarioFolder(const std::filesystem::path& program_folder) {
    for (auto folder = std::filesystem::absolute(program_folder);; folder = folder.parent_path()) {
        for (const char* name : {"scenarios", "share/bubblescope/scenarios"})
            if (std::filesystem::is_directory(folder / name)) return folder / name;
        if (folder == folder.root_path()) return std::nullopt;
    }
}

std::string_view withoutNumber(std::string_view id) {
    const std::size_t dash = id.find_first_not_of("0123456789");
    return dash != 0 && dash != std::string_view::npos && id[dash] == '-' ? id.substr(dash + 1) : id;
}

bool isNamed(std::string_view id, std::string_view name) {
    const bool is_number = !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
    if (is_number) return id.size() > name.size() && id.starts_with(name) && id[name.size()] == '-';
    return withoutNumber(id) == withoutNumber(name);
}

std::filesystem::path findScenario(const std::string& file_or_id,
                                   const std::filesystem::path& program_folder) {
    if (std::filesystem::is_regular_file(file_or_id)) return file_or_id;
    const auto folder = scenarioFolder(program_folder);
    if (folder && std::filesystem::is_regular_file(*folder / (file_or_id + ".json")))
        return *folder / (file_or_id + ".json");
    std::vector<std::string> ids;
    if (folder)
        for (const auto& entry : std::filesystem::directory_iterator(*folder))
            if (entry.path().extension() == ".json") ids.push_back(entry.path().stem().string());
    std::sort(ids.begin(), ids.end());
    for (const auto& id : ids)
        if (isNamed(id, file_or_id)) return *folder / (id + ".json");
    std::string known;
    for (const auto& id : ids) known += (known.empty() ? "" : ", ") + id;
    throw WireError(sentence(
        "no scenario {0}: it is neither a file nor one of: {1}", file_or_id,
        known.empty() ? Argument(sentence("(no scenarios folder near the program)")) : Argument(known)));
}

}  // namespace bscope
