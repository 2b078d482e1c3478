#include "puzzle/level.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "files/shallow_json.h"
#include "schedule/index.h"

namespace bscope {

namespace builtin {
extern const std::string_view puzzle_pars;
}

namespace {

constexpr PuzzleLevel kLevels[] = {
    {"one-way", "One micro-batch, there and back",
     "Two ranks, one micro-batch. Forward through both stages, then backward. No rank can "
     "be busy all the time.",
     2, 1, 1, false, false, 0, "1f1b"},
    {"two-ranks", "Two ranks, two micro-batches",
     "While rank 1 works on the first micro-batch, rank 0 can already begin the second.", 2, 1, 2, false,
     false, 0, "1f1b"},
    {"less-memory", "The same time, less memory",
     "All forwards first fills the memory. Reach the fewest steps with as few "
     "micro-batches in flight as possible.",
     2, 1, 4, false, false, 0, "gpipe"},
    {"four-ranks", "Four ranks", "The pipe takes longer to fill and to drain. How much of it can be avoided?",
     4, 1, 4, false, false, 0, "1f1b"},
    {"long-pipe", "Eight micro-batches on four ranks",
     "No rank may hold more than four micro-batches in flight.", 4, 1, 8, false, false, 4, "1f1b"},
    {"tight", "Half the memory", "Only two micro-batches in flight on any rank: time is the price of memory.",
     4, 1, 4, false, false, 2, "1f1b"},
    {"two-halves", "A backward of two halves",
     "I, the gradient of the input, is what the rank before waits for. W, the gradient of "
     "the weights, can wait.",
     2, 1, 4, false, true, 0, "1f1b"},
    {"fill-the-gaps", "Fill the gaps with W",
     "Split backwards, with the memory of 1F1B: no more than three micro-batches in flight.", 3, 1, 5, false,
     true, 3, "zb-h1"},
    {"chunks", "Two chunks a rank",
     "Each rank holds two stages, on a loop: 0 1 0 1. The pipe fills with smaller pieces.", 2, 2, 4, false,
     false, 0, "interleaved"},
    {"on-a-v", "Two chunks on a V",
     "The stages turn round on the last rank: 0 1 1 0. Split backwards, no more than four "
     "chunks in flight.",
     2, 2, 4, true, true, 4, "zb-v"},
    {"zero-bubble", "Zero bubble under a cap",
     "Only the filling of the pipe may cost time, and no rank may hold more than four "
     "micro-batches in flight.",
     4, 1, 8, false, true, 4, "zb-h1"},
    {"under-the-cap", "Below the memory of 1F1B",
     "Four ranks, split backwards, and only three micro-batches in flight on any of them.", 4, 1, 6, false,
     true, 3, "1f1b"},
};

int whole(const nlohmann::json& entry, const std::string& level, const char* field) {
    const auto at = entry.find(field);
    if (at == entry.end() || !at->is_number_integer())
        throw std::invalid_argument("pars: " + level + "." + field + " is no whole number");
    return at->get<int>();
}

bool truth(const nlohmann::json& entry, const std::string& level, const char* field) {
    const auto at = entry.find(field);
    if (at == entry.end() || !at->is_boolean())
        throw std::invalid_argument("pars: " + level + "." + field + " is neither true nor false");
    return at->get<bool>();
}

}  // namespace

Schedule PuzzleLevel::empty() const {
    Schedule schedule;
    schedule.name = id;
    schedule.params.p = p;
    schedule.params.v = v;
    schedule.params.m = m;
    schedule.placement = zigzag ? zigzagPlacement(p, v) : loopPlacement(p, v);
    std::vector<int>& chain = schedule.chains.emplace_back(schedule.placement.size());
    std::iota(chain.begin(), chain.end(), 0);
    schedule.orders.resize(at(p));
    return schedule;
}

Costs PuzzleLevel::costs() const {
    return unitCosts(p * v, 1, 1, 1, 0);
}

std::span<const PuzzleLevel> puzzleLevels() {
    return kLevels;
}

const PuzzleLevel* findPuzzleLevel(std::string_view id) {
    const auto found = std::ranges::find(kLevels, id, &PuzzleLevel::id);
    return found == std::end(kLevels) ? nullptr : found;
}

std::vector<PuzzlePar> readPuzzlePars(std::string_view text) {
    const auto json = parsedJson<nlohmann::json>(text);
    if (!json.is_object()) throw std::invalid_argument("pars: no object of levels");
    std::vector<PuzzlePar> pars;
    for (const PuzzleLevel& level : kLevels) {
        const auto entry = json.find(level.id);
        if (entry == json.end() || !entry->is_object())
            throw std::invalid_argument("pars: " + std::string(level.id) + " is missing");
        PuzzlePar par;
        par.steps = whole(*entry, level.id, "steps");
        par.peak = whole(*entry, level.id, "peak");
        par.steps_proved = truth(*entry, level.id, "steps_proved");
        par.peak_proved = truth(*entry, level.id, "peak_proved");
        const auto by = entry->find("found_by");
        if (by == entry->end() || !by->is_string())
            throw std::invalid_argument("pars: " + std::string(level.id) + ".found_by is no text");
        par.found_by = by->get<std::string>();
        pars.push_back(std::move(par));
    }
    return pars;
}

const PuzzlePar& parOf(const PuzzleLevel& level) {
    static const std::vector<PuzzlePar> kPars = readPuzzlePars(builtin::puzzle_pars);
    return kPars[static_cast<std::size_t>(&level - kLevels)];
}

}  // namespace bscope
