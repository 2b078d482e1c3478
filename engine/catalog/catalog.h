// Catalog: the one table of all named schedules with their constraints, closed forms and sources.
// Adding a schedule: one file with its generator, one row in catalog.cpp, its explanation in
// explanation_texts.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/problem.h"
#include "schedule/schedule.h"

namespace bscope {

struct CatalogEntry {
    const char* name;    // command-line name: "1f1b"
    const char* title;   // as the papers write it: "1F1B"
    const char* source;  // paper, section
    int fixed_v;         // the only legal v, 0 = v is free
    int min_v;           // least legal v when it is free
    int usual_v;         // the v to begin with
    int usual_segments;  // the same of segments: 1 where sequences are not cut
    bool forward_only;
    bool split_backward;
    int replicas;  // of the weights
    // Everything illegal in params for this schedule beyond p, v, m >= 1 (which the catalog checks itself).
    std::vector<Problem> (*constraints)(const ScheduleParams& params);
    Schedule (*generate)(const ScheduleParams& params);
    // Closed form of bubble / total for equal stages and a free link with durations of one op of one chunk;
    // nullopt where none is known for these parameters. f, i, w >= 0; B = i + w.
    std::optional<double> (*bubble_of_total)(const ScheduleParams& params, double f, double i, double w);
    const char*
        bubble_formula;  // the form for F = I = W, for display: "(p-1)/(v*m+p-1)"; "" where none is known
    const char* formula_holds;  // where that form holds, id of a sentence: "m = p"; "" for all parameters
    // Where durations matter: the idle time of a rank for any of them, "(p-1)*max(F,F+I-2*W)"; else "".
    const char* idle_formula;
};

std::span<const CatalogEntry> catalog();
// By its name, its title in English or Chinese, or by what others call it (presets.h), in any spelling of
// letters and hyphens; nullptr when unknown and for file:PATH.
const CatalogEntry* findSchedule(std::string_view name);
// In English: the catalog's title, the file's own name of file:PATH, otherwise the name as it is.
std::string titleOf(std::string_view schedule);
// Names of the catalog that an unknown name may have meant, the nearest first; never empty.
std::vector<std::string> nearestSchedules(std::string_view name);

// The v to begin with when none is given.
int defaultChunks(const CatalogEntry& entry);
// Both, as another schedule without its own brings them along.
void takeUsual(ScheduleParams& params, const CatalogEntry& entry);

// p, v, m and d outside what any schedule may have.
std::vector<Problem> sizeProblems(const ScheduleParams& params);

// Both take a name of the catalog, of a framework, or file:PATH (file_schedule.h), whose parameters must be
// the file's. All problems of a name and its parameters; empty means makeSchedule succeeds.
std::vector<Problem> scheduleProblems(std::string_view name, const ScheduleParams& params);
// Whether it succeeds.
bool canBeMade(std::string_view name, const ScheduleParams& params);
// Throws std::invalid_argument listing every problem.
Schedule makeSchedule(std::string_view name, const ScheduleParams& params);
// One replica's schedule as all d replicas of t shards have it.
Schedule inWorld(Schedule one_replica, const ScheduleParams& params);

}  // namespace bscope
