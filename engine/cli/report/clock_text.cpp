#include "cli/report/clock_text.h"

#include <cmath>

#include "catalog/catalog.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"

namespace bscope::cli {
namespace {

std::string withSign(double value, int decimals) {
    return (value < 0 ? "-" : "+") + fixed(std::abs(value), decimals);
}

std::vector<std::string> row(const LinePrinter& printer, const ClockFigures& figures) {
    return {toText(figures.provenance), fixed(figures.iteration_ms, 2) + " ms",
            fixed(100 * figures.bubble_of_total, 2) + " %", fixed(figures.compute_ms, 2) + " ms",
            printer.words("{0} of {1}", figures.counted, figures.iterations)};
}

nlohmann::ordered_json figuresJson(const ClockFigures& figures) {
    return {{"provenance", toText(figures.provenance)},
            {"iterations", figures.iterations},
            {"counted", figures.counted},
            {"iteration_ms", figures.iteration_ms},
            {"bubble_of_total", figures.bubble_of_total},
            {"compute_ms", figures.compute_ms}};
}

const char* outcomeText(ClockOutcome outcome) {
    switch (outcome) {
        case ClockOutcome::Agree:
            return "agree";
        case ClockOutcome::Apart:
            return "apart";
        case ClockOutcome::Disturbed:
            return "disturbed";
    }
    return "";
}

void printOutcome(const LinePrinter& printer, const ClockCheck& check) {
    switch (check.outcome()) {
        case ClockOutcome::Agree:
            printer.line("Within both limits: on this machine the reconstruction shows what is measured.");
            return;
        case ClockOutcome::Apart:
            printer.line("Outside a limit: on this machine reconstructed and measured times differ by more.");
            return;
        case ClockOutcome::Disturbed:
            printer.line(
                "Disturbed, run again: with one clock fewer than half of the iterations count, so there is "
                "no result. An iteration counts when its operations took at most {0} more wall than CPU time "
                "and its ranks waited for a core for at most {0} of its length.",
                percent(kClockTimeLimit / 2));
    }
}

}  // namespace

void printClockCheck(const LinePrinter& printer, const ClockCheck& check) {
    const RunConfig& config = check.config;
    const ClockFigures &measured = check.measured, &reconstructed = check.reconstructed;
    printer.line("{0}, p = {1}, m = {2}, {3} blocks of hidden size {4}, {5} tokens per micro-batch; {6}",
                 titleOf(config.schedule), config.params.p, config.params.m, config.model.layers,
                 config.model.hidden, config.micro_batch * config.model.sequence, check.device);
    printer.line("both clocks, alternating one iteration each; medians of the iterations that count:");
    TextTable table("lrrrr");
    table.row({printer.words("clock"), printer.words("iteration time"), printer.words("bubble of total"),
               printer.words("compute of all ranks"), printer.words("counted")});
    table.row(row(printer, measured));
    table.row(row(printer, reconstructed));
    table.row({printer.words("difference"), withSign(100 * check.timeDifference(), 2) + " %",
               printer.words("{0} percentage points", withSign(100 * check.bubbleDifference(), 2)),
               withSign(reconstructed.compute_ms - measured.compute_ms, 2) + " ms", ""});
    table.row({printer.words("limit"), fixed(100 * kClockTimeLimit, 2) + " %",
               printer.words("{0} percentage points", fixed(100 * kClockBubbleLimit, 2)), "", ""});
    table.print(printer.out());
    printOutcome(printer, check);
}

nlohmann::ordered_json clockCheckJson(const ClockCheck& check) {
    const RunConfig& config = check.config;
    return {{"schedule", config.schedule},
            {"p", config.params.p},
            {"m", config.params.m},
            {"layers", config.model.layers},
            {"hidden", config.model.hidden},
            {"sequence", config.model.sequence},
            {"micro_batch", config.micro_batch},
            {"device", check.device},
            {"measured", figuresJson(check.measured)},
            {"reconstructed", figuresJson(check.reconstructed)},
            {"time_difference", check.timeDifference()},
            {"time_limit", kClockTimeLimit},
            {"bubble_difference", check.bubbleDifference()},
            {"bubble_limit", kClockBubbleLimit},
            {"outcome", outcomeText(check.outcome())}};
}

}  // namespace bscope::cli
