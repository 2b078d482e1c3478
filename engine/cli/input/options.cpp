// See options.h.
#include "cli/input/options.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "catalog/catalog.h"
#include "cli/input/program.h"
#include "cli/input/schedule_text.h"
#include "config/layout.h"
#include "schedule/formats/file_schedule.h"
#include "wire/convert.h"
#include "wire/scenario.h"

namespace bscope::cli {

ConfigOptions::ConfigOptions(CommandLine& line, Configurations wanted) : line_(line), wanted_(wanted) {
    line_.text("--scenario", "FILE|ID", "start from a scenario: a file or the id of one that came along",
               scenario_);
    addFile();
    for (const ConfigRow& row : configTable())
        if (*row.option.name != '\0') std::visit([&](const auto& place) { add(row, place); }, row.place);
}

ConfigOptions::ConfigOptions(CommandLine& line, std::span<const Row> rows)
    : line_(line), rows_(rows), wanted_(Configurations::One) {
    addFile();
    for (const Row& wanted : rows) {
        const ConfigRow& row = *findConfigRow(wanted.name);
        std::visit([&](const auto& place) { add(row, place); }, row.place);
    }
}

void ConfigOptions::addFile() {
    line_.text("--config", "FILE.json", "start from this configuration; options override it", config_file_);
}

const char* ConfigOptions::helpOf(const ConfigRow& row) const {
    const auto found = std::ranges::find(rows_, std::string_view(row.name), &Row::name);
    return found != rows_.end() && found->help != nullptr ? found->help : row.option.help;
}

// What `set` takes for the row is put in when the configuration is resolved, in the order of the options.
template <class Value>
auto ConfigOptions::later(const ConfigRow& row, void (*put)(const ConfigRow&, RunConfig&, const Value&)) {
    return [this, &row, put](const Value& value) {
        given_.insert(row.name);
        changes_.push_back([&row, put, value](RunConfig& config) { put(row, config, value); });
    };
}

namespace {

template <class T>
void put(const ConfigRow& row, RunConfig& config, const T& value) {
    std::get<Place<T>>(row.place).in(config) = value;
}

void putWord(const ConfigRow& row, RunConfig& config, const std::string& word) {
    setWord(std::get<WordPlace>(row.place), config, word);
}

void addSlowRank(const ConfigRow& row, RunConfig& config, const std::pair<int, double>& slow) {
    std::get<Place<SlowRanks>>(row.place).in(config).push_back(slow);
}

}  // namespace

void ConfigOptions::add(const ConfigRow& row, const Place<int>&) {
    if (wanted_ == Configurations::Several && std::string_view(row.name) == "t")
        option(row, setIntegers([this, take = later<int>(row, put)](const std::vector<int>& values) {
                   shards_ = values;
                   take(values.front());
               }));
    else
        option(row, setInteger(later<int>(row, put)));
}

void ConfigOptions::add(const ConfigRow& row, const Place<double>&) {
    option(row, setNumber(later<double>(row, put)));
}

void ConfigOptions::add(const ConfigRow& row, const Place<bool>&) {
    line_.flag(row.option.name, helpOf(row), flags_[row.name]);
}

void ConfigOptions::add(const ConfigRow& row, const Place<std::string>&) {
    option(row, setText([this, take = later<std::string>(row, put), &row](const std::string& text) {
               const bool all = wanted_ == Configurations::Several && text == "all";
               if (std::string_view(row.name) == "schedule") all_schedules_ = all;
               if (!all || std::string_view(row.name) != "schedule") take(text);
           }));
}

void ConfigOptions::add(const ConfigRow& row, const Place<std::uint64_t>&) {
    option(row,
           [take = later<std::uint64_t>(row, put)](const std::string& text) -> std::optional<std::string> {
               std::uint64_t value = 0;
               const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
               if (error != std::errc{} || end != text.data() + text.size())
                   return "a whole number, 0 or more";
               take(value);
               return std::nullopt;
           });
}

void ConfigOptions::add(const ConfigRow& row, const Place<std::vector<int>>&) {
    const auto take = later<std::vector<int>>(row, put);
    option(row,
           [this, take, &row,
            numbers = setIntegers(take)](const std::string& text) -> std::optional<std::string> {
               if (text.find_first_of("EtL|") == std::string::npos) return numbers(text);
               const auto read = readLayout(text);
               if (const auto* blocks = std::get_if<std::vector<int>>(&read))
                   take(*blocks);
               else
                   for (const Sentence& problem : std::get<std::vector<Sentence>>(read))
                       line_.refuse(sentence("{0} {1}: {2}", row.option.name, text, problem));
               return std::nullopt;
           });
}

void ConfigOptions::add(const ConfigRow& row, const Place<SlowRanks>&) {
    const auto set = [take = later<std::pair<int, double>>(row, addSlowRank)](
                         const std::string& text) -> std::optional<std::string> {
        const auto parts = splitAt(text, '=');
        const auto rank = parseInteger(parts.front());
        const auto factor = parseNumber(parts.back());
        if (parts.size() != 2 || !rank || !factor) return "a rank and a factor, such as 2=1.5";
        take({*rank, *factor});
        return std::nullopt;
    };
    line_.option(row.option.name, row.option.value, helpOf(row), set, true);
}

void ConfigOptions::add(const ConfigRow& row, const WordPlace& choice) {
    option(row,
           [take = later<std::string>(row, putWord),
            &choice](const std::string& word) -> std::optional<std::string> {
               RunConfig probe;
               if (!setWord(choice, probe, word)) return "one of " + joinedWords(choice);
               take(word);
               return std::nullopt;
           });
}

void ConfigOptions::option(const ConfigRow& row, Setter set) {
    line_.option(row.option.name, row.option.value, helpOf(row), std::move(set));
}

// A schedule that was named brings its usual v along, one of a file its p, v and m, unless they were given.
// `before` is the schedule of the files.
void ConfigOptions::settlePipeline(RunConfig& config, const std::string& before) {
    const bool takes_usual_v = !given_.contains("v") && (config.schedule != before || takes_usual_v_);
    const bool takes_usual_segments = !given_.contains("segments") && config.schedule != before;
    if (given_.contains("schedule") && isFileSchedule(config.schedule)) {
        try {
            const ScheduleParams of_file = fileScheduleParams(config.schedule);
            if (!given_.contains("p")) config.params.p = of_file.p;
            if (takes_usual_v) config.params.v = of_file.v;
            if (!given_.contains("m")) config.params.m = of_file.m;
            if (!given_.contains("segments")) config.params.segments = of_file.segments;
        } catch (const std::invalid_argument&) {
            return;  // problems() reports it
        }
    } else if (const CatalogEntry* entry = findSchedule(config.schedule);
               entry != nullptr && (takes_usual_v || takes_usual_segments)) {
        if (takes_usual_v) config.params.v = defaultChunks(*entry);
        if (takes_usual_segments) config.params.segments = entry->usual_segments;
        const bool takes_usual = entry->usual_segments > 1 ? takes_usual_segments : takes_usual_v;
        if (!takes_usual) return;
        if (const std::string text = usualChunksText(*entry, line_.language()); !text.empty())
            std::cerr << "bscope: " << text << '\n';
    }
}

namespace {

void copyRow(const ConfigRow& row, const RunConfig& from, RunConfig& to) {
    std::visit(
        [&](const auto& place) {
            if constexpr (requires { place.words; })
                place.set(to, place.of(from));
            else
                place.in(to) = place.of(from);
        },
        row.place);
}

}  // namespace

RunConfig ConfigOptions::resolve() {
    RunConfig config = made();
    if (!rows_.empty()) {
        const RunConfig all = std::exchange(config, RunConfig());
        for (const Row& row : rows_) copyRow(*findConfigRow(row.name), all, config);
    }
    if (!all_schedules_) line_.refuse(problems(config));
    return config;
}

std::vector<RunConfig> ConfigOptions::resolveEach() {
    const RunConfig first = made();
    std::vector<RunConfig> configs;
    std::vector<Problem> found;
    for (const int t : shards_.empty() ? std::vector{first.params.t} : shards_) {
        RunConfig& config = configs.emplace_back(first);
        config.params.t = t;
        if (t == 1 && shards_.size() > 1) config.sequence_parallel = false;
        if (all_schedules_) continue;
        for (const Problem& problem : problems(config))
            if (std::ranges::find(found, problem.words, &Problem::words) == found.end())
                found.push_back(problem);
    }
    line_.refuse(found);
    return configs;
}

RunConfig ConfigOptions::made() {
    RunConfig config;
    const auto note = [this](const wire::RunConfig& from) {
        if (from.has_schedule()) given_.insert("schedule");
        if (from.has_p()) given_.insert("p");
        if (from.has_m()) given_.insert("m");
        if (from.has_schedule() || from.has_v()) takes_usual_v_ = !from.has_v();
    };
    try {
        if (!scenario_.empty()) {
            const auto scenario = loadScenarioFile(findScenario(scenario_, programFolder()));
            line_.refuse(overlay(scenario.config(), config));
            note(scenario.config());
            if (scenario.iterations() > 0) scenario_iterations_ = scenario.iterations();
        }
    } catch (const WireError& error) {
        line_.refuse(error.what());
    }
    try {
        if (!config_file_.empty()) {
            const wire::RunConfig file = loadConfigFile(config_file_);
            line_.refuse(overlay(file, config));
            note(file);
        }
    } catch (const WireError& error) {
        line_.refuse(error.what());
    }
    const std::string of_files = config.schedule;
    for (const Change& change : changes_) change(config);
    settlePipeline(config, of_files);
    for (const auto& [name, is_given] : flags_)
        if (is_given) put(*findConfigRow(name), config, true);
    return config;
}

bool ConfigOptions::anyGiven(std::string_view but) const {
    const auto counts = [but](std::string_view name) { return name != but; };
    return !scenario_.empty() || !config_file_.empty() || std::ranges::any_of(given_, counts) ||
           std::ranges::any_of(flags_, [&](const auto& flag) { return flag.second && counts(flag.first); });
}

}  // namespace bscope::cli
