#include "run/config_file.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>

#include "config/config_table.h"
#include "files/whole_file.h"

namespace bscope {

namespace {

// As proto JSON has them.
nlohmann::ordered_json jsonOf(const ConfigRow& row, const RunConfig& config) {
    return std::visit(
        [&config](const auto& place) -> nlohmann::ordered_json {
            using Kind = std::decay_t<decltype(place)>;
            if constexpr (std::is_same_v<Kind, WordPlace>) {
                return place.words[place.of(config)];
            } else if constexpr (std::is_same_v<Kind, Place<std::uint64_t>>) {
                return std::to_string(place.of(config));  // 64-bit numbers are strings
            } else if constexpr (std::is_same_v<Kind, Place<SlowRanks>>) {
                auto list = nlohmann::ordered_json::array();
                for (const auto& [rank, factor] : place.of(config))
                    list.push_back({{"rank", rank}, {"factor", factor}});
                return list;
            } else {
                return place.of(config);
            }
        },
        row.place);
}

}  // namespace

void writeConfig(const std::filesystem::path& file, const RunConfig& config) {
    nlohmann::ordered_json json;
    for (const ConfigRow& row : configTable())
        (*row.group == '\0' ? json : json[row.group])[row.name] = jsonOf(row, config);
    try {
        writeWholeFile(file, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(file.string() + " cannot be written: " + error.what());
    }
}

}  // namespace bscope
