// ImproveLines: the lines of the Improve table as words: the run as it is, then the changes of it that the
// advisor predicts, by gain, then the applied changes of other lists; actual results stand beside
// predictions. Plain data and pure functions.
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <optional>
#include <vector>

#include "advice/advisor.h"
#include "report/promises.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

// The run that everything is about.
struct ImproveRun {
    QString name;   // "primus-pp8 · 1F1B, p = 8, m = 16"
    QString costs;  // whose everything is predicted with: "the medians of all iterations of Primus pp_vis"
    RunConfig config;
    // 0: the model is not known; then a micro-batch's time stands for tokens/s, micro-batches in flight for bytes.
    int tokens_of_sample = 0;
    double cap = 0;        // MB, or micro-batches in flight
    bool is_file = false;  // nothing runs in it: a line is shown as a plan
    bool knowsModel() const { return tokens_of_sample > 0; }
};

// A configuration that ran: of a sweep, in turn with the run, or the run itself.
struct RanBeside {
    RunConfig config;
    double median_ms = 0;
    int iterations = 0;
    bool is_the_run = false;
    bool operator==(const RanBeside&) const = default;
};

enum class ImproveKind { SameBatch, SchedulesOnly, All };  // which changes are asked for

// A candidate, a change that was taken before, or (neither) the run as it is.
struct ImproveLine {
    const Candidate* candidate = nullptr;
    const PromiseOutcome* outcome = nullptr;
    bool isTheRun() const { return !candidate && !outcome; }
};

class ImproveLines {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::ImproveLines)
public:
    enum Column { Change, Gain, Iteration, Ran, Rate, Bubble, Span, Peak, Copies, Messages, kColumns };

    ImproveRun run;
    Advice advice;
    std::vector<PromiseOutcome> outcomes;
    std::vector<RanBeside> beside;
    std::vector<RunConfig> marked;
    Notation notation;

    // They point into this.
    std::vector<ImproveLine> lines(ImproveKind kind) const;
    QStringList heads() const;
    QStringList headTips() const;  // "": the head says it all
    QStringList cells(const ImproveLine& line) const;
    QString ranText(const ImproveLine& line) const;
    // How far the run is from its own prediction, where that matters; "": it does not.
    QString doubt() const;
    // What a line's numbers do not say; "": nothing.
    QString sentence(const ImproveLine& line) const;
    bool isMarked(const Candidate& candidate) const;
    // A run can be made so, or it can at least be shown.
    bool canBeTaken(const Candidate& candidate) const;
    QString whyNotTaken(const Candidate* candidate) const;  // "": it can

private:
    bool isAskedFor(ImproveKind kind, const Candidate& candidate) const;
    const PromiseOutcome* outcomeOf(const Candidate& candidate) const;
    const RanBeside* besideOf(const ImproveLine& line) const;
    QString outcomeText(const PromiseOutcome& outcome) const;
};

}  // namespace bscope::ui
