// bscope schedule: a schedule as grid, CSV, JSON or words with what is predicted for it, or the search for
// one; nothing runs. Durations are in units (F = 1 by default), as in the papers.
#include <algorithm>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <utility>

#include "advice/advisor.h"
#include "analysis/layer_costs.h"
#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "catalog/presets.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/schedule_text.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "cli/report/planned_gaps.h"
#include "schedule/formats/csv.h"
#include "schedule/formats/file_schedule.h"
#include "search/search.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

// The options given.
struct ScheduleRequest {
    std::string name;
    std::optional<int> p, v, m, d, t, zero, segments;
    ScheduleParams params;
    std::string usual;  // that v is the schedule's usual one, where no other was given
    PlannedCosts costs;
    std::string costs_from;
    std::optional<double> memory_cap;
    bool list = false, csv = false, csv_comms = false, grid = false, json = false, explain = false;
    bool search = false;
    std::optional<int> gaps;  // so many, the longest

    // Values not given are the file's, or the usual ones of the schedule.
    void settle(Language language) {
        if (isFileSchedule(name)) {
            try {
                params = fileScheduleParams(name);
            } catch (const std::invalid_argument&) {
                return;  // scheduleProblems() reports it
            }
        } else if (const CatalogEntry* entry = findSchedule(name); entry != nullptr && !search) {
            takeUsual(params, *entry);
            if (!(entry->usual_segments > 1 ? segments : v)) usual = usualChunksText(*entry, language);
        }
        if (costs.of_run) params.t = costs.of_run->t;
        if (costs.of_run && !isFileSchedule(name)) {
            params.p = costs.of_run->p;
            params.m = costs.of_run->m;
            if (search || name == costs.of_run->schedule) {
                params.v = costs.of_run->v;
                usual.clear();
            }
        }
        params.p = p.value_or(params.p);
        params.v = v.value_or(params.v);
        params.m = m.value_or(params.m);
        params.d = d.value_or(params.d);
        params.t = t.value_or(params.t);
        params.zero = zero.value_or(params.zero);
        params.segments = segments.value_or(params.segments);
    }

    SearchRequest searchRequest() const {
        const auto stages =
            static_cast<int>(std::clamp(static_cast<long>(params.p) * params.v, 1L, kMaxCells));
        const UnitDurations& units = costs.units;
        return {params,
                costs.of_run ? withHandoverInside(costsForStages(costs.of_run->costs, stages))
                             : unitCosts(stages, units.f, units.i, units.w, units.c),
                memory_cap.value_or(0)};
    }
};

Setter setOptional(std::optional<int>& target) {
    return setInteger([&target](int value) { target = value; });
}

void addOptions(CommandLine& line, ScheduleRequest& request) {
    line.argument("NAME", "name of the schedule, or file:PATH", request.name);
    line.option("-p", "INTEGER", "pipeline ranks (4)", setOptional(request.p));
    line.option("-m", "INTEGER", "micro-batches per iteration (8)", setOptional(request.m));
    line.option("-v", "INTEGER", "virtual stages per rank (the schedule's usual; 1 with --auto)",
                setOptional(request.v));
    line.option("-d", "INTEGER", "data-parallel replicas (1)", setOptional(request.d));
    line.option("--zero", "STAGE", "ZeRO stage of the replicas: 0 or 1", setOptional(request.zero));
    line.option("-t,--tensor", "INTEGER", "tensor-parallel shards of every stage (1)",
                setOptional(request.t));
    line.option("--segments", "INTEGER", "seq1f1b: segments that every sequence is cut into (4)",
                setOptional(request.segments));
    line.integer("--group-size", "interleaved: micro-batches per group, 0 = default",
                 request.params.group_size);
    line.flag("--vertical-sync", "pipedream: the same version of the weights for a micro-batch on every rank",
              request.params.vertical_sync);
    line.flag("--grid", "step by rank, with the prediction in words (default)", request.grid);
    line.flag("--json", "one JSON object: orders and prediction", request.json);
    line.flag("--csv", "PyTorch's compute_only CSV", request.csv);
    line.flag("--csv-comms", "PyTorch's compute_comms CSV", request.csv_comms);
    line.flag("--explain", "in words: order, placement, bubble, memory, messages, source", request.explain);
    addCostsOption(line, request.costs.units);
    line.option("--gaps", "N",
                "with --grid: the N longest idle stretches, each with its reason; with --json: all",
                setOptional(request.gaps));
    line.text("--costs-from", "FILE",
              "durations of a run instead, with its p and m unless others are given: what import "
              "--save-costs wrote, or a recording",
              request.costs_from);
    line.flag(
        "--auto",
        "search the shortest order for these costs under --memory-cap, with one copy and one version of "
        "the weights",
        request.search);
    line.option(
        "--memory-cap", "UNITS",
        "--auto: most activations in flight on any rank; 1 = those of one micro-batch on a rank, that is v "
        "chunks (no cap)",
        setNumber([&request](double value) { request.memory_cap = value; }));
    line.flag("--list", "the catalog of schedules", request.list);
}

