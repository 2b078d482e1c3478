// ProgramOptions: the options of the window's command line. Illegal values are all listed.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

#include "app/engine/engine_client.h"
#include "app/handout/handout_options.h"
#include "app/lessons/lesson_book.h"
#include "widgets/figure/figure.h"

namespace bscope::ui {

struct ProgramOptions {
    QString scenario = QStringLiteral("default");
    bool scenario_given = false;
    std::optional<EngineAddress> connect;
    QStringList files;    // to open: a recording, a scenario, a schedule; or the files of a run to import
    int iterations = 0;   // of an export; 0 = the scenario's
    QString export_path;  // empty: open the window
    bool page = false;    // it is a page of recordings, no picture
    bool film = false;    // it is a film of what the picture would show
    double film_s = 12;   // how long that is
    int fps = 30;
    bool change = false;  // from the picture's iteration to that of beside
    QString beside;       // of an export: a second run, below the first on one time axis; empty: none
    bool side_by_side = false;  // and not below it
    Alignment alignment = Alignment::Start;
    FigureFormat export_format = FigureFormat::Png;
    FigureOptions figure;
    bool predicted = false;          // of an export: the plan, nothing runs
    std::vector<std::string> below;  // of an export: plans of these schedules below the picture
    std::optional<HandCosts> costs;  // of the predicted: given by hand
    QStringList lessons;   // ids; "all": every one that came with the program
    QString handout_path;  // empty: none
    QString other_handout_path;  // of the same runs in the other language; empty: none
    HandoutOptions handout;
    std::optional<Language> language;
    std::optional<ThemeKind> theme;
    QString answer;  // text of --help or --version: print it and leave
};

// One sentence for each thing that is wrong is added to problems.
ProgramOptions parseOptions(const QStringList& arguments, QStringList& problems);

}  // namespace bscope::ui
