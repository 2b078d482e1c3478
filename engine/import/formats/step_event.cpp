// Facts of the formats: OpenSQZ/MegatronApp, scripts/aggregate.py and its `benchmark-data-...` files;
// ByteDance-Seed/StragglerAnalysis, analyzer/to_timeline.py. Times of Chrome traces are microseconds.
#include "import/formats/step_event.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>
#include <string>

#include "import/formats/trace_values.h"
#include "import/trace/traced_run.h"

namespace bscope {
namespace {

using simdjson::dom::element;

struct NamedOp {
    std::string_view name;
    Op op;
};
constexpr NamedOp kNames[] = {
    {"forward", Op::Forward},
    {"forward-compute", Op::Forward},
    {"forward-warmup", Op::Forward},
    {"backward", Op::Backward},
    {"backward-compute", Op::Backward},
    {"backward-cooldown", Op::Backward},
    {"backward-wgrad-compute", Op::BackwardWeight},
    {"optimizer", Op::OptimizerStep},
};

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// Whether the text has the key with this value, however JSON spaces them.
bool hasName(std::string_view text, std::string_view value) {
    for (std::size_t at = text.find(value); at != std::string_view::npos; at = text.find(value, at + 1)) {
        const std::size_t end = at + value.size();
        if (at == 0 || text[at - 1] != '"' || end >= text.size() || text[end] != '"') continue;
        std::size_t before = text.find_last_not_of(" :\t", at - 2);
        if (at < 2 || before == std::string_view::npos) continue;
        constexpr std::string_view key = "\"name\"";
        if (before + 1 >= key.size() && text.substr(before + 1 - key.size(), key.size()) == key) return true;
    }
    return false;
}

int numberOf(const std::csub_match& match) {
    int number = -1;
    if (match.matched) std::from_chars(match.first, match.second, number);
    return number;
}

std::int64_t integerOf(const element& event, const char* key) {
    std::int64_t number = 0;
    return event[key].get(number) == simdjson::SUCCESS ? number : 0;
}

// A time in nanoseconds as a whole number. What ends when another thing begins has ended by then, however
// both were rounded: beginnings go up, ends go down, and what is a whole number but for its last bits stays.
std::int64_t wholeNs(double ns, double (*direction)(double)) {
    constexpr double last_bits = 1e-3;
    const double nearest = std::round(ns);
    return static_cast<std::int64_t>(std::abs(ns - nearest) < last_bits ? nearest : direction(ns));
}
double up(double ns) {
    return std::ceil(ns);
}
double down(double ns) {
    return std::floor(ns);
}

bool isFar(std::int64_t time_ns) {
    return time_ns <= -kFarthest_ns || time_ns >= kFarthest_ns;
}

}  // namespace

bool looksLikeSteps(std::string_view beginning) {
    if (contains(beginning, "\"schemaVersion\"") || contains(beginning, "\"deviceProperties\"")) return false;
    if (contains(beginning, "\"rel_ts\"") && contains(beginning, "\"iteration\"")) return true;
    if (contains(beginning, "\"PP rank ")) return true;
    for (const NamedOp& each : kNames)
        if (isCompute(each.op) && hasName(beginning, each.name))
            return contains(beginning, "\"args\"") &&
                   (contains(beginning, "\"iteration\"") || contains(beginning, "\"step\"") ||
                    contains(beginning, "\"microbatch\"") || contains(beginning, "\"mb_id\""));
    return false;
}

std::optional<Op> opOfStep(std::string_view name) {
    for (const NamedOp& each : kNames)
        if (each.name == name) return each.op;
    return std::nullopt;
}

std::optional<int> stepNumber(const element& event, std::initializer_list<const char*> names) {
    element holder;
    if (event["args"].get(holder) != simdjson::SUCCESS || !holder.is_object()) holder = event;
    for (const char* name : names) {
        std::int64_t number = 0;
        if (holder[name].get(number) == simdjson::SUCCESS && number >= 0 && number < (1 << 30))
            return static_cast<int>(number);
    }
    return std::nullopt;
}

std::optional<StepEvent> stepEvent(const element& event) {
    StepEvent out;
    const auto op = opOfStep(textOf(event, "name"));
    if (!op) return std::nullopt;
    out.op = *op;
    const std::string_view phase = textOf(event, "ph");
    if (phase == "B")
        out.phase = StepEvent::Phase::Begin;
    else if (phase == "E")
        out.phase = StepEvent::Phase::End;
    else if (phase != "X")
        return std::nullopt;
    constexpr double farthest_us = static_cast<double>(kFarthest_ns) / 1e3;
    double start_us = 0, length_us = 0;
    if (event["ts"].get(start_us) == simdjson::SUCCESS) {
        if (out.phase == StepEvent::Phase::Whole && event["dur"].get(length_us) != simdjson::SUCCESS)
            return std::nullopt;
        const double end_us = start_us + length_us;
        if (!(length_us >= 0) || !(std::abs(start_us) < farthest_us) || !(std::abs(end_us) < farthest_us))
            return std::nullopt;
        out.start_ns = wholeNs(start_us * 1e3, up);
        out.end_ns = std::max(out.start_ns, wholeNs(end_us * 1e3, down));
    } else {
        // Of a rank's own file: whole nanoseconds since the iteration began.
        std::int64_t since_ns = 0;
        if (event["rel_ts"].get(since_ns) != simdjson::SUCCESS || isFar(since_ns)) return std::nullopt;
        out.start_ns = out.end_ns = since_ns;
    }
    out.process = integerOf(event, "pid");
    out.thread = integerOf(event, "tid");
    out.iteration = stepNumber(event, {"iteration", "step"}).value_or(-1);
    out.microbatch = stepNumber(event, {"microbatch", "mb_id", "micro_batch"}).value_or(-1);
    out.chunk = stepNumber(event, {"model_chunk", "mc", "chunk"}).value_or(-1);
    const auto rank = [&event](std::initializer_list<const char*> names) {
        constexpr int most = 1 << 20;
        const int number = stepNumber(event, names).value_or(-1);
        return number < most ? number : -1;
    };
    out.place = {rank({"dp_rank", "dp_rk"}), rank({"pp_rank", "pp_rk"}), rank({"tp_rank", "tp_rk"})};
    return out;
}

StepPlace placeInName(std::string_view name) {
    const auto number = [name](const std::regex& pattern) {
        std::cmatch match;
        return std::regex_search(name.data(), name.data() + name.size(), match, pattern) ? numberOf(match[1])
                                                                                         : -1;
    };
    static const std::regex file("^benchmark-data-([0-9]{1,6})-pipeline-([0-9]{1,6})-tensor-([0-9]{1,6})");
    static const std::regex data("\\bDP(?: rank)? ?\\[?([0-9]{1,6})");
    static const std::regex pipeline("\\bPP(?: rank)? ?\\[?([0-9]{1,6})");
    static const std::regex tensor("\\bTP(?: rank)? ?\\[?([0-9]{1,6})");
    constexpr std::size_t longest = 200;
    if (name.size() > longest) return {};
    std::cmatch match;
    if (std::regex_search(name.data(), name.data() + name.size(), match, file))
        return {numberOf(match[1]), numberOf(match[2]), numberOf(match[3])};
    return {number(data), number(pipeline), number(tensor)};
}

}  // namespace bscope
