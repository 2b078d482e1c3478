#include "cli/commands/serving_text.h"

#include <algorithm>
#include <string>

#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "cli/report/report_text.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

constexpr double kMs = 1e-6;

// Bytes as letters; a token that is no byte as its number.
std::string textOf(const std::vector<std::int32_t>& tokens) {
    std::string text;
    for (const std::int32_t token : tokens)
        if (token < 256)
            text += static_cast<char>(token);
        else
            text += "<" + std::to_string(token) + ">";
    return text;
}

const char* nameOf(Batching batching) {
    return batching == Batching::Static ? "static" : "continuous";
}

// (ranks,) most bytes of keys and values that a rank keeps.
std::vector<std::int64_t> keptBytes(const Plan& plan) {
    const std::int64_t tokens = std::ranges::max(keptTokens(plan.serving->serving, plan.serving->steps));
    std::vector<std::int64_t> bytes(static_cast<std::size_t>(plan.ranks()), 0);
    for (std::size_t stage = 0; stage < plan.ranges.size(); ++stage)
        bytes[static_cast<std::size_t>(plan.program.schedule.placement[stage])] +=
            tokens *
            static_cast<std::int64_t>(plan.ranges[stage].blocks * 2 * plan.shape.shardC() * sizeof(float));
    return bytes;
}

struct StepKinds {
    int prefill = 0, decode = 0, mixed = 0;
};

StepKinds kindsOf(const ServingWork& work) {
    StepKinds kinds;
    for (const ServingStep& step : work.steps) {
        const int decoded = step.decoded(work.serving);
        ++(decoded == 0 ? kinds.prefill : decoded == step.tokens() ? kinds.decode : kinds.mixed);
    }
    return kinds;
}

void printRanks(const LinePrinter& printer, const ServedRun& run) {
    std::vector<std::string> head;
    for (const char* each :
         {"rank", "busy ms", "wait ms", "transfer ms", "bubble", "KV cache", "peak memory", "weights"})
        head.push_back(printer.words(each));
    TextTable table(std::string(head.size(), 'r'));
    table.row(std::move(head));
    const std::vector<std::int64_t> kept = keptBytes(run.plan);
    const int decimals = decimalsOf(run.report.iteration_ms);
    for (const RankReport& rank : run.report.ranks)
        table.row({std::to_string(rank.rank), fixed(rank.busy_ms, decimals), fixed(rank.wait_ms, decimals),
                   fixed(rank.transfer_ms, decimals + 1), percent(rank.bubble_of_total),
                   megabytes(kept[static_cast<std::size_t>(rank.rank)]),
                   megabytes(rank.peak_activation_bytes), megabytes(rank.weight_bytes)});
    table.print(printer.out());
}

void printRequests(const LinePrinter& printer, const ServedRun& run) {
    constexpr std::size_t kMostRows = 32;
    std::vector<std::string> head;
    for (const char* each : {"request", "prompt tokens", "output tokens", "TTFT ms", "TPOT ms", "text"})
        head.push_back(printer.words(each));
    TextTable table("rrrrrl");
    table.row(std::move(head));
    const std::vector<Request>& requests = run.plan.serving->serving.requests;
    for (std::size_t i = 0; i < std::min(requests.size(), kMostRows); ++i) {
        const AnswerTimes& times = run.serving.answers[i];
        const auto per_token = times.perToken_ns();
        table.row({std::to_string(i), std::to_string(requests[i].prompt), std::to_string(requests[i].output),
                   milliseconds(kMs * static_cast<double>(times.first_ns)),
                   per_token ? milliseconds(kMs * *per_token) : "-",
                   "\"" + shown(textOf(run.answers[i])) + "\""});
    }
    table.print(printer.out());
    if (requests.size() > kMostRows)
        printer.line("and {0} more requests: --json has all", requests.size() - kMostRows);
}

}  // namespace

