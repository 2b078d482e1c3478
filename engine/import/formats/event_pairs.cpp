#include "import/formats/event_pairs.h"

#include <algorithm>

#include "import/formats/trace_values.h"

namespace bscope {
namespace {

using simdjson::dom::element;

// 'B', 'E', or something else, without parsing: most events of a trace are whole.
char phaseOf(std::string_view object) {
    constexpr std::string_view key = "\"ph\"";
    const std::size_t at = object.find(key);
    if (at == std::string_view::npos) return 0;
    const std::size_t value = object.find_first_not_of(" \t\r\n:", at + key.size());
    if (value == std::string_view::npos || value + 2 >= object.size() || object[value] != '"' ||
        object[value + 2] != '"')
        return 0;
    return object[value + 1];
}

// As the file writes them: numbers or texts.
std::pair<std::string, std::string> threadOf(const element& event) {
    const auto text = [&event](const char* key) {
        element value;
        return event[key].get(value) == simdjson::SUCCESS ? std::string(simdjson::minify(value))
                                                          : std::string();
    };
    return {text("pid"), text("tid")};
}

bool isPlain(std::string_view key) {
    return std::ranges::all_of(key, [](char letter) { return letter >= ' ' && letter != '"' && letter != '\\'; });
}

void addMembers(std::string& text, const element& event, bool arguments) {
    simdjson::dom::object members;
    if ((arguments ? event["args"].get(members) : event.get(members)) != simdjson::SUCCESS) return;
    for (const auto& each : members) {
        const bool replaced = each.key == "ph" || each.key == "ts" || each.key == "dur" || each.key == "args";
        if ((!arguments && replaced) || !isPlain(each.key)) continue;
        if (text.back() != '{') text += ',';
        text += '"' + std::string(each.key) + "\":" + simdjson::minify(each.value);
    }
}

std::string microseconds(std::int64_t ns) {
    const std::int64_t size = ns < 0 ? -ns : ns;
    std::string rest = std::to_string(size % 1000);
    rest.insert(0, 3 - rest.size(), '0');
    return (ns < 0 ? "-" : "") + std::to_string(size / 1000) + '.' + rest;
}

}  // namespace

void EventPairs::event(std::string_view object) {
    const char phase = phaseOf(object);
    if (phase != 'B' && phase != 'E') return take_(object);
    element event;
    if (parser_.parse(object.data(), object.size(), false).get(event) != simdjson::SUCCESS) return;
    if (phase == 'E') return end(event);
    constexpr std::size_t deepest = 4096;  // of a file that never ends what it begins
    auto& open = open_[threadOf(event)];
    if (open.size() >= deepest) open.erase(open.begin());
    open.push_back({std::string(textOf(event, "name")), std::string(object)});
}

void EventPairs::end(const element& event) {
    const auto of_thread = open_.find(threadOf(event));
    if (of_thread == open_.end() || of_thread->second.empty()) return;
    auto& open = of_thread->second;
    const std::string_view name = textOf(event, "name");
    auto begin = std::prev(open.end());
    if (!name.empty()) {
        const auto named = std::find_if(open.rbegin(), open.rend(),
                                        [name](const Open& each) { return each.name == name; });
        if (named == open.rend()) return;
        begin = std::prev(named.base());
    }
    const Open opened = std::move(*begin);
    open.erase(begin);
    element first;
    if (begin_parser_.parse(opened.object).get(first) != simdjson::SUCCESS) return;
    const auto start_ns = nanoseconds(first["ts"]), end_ns = nanoseconds(event["ts"]);
    if (!start_ns || !end_ns || *end_ns < *start_ns) return;
    std::string text = "{";
    addMembers(text, first, false);
    text += std::string(text.back() == '{' ? "" : ",") + "\"ph\":\"X\",\"ts\":" + microseconds(*start_ns) +
            ",\"dur\":" + microseconds(*end_ns - *start_ns) + ",\"args\":";
    std::string arguments = "{";
    // Of a key that both have the first one counts.
    addMembers(arguments, event, true);
    addMembers(arguments, first, true);
    text += arguments + "}}";
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    take_(text);
}

}  // namespace bscope
