#include "widgets/text/legal_fixes.h"

#include <QCoreApplication>
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "catalog/catalog.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kMostRounds = 12;

// Legal values of the problem's field that every other problem of it allows; all, when they agree on none.
std::vector<long> agreedValues(const Problem& problem, const std::vector<Problem>& all) {
    std::vector<long> agreed;
    std::ranges::copy_if(problem.legal, std::back_inserter(agreed), [&](long value) {
        return std::ranges::all_of(all, [&](const Problem& other) {
            return other.field != problem.field || other.legal.empty() ||
                   std::ranges::find(other.legal, value) != other.legal.end();
        });
    });
    return agreed.empty() ? problem.legal : agreed;
}

// The best of them; what is in force wins against one that is as near.
long agreedValue(const Problem& problem, const std::vector<Problem>& all, const RunConfig& now,
                 const RunConfig& before) {
    const std::vector<long> agreed = agreedValues(problem, all);
    const auto in_force = configField(before, problem.field), typed = configField(now, problem.field);
    if (!in_force || !typed || std::ranges::find(agreed, *in_force) == agreed.end()) return agreed.front();
    const bool as_near = std::abs(*in_force - *typed) <= std::abs(agreed.front() - *typed);
    return as_near ? *in_force : agreed.front();
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

// What a refusal of the engine names itself: a legal value, or the checkpointing that fits under the cap.
std::optional<Fix> namedFix(const Problem& problem) {
    RunConfig probe;
    if (!problem.legal.empty() && setConfigField(probe, problem.field, problem.legal.front()))
        return Fix{problem.field, problem.legal.front()};
    for (const Recompute choice : {Recompute::Full, Recompute::Selective})
        if (problem.field == "recompute" &&
            problem.words.arguments.back() == Argument(sentence(toText(choice))))
            return Fix{problem.field, static_cast<long>(choice)};
    return std::nullopt;
}

// Of the schedules that take any v and split the backward pass alike, the first that is legal with it.
std::optional<Fix> scheduleForChunks(const RunConfig& config) {
    const CatalogEntry* chosen = findSchedule(config.schedule);
    if (chosen == nullptr || chosen->fixed_v == 0 || chosen->forward_only) return std::nullopt;
    for (std::size_t i = 0; i < catalog().size(); ++i) {
        const CatalogEntry& other = catalog()[i];
        const bool alike =
            other.fixed_v == 0 && !other.forward_only && other.split_backward == chosen->split_backward;
        const Fix fix{"schedule", static_cast<long>(i)};
        if (alike && problems(withFixes(config, {fix})).empty()) return fix;
    }
    return std::nullopt;
}

}  // namespace

std::vector<Fix> legalFixes(const RunConfig& config, const RunConfig& before,
                            const std::vector<Problem>& refusal) {
    std::vector<Fix> fixes;
    for (int round = 0; round < kMostRounds; ++round) {
        const RunConfig now = withFixes(config, fixes);
        const std::vector<Problem> found = problems(now);
        const auto next = std::ranges::find_if(found, [](const Problem& problem) {
            RunConfig probe;
            return !problem.legal.empty() && setConfigField(probe, problem.field, problem.legal.front());
        });
        if (next == found.end()) break;
        const Fix fix = fixOfTheOther(*next, now, before)
                            .value_or(Fix{next->field, agreedValue(*next, found, now, before)});
        std::erase_if(fixes, [&fix](const Fix& earlier) { return earlier.first == fix.first; });
        fixes.push_back(fix);
    }
    for (const Problem& problem : refusal)
        if (const auto fix = namedFix(problem);
            fix && std::ranges::find(fixes, fix->first, &Fix::first) == fixes.end())
            fixes.push_back(*fix);
    return fixes;
}

std::vector<std::vector<Fix>> legalOffers(const RunConfig& config, const RunConfig& before,
                                          const std::vector<Problem>& refusal) {
    const std::vector<Fix> best = legalFixes(config, before, refusal);
    if (best.empty()) return {};
    std::vector<std::vector<Fix>> offers{best};
    const auto typed = configField(config, best.front().first);
    if (best.size() > 1 || !typed) return offers;
    const auto& [field, value] = best.front();
    if (field == "v") {
        if (const std::optional<Fix> other = scheduleForChunks(config)) {
            offers.push_back({*other});
            return offers;
        }
    }
    const std::vector<Problem> found = problems(config);
    const auto problem = std::ranges::find(found, field, &Problem::field);
    if (problem == found.end()) return offers;
    std::optional<long> other;
    for (const long candidate : agreedValues(*problem, found)) {
        const bool other_side = (candidate < *typed) != (value < *typed);
        const bool nearer = !other || std::abs(candidate - *typed) < std::abs(*other - *typed);
        if (other_side && nearer && problems(withFixes(config, {Fix{field, candidate}})).empty())
            other = candidate;
    }
    if (other) offers.push_back({Fix{field, *other}});
    return offers;
}

QString fixText(const Fix& fix) {
    QString name = QString::fromStdString(fix.first), value = QString::number(fix.second);
    if (fix.first == "recompute") {
        name = QCoreApplication::translate("Config", QT_TRANSLATE_NOOP("Config", "checkpointing"));
        value = recomputeText(static_cast<Recompute>(fix.second));
    } else if (fix.first == "schedule") {
        return scheduleTitle(catalog()[static_cast<std::size_t>(fix.second)].name);
    } else if (fix.first == "memory_cap_mb") {
        name = QCoreApplication::translate("Config", QT_TRANSLATE_NOOP("Config", "cap"));
        value = capText(static_cast<double>(fix.second));
    }
    return name + QStringLiteral(" = ") + value;
}

RunConfig withFixes(RunConfig config, const std::vector<Fix>& fixes) {
    const int p = config.params.p, v = config.params.v;
    for (const auto& [field, value] : fixes) {
        if (field == "schedule")
            config.schedule = catalog()[static_cast<std::size_t>(value)].name;
        else
            setConfigField(config, field, value);
    }
    if (config.params.p != p || config.params.v != v) config.layers_per_stage.clear();
    if (!fixes.empty())
        std::erase_if(config.slow_ranks,
                      [ranks = config.params.layout().world()](const auto& slow) { return slow.first >= ranks; });
    return config;
}

}  // namespace bscope::ui
