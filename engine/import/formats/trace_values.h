// Values of a trace's events, in the forms that profilers write them.
#pragma once

#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bscope {

// Microseconds as a decimal text, exact to the nanosecond. Present times as doubles keep a quarter of a
// microsecond.
inline std::optional<std::int64_t> decimalNanoseconds(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    std::int64_t us = 0, ns = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, us);
    if (error != std::errc() || us < 0 || us >= 4'000'000'000'000'000 || (at != end && *at != '.'))
        return std::nullopt;
    int digits = 0;
    for (const char* digit = at; digit != end && ++digit != end;) {
        if (*digit < '0' || *digit > '9') return std::nullopt;
        if (digits++ < 3) ns = 10 * ns + (*digit - '0');
    }
    for (; digits < 3; ++digits) ns *= 10;
    return negative ? -(us * 1000 + ns) : us * 1000 + ns;
}

// Microseconds as a number or a text.
inline std::optional<std::int64_t> nanoseconds(simdjson::simdjson_result<simdjson::dom::element> field) {
    double us = 0;
    std::string_view text;
    if (field.get(us) != simdjson::SUCCESS)
        return field.get(text) == simdjson::SUCCESS ? decimalNanoseconds(text) : std::nullopt;
    if (!(std::abs(us) < 4e15)) return std::nullopt;
    return std::llround(us * 1000);
}

// Empty: absent, or no text.
inline std::string_view textOf(const simdjson::dom::element& event, const char* key) {
    std::string_view text;
    return event[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

}  // namespace bscope
