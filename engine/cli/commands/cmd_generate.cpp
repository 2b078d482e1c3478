// bscope generate: answers requests token by token through a pipeline and prints what it took. The requests
// are answered anew a few times, and what is printed is the last time: the first touches memory. Ctrl-C ends
// it.
#include <atomic>
#include <iostream>

#include "cli/commands/request_options.h"
#include "cli/commands/serving_text.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/options.h"
#include "cli/input/terminal.h"
#include "cli/print/json_text.h"
#include "config/serving_problems.h"
#include "run/serving_run.h"
#include "server/interrupts.h"
#include "view/text/text_gantt.h"

namespace bscope::cli {
namespace {

constexpr int kDefaultRounds = 3;

// What serving depends on.
constexpr ConfigOptions::Row kRows[] = {
    {"p"},
    {"t", "tensor-parallel shards of every stage: p t ranks"},
    {"layers"},
    {"hidden"},
    {"heads"},
    {"sequence", "longest context in tokens: a prompt and its answer but the last token must fit"},
    {"vocabulary"},
    {"layers_per_stage"},
    {"latency_us"},
    {"gbps"},
    {"slow_ranks"},
    {"clock"},
    {"seed", "seed of fresh weights, of the prompts and of lengths that are drawn"},
    {"data_file", "text that prompts are taken from; a built-in one when absent"},
    {"matrix_library"}};

struct GenerateOptions {
    int iterations = kDefaultRounds;
    std::string load;
    bool json = false;
    Language language = Language::English;
};

int generate(ServingRun& run, const GenerateOptions& options) {
    std::atomic<int> interrupted = 0;  // by which signal
    const Interrupts interrupts([&](int signal) {
        interrupted = signal;
        run.abort(sentence("interrupted"));
    });
    IterationReport report;
    try {
        for (int i = 0; i < options.iterations && interrupted == 0; ++i) report = run.iterate();
    } catch (const RunFailure& failure) {
        if (interrupted == 0 || failure.rank >= 0) throw;
    }
    if (interrupted != 0) return statusAfter(interrupted);
    const ServedRun served{run.plan(), report, run.report(), run.answers()};
    if (options.json) {
        std::cout << jsonText(servingJson(served)) << '\n';
        return 0;
    }
    printServing({std::cout, options.language}, served);
    const Terminal terminal = outputTerminal();
    std::cout << '\n'
              << textGantt(run.timeline(), report.iteration, terminal.columns, terminal.colours,
                           options.language);
    return 0;
}

}  // namespace

int generateCommand(const Arguments& arguments) {
    CommandLine line(
        "generate",
        "Answers requests through a pipeline: prompts are read (prefill) and answers generated token by "
        "token (decode), with keys and values kept on every stage; prints when tokens came, the bubble and "
        "memory. A step needs the tokens of its group's previous step, so keeping p stages busy takes at "
        "least "
        "p groups. Of a configuration file it takes model, p, t, split, link, slow ranks, clock, seed, data "
        "and "
        "matrix library.",
        "bscope generate -p 4 --requests 16 --groups 4\n"
        "bscope generate -p 4 --groups 1\n"
        "bscope run --iterations 300 --save state.safetensors\n"
        "bscope generate --load state.safetensors --prompt \"A pipeline \" --output-tokens 40");
    ConfigOptions config_options(line, kRows);
    RequestOptions request_options(line);
    GenerateOptions options;
    line.text("--load", "FILE", "a saved state (safetensors) of a model of this shape (fresh weights)",
              options.load);
    line.integer("--iterations", "how often all are answered; the last time is printed (3)",
                 options.iterations);
    line.flag("--json", "one JSON object on standard output, nothing else", options.json);
    if (!line.parse(arguments)) return 0;
    options.language = line.language();
    const RunConfig wanted = config_options.resolve();
    const Serving serving = request_options.resolve(wanted);
    if (serving.requests.empty()) line.check();  // their file was refused
    line.refuse(servingProblems(wanted, serving));
    if (options.iterations < 1)
        line.refuse(sentence("{0} {1} is not legal: it must be {2}", "--iterations", options.iterations,
                             sentence("at least 1")));
    line.check();
    ServingRun run(wanted, serving, request_options.prompts(wanted, serving), options.load);
    return generate(run, options);
}

}  // namespace bscope::cli