void checkRequest(CommandLine& line, const ScheduleRequest& request) {
    if (const auto& run = request.costs.of_run; run && request.params.t != run->t)
        line.refuse(sentence(
            "-t {0} needs durations of other shards than --costs-from has, which are of t = {1}; legal: "
            "-t {1}",
            request.params.t, run->t));
    if ((request.csv || request.csv_comms) && request.params.d > 1)
        line.refuse(sentence("PyTorch's CSV holds one replica, -d {0} makes more; legal: -d 1, or --json",
                             request.params.d));
    if ((request.csv || request.csv_comms) && request.params.t > 1)
        line.refuse(sentence("PyTorch's CSV holds one shard, -t {0} makes more; legal: -t 1, or --json",
                             request.params.t));
    if (request.csv + request.csv_comms + request.grid + request.json + request.explain > 1)
        line.refuse(sentence("choose one of --grid, --json, --csv, --csv-comms and --explain"));
    if (request.gaps && *request.gaps < 1)
        line.refuse(sentence("--gaps {0} must be 1 or more", *request.gaps));
    if (request.gaps && (request.csv || request.csv_comms || request.explain))
        line.refuse(sentence("--gaps is for --grid and --json"));
    if (request.search) {
        if (!request.name.empty())
            line.refuse(sentence("--auto finds a schedule by itself; leave out the name {0}", request.name));
        if (request.explain) line.refuse(sentence("--explain needs the name of a schedule, not --auto"));
        if (request.memory_cap == 0.0)
            line.refuse(sentence("--memory-cap 0 leaves no room; legal: 1 or more, or no --memory-cap"));
        line.refuse(searchProblems(request.searchRequest()));
        return;
    }
    if (request.memory_cap) line.refuse(sentence("--memory-cap belongs to --auto"));
    if (request.name.empty())
        line.refuse(sentence("which schedule? Give its name; bscope schedule --list shows them"));
    else
        line.refuse(scheduleProblems(request.name, request.params));
    const CatalogEntry* entry = findSchedule(request.name);
    if ((request.csv || request.csv_comms) && entry != nullptr && entry->replicas > 1)
        line.refuse(sentence(
            "{0} has two replicas of every stage; PyTorch's CSV cannot say that their two chains are "
            "not connected; legal: --json",
            sentence(entry->title)));
}

// "(p-1)/(3*m+p-1) for m >= p"
std::string formulaOf(const CatalogEntry& entry, Language language) {
    if (*entry.formula_holds == '\0') return entry.bubble_formula;
    const Sentence condition = sentence(entry.formula_holds);
    return say(sentence("{0} for {1}", sentence("{0}", entry.bubble_formula), condition), language);
}

void printList(Language language) {
    const bool english = language == Language::English;
    const auto say = [english](const char* in_english, const char* in_chinese) {
        return english ? in_english : in_chinese;
    };
    std::size_t name = 0, title = 0, formula = 0;
    for (const CatalogEntry& entry : catalog()) {
        name = std::max(name, std::string_view(entry.name).size() + 2);
        title = std::max(title, columnsOf(titleOf(entry, language)) + 2);
        formula = std::max(formula, columnsOf(formulaOf(entry, language)) + 2);
    }
    const auto row = [&](const std::string& first, const std::string& second, const std::string& v,
                         const std::string& bubble) {
        std::cout << padded(first, name) << padded(second, title) << padded(v, 5) << padded(bubble, formula);
    };
    row(say("name", "名称"), say("title", "标题"), "v", say("bubble of total", "占总时间的气泡"));
    std::cout << say("source\n", "来源\n");
    for (const CatalogEntry& entry : catalog()) {
        row(entry.name, titleOf(entry, language),
            entry.fixed_v > 0 ? std::to_string(entry.fixed_v) : std::to_string(entry.min_v) + "..",
            formulaOf(entry, language));
        std::cout << sourceOf(entry, language) << '\n';
    }
    row("file:PATH", "", "", "");
    std::cout << say("an order you wrote, as PyTorch's compute_only CSV\n",
                     "自己写的顺序，PyTorch 的 compute_only CSV 格式\n")
              << say("\nBubble of total: closed form for equal stages, F = I = W and a free link; of the "
                     "asynchronous ones, for what is drawn, filled and drained once.\n"
                     "\nWhat frameworks call them (any spelling):\n",
                     "\n占总时间的气泡：各阶段相等、F = I = "
                     "W、通信不计时的公式；异步调度则是所画部分填充、排空各一次的数值。\n"
                     "\n各框架中的名称（写法不限）：\n");
    const auto print = [](std::span<const Preset> table) {
        for (const Preset& preset : table)
            std::cout << "  " << padded(preset.name, 42) << preset.schedule << '\n';
    };
    print(presets());
    std::cout << say("\nOther names:\n", "\n其他名称：\n");
    print(aliases());
}

