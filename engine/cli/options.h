// ConfigOptions: the options that make a RunConfig, shared by run, serve, sweep and verify. A scenario comes
// first, then a config file, then the options in the order given; everything illegal is told to the
// CommandLine.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "schedule/run_config.h"

namespace bscope::cli {

class ConfigOptions {
public:
    // With Schedules::OneOrAll the word `all` is a legal schedule; then what is illegal about the schedule
    // itself is left to the caller.
    enum class Schedules { One, OneOrAll };
    explicit ConfigOptions(CommandLine& line, Schedules schedules = Schedules::One);

    // After parse(). Problems of files, words and values are refused on the command line, none twice.
    RunConfig resolve();
    bool allSchedules() const { return all_schedules_; }
    // Iterations the scenario asks for; nullopt without one.
    std::optional<int> scenarioIterations() const { return scenario_iterations_; }

private:
    using Change = std::function<void(RunConfig&)>;
    void addPipeline();
    void addModel();
    void addMachine();
    void addTraining();
    Setter integerOption(std::function<void(RunConfig&, int)> change);
    Setter numberOption(std::function<void(RunConfig&, double)> change);
    template <class Word>
    Setter wordOption(std::optional<Word> (*parse)(std::string_view), std::string legal,
                      Word RunConfig::*member);

    void settlePipeline(RunConfig& config, const std::string& before);

    // Which values of the pipeline somebody gave; v as an option, since one of a file belongs to its
    // schedule.
    struct Given {
        bool schedule = false, p = false, v = false, m = false;
    };

    CommandLine& line_;
    Given given_;
    bool takes_usual_v_ = false;  // the last file that named a schedule or a v left v to the schedule
    std::string config_file_;
    std::string scenario_;
    std::vector<Change> changes_;
    bool vertical_sync_ = false, cuda_graphs_ = false;
    std::optional<int> scenario_iterations_;
    Schedules schedules_;
    bool all_schedules_ = false;
};

}  // namespace bscope::cli
