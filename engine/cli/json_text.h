// JSON as it is printed: on one line. Bytes that are no UTF-8, from a user's file, become the sign
// for such.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bscope::cli {

inline std::string jsonText(const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace bscope::cli
