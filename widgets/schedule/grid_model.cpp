// Makes grids of schedules and of files.
#include "widgets/schedule/grid_model.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "schedule/grid.h"
#include "schedule/index.h"

namespace bscope::ui {
namespace {

// What a cell of a file means, as far as drawing needs it: F1 and f 1 on row 2 are 2F1, BW is a whole
// backward, of an overlapped pair the first half counts.
std::optional<Action> actionOf(const std::string& cell, int row) {
    std::string text;
    for (const char letter : cell.substr(0, cell.find(';')))
        if (std::isspace(static_cast<unsigned char>(letter)) == 0 && letter != '(')
            text += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    if (text.empty()) return std::nullopt;
    if (std::isdigit(static_cast<unsigned char>(text.front())) == 0) text.insert(0, std::to_string(row));
    if (const std::size_t whole = text.find("BW"); whole != std::string::npos) text.erase(whole + 1, 1);
    return parseAction(text);
}

bool isBlank(const std::string& cell) {
    const QString text = QString::fromStdString(cell).trimmed().toLower();
    static const QStringList blanks{QString(),           QStringLiteral("-"),   QStringLiteral("--"),
                                    QStringLiteral("–"), QStringLiteral("—"),   QStringLiteral("."),
                                    QStringLiteral("_"), QStringLiteral("idle")};
    return blanks.contains(text);
}

void addRow(GridModel& model, const std::vector<std::string>& cells, int row, bool is_table) {
    std::vector<GridCell>& boxes = model.rows.emplace_back();
    for (int column = 0; column < static_cast<int>(cells.size()); ++column) {
        const std::string& cell = cells[at(column)];
        if (isBlank(cell)) continue;
        const QString written = QString::fromStdString(cell).trimmed();
        const bool touches = !boxes.empty() && boxes.back().step + boxes.back().length == column;
        if (is_table && touches && (written == u"=" || written == boxes.back().written)) {
            ++boxes.back().length;
            continue;
        }
        boxes.push_back({column, 1, actionOf(cell, row).value_or(Action{}), written, {}, {}});
    }
    model.steps = std::max(model.steps, static_cast<int>(cells.size()));
}

GridModel asWritten(const ScheduleFile& file) {
    GridModel model;
    model.as_written = true;
    model.params = file.schedule.params;
    const bool is_table = file.form == FileForm::TimeTable;
    if (is_table) model.times = file.times;
    for (const std::string& name : file.names) model.names << QString::fromStdString(name);
    for (std::size_t row = 0; row < file.cells.size(); ++row)
        addRow(model, file.cells[row], static_cast<int>(row), is_table);
    model.missing.resize(model.rows.size());
    for (const CellError& error : file.errors) {
        const auto place = placeOf(model, error);
        if (!place) continue;
        std::vector<Sentence>& found = place->index < 0 ? model.missing[at(place->row)]
                                                        : model.rows[at(place->row)][at(place->index)].errors;
        found.push_back(error.what);
    }
    return model;
}

GridModel emptyGridOf(const Schedule& schedule) {
    GridModel model;
    model.params = schedule.params;
    model.places = StagePlaces(schedule);
    return model;
}

}  // namespace

int GridModel::chunkOf(int stage) const {
    return places.lettered() ? places.of(stage).chunk : -1;
}

bool GridModel::sameLife(const Action& a, const Action& b) const {
    return a.microbatch >= 0 && a.microbatch == b.microbatch &&
           places.of(a.stage).chain == places.of(b.stage).chain;
}

std::optional<GridPlace> GridModel::find(int row, const Action& action) const {
    if (row < 0 || at(row) >= rows.size()) return std::nullopt;
    const auto& cells = rows[at(row)];
    const auto found = std::ranges::find_if(
        cells, [&](const GridCell& cell) { return cell.action.as(cell.action.op) == action.as(action.op); });
    if (found == cells.end()) return std::nullopt;
    return GridPlace{row, static_cast<int>(found - cells.begin())};
}

GridPlace GridModel::nearest(int row, int step) const {
    const auto& cells = rows[at(row)];
    if (cells.empty()) return {row, -1};
    const auto after =
        std::ranges::partition_point(cells, [step](const GridCell& c) { return c.step + c.length <= step; });
    if (after == cells.end()) return {row, static_cast<int>(cells.size()) - 1};
    const auto index = static_cast<int>(after - cells.begin());
    if (after->step <= step || index == 0) return {row, index};
    const GridCell& before = cells[at(index - 1)];
    return {row, step - (before.step + before.length - 1) <= after->step - step ? index - 1 : index};
}

GridModel gridOf(const Schedule& schedule, const Timeline& played, std::int64_t step_ns) {
    GridModel model = emptyGridOf(schedule);
    for (int rank = 0; rank < played.ranks(); ++rank) {
        std::vector<GridCell>& cells = model.rows.emplace_back();
        for (const Event& event : played.compute(rank)) {
            cells.push_back({static_cast<int>(event.start_ns / step_ns),
                             static_cast<int>(event.duration_ns() / step_ns),
                             event.action(),
                             {},
                             {},
                             {}});
            model.steps = std::max(model.steps, cells.back().step + cells.back().length);
        }
    }
    return model;
}

GridModel gridOf(const Schedule& schedule) {
    GridModel model = emptyGridOf(schedule);
    for (const std::vector<GridBox>& boxes : gridRows(schedule)) {
        std::vector<GridCell>& cells = model.rows.emplace_back();
        cells.reserve(boxes.size());
        for (const GridBox& box : boxes) {
            cells.push_back({box.step, box.length, box.action, {}, {}, {}});
            model.steps = std::max(model.steps, box.step + box.length);
        }
    }
    return model;
}

GridModel gridOf(const ScheduleFile& file, const std::vector<WaitingRank>& standing,
                 const std::vector<WaitingRank>& circle) {
    GridModel model = asWritten(file);
    for (const WaitingRank& each : standing)
        if (const auto place = model.find(each.rank, each.action))
            model.rows[at(place->row)][at(place->index)].stands.push_back(each.text());
    for (std::size_t i = 0; i < circle.size(); ++i) {
        const WaitingRank& next = circle[(i + 1) % circle.size()];
        const auto from = model.find(circle[i].rank, circle[i].action);
        const auto to = model.find(next.rank, next.action);
        if (from && to && *from != *to) model.waits.emplace_back(*from, *to);
    }
    return model;
}

GridModel gridOf(const Schedule& schedule, const HangReport& report) {
    GridModel model = gridOf(schedule);
    std::map<int, GridPlace> place_of;  // rank of the program
    for (const HangRank& each : report.ranks) {
        if (!each.planned) continue;
        std::optional<Action> computation = each.stands_at ? each.stands_at->computation : each.next;
        bool is_waited_for = false;
        for (const HangRank& other : report.ranks) {
            if (!other.stands_at ||
                std::ranges::find(other.stands_at->waits_for, each.rank) == other.stands_at->waits_for.end())
                continue;
            if (!each.stands_at && !is_waited_for && other.stands_at->made_by)
                computation = other.stands_at->made_by;  // what it owes
            is_waited_for = true;
        }
        const auto place = computation ? model.find(*each.planned, *computation) : std::nullopt;
        if (!place || (!each.stands_at && !is_waited_for)) continue;
        place_of[each.rank] = *place;
        model.rows[at(place->row)][at(place->index)].stands.push_back(
            sentence("rank {0} {1}", each.rank, each.text()));
    }
    for (const HangRank& each : report.ranks) {
        if (!each.stands_at || !place_of.contains(each.rank)) continue;
        for (const int other : each.stands_at->waits_for)
            if (place_of.contains(other)) model.waits.emplace_back(place_of[each.rank], place_of[other]);
    }
    return model;
}

GridModel gridOf(const ScheduleFile& file) {
    if (!file.errors.empty() || file.form == FileForm::TimeTable) return asWritten(file);
    return gridOf(file.schedule);
}

std::optional<GridPlace> placeOf(const GridModel& model, const CellError& error) {
    if (error.row < 0 || at(error.row) >= model.rows.size()) return std::nullopt;
    if (error.column < 0) return GridPlace{error.row, -1};
    const auto& cells = model.rows[at(error.row)];
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].step <= error.column && error.column < cells[i].step + cells[i].length)
            return GridPlace{error.row, static_cast<int>(i)};
    return std::nullopt;
}

}  // namespace bscope::ui