nlohmann::ordered_json servingJson(const ServedRun& run) {
    const ServingWork& work = *run.plan.serving;
    const StepKinds kinds = kindsOf(work);
    const std::vector<std::int64_t> kept = keptBytes(run.plan);
    nlohmann::ordered_json out = {{"p", run.report.p},
                                  {"t", run.report.t},
                                  {"groups", groupsAtWork(work.steps)},
                                  {"places", work.serving.places},
                                  {"batching", nameOf(work.serving.batching)},
                                  {"token_budget", work.serving.token_budget},
                                  {"device", run.report.device},
                                  {"provenance", toText(run.report.provenance)},
                                  {"disturbed", run.report.disturbed},
                                  {"steps", work.steps.size()},
                                  {"prefill_steps", kinds.prefill},
                                  {"decode_steps", kinds.decode},
                                  {"mixed_steps", kinds.mixed},
                                  {"length_ms", kMs * static_cast<double>(run.serving.length_ns)},
                                  {"bubble_of_total", run.report.bubble_of_total},
                                  {"prompt_tokens", run.serving.prompt_tokens},
                                  {"output_tokens", run.serving.output_tokens},
                                  {"output_tokens_per_s", run.serving.outputPerSecond()}};
    const auto& steady = run.serving.steady;
    out["steady_decode_tokens_per_s"] = orNull(steady ? std::optional(steady->tokens_per_s) : std::nullopt);
    out["steady_decode_formula_tokens_per_s"] =
        orNull(steady ? std::optional(steady->formula_tokens_per_s) : std::nullopt);
    nlohmann::ordered_json ranks = nlohmann::ordered_json::array();
    for (const RankReport& rank : run.report.ranks)
        ranks.push_back({{"rank", rank.rank},
                         {"busy_ms", rank.busy_ms},
                         {"wait_ms", rank.wait_ms},
                         {"transfer_ms", rank.transfer_ms},
                         {"bubble_of_total", rank.bubble_of_total},
                         {"kv_cache_bytes", kept[static_cast<std::size_t>(rank.rank)]},
                         {"peak_activation_bytes", rank.peak_activation_bytes},
                         {"weight_bytes", rank.weight_bytes}});
    out["ranks"] = std::move(ranks);
    nlohmann::ordered_json requests = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < work.serving.requests.size(); ++i) {
        const AnswerTimes& times = run.serving.answers[i];
        const auto per_token = times.perToken_ns();
        requests.push_back({{"request", i},
                            {"prompt_tokens", work.serving.requests[i].prompt},
                            {"output_tokens", work.serving.requests[i].output},
                            {"ttft_ms", kMs * static_cast<double>(times.first_ns)},
                            {"tpot_ms", orNull(per_token ? std::optional(kMs * *per_token) : std::nullopt)},
                            {"last_token_ms", kMs * static_cast<double>(times.last_ns)},
                            {"tokens", run.answers[i]},
                            {"text", textOf(run.answers[i])}});
    }
    out["requests"] = std::move(requests);
    return out;
}

void printServing(const LinePrinter& printer, const ServedRun& run) {
    const ServingWork& work = *run.plan.serving;
    const StepKinds kinds = kindsOf(work);
    const IterationReport& report = run.report;
    printer.out() << printer.words("{0} requests", work.serving.requests.size())
                  << (report.t > 1 ? " · p=" + std::to_string(report.p) + " t=" + std::to_string(report.t)
                                   : " · p=" + std::to_string(report.p))
                  << " · "
                  << printer.words("groups: {0}, each of up to {1}", groupsAtWork(work.steps),
                                   work.serving.places)
                  << " · "
                  << printer.words(work.serving.batching == Batching::Static ? "static batching"
                                                                             : "continuous batching");
    if (work.serving.token_budget > 0)
        printer.out() << " · " << printer.words("at most {0} tokens a step", work.serving.token_budget);
    printer.out() << "   [" << toText(report.provenance) << " · " << shown(report.device) << "]\n";
    printer.line("{0} tokens generated in {1} ms: {2} tokens/s; {3} tokens of prompts read",
                 run.serving.output_tokens, milliseconds(kMs * static_cast<double>(run.serving.length_ns)),
                 fixed(run.serving.outputPerSecond(), 0), run.serving.prompt_tokens);
    printer.line(
        "{0} steps: {1} read prompts (prefill), {2} generate (decode), {3} do both; a step passes through "
        "all stages, and a group has one in the pipeline at a time",
        work.steps.size(), kinds.prefill, kinds.decode, kinds.mixed);
    if (run.serving.steady)
        printer.line(
            "while all groups decode: {0} tokens/s; by formula, with these stages and a free link, {1}: a "
            "turn of all "
            "groups takes as long as the slowest stage needs for all of them, or, where that is longer, as "
            "one "
            "group needs for all stages",
            fixed(run.serving.steady->tokens_per_s, 0), fixed(run.serving.steady->formula_tokens_per_s, 0));
    printer.line("bubble {0} of total = 1 - compute / ({1} * length)", percent(report.bubble_of_total),
                 report.layout().worldText());
    printReportCaveats(printer, report);
    printer.out() << '\n';
    printRanks(printer, run);
    printer.line(
        "KV cache: 2 * blocks * hidden{0} * 4 bytes for every token of prompt and answer but the last, "
        "reserved from "
        "a request's first step to its last; the most at a time, by formula; it is part of the measured peak",
        report.t > 1 ? " / t" : "");
    printer.line(
        "TTFT: from the start of the first operation, when all requests are there, to the first token of an "
        "answer; TPOT: from "
        "each of its tokens to the next, on average");
    printer.out() << '\n';
    printRequests(printer, run);
}

}  // namespace bscope::cli
