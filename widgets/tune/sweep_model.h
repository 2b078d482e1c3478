// A sweep as the Improve view shows it: the form's values, what is predicted at once from the last measured
// costs, what has been measured so far, which value is best under the cap and why. Plain data and pure
// functions.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/size_fit.h"
#include "timeline/analysis.h"
#include "report/report.h"
#include "timeline/timeline.h"

namespace bscope::ui {

struct SweepForm {
    SweepAxis axis = SweepAxis::Microbatches;
    std::vector<int> values{1, 2, 4, 8, 16, 32};
    bool fixed_batch = true;  // of m alone: the mini-batch keeps `samples`, the micro-batch follows m
    int samples = 32;
    int iterations = 3;
    double cap_mb = 0;  // 0 = no cap
    bool ofM() const { return axis == SweepAxis::Microbatches; }
    bool operator==(const SweepForm&) const = default;
};

// One value. Predicted numbers are missing where the configuration is illegal or no costs are known.
struct SweepRow {
    int value = 0, micro_batch = 0;
    RunConfig config;  // as far as there is one
    QString name;      // "m = 8", "p = 2, d = 4", "checkpointing Full"
    QString brief;     // "8", "2", "Full"
    QString problem;   // illegal: why
    bool over_cap = false;
    std::shared_ptr<const Timeline> planned;
    double plan_ns = 0;  // length of `planned`
    double planned_ms = 0, predicted_bubble = 0;
    double predicted_rate = 0;        // tokens a second, micro-batches of a run of another program
    double predicted_peak_bytes = 0;  // 0: nothing is known of memory
    int done = 0, asked = 0;             // iterations
    std::optional<IterationReport> run;  // median of those done
    double rate_min = 0, rate_max = 0;

    bool predicted() const { return planned_ms > 0; }
    bool complete() const { return run.has_value() && asked > 0 && done >= asked; }
    bool running() const { return run.has_value() && done < asked; }
    double peakBytes() const;  // measured if there is a run, else predicted
    double ms() const { return run ? run->iteration_ms : planned_ms; }
};

struct SweepVerdict {
    int best = 0;             // 0: nothing under the cap
    bool measured = false;    // of runs; else of predictions
    bool open = false;        // of runs: not all values have run, so that another may become the best
    std::vector<int> equals;  // of runs: values that are no different from it
    QString sentence;         // why this one, and why its neighbour loses
};

// Values of a text: "1 2 4, 8"; nullopt when it holds anything but whole numbers from 1.
std::optional<std::vector<int>> parseSweepValues(const QString& text);
// What is wrong with such a text, and what would be legal.
QString whyIllegalText(const QString& text);
// What a legal configuration would cost, by what is known so far.
using CostsOf = std::function<Costs(const RunConfig&)>;
// What is varied, and what is known of it.
struct SweepBase {
    RunConfig config;
    CostsOf costs_of = {};  // empty: nothing is predicted
    // False: a run of another program, of whose configuration schedule, p, v, m and recomputation are known. Its
    // throughput counts micro-batches, and of its memory nothing is said.
    bool knows_model = true;
    QString file = {};   // a recording or an import that is open, in which nothing runs; empty: the live run
    std::optional<SizeFit> fit = {};  // of a sweep of m: predicts the values that have not run
    bool costs_measured = true;       // else estimated from the model
    double scatter = 0;  // of the iterations that the costs are of: 1.4826 MAD over the median; 0: not known
    bool isFile() const { return !file.isEmpty(); }
};
// With what a micro-batch costs by its size, where a sweep of m has measured three sizes or more; else the
// base as it is. Values that ran keep the prediction that was made before.
SweepBase withSizeFit(const SweepBase& base, const SweepForm& form, const SweepState* state);
SweptConfig sweepConfig(const RunConfig& base, const SweepForm& form, int value);
// One row a value, in their order. state may be null (nothing started); its predictions win over ours.
std::vector<SweepRow> sweepRows(const SweepForm& form, const SweepBase& base, const SweepState* state,
                                const std::vector<int>& next = {});  // values of the sweep after it
SweepVerdict sweepVerdict(const std::vector<SweepRow>& rows, const SweepForm& form, const SweepBase& base);
// What a throughput counts: "tokens/s".
QString rateUnit(const SweepBase& base);
// What is varied, micro-batch, tokens/s, bubble, peak bytes: measured and predicted; a header line first.
QString sweepCsv(const std::vector<SweepRow>& rows, SweepAxis axis);

}  // namespace bscope::ui
