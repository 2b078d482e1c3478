#include "widgets/tune/improve_lines.h"

#include <algorithm>

#include "advice/candidate_costs.h"
#include "advice/schedule_choice.h"
#include "config/runs_alike.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/tune/duration_text.h"
#include "words/sentence_error.h"

namespace bscope::ui {

bool ImproveLines::isAskedFor(ImproveKind kind, const Candidate& candidate) const {
    switch (kind) {
        case ImproveKind::SameBatch:
            return candidate.setting.config.samples() == run.config.samples();
        case ImproveKind::SchedulesOnly:
            return changesScheduleAlone(candidate, run.config);
        case ImproveKind::All:
            break;
    }
    return true;
}

std::vector<ImproveLine> ImproveLines::lines(ImproveKind kind) const {
    std::vector<ImproveLine> lines;
    std::vector<const PromiseOutcome*> listed;
    if (advice.now.iteration_ns > 0) {
        lines.emplace_back();
        for (const Candidate& each : advice.candidates) {
            const PromiseOutcome* const outcome = outcomeOf(each);
            if (outcome) listed.push_back(outcome);
            if (isAskedFor(kind, each)) lines.push_back({&each, outcome});
        }
    }
    for (const PromiseOutcome& each : outcomes)
        if (std::ranges::find(listed, &each) == listed.end()) lines.push_back({nullptr, &each});
    return lines;
}

// The latest of the same change with the same promise.
const PromiseOutcome* ImproveLines::outcomeOf(const Candidate& candidate) const {
    for (auto each = outcomes.rbegin(); candidate.predicted && each != outcomes.rend(); ++each)
        if (each->promise.change == candidate.change &&
            each->promise.predicted_ns == candidate.predicted->iteration_ns)
            return &*each;
    return nullptr;
}

const RanBeside* ImproveLines::besideOf(const ImproveLine& line) const {
    if (line.outcome && !line.candidate) return nullptr;
    if (line.candidate && (!line.candidate->setting.isConfiguration() || line.candidate->setting.order))
        return nullptr;
    const RunConfig& config = line.candidate ? line.candidate->setting.config : run.config;
    const auto found = std::ranges::find_if(
        beside, [&](const RanBeside& each) { return runsAlike(each.config, config); });
    return found == beside.end() ? nullptr : &*found;
}

QString ImproveLines::ranText(const ImproveLine& line) const {
    if (const auto got = line.outcome ? line.outcome->got_ms() : std::nullopt) return notation.number(1e6 * *got);
    const RanBeside* const ran = besideOf(line);
    return ran ? notation.number(1e6 * ran->median_ms) : QString();
}

bool ImproveLines::isMarked(const Candidate& candidate) const {
    return std::ranges::any_of(
        marked, [&](const RunConfig& each) { return runsAlike(each, candidate.setting.config); });
}

bool ImproveLines::canBeTaken(const Candidate& candidate) const {
    return candidate.predicted && (run.is_file || candidate.setting.isConfiguration());
}

QString ImproveLines::whyNotTaken(const Candidate* candidate) const {
    if (!candidate) return tr("No change is chosen.");
    if (!candidate->predicted) return tr("This line is not legal here.");
    return canBeTaken(*candidate) ? QString()
                                  : tr("It changes the machine or the model, not the configuration: it can "
                                       "be shown, but not run.");
}

QStringList ImproveLines::heads() const {
    const QString unit = notation.unitName();
    const bool model = run.knowsModel();
    return {tr("Change"),
            model ? tr("time per sample") : tr("time per micro-batch"),
            tr("iteration, %1").arg(unit),
            tr("ran, %1").arg(unit),
            model ? said(bscope::sentence("tokens/s")) : tr("micro-batch, %1").arg(unit),
            said(bscope::sentence("bubble of total")),
            tr("of span"),
            model ? tr("peak, MB") : tr("in flight"),
            tr("copies"),
            tr("messages")};
}

QStringList ImproveLines::headTips() const {
    const bool model = run.knowsModel();
    return {QString(),
            model ? tr("Share of the time per sample, relative to the run's own line.")
                  : tr("Share of the time per micro-batch, relative to the run's own line."),
            tr("Predicted, including the run's own line."),
            tr("The actual result. For the run's own line: the median of its iterations. For a line that was "
               "applied: the median of the iterations that ran under "
               "exactly this configuration, without the first after the change. Otherwise from a sweep, or "
               "from runs alternating with this run (R)."),
            QString(),
            QString(),
            tr("Idle share within the longest rank's span, from its first start to its last end, on all "
               "ranks: the "
               "bubble of papers on zero bubble."),
            model ? tr("Most activations that any rank holds at once.")
                  : tr("Most micro-batches that any rank holds at once; 1 is what one micro-batch keeps on a "
                       "rank of the run, that is v chunks."),
            tr("Most copies and versions of one stage's weights on a rank."),
            tr("Messages between ranks in one iteration.")};
}

QStringList ImproveLines::cells(const ImproveLine& line) const {
    const Candidate* const candidate = line.candidate;
    QStringList cells;
    const auto padded = [&] {
        while (cells.size() < kColumns) cells << QString();
        return cells;
    };
    if (!candidate && line.outcome) {
        const Promise& promise = line.outcome->promise;
        cells << tr("applied: %1").arg(said(promise.change)) << QString()
              << notation.number(static_cast<double>(promise.predicted_ns)) << ranText(line);
        return padded();
    }
    const QString change =
        !candidate ? said(bscope::sentence("now: {0}", scheduleTitle(run.config.schedule).toStdString()))
        : candidate->trainsDifferently() ? said(bscope::sentence("asynchronous: {0}", candidate->change))
                                         : said(candidate->change);
    cells << (candidate && isMarked(*candidate) ? QStringLiteral("● ") + change : change);
    if (candidate && !candidate->predicted) {
        cells << tr("not legal");
        return padded();
    }
    const Prediction& predicted = candidate ? *candidate->predicted : advice.now;
    const double sample_ns = predicted.nsPerSample();
    cells << (candidate ? changeText(advice.now.nsPerSample(), sample_ns) : QString())
          << notation.number(static_cast<double>(predicted.iteration_ns)) << ranText(line)
          << (run.knowsModel() ? rateNumber(sample_ns > 0 ? run.tokens_of_sample * 1e9 / sample_ns : 0)
                               : notation.number(sample_ns))
          << shareText(predicted.bubble_of_total)
          << (predicted.bubble_of_span ? shareText(*predicted.bubble_of_span) : QStringLiteral("–"))
          << (run.knowsModel() ? megabytesNumber(static_cast<double>(predicted.greatestPeak()))
                               : numberText(predicted.most_in_flight, 1))
          << QString::number(predicted.weight_copies) << QString::number(predicted.messages);
    return cells;
}

QString ImproveLines::outcomeText(const PromiseOutcome& outcome) const {
    const auto got = outcome.got_ms();
    const double predicted_ms = static_cast<double>(outcome.promise.predicted_ns) / 1e6;
    if (!got) return tr("Applied; no iteration after the first has run under it yet.");
    return tr("Predicted %1, actual %2 (%3; iterations that count: %4): the prediction is off by %5.")
        .arg(notation.duration(1e6 * predicted_ms), notation.duration(1e6 * *got),
             QString::fromLatin1(toText(outcome.promise.provenance)),
             QString::number(outcome.lengths_ms.size()), changeText(*got, predicted_ms));
}

QString ImproveLines::doubt() const {
    const auto own = std::ranges::find_if(beside, &RanBeside::is_the_run);
    return own == beside.end() ? QString()
                               : said(doubtOf(1e6 * own->median_ms, advice.now, durationText(notation)));
}

QString ImproveLines::sentence(const ImproveLine& line) const {
    QStringList all;
    if (line.outcome) all << outcomeText(*line.outcome);
    if (const RanBeside* const ran = besideOf(line); ran && !line.outcome)
        all << (ran->is_the_run ? tr("The run took %1, the median of its iterations (%2).")
                                : tr("It ran beside the run: %1, the median of %2 iterations."))
                   .arg(notation.duration(1e6 * ran->median_ms))
                   .arg(ran->iterations);
    if (!line.candidate) return sentencesText(all);
    const Candidate& candidate = *line.candidate;
    if (!candidate.excluded.empty()) all << tr("Excluded: %1.").arg(said(candidate.excluded));
    if (!candidate.setting.isConfiguration())
        all << tr(
            "It changes the machine or the model, not the configuration: it can be shown, but not run.");
    if (candidate.trainsDifferently())
        all << tr(
            "Asynchronous: gradients are computed with older weights, so it trains differently from the "
            "run.");
    const std::vector<Sentence> costs =
        costsInWords(candidate, advice.now, run.knowsModel(), durationText(notation));
    if (!costs.empty()) all << tr("Cost: %1.").arg(said(inARow(costs)));
    return sentencesText(all);
}

}  // namespace bscope::ui
