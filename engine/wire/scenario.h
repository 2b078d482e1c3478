// Scenario and config files: the JSON form of wire::Scenario and wire::RunConfig, snake_case names. Reading
// is strict: an unknown field or a wrong type is refused in one sentence that names the file and the field.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "config/run_config.h"
#include "wire/bubblescope.pb.h"
#include "wire/error.h"

namespace bscope {

// `name` stands for the text in error sentences. All throw WireError.
wire::RunConfig parseConfigJson(std::string_view json, const std::string& name);
wire::Scenario parseScenarioJson(std::string_view json, const std::string& name);
wire::RunConfig loadConfigFile(const std::filesystem::path& file);
wire::Scenario loadScenarioFile(const std::filesystem::path& file);

// Every field, indented, ends in a newline; parseConfigJson reads it back.
std::string configJson(const RunConfig& config);

// The folder of the scenarios that came with the program: `scenarios` or `share/bubblescope/scenarios` in the
// program's folder or one above it. nullopt when there is none.
std::optional<std::filesystem::path> scenarioFolder(const std::filesystem::path& program_folder);
// The id without its number, "virtual-stages" of "12-virtual-stages": lessons keep it when others come before
// them.
std::string_view withoutNumber(std::string_view id);
// Whether a scenario of that id is meant: by the id, with any number or none, or by its number alone, "12".
bool isNamed(std::string_view id, std::string_view name);

// A scenario by the path of its file, or by its id (the file name without .json, whatever its number) in the
// folder above. Throws WireError naming what exists.
std::filesystem::path findScenario(const std::string& file_or_id,
                                   const std::filesystem::path& program_folder);

}  // namespace bscope
