// presets: what the frameworks call their schedules, as other names of catalog rows.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bscope {

struct Preset {
    const char* name;      // "Megatron-LM interleaved"
    const char* schedule;  // catalog name: "interleaved"
};

std::span<const Preset> presets();

// Lower case, letters and digits only: what two spellings of one name have in common.
std::string foldedName(std::string_view name);

// The catalog name behind a framework's name in any spelling; "" when there is none.
std::string_view scheduleOfPreset(std::string_view name);

}  // namespace bscope
