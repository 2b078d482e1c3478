// What is written of a timeline can be parsed.
#pragma once

#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>

#include "export/chrome_trace.h"
#include "export/csv_export.h"
#include "schedule/formats/text_cells.h"
#include "support/target.h"

namespace bscope::fuzz {

// JSON whose times are numbers and whose durations are not negative; every kernel is in it.
inline void checkChrome(const Timeline& timeline, const std::vector<KernelEvent>& kernels) {
    std::ostringstream out;
    writeChromeTrace(out, timeline, kernels);
    const auto json = nlohmann::json::parse(out.str(), nullptr, false);
    require(json.is_object() && json["traceEvents"].is_array(), "the Chrome trace is no JSON",
            [&] { return out.str(); });
    std::size_t kernel_slices = 0;
    for (const auto& event : json["traceEvents"]) {
        require(event.contains("ph") && event["ph"].is_string(), "an event without a phase");
        const std::string phase = event["ph"];
        if (phase == "M") continue;
        const auto text = [&event] { return event.dump(); };
        require(event.contains("ts") && event["ts"].is_number(), "an event without a time", text);
        if (phase != "X") continue;
        require(event.contains("dur") && event["dur"].is_number() && event["dur"] >= 0,
                "a slice without a length", text);
        kernel_slices += event["args"].contains("of");
    }
    require(kernel_slices == kernels.size(), "not every kernel is in the Chrome trace");
}

inline bool isInteger(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

// A row an event, as many columns as its head line, and numbers where numbers belong.
inline void checkCsv(const Timeline& timeline) {
    std::ostringstream out;
    writeEventsCsv(out, timeline);
    const std::string text = out.str();
    require(!text.empty() && text.back() == '\n', "the CSV does not end with a line");
    const std::vector<std::string_view> lines =
        splitText(std::string_view(text).substr(0, text.size() - 1), '\n');
    const std::vector<std::string_view> head = splitText(lines.front(), ',');
    std::size_t events = 0;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        events += timeline.compute(rank).size() + timeline.receives(rank).size();
    require(lines.size() == events + 1, "the CSV has not one row per event");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string_view> cells = splitText(lines[i], ',');
        require(cells.size() == head.size(), "columns are missing",
                [&] { return std::string(lines[i]); });
        for (std::size_t column = 0; column < cells.size(); ++column) {
            if (head[column] == "provenance" || head[column] == "op") continue;
            const bool may_be_empty = head[column] == "transfer_ns" || head[column] == "weight_version" ||
                                      head[column] == "staleness" || head[column] == "segment";
            require(isInteger(cells[column]) || (may_be_empty && cells[column].empty()),
                    "a column is no number",
                    [&] { return std::string(head[column]) + " of " + std::string(lines[i]); });
        }
    }
}

}  // namespace bscope::fuzz
