// Words for a RunConfig and its problems: titles of schedules and modes, what differs between two
// configurations, a problem in the window's language, and how a legal value offered by it is put in. Pure
// functions.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "catalog/catalog.h"
#include "config/run_config.h"
#include "words/catalog.h"

namespace bscope::ui {

QString scheduleTitle(const std::string& name);  // "Interleaved 1F1B", "mine.csv"; unknown: as it is
QString recomputeText(Recompute value);          // "Off", "Full", "Selective"
QString deviceText(DeviceChoice value);          // "CPU", "CUDA", "auto"
QString matrixLibraryText(MatrixLibrary value);  // "auto", "own loops", "oneDNN"
QString linkText(const LinkModel& link);         // "0.8 ms", "0.8 ms, 14 Gb/s", "free"
QString setupSummary(const RunConfig& config);   // "batch 4 · even split · link 0.8 ms"

// One entry a change: "m 8 → 12", "1F1B → GPipe", "checkpointing off → full".
QStringList configChanges(const RunConfig& before, const RunConfig& after);

// The language that the window's strings are translated into.
bscope::Language windowLanguage();
// What the engine says, in that language.
QString said(const Sentence& sentence);
QString problemText(const Problem& problem);
// Puts a legal value into the field a problem names; false when it is not a single number.
std::optional<long> configField(const RunConfig& config, const std::string& field);
bool setConfigField(RunConfig& config, const std::string& field, long value);

}  // namespace bscope::ui
