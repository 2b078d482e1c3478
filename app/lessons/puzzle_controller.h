// PuzzleController: the puzzle in the window: keeps what was reached in the user's data folder, opens and
// saves grids, and has the real model train what was built: its iteration stands beside its plan and the
// textbook's, both predicted with the costs that were measured. Window thread only.
#pragma once

#include <QObject>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/schedules/schedule_controller.h"
#include "app/session/session.h"
#include "app/shell/shell.h"
#include "puzzle/puzzle_progress.h"
#include "widgets/lessons/practice_page.h"
#include "widgets/puzzle/puzzle_dialog.h"

namespace bscope::ui {

class PuzzleController : public QObject {
    Q_OBJECT
public:
    // explain: opens the glossary for a text.
    // timeline: how micro-batches are counted.
    PuzzleController(Session& session, ScheduleController& schedules, const ViewState& timeline, Shell& shell,
                     std::function<void(const QString&)> explain);

    PracticePage* page() const { return page_; }
    void open();
    void openLevel(const QString& id);
    PuzzleDialog* dialog() const { return dialog_; }  // null until it was opened
    void openGrid(const QString& path);
    void saveGrid(const QString& path);
    static std::filesystem::path progressFile();

private:
    void readProgress();
    void fillPage();
    void followGrid();
    void showStars();
    void train();
    void followTraining();

    Session& session_;
    ScheduleController& schedules_;
    const ViewState& timeline_;
    Shell& shell_;
    std::function<void(const QString&)> explain_;
    PracticePage* page_;
    PuzzleDialog* dialog_ = nullptr;  // with its grids, also while it is closed
    PuzzleProgress progress_;
    bool keeps_progress_ = true;          // false: the file is in the way and cannot be moved
    std::optional<RunConfig> trained_;    // what was asked to train, until the grid is another one
    const PuzzleLevel* level_ = nullptr;  // of it
    PuzzleGrid::Orders orders_;           // of it
    bool waits_ = false;                  // no iteration of it is complete
    std::int32_t seen_ = -1;              // the last iteration of it that is shown or was there before
};

}  // namespace bscope::ui
