// Schedules as files: reading one that a person opens, and keeping one that the window made where an engine
// on this machine finds it. Plain functions.
#pragma once

#include <QString>

#include "schedule/formats/schedule_file.h"

namespace bscope::ui {

// By its ending: .csv, .tsv, .txt.
bool looksLikeScheduleFile(const QString& path);

// nullopt when it cannot be read; then `why` is a sentence.
std::optional<ScheduleFile> openScheduleFile(const QString& path, QString& why);

// The order as a file `file:PATH` can name, in the program's own folder; what is there already is kept. name
// is a part of the file's name. "" when it cannot be written; then `why` is a sentence.
QString keepSchedule(const Schedule& schedule, const QString& name, QString& why);

}  // namespace bscope::ui
