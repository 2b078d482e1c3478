// ConfigOptions: the options that make a RunConfig, shared by run, serve, sweep and verify. A scenario comes
// first, then a config file, then the options in the order given; everything illegal is reported to the
// CommandLine.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/command_line.h"
#include "config/config_table.h"

namespace bscope::cli {

class ConfigOptions {
public:
    // With Several the word `all` is a legal schedule, and then what is illegal about the schedule itself is
    // left to the caller; and -t takes values with commas between them.
    enum class Configurations { One, Several };
    explicit ConfigOptions(CommandLine& line, Configurations wanted = Configurations::One);
    // Of the table only these rows, whatever a file says of the others, and no scenario. help: null where
    // that of the table is true.
    struct Row {
        const char* name;
        const char* help = nullptr;
    };
    ConfigOptions(CommandLine& line, std::span<const Row> rows);

    // After parse(). Problems of files, words and values are refused on the command line, none twice.
    RunConfig resolve();
    // The same for every t that was given; sequence parallelism where there are several shards.
    std::vector<RunConfig> resolveEach();
    // After parse(): whether anything of a configuration was given, but for the row of this name.
    bool anyGiven(std::string_view but = {}) const;
    bool allSchedules() const { return all_schedules_; }
    // Iterations the scenario asks for; nullopt without one.
    std::optional<int> scenarioIterations() const { return scenario_iterations_; }

private:
    using Change = std::function<void(RunConfig&)>;
    void addFile();
    const char* helpOf(const ConfigRow& row) const;
    void add(const ConfigRow& row, const Place<int>&);
    void add(const ConfigRow& row, const Place<double>&);
    void add(const ConfigRow& row, const Place<bool>&);
    void add(const ConfigRow& row, const Place<std::string>&);
    void add(const ConfigRow& row, const Place<std::uint64_t>&);
    void add(const ConfigRow& row, const Place<std::vector<int>>&);
    void add(const ConfigRow& row, const Place<SlowRanks>&);
    void add(const ConfigRow& row, const WordPlace& choice);
    void option(const ConfigRow& row, Setter set);
    template <class Value>
    auto later(const ConfigRow& row, void (*put)(const ConfigRow&, RunConfig&, const Value&));

    RunConfig made();
    void settlePipeline(RunConfig& config, const std::string& before);

    CommandLine& line_;
    std::span<const Row> rows_;  // empty: all
    // What was given by name; v as an option only, since one of a file belongs to its schedule.
    std::set<std::string, std::less<>> given_;
    bool takes_usual_v_ = false;  // the last file that named a schedule or a v left v to the schedule
    std::string config_file_;
    std::string scenario_;
    std::vector<Change> changes_;
    std::map<std::string, bool> flags_;
    std::optional<int> scenario_iterations_;
    Configurations wanted_;
    bool all_schedules_ = false;
    std::vector<int> shards_;  // what -t was given, where it takes several
};

}  // namespace bscope::cli
