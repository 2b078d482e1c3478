// BaselineController: the pinned baseline in the window: its menu entries and keys, how the two are aligned,
// and its chips in the canvas' title. Window thread only.
#pragma once

#include <QObject>
#include <array>
#include <optional>
#include <vector>

#include "app/session/session.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "app/timeline/baseline.h"
#include "app/timeline/gap_analyses.h"
#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

class BaselineController : public QObject {
    Q_OBJECT
public:
    BaselineController(Session& session, GanttView& canvas, Shell& shell, QObject* parent);

    const Baseline& baseline() const { return baseline_; }
    void addActions(WindowActions& actions);
    void setLook(const BaselineLook& look);
    // What the canvas shows of it (Baseline::with).
    std::vector<IterationView> with(const IterationView& now) const;
    std::vector<GanttView::TitleChip> chips() const;
    bool chipClicked(const QString& id);  // whether it was one of these
    // Pins this iteration of what is shown, for the canvas to show both.
    void layBeside(int iteration);

signals:
    void changed();        // what the canvas shows is another
    void openRequested();  // a file, to be laid beside what is pinned

private:
    void toggle();
    void pin(const std::optional<IterationView>& whole);
    void openBeside();
    void swap();
    // On the canvas, where it was or below.
    void show(Alignment alignment);
    void syncActions();
    // The selected micro-batch, from 0 in its iteration, or the last one that was selected.
    int followedMicrobatch() const;

    Session& session_;
    GapAnalyses analyses_{nullptr};  // of what is pinned
    GanttView& canvas_;
    Shell& shell_;
    Baseline baseline_;
    int microbatch_ = 0;
    WindowActions* actions_ = nullptr;
    QAction *pin_ = nullptr, *below_ = nullptr, *side_by_side_ = nullptr;
    std::array<QAction*, 4> alignments_{};
};

}  // namespace bscope::ui
