// Preferences: what the window keeps from one start to the next. A value; read once, written on change.
#pragma once

#include <QByteArray>
#include <QStringList>
#include <optional>

#include "app/lessons/lesson_book.h"
#include "view/presentation.h"
#include "view/view_data.h"
#include "widgets/data/icon_look.h"
#include "widgets/figure/figure_choices.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

enum class ThemeChoice { System, Light, Dark };

// What a start begins with: where one was.
struct LastRun {
    QString schedule;  // of the catalog
    int p = 0, m = 0, v = 0;
    Recompute recompute = Recompute::None;
    bool operator==(const LastRun&) const = default;
};

struct Preferences {
    static constexpr double kMinScale = 0.7, kMaxScale = 3.0;
    static constexpr qsizetype kRecentFiles = 8;

    ThemeChoice theme = ThemeChoice::System;
    ColourScheme scheme = ColourScheme::Bubblescope;
    double scale = 1.0;
    Language language = Language::English;
    bool dock = true;
    bool schedule_panel = false, step_grid = false;
    bool of_ideal = false;  // bubble definition
    bool count_from_zero = false;
    bool in_forwards = false;         // times in units of F
    bool calibrate_when_busy = true;  // AutoCalibration
    bool ask_before_discarding = true;  // a run without notes, when the window closes
    std::optional<LastRun> last_run;
    BaselineLook baseline;
    IconLook icons;
    Layers layers;
    QStringList dock_opened;             // names of the dock's sections that were opened
    std::optional<bool> reduced_motion;  // nothing: as the desktop has it
    bool first_steps_shown = true;       // load(): false until they were
    QByteArray geometry;
    QStringList recent_files;  // newest first
    FigureChoices figures;
    QString export_folder;     // where a picture was written last
    QString folder;            // where files were opened or written last
    // What the command line asked of this start; not saved as long as it is what theme and language still
    // are.
    std::optional<ThemeChoice> theme_of_start{};
    std::optional<Language> language_of_start{};

    // Defaults for what is absent or not legal; the language then follows the system, the scale the screen.
    static Preferences load();
    void save() const;
    void remember(const QString& file);
    // Of the catalog's schedules; others are of files, which may be gone.
    void rememberRun(const RunConfig& config);
    // The same configuration with what was chosen last.
    RunConfig withLastRun(RunConfig config) const;
    // Of the recent files those that are there and are no pictures, which former versions remembered, too.
    QStringList openableFiles() const;
    QString exportFolder() const;  // else where pictures belong
};

}  // namespace bscope::ui
