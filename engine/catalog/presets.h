// presets: what the frameworks and the literature call the schedules, as other names of catalog rows.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bscope {

struct Preset {
    const char* name;      // "Megatron-LM interleaved"
    const char* schedule;  // catalog name: "interleaved"
};

// Of frameworks, as they write them.
std::span<const Preset> presets();
// Further names: of papers, older classes and short forms, also in Chinese.
std::span<const Preset> aliases();

// Lower case, without spaces, hyphens and the like: what two spellings of one name have in common. Letters of
// other languages stay as they are.
std::string foldedName(std::string_view name);

// The catalog name behind one of either table in any spelling; "" when there is none.
std::string_view scheduleOfPreset(std::string_view name);

}  // namespace bscope
