#include "puzzle/starting_point.h"

#include <algorithm>
#include <vector>

#include "catalog/catalog.h"
#include "schedule/index.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

std::size_t actionsOf(const Schedule& schedule) {
    std::size_t count = 0;
    for (const std::vector<Action>& order : schedule.orders) count += order.size();
    return count;
}

// Cells that mean something, an overlapped pair as two.
std::size_t cellsOf(const ScheduleFile& file) {
    std::size_t count = 0;
    for (const std::vector<std::string>& row : file.cells)
        for (const std::string& cell : row)
            if (cell.find_first_not_of(" \t") != std::string::npos)
                count += cell.find(';') != std::string::npos ? 2 : 1;
    return count;
}

}  // namespace

Sentence whyNotInLevel(const PuzzleLevel& level, std::string_view name) {
    const ScheduleParams params = level.empty().params;
    const auto problemsOf = [&params](std::string_view schedule) {
        std::vector<Sentence> problems;
        for (const Problem& problem : scheduleProblems(schedule, params))
            problems.push_back(problem.withLegal());
        return problems;
    };
    const CatalogEntry* entry = findSchedule(name);
    if (entry == nullptr) return inARow(problemsOf(name));
    const Argument title = sentence(entry->title);
    if (entry->forward_only) return sentence("{0} only runs forward; a level needs backwards too", title);
    if (const auto problems = problemsOf(entry->name); !problems.empty()) return inARow(problems);
    const Schedule schedule = makeSchedule(entry->name, params);
    if (schedule.weights != WeightRule::Flush || schedule.step_every > 0)
        return sentence("{0} is endless: it has no flush, and a grid ends", title);
    if (schedule.replicas() != 1)
        return sentence("{0} keeps two copies of the weights; a level has one", title);
    if (schedule.placement != level.empty().placement)
        return sentence("{0} puts the stages on other ranks than this level", title);
    if (!level.split && schedule.hasSplitBackward())
        return sentence("{0} splits the backward; this level has whole ones only", title);
    return {};
}

Sentence openCatalog(PuzzleGrid& grid, std::string_view name) {
    if (Sentence why = whyNotInLevel(grid.level(), name); !why.empty()) return why;
    Schedule schedule = makeSchedule(findSchedule(name)->name, grid.level().empty().params);
    const auto refused = grid.open(std::move(schedule.orders));
    return refused ? refused->why : Sentence{};
}

// A part of a grid lacks operations, which the file counts as errors: those the grid allows.
Sentence openFile(PuzzleGrid& grid, const ScheduleFile& file) {
    const bool understood =
        file.form == FileForm::Order && !file.has_communication && actionsOf(file.schedule) == cellsOf(file);
    if (!file.errors.empty() && !understood) return file.errors.front().what;
    const auto refused = grid.open(file.schedule.orders);
    return refused ? refused->why : Sentence{};
}

}  // namespace bscope