void printSearch(const LinePrinter& printer, const SearchResult& result, const ScheduleRequest& request) {
    printer.out() << '\n';
    const auto shown = [&request](std::int64_t ns) { return shortNumber(request.costs.shown(ns)); };
    if (result.best_entry.empty())
        printer.line("auto: began with {0}; none of the catalog fits", result.found_by);
    else
        printer.line("auto: began with {0}; best of the catalog that fits: {1} with makespan {2}",
                     result.found_by, result.best_entry, shown(result.best_entry_ns));
    printer.line("lower bound {0}: at most {1} longer than the optimum", shown(result.lower_bound_ns),
                 percent(result.gap()));
    if (request.memory_cap)
        printer.line("memory cap: {0} micro-batches on a rank = {1} chunks", shortNumber(*request.memory_cap),
                     shortNumber(*request.memory_cap * request.params.v));
    else
        printer.line("memory cap: none");
}

nlohmann::ordered_json searchJson(const SearchResult& result, const ScheduleRequest& request) {
    nlohmann::ordered_json json;
    json["lower_bound"] = request.costs.shown(result.lower_bound_ns);
    json["gap"] = result.gap();
    json["found_by"] = result.found_by;
    json["memory_cap"] = orNull(request.memory_cap);
    json["best_entry"] = nullptr;
    if (!result.best_entry.empty())
        json["best_entry"] = {{"schedule", result.best_entry},
                              {"makespan", request.costs.shown(result.best_entry_ns)}};
    return json;
}

nlohmann::ordered_json moreJson(const Schedule& schedule, const std::optional<SearchResult>& found,
                                const ScheduleRequest& request) {
    nlohmann::ordered_json more = found ? searchJson(*found, request) : nlohmann::ordered_json::object();
    if (request.gaps) more["gaps"] = plannedGapsJson(schedule, request.costs);
    return more;
}

void print(const ScheduleRequest& request, Language language) {
    std::optional<SearchResult> found;
    if (request.search) {
        found = searchSchedule(request.searchRequest());
        found->schedule = inWorld(std::move(found->schedule), request.params);
    }
    Schedule schedule = found ? std::move(found->schedule) : makeSchedule(request.name, request.params);
    if (request.csv || request.csv_comms) {
        std::cout << (request.csv ? toComputeCsv(schedule) : toCommsCsv(schedule));
    } else if (request.json) {
        auto more = moreJson(schedule, found, request);
        std::cout << scheduleJson(std::move(schedule), request.costs, {.after = std::move(more)}) << '\n';
    } else {
        const LinePrinter printer(std::cout, language);
        printScheduleGrid(printer, request.gaps ? schedule : std::move(schedule), request.costs);
        if (found) printSearch(printer, *found, request);
        if (request.gaps)
            printPlannedGaps(printer, schedule, request.costs, static_cast<std::size_t>(*request.gaps));
    }
}

}  // namespace

int scheduleCommand(const Arguments& arguments) {
    CommandLine line("schedule", "Prints a schedule and what is predicted for it. Nothing runs.",
                     "bscope schedule 1f1b -p 4 -m 8 --json");
    ScheduleRequest request;
    addOptions(line, request);
    if (!line.parse(arguments)) return 0;
    if (request.list) {
        line.check();
        printList(line.language());
        return 0;
    }
    if (!request.costs_from.empty()) {
        if (request.explain)
            line.refuse(sentence("--costs-from is for what is predicted, not for --explain"));
        try {
            request.costs.of_run = readCosts(request.costs_from);
            LinePrinter(std::cerr, line.language()).lines(request.costs.of_run->warnings);
        } catch (const std::runtime_error& error) {
            line.refuse(sentence("{0}: {1}", "--costs-from", sentenceOf(error)));
        }
    }
    request.settle(line.language());
    checkRequest(line, request);
    line.check();
    if (!request.usual.empty()) std::cerr << "bscope schedule: " << request.usual << '\n';
    if (request.explain) {
        std::cout << toText(explain(request.name, request.params, line.language()), line.language());
    } else {
        print(request, line.language());
    }
    return 0;
}

}  // namespace bscope::cli
