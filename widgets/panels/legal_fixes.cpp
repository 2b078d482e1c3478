#include "widgets/panels/legal_fixes.h"

#include <algorithm>
#include <optional>

#include "widgets/panels/config_text.h"

namespace bscope::ui {
namespace {

constexpr int kMostRounds = 12;

// The first value that every problem of the field allows, else the nearest of this one.
long agreedValue(const Problem& problem, const std::vector<Problem>& all) {
    const auto agreed = std::ranges::find_if(problem.legal, [&](long value) {
        return std::ranges::all_of(all, [&](const Problem& other) {
            return other.field != problem.field || other.legal.empty() ||
                   std::ranges::find(other.legal, value) != other.legal.end();
        });
    });
    return agreed == problem.legal.end() ? problem.legal.front() : *agreed;
}

// Layers against stages, hidden against heads: the rule names the one, but the other was changed.
std::optional<Fix> fixOfTheOther(const Problem& problem, const RunConfig& now, const RunConfig& before) {
    const ModelConfig& model = now.model;
    if (problem.field == "layers" && model.layers == before.model.layers) {
        const long chunks = problem.legal.front() / std::max(1, now.params.p);
        const bool v_changed = now.params.p == before.params.p && now.params.v != before.params.v;
        const long v = model.layers / std::max(1, now.params.p);
        if (v_changed && v >= 1) return Fix{"v", v};
        if (chunks >= 1 && chunks <= model.layers) return Fix{"p", model.layers / chunks};
    }
    const bool hidden_changed = model.heads == before.model.heads && model.hidden != before.model.hidden;
    if (problem.field == "heads" && hidden_changed && model.heads >= 1) {
        const long heads = model.heads;
        return Fix{"hidden", std::max(1L, (model.hidden + heads / 2) / heads) * heads};
    }
    return std::nullopt;
}

}  // namespace

std::vector<Fix> legalFixes(const RunConfig& config, const RunConfig& before) {
    std::vector<Fix> fixes;
    for (int round = 0; round < kMostRounds; ++round) {
        const RunConfig now = withFixes(config, fixes);
        const std::vector<Problem> found = problems(now);
        const auto next = std::ranges::find_if(found, [](const Problem& problem) {
            RunConfig probe;
            return !problem.legal.empty() && setConfigField(probe, problem.field, problem.legal.front());
        });
        if (next == found.end()) break;
        const Fix fix =
            fixOfTheOther(*next, now, before).value_or(Fix{next->field, agreedValue(*next, found)});
        std::erase_if(fixes, [&fix](const Fix& earlier) { return earlier.first == fix.first; });
        fixes.push_back(fix);
    }
    return fixes;
}

RunConfig withFixes(RunConfig config, const std::vector<Fix>& fixes) {
    const int p = config.params.p, v = config.params.v;
    for (const auto& [field, value] : fixes) setConfigField(config, field, value);
    if (config.params.p != p || config.params.v != v) config.layers_per_stage.clear();
    if (!fixes.empty())
        std::erase_if(config.slow_ranks,
                      [ranks = config.params.ranks()](const auto& slow) { return slow.first >= ranks; });
    return config;
}

}  // namespace bscope::ui
