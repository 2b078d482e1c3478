#include "puzzle/puzzle_progress.h"

#include <nlohmann/json.hpp>
#include <tuple>

#include "files/shallow_json.h"
#include "files/user_file.h"
#include "files/whole_file.h"

namespace bscope {

namespace {

constexpr std::uint64_t kMaxProgressBytes = 1u << 20;
constexpr std::int64_t kMostStars = 3, kMostCount = 1'000'000'000;

bool isCount(const nlohmann::json& entry, const char* field, std::int64_t most) {
    const auto value = entry.find(field);
    return value != entry.end() && value->is_number_integer() && value->get<std::int64_t>() >= 0 &&
           value->get<std::int64_t>() <= most;
}

}  // namespace

int PuzzleProgress::starsOf(const std::string& level) const {
    const auto found = levels.find(level);
    return found == levels.end() ? 0 : found->second.stars;
}

bool PuzzleProgress::add(const PuzzleLevel& level, const PuzzleStatus& standing) {
    if (standing.stars == 0) return false;
    const PuzzleBest now{standing.stars, standing.steps, standing.peak()};
    const auto [at, is_new] = levels.try_emplace(level.id, now);
    const auto rank = [](const PuzzleBest& best) { return std::tuple(-best.stars, best.steps, best.peak); };
    if (!is_new && rank(now) >= rank(at->second)) return false;
    at->second = now;
    return true;
}

PuzzleProgress readPuzzleProgress(const std::filesystem::path& file) {
    std::error_code none;
    if (!std::filesystem::exists(file, none)) return {};
    const auto refuse = [&](const Sentence& why) {
        return SentenceError<>(sentence("{0}: {1}", file.string(), why));
    };
    nlohmann::json json;
    try {
        json = parsedJson<nlohmann::json>(readUserFile(file, kMaxProgressBytes));
    } catch (const SentenceError<>& error) {  // FileError, JsonTooDeep
        throw refuse(error.said);
    }
    const Sentence broken = sentence("it does not say which levels are solved");
    if (!json.is_object() || !json.contains("levels") || !json["levels"].is_object()) throw refuse(broken);
    PuzzleProgress progress;
    for (const auto& [level, entry] : json["levels"].items()) {
        if (!entry.is_object() || !isCount(entry, "stars", kMostStars) ||
            !isCount(entry, "steps", kMostCount) || !isCount(entry, "peak", kMostCount))
            throw refuse(broken);
        progress.levels[level] = {entry["stars"].get<int>(), entry["steps"].get<int>(),
                                  entry["peak"].get<int>()};
    }
    return progress;
}

void writePuzzleProgress(const std::filesystem::path& file, const PuzzleProgress& progress) {
    nlohmann::json levels = nlohmann::json::object();
    for (const auto& [level, best] : progress.levels)
        levels[level] = {{"stars", best.stars}, {"steps", best.steps}, {"peak", best.peak}};
    try {
        if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
        writeWholeFile(file, [&](std::ostream& out) {
            out << nlohmann::json{{"levels", levels}}.dump(2) << '\n';
        });
    } catch (const std::exception& error) {
        throw SentenceError<>(sentence("{0}: {1}", file.string(), sentenceOf(error)));
    }
}

}  // namespace bscope
