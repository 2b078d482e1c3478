// JSON as it is printed: on one line. Bytes that are no UTF-8, from a user's file, become the sign
// for such, and letters that drive a terminal are escaped.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "words/shown.h"

namespace bscope::cli {

inline std::string jsonText(const nlohmann::ordered_json& json) {
    return shownJson(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

template <class Value>
nlohmann::ordered_json orNull(const std::optional<Value>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace bscope::cli
