#include "widgets/picture/gap_words.h"

#include <algorithm>

#include "view/gap.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

QString actionText(const PreparedView& view, const Notation& notation, const Action& action) {
    return notation.action(action.op, action.microbatch, view.chunkLetterOf(action.stage), action.segment());
}

GapWording wordingOf(const PreparedView& view, const Notation& notation) {
    GapWording wording;
    wording.ranks_are_gpus = view.view().ranksAreGpus();
    wording.duration = [&notation](std::int64_t ns) {
        return notation.duration(static_cast<double>(ns)).toStdString();
    };
    wording.action = [&](const Action& action) { return actionText(view, notation, action).toStdString(); };
    return wording;
}

}  // namespace

QString gapTitle(const PreparedView& view, const Notation& notation, const IdlePeriod& period) {
    const QString length = notation.duration(static_cast<double>(period.end_ns - period.start_ns));
    const Gap* const gap = view.gapOf(period);
    return gap != nullptr ? Canvas::tr("idle %1 · %2").arg(length, causeName(gap->cause))
                          : Canvas::tr("idle %1").arg(length);
}

QStringList gapSentences(const PreparedView& view, const Notation& notation, int rank,
                         const IdlePeriod& period) {
    QStringList sentences;
    if (const Gap* const gap = view.gapOf(period))
        sentences << said(view.causes()->words(*gap, wordingOf(view, notation)));
    else
        sentences << (view.running() ? Canvas::tr("Its cause is computed when the iteration is complete.")
                                     : Canvas::tr("Its cause is being computed."));
    const std::vector<GapSelection> all = gapsBySize(view);
    const auto length_ns = static_cast<double>(period.end_ns - period.start_ns);
    sentences << (view.running() ? Canvas::tr("%1 of the idle time so far; gap %2 of %3 by length.")
                                 : Canvas::tr("%1 of the iteration's idle time; gap %2 of %3 by length."))
                     .arg(shareText(length_ns / static_cast<double>(idleTime_ns(view))))
                     .arg(std::ranges::find(all, gapSelection(view, rank, period)) - all.begin() + 1)
                     .arg(all.size());
    return sentences;
}

QString reasonText(const PreparedView& view, const Notation& notation, const Reason& reason) {
    const bool gpus = view.view().ranksAreGpus();
    const QString action = actionText(view, notation, reason.action);
    switch (reason.kind) {
        case Reason::Kind::Operation:
            return Canvas::tr("%1 on %2").arg(action, rankInText(reason.rank, gpus));
        case Reason::Kind::Message:
            return Canvas::tr("%1 to %2").arg(action, rankInText(reason.to, gpus));
        case Reason::Kind::Pause:
            return said(sentence("pause before {0}", action.toStdString()));
        case Reason::Kind::Start:
            return Canvas::tr("start of %1").arg(rankInText(reason.rank, gpus));
    }
    return {};
}

}  // namespace bscope::ui
