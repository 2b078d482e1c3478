#include "cli/input/saved_costs.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "analysis/layer_costs.h"
#include "cli/input/output_files.h"
#include "cli/input/recorded_run.h"
#include "cli/print/json_text.h"
#include "files/shallow_json.h"
#include "files/user_file.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

using nlohmann::ordered_json;

constexpr double kMost_ms = 1e9;  // twelve days

struct Field {
    const char* key;
    double StageCosts::*duration;
};
constexpr Field kFields[] = {{"F_ms", &StageCosts::forward_ns},
                             {"B_ms", &StageCosts::backward_ns},
                             {"I_ms", &StageCosts::input_ns},
                             {"W_ms", &StageCosts::weight_ns},
                             {"R_ms", &StageCosts::recompute_ns}};

// Reads one file and collects all that is wrong with it.
class CostsFile {
public:
    explicit CostsFile(const std::string& file) { saved_.file = file; }

    SavedCosts read(const ordered_json& parsed) {
        const auto version = parsed.is_object() ? parsed.find("bubblescope_costs") : parsed.end();
        if (version == parsed.end() || *version != 1)
            throw SentenceError<>(
                sentence("{0} is no file of costs: \"bubblescope_costs\" is not 1. bscope import "
                         "--save-costs writes one",
                         saved_.file));
        saved_.p = whole(parsed, "p", kMaxRanks);
        saved_.v = whole(parsed, "v", kMaxChunks);
        saved_.m = whole(parsed, "m", kMaxMicrobatches);
        if (parsed.contains("t")) saved_.t = whole(parsed, "t", kMaxRanks);
        saved_.source = text(parsed, "source");
        saved_.provenance = text(parsed, "provenance");
        if (parsed.contains("schedule") && !parsed["schedule"].is_null())
            saved_.schedule = text(parsed, "schedule");
        saved_.costs.optimizer_ns = duration(parsed, "optimizer_ms", "optimizer_ms");
        saved_.costs.handover_ns = duration(parsed, "handover_ms", "handover_ms");
        saved_.costs.link.latency_us = duration(parsed, "message_ms", "message_ms") / 1e3;
        stages(parsed);
        if (problems_.empty()) return saved_;
        throw SentenceError<>(sentence("{0}: {1}", saved_.file, inARow(problems_)));
    }

private:
    static bool isWhole(const ordered_json& value, int most) {
        return value.is_number_integer() && value >= 1 && value <= most;
    }
    int whole(const ordered_json& parsed, const char* key, int most) {
        if (parsed.contains(key) && isWhole(parsed[key], most)) return parsed[key].get<int>();
        problems_.push_back(sentence("\"{0}\" must be a whole number from 1 to {1}", key, most));
        return 0;
    }
    std::string text(const ordered_json& parsed, const char* key) {
        if (parsed.contains(key) && parsed[key].is_string()) return parsed[key].get<std::string>();
        problems_.push_back(sentence("\"{0}\" must be a text", key));
        return {};
    }
    // Absent: 0, it did not run.
    double duration(const ordered_json& parsed, const char* key, const std::string& name) {
        if (!parsed.contains(key)) return 0;
        const ordered_json& value = parsed[key];
        if (value.is_number() && value >= 0 && value <= kMost_ms) return value.get<double>() * 1e6;
        problems_.push_back(sentence("\"{0}\" must be milliseconds from 0 to 1000000000", name));
        return 0;
    }
    void stages(const ordered_json& parsed) {
        const auto found = parsed.find("stages");
        if (found == parsed.end() || !found->is_array() ||
            found->size() != static_cast<std::size_t>(saved_.p) * static_cast<std::size_t>(saved_.v)) {
            problems_.push_back(
                sentence("\"stages\" must be a list of p * v = {0} stages", saved_.p * saved_.v));
            return;
        }
        for (const ordered_json& each : *found) {
            const std::string name = "stages[" + std::to_string(saved_.costs.stages.size()) + "]";
            StageCosts& stage = saved_.costs.stages.emplace_back();
            if (!each.is_object()) {
                problems_.push_back(sentence("\"{0}\" must be an object", name));
                continue;
            }
            const std::size_t before = problems_.size();
            for (const Field& field : kFields)
                stage.*field.duration = duration(each, field.key, name + "." + field.key);
            if (problems_.size() > before) continue;
            if (stage.forward_ns <= 0)
                problems_.push_back(sentence("\"{0}.F_ms\" must be more than 0", name));
            if (stage.backward_ns <= 0 && stage.input_ns + stage.weight_ns <= 0)
                problems_.push_back(sentence("\"{0}\" must have B_ms, or I_ms and W_ms", name));
        }
    }

    SavedCosts saved_;
    std::vector<Sentence> problems_;
};

}  // namespace

SavedCosts costsOf(const ImportedRun& run, const std::string& file) {
    const ScheduleParams& params = run.schedule.params;
    return {file,
            run.origin.source,
            toText(run.timeline.provenance()),
            run.recognition.schedule.value_or(""),
            params.p,
            params.v,
            params.m,
            run.shards,
            run.origin.costs,
            run.warnings};
}

void writeCosts(const SavedCosts& saved, const std::string& file) {
    ordered_json stages = ordered_json::array();
    for (const StageCosts& stage : saved.costs.stages) {
        ordered_json& one = stages.emplace_back(ordered_json::object());
        for (const Field& field : kFields)
            if (stage.*field.duration > 0) one[field.key] = stage.*field.duration / 1e6;
    }
    ordered_json out = {{"bubblescope_costs", 1},
                        {"source", saved.source},
                        {"provenance", saved.provenance},
                        {"schedule", saved.schedule.empty() ? ordered_json() : ordered_json(saved.schedule)},
                        {"p", saved.p},
                        {"v", saved.v},
                        {"m", saved.m}};
    if (saved.t > 1) out["t"] = saved.t;
    if (saved.costs.optimizer_ns > 0) out["optimizer_ms"] = saved.costs.optimizer_ns / 1e6;
    if (saved.costs.handover_ns > 0) out["handover_ms"] = saved.costs.handover_ns / 1e6;
    if (saved.costs.hopNs() > 0) out["message_ms"] = saved.costs.hopNs() / 1e6;
    out["stages"] = std::move(stages);
    writeWhole(file, [&out](std::ostream& to) {
        to << out.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
    });
}

SavedCosts readCosts(const std::string& file) {
    // Of several replicas, which run the same, the first one's.
    if (isRecording(file)) return costsOf(readRecordedRun(file, std::nullopt, 0), file);
    ordered_json parsed;
    try {
        parsed = parsedJson<ordered_json>(readUserFile(file, kMaxConfigFileBytes));
    } catch (const SentenceError<>& error) {  // FileError, JsonTooDeep
        throw SentenceError<>(sentence("{0}: {1}", file, error.said));
    }
    if (parsed.is_discarded())
        throw SentenceError<>(
            sentence("{0} is neither JSON nor a recording. bscope import --save-costs writes costs", file));
    return CostsFile(file).read(parsed);
}

Costs costsFor(const SavedCosts& saved, const Schedule& schedule) {
    Costs out = saved.costs;
    out.stages.assign(static_cast<std::size_t>(schedule.stageCount()), {});
    for (const auto& chain : schedule.chains) {
        const Costs of_chain = costsForStages(saved.costs, static_cast<int>(chain.size()));
        for (std::size_t at = 0; at < chain.size(); ++at)
            out.stages[static_cast<std::size_t>(chain[at])] = of_chain.stages[at];
    }
    return out;
}

}  // namespace bscope::cli
