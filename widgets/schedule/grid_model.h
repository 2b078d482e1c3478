// GridModel: what the step-by-rank grid shows: boxes of every rank over whole steps, either of a schedule
// (each action as early as its inputs allow) or of a file as it is written, broken cells marked. Plain
// data.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

#include "hang/hang_report.h"
#include "hang/message_rules.h"
#include "schedule/formats/schedule_file.h"
#include "schedule/stage_places.h"
#include "timeline/timeline.h"

namespace bscope::ui {

struct GridCell {
    int step = 0, length = 1;
    Action action;                 // stage -1: not understood
    QString written;               // as it stands in the file; empty: made from the action
    std::vector<Sentence> errors;  // what is wrong with it
    std::vector<Sentence> stands;  // what its rank waits for there, for ever
};

struct GridPlace {
    int row = -1, index = -1;  // cell of a row; index -1: what is missing at the row's end
    bool operator==(const GridPlace&) const = default;
};

struct GridModel {
    std::vector<std::vector<GridCell>> rows;
    QStringList names;                                   // as the file labels its rows; empty: ranks
    std::vector<std::vector<Sentence>> missing;          // (rows,) what a row lacks; empty for a schedule
    std::vector<std::pair<GridPlace, GridPlace>> waits;  // cells of ranks, and of those that they wait for
    std::vector<long> times;                             // of a time table: what its columns are called
    ScheduleParams params;
    StagePlaces places;  // of a schedule; of none where a file stands as it is written
    int steps = 0;
    bool as_written = false;

    const GridCell& cell(const GridPlace& place) const {
        return rows[static_cast<std::size_t>(place.row)][static_cast<std::size_t>(place.index)];
    }
    // Chunk of a stage, -1 when every rank has one stage.
    int chunkOf(int stage) const;
    // Same micro-batch of the same chain.
    bool sameLife(const Action& a, const Action& b) const;
    std::optional<GridPlace> find(int row, const Action& action) const;
    // The cell of a row at a step, else the nearest one before or after.
    GridPlace nearest(int row, int step) const;
};

GridModel gridOf(const Schedule& schedule);
// As it was played: the boxes of a timeline of one iteration, in steps of step_ns.
GridModel gridOf(const Schedule& schedule, const Timeline& played, std::int64_t step_ns);
// A legal order is played; a time table, and whatever is broken, stands as it is written.
GridModel gridOf(const ScheduleFile& file);
// The same as it is written, with the cells at which ranks stand still, and their circle.
GridModel gridOf(const ScheduleFile& file, const std::vector<WaitingRank>& standing,
                 const std::vector<WaitingRank>& circle);
// The plan played, with the computation at which ranks of a program stand, and who waits for whom.
GridModel gridOf(const Schedule& schedule, const HangReport& report);
// Where an error of the file stands in its grid; nullopt for those about the whole file.
std::optional<GridPlace> placeOf(const GridModel& model, const CellError& error);

}  // namespace bscope::ui
