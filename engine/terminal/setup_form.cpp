#include "terminal/setup_form.h"

#include <algorithm>

#include "analysis/planned_iteration.h"
#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "config/config_table.h"
#include "terminal/letters.h"
#include "words/number_text.h"
#include "words/shown.h"

namespace bscope::terminal {
namespace {

enum Field : int { kSchedule, kRanks, kMicrobatches, kChunks, kCheckpointing, kFields };
constexpr int kLargest = 9999, kSteps = 8;  // of legal values that follow from each other
constexpr long kMostPlanned = 100'000;      // operations that are played at every key

std::size_t placeIn(const std::string& schedule) {
    const auto all = catalog();
    const CatalogEntry* entry = findSchedule(schedule);
    return entry == nullptr ? all.size() : static_cast<std::size_t>(entry - all.data());
}

std::string scheduleName(const std::string& schedule, Language language) {
    const CatalogEntry* entry = findSchedule(schedule);
    return entry != nullptr ? titleOf(*entry, language) : shown(titleOf(schedule));
}

}  // namespace

int* SetupForm::number() {
    switch (field_) {
        case kRanks:
            return &config_.params.p;
        case kMicrobatches:
            return &config_.params.m;
        case kChunks:
            return &config_.params.v;
        default:
            return nullptr;
    }
}

SetupForm::Outcome SetupForm::handle(Key key) {
    const auto letter = static_cast<char32_t>(key);
    switch (key) {
        case Key::Escape:
        case Key::Tab:
            return Outcome::Left;
        case Key::Up:
        case Key::Down:
            field_ = (field_ + (key == Key::Up ? kFields - 1 : 1)) % kFields;
            fresh_ = true;
            return Outcome::Open;
        case Key::Left:
        case Key::Right:
            step(key == Key::Left ? -1 : 1);
            return Outcome::Open;
        case Key::Backspace:
            if (int* value = number()) *value /= 10;
            return Outcome::Open;
        case Key::Enter:
            if (problems(config_).empty()) return Outcome::Asked;
            takeLegal();
            return Outcome::Open;
        default:
            if (letter >= U'0' && letter <= U'9') typeDigit(static_cast<int>(letter - U'0'));
            return Outcome::Open;
    }
}

void SetupForm::step(int direction) {
    if (int* value = number()) {
        *value = std::clamp(*value + direction, 1, kLargest);
    } else if (field_ == kSchedule) {
        const auto all = catalog();
        const std::size_t count = all.size(), at = placeIn(config_.schedule);
        const std::size_t next = at >= count ? 0 : (at + (direction > 0 ? 1 : count - 1)) % count;
        config_.schedule = all[next].name;
        takeUsual(config_.params, all[next]);
    } else {
        const auto kinds = static_cast<int>(kWords<Recompute>.size());
        config_.recompute =
            static_cast<Recompute>((static_cast<int>(config_.recompute) + direction + kinds) % kinds);
    }
}

void SetupForm::typeDigit(int digit) {
    int* value = number();
    if (value == nullptr) return;
    *value = std::min(fresh_ ? digit : 10 * *value + digit, kLargest);
    fresh_ = false;
}

// One legal value may make another illegal. The model stays: what its layers cannot fill gets fewer stages.
void SetupForm::takeLegal() {
    ScheduleParams& params = config_.params;
    for (int i = 0; i < kSteps; ++i) {
        bool taken = false;
        for (const Problem& problem : problems(config_)) {
            const bool is_here = problem.field == "p" || problem.field == "m" || problem.field == "v";
            if (problem.field == "layers") {
                params.v = std::clamp(params.v, 1, config_.model.layers);
                params.p = std::max(1, config_.model.layers / params.v);
                taken = true;
            } else if (problem.field == "layers_per_stage") {
                config_.layers_per_stage.clear();  // as even as possible
                taken = true;
            } else if (is_here && !problem.legal.empty()) {
                taken = setNumber(*findConfigRow(problem.field), config_,
                                  static_cast<double>(problem.legal.front()));
            }
            if (taken) break;
        }
        if (!taken) return;
    }
}

Page SetupForm::page(const KnownCosts* costs, Language language) const {
    const auto words = [language](const Sentence& what) { return say(what, language); };
    Page page;
    page.title = words(sentence("The next iterations"));
    page.chosen = field_;
    const auto row = [&](const char* name, const std::string& value) {
        const std::string title = words(sentence(name));
        page.lines.push_back("  " + title +
                             std::string(static_cast<std::size_t>(std::max(1, 18 - cellsOf(title))), ' ') +
                             value);
    };
    row("schedule", scheduleName(config_.schedule, language));
    row("p", std::to_string(config_.params.p));
    row("m", std::to_string(config_.params.m));
    row("v", std::to_string(config_.params.v));
    row("checkpointing", words(sentence(toText(config_.recompute))));
    page.lines.emplace_back();
    const std::vector<Problem> found = problems(config_);
    for (const Problem& problem : found) page.lines.push_back(words(problem.withLegal()));
    if (!found.empty()) {
        page.lines.push_back(
            words(sentence("Enter takes the nearest legal values; Esc leaves everything as it is.")));
        return page;
    }
    const long operations = 4L * config_.params.p * config_.params.m * config_.params.v * config_.params.d;
    if (operations <= kMostPlanned) {
        const PlannedIteration plan = planIteration(config_, estimateCosts(config_, costs));
        page.lines.push_back(
            words(sentence("PREDICTED: bubble {0} % of total, {1} ms an iteration, {2} tokens/s",
                           percentNumber(plan.summary.bubble_of_total),
                           millisecondsText(static_cast<double>(plan.summary.iteration_ns) / 1e6),
                           fixedText(plan.tokens_per_s, 0))));
    }
    page.lines.push_back(
        words(sentence("Up, Down: field; Left, Right or digits: value; Enter: from the next "
                       "iteration on; Esc: leave it")));
    page.lines.emplace_back();
    for (std::string& line : explanationLines(config_, language)) page.lines.push_back(std::move(line));
    return page;
}

std::vector<std::string> explanationLines(const RunConfig& config, Language language) {
    const bool explained =
        findSchedule(config.schedule) != nullptr && canBeMade(config.schedule, config.params);
    const std::string text =
        explained ? toText(explain(config.schedule, config.params, language), language)
                  : say(sentence("There is no explanation of {0}.", config.schedule), language);
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(shown(text.substr(from, end - from)));
        from = end + 1;
    }
    return lines;
}

}  // namespace bscope::terminal
