// See options.h.
#include "cli/options.h"

#include <charconv>
#include <iostream>
#include <stdexcept>

#include "cli/program.h"
#include "cli/schedule_text.h"
#include "schedule/catalog.h"
#include "schedule/file_schedule.h"
#include "wire/convert.h"
#include "wire/scenario.h"

namespace bscope::cli {

ConfigOptions::ConfigOptions(CommandLine& line, Schedules schedules) : line_(line), schedules_(schedules) {
    line_.text("--scenario", "FILE|ID", "start from a scenario: a file or the id of one that came along",
               scenario_);
    line_.text("--config", "FILE.json", "start from this configuration; options override it", config_file_);
    addPipeline();
    addModel();
    addMachine();
    addTraining();
}

Setter ConfigOptions::integerOption(std::function<void(RunConfig&, int)> change) {
    return setInteger([this, change = std::move(change)](int value) {
        changes_.push_back([change, value](RunConfig& config) { change(config, value); });
    });
}

Setter ConfigOptions::numberOption(std::function<void(RunConfig&, double)> change) {
    return setNumber([this, change = std::move(change)](double value) {
        changes_.push_back([change, value](RunConfig& config) { change(config, value); });
    });
}

template <class Word>
Setter ConfigOptions::wordOption(std::optional<Word> (*parse)(std::string_view), std::string legal,
                                 Word RunConfig::*member) {
    return [this, parse, legal = std::move(legal),
            member](const std::string& text) -> std::optional<std::string> {
        const auto word = parse(text);
        if (!word) return "one of " + legal;
        changes_.push_back([member, value = *word](RunConfig& config) { config.*member = value; });
        return std::nullopt;
    };
}

void ConfigOptions::addPipeline() {
    line_.option("--schedule", "NAME", "schedule by name; bscope schedule --list shows them",
                 setText([this](const std::string& name) {
                     all_schedules_ = schedules_ == Schedules::OneOrAll && name == "all";
                     if (all_schedules_) return;
                     given_.schedule = true;
                     changes_.push_back([name](RunConfig& config) { config.schedule = name; });
                 }));
    line_.option("-p", "P", "pipeline ranks", integerOption([this](RunConfig& c, int value) {
                     c.params.p = value;
                     given_.p = true;
                 }));
    line_.option("-m", "M", "micro-batches per iteration", integerOption([this](RunConfig& c, int value) {
                     c.params.m = value;
                     given_.m = true;
                 }));
    line_.option("-d", "D", "data-parallel replicas of the pipeline, each of p ranks and m micro-batches",
                 integerOption([](RunConfig& c, int value) { c.params.d = value; }));
    line_.option("-v", "V", "virtual stages per rank (the usual of --schedule)",
                 integerOption([this](RunConfig& c, int value) {
                     c.params.v = value;
                     given_.v = true;
                 }));
    line_.option("--group-size", "N", "interleaved: micro-batches per group, 0 = default",
                 integerOption([](RunConfig& c, int value) { c.params.group_size = value; }));
    line_.flag("--vertical-sync", "PipeDream: a micro-batch meets the same version of the weights everywhere",
               vertical_sync_);
    line_.option("--micro-batch", "B", "samples per micro-batch",
                 integerOption([](RunConfig& c, int value) { c.micro_batch = value; }));
    line_.option("--recompute", "MODE", "activation checkpointing: none, full or selective",
                 wordOption(parseRecompute, "none, full, selective", &RunConfig::recompute));
    line_.option("--layers-per-stage", "3,2,2,1", "the split; even when absent",
                 setIntegers([this](std::vector<int> split) {
                     changes_.push_back([split](RunConfig& config) { config.layers_per_stage = split; });
                 }));
}

void ConfigOptions::addModel() {
    line_.option("--layers", "L", "transformer blocks",
                 integerOption([](RunConfig& c, int value) { c.model.layers = value; }));
    line_.option("--hidden", "C", "hidden size",
                 integerOption([](RunConfig& c, int value) { c.model.hidden = value; }));
    line_.option("--heads", "H", "attention heads",
                 integerOption([](RunConfig& c, int value) { c.model.heads = value; }));
    line_.option("--seq", "T", "tokens per sample",
                 integerOption([](RunConfig& c, int value) { c.model.sequence = value; }));
}

void ConfigOptions::addMachine() {
    line_.option("--device", "DEVICE", "cpu, cuda (GPUs), or auto: GPUs when there are any",
                 wordOption(parseDevice, "cpu, cuda, auto", &RunConfig::device));
    line_.option("--dtype", "TYPE", "fp32, or bf16 on GPUs: what enters a matrix product",
                 wordOption(parseDtype, "fp32, bf16", &RunConfig::dtype));
    line_.option("--trace-cost", "N",
                 "GPUs: leave tracing off in one iteration of N (with a flush) and tell what it costs",
                 integerOption([](RunConfig& c, int value) { c.trace_cost = value; }));
    line_.flag("--cuda-graphs", "GPUs: launch the kernels of an operation in one call, as a CUDA graph",
               cuda_graphs_);
    line_.option("--clock", "CLOCK",
                 "auto, measured (a core or GPU a rank) or reconstructed (a device clock a rank)",
                 wordOption(parseClock, "auto, measured, reconstructed", &RunConfig::clock));
    line_.option("--durations", "KIND", "raw, or calibrated: median per stage and operation",
                 wordOption(parseDurations, "raw, calibrated", &RunConfig::durations));
    line_.option("--link-latency-us", "X", "latency of a message between two ranks",
                 numberOption([](RunConfig& c, double value) { c.link.latency_us = value; }));
    line_.option("--link-gbps", "X", "bandwidth of a link, 1e9 bits per second; 0 = infinitely fast",
                 numberOption([](RunConfig& c, double value) { c.link.gbps = value; }));
    line_.option(
        "--slow-rank", "R=1.5", "slow a rank down by a factor; may be repeated",
        [this](const std::string& text) -> std::optional<std::string> {
            const auto parts = splitAt(text, '=');
            const auto rank = parseInteger(parts.front());
            const auto factor = parseNumber(parts.back());
            if (parts.size() != 2 || !rank || !factor) return "a rank and a factor, such as 2=1.5";
            changes_.push_back(
                [slow = std::pair(*rank, *factor)](RunConfig& config) { config.slow_ranks.push_back(slow); });
            return std::nullopt;
        },
        true);
    line_.option("--memory-cap-mb", "X",
                 "refuse what needs more activation memory on a rank; 1e6 bytes, 0 = no cap",
                 numberOption([](RunConfig& c, double value) { c.memory_cap_mb = value; }));
}

void ConfigOptions::addTraining() {
    line_.option("--lr", "X", "learning rate of AdamW",
                 numberOption([](RunConfig& c, double value) { c.training.learning_rate = value; }));
    line_.option("--weight-decay", "X", "weight decay of AdamW",
                 numberOption([](RunConfig& c, double value) { c.training.weight_decay = value; }));
    line_.option("--clip", "X", "greatest norm of all gradients together; 0 = no clipping",
                 numberOption([](RunConfig& c, double value) { c.training.clip_norm = value; }));
    line_.option("--seed", "N", "seed of the weights and of the order of the data",
                 [this](const std::string& text) -> std::optional<std::string> {
                     std::uint64_t seed = 0;
                     const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
                     if (error != std::errc{} || end != text.data() + text.size())
                         return "a whole number, 0 or more";
                     changes_.push_back([seed](RunConfig& config) { config.seed = seed; });
                     return std::nullopt;
                 });
    line_.option("--data", "FILE", "text to train on; a built-in one when absent",
                 setText([this](const std::string& file) {
                     changes_.push_back([file](RunConfig& config) { config.data_file = file; });
                 }));
}

// A schedule that was named brings its usual v along, one of a file its p, v and m, unless they were given.
// `before` is the schedule of the files.
void ConfigOptions::settlePipeline(RunConfig& config, const std::string& before) {
    const bool takes_usual_v = !given_.v && (config.schedule != before || takes_usual_v_);
    if (given_.schedule && isFileSchedule(config.schedule)) {
        try {
            const ScheduleParams of_file = fileScheduleParams(config.schedule);
            if (!given_.p) config.params.p = of_file.p;
            if (takes_usual_v) config.params.v = of_file.v;
            if (!given_.m) config.params.m = of_file.m;
        } catch (const std::invalid_argument&) {
            return;  // problems() tells it
        }
    } else if (const CatalogEntry* entry = findSchedule(config.schedule); entry != nullptr && takes_usual_v) {
        config.params.v = defaultChunks(*entry);
        if (const std::string text = usualChunksText(*entry); !text.empty())
            std::cerr << "bscope: " << text << '\n';
    }
}

RunConfig ConfigOptions::resolve() {
    RunConfig config;
    const auto note = [this](const wire::RunConfig& from) {
        given_.schedule = given_.schedule || from.has_schedule();
        given_.p = given_.p || from.has_p();
        given_.m = given_.m || from.has_m();
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
    if (vertical_sync_) config.params.vertical_sync = true;
    if (cuda_graphs_) config.cuda_graphs = true;
    if (!all_schedules_) line_.refuse(problems(config));
    return config;
}

}  // namespace bscope::cli
