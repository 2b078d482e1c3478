// A configuration in which the field of one row has another value than in `config`; legal where `config` is,
// as far as the row alone decides.
#pragma once

#include <type_traits>
#include <variant>

#include "config/config_table.h"

namespace bscope {

inline RunConfig changedIn(const ConfigRow& row, RunConfig config) {
    std::visit(
        [&](const auto& place) {
            using Kind = std::decay_t<decltype(place)>;
            if constexpr (std::is_same_v<Kind, WordPlace>)
                place.set(config, (place.of(config) + 1) % place.words.size());
            else if constexpr (std::is_same_v<Kind, Place<bool>>)
                place.in(config) = !place.of(config);
            else if constexpr (std::is_same_v<Kind, Place<std::string>>)
                place.in(config) = place.of(config) == "gpipe" ? "1f1b" : "gpipe";
            else if constexpr (std::is_same_v<Kind, Place<std::vector<int>>>)
                place.in(config) = {3, 2, 2, 1};
            else if constexpr (std::is_same_v<Kind, Place<SlowRanks>>)
                place.in(config) = {{2, 1.5}, {0, 3}};
            else
                place.in(config) += 8;
        },
        row.place);
    return config;
}

}  // namespace bscope
