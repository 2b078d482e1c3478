// PuzzleDialog: "Build your own schedule": levels with their stars, the grid, what is left to place, numbers
// that follow every move, hints, and below them what training the grid gave. By keyboard alone: arrows, F B I
// W, Delete, Ctrl+arrows, Ctrl+Z, H, G, T, Page keys. Files and training are asked for. Window thread only.
#pragma once

#include <QDialog>
#include <QListWidget>
#include <QMenu>
#include <map>

#include "puzzle/puzzle_status.h"
#include "schedule/formats/schedule_file.h"
#include "widgets/controls/button.h"
#include "widgets/controls/label.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/puzzle/puzzle_board.h"
#include "widgets/puzzle/puzzle_tray.h"

namespace bscope::ui {

class PuzzleDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    explicit PuzzleDialog(QWidget* parent = nullptr);

    const PuzzleLevel& level() const { return grid_.level(); }
    const PuzzleGrid& grid() const { return grid_; }
    const PuzzleStatus& standing() const { return standing_; }
    PuzzleBoard& board() { return *board_; }
    PuzzleTray& tray() { return *tray_; }
    QListWidget& levels() { return *levels_; }
    QString message() const { return message_->text(); }
    QString figures() const { return figures_->text(); }
    GanttView* comparison() const { return comparison_; }  // hidden while nothing was trained

    // The grid of a level stays while the dialog is there.
    void openLevel(int level);
    void setStars(const std::vector<int>& stars);  // (levels,)
    void setCountFromZero(bool on);                // micro-batches, as the pictures of the window
    void startFrom(const std::string& schedule);   // of the catalog
    void openSchedule(const ScheduleFile& file);
    void say(const QString& text);  // until the next move
    // Plan, run and textbook below each other; empty: nothing was trained.
    void setComparison(const std::vector<IterationView>& views, const QString& remark);
    void followTheme() override;

signals:
    void standingChanged();
    void openClicked();
    void saveClicked();
    void trainClicked();  // the grid is complete
    void explain(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void buildHead(class QVBoxLayout& column);
    void buildFoot(class QVBoxLayout& column);
    void buildKeys();
    void retranslate();
    void syncLevels();
    void refresh();
    void syncTray();
    void took(const std::optional<PuzzleRefusal>& refusal);
    void placeNext(Op op);
    void place(const Action& action);
    void drop(const Action& action, int position);
    void hint();
    void train();
    QString keysText() const;
    QString nameOf(const Action& action) const;   // "1F2", counted as the pictures do
    QString wordsOf(const Sentence& sentence) const;  // with its operations counted so
    void arrange();
    QString starText(int stars) const;

    PuzzleGrid grid_;
    PuzzleStatus standing_;
    std::map<std::string, PuzzleGrid> others_;  // of the levels that are not open
    std::vector<int> stars_;
    ViewState state_, comparison_state_;
    QListWidget* levels_;
    Label *title_, *goal_, *par_, *figures_, *verdict_, *message_, *trained_;
    PuzzleBoard* board_;
    PuzzleTray* tray_;
    Button *undo_, *redo_, *hint_, *bound_, *start_, *open_, *save_, *train_;
    QMenu* starts_;
    GanttView* comparison_;
};

}  // namespace bscope::ui
