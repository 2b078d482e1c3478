#include "widgets/picture/describe.h"

#include <algorithm>

#include "timeline/median.h"
#include "widgets/picture/gap_words.h"
#include "widgets/text/alignment_text.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"

namespace bscope::ui {

namespace {

constexpr std::size_t kLeastForSpread = 3;

class Describer {
public:
    Describer(const PreparedView& group, const Notation& notation, const Hit& hit)
        : group_(group), notation_(notation), hit_(hit) {}

    // What a glance needs comes first: the times, what it waited for, and what differs from the plan.
    QStringList box(bool planned) const {
        const Event& e = hit_.event;
        QStringList lines{
            Canvas::tr("%1 to %2, lasts %3").arg(at(e.start_ns), at(e.end_ns), duration(e.duration_ns()))};
        if (!planned) addComparison(lines, e);
        if (!planned) addWait(lines, e);
        if (!planned) addPlan(lines, e);
        if (e.bytes > 0 && isCompute(e.op)) {
            const QString size = bytesText(static_cast<double>(e.bytes));
            const bool takes = takesActivations(e.op);
            lines << (takes ? Canvas::tr("takes %1 of activations").arg(size)
                            : Canvas::tr("frees %1 of activations").arg(size));
        }
        if (e.bytes > 0 && isOfCopies(e.op))
            lines << Canvas::tr("received %1 from the other copies of the stage")
                         .arg(bytesText(static_cast<double>(e.bytes)));
        return lines;
    }

    QString boxTitle(bool planned) const {
        const Event& e = hit_.event;
        const QString title = action(e.action()) + QStringLiteral(" · ") + opName(e.op);
        return planned ? title + QStringLiteral(" · ") + Canvas::tr("planned") : title;
    }

    QStringList further() const {
        const Event& e = hit_.event;
        QStringList lines;
        if (e.microbatch >= 0)
            lines << Canvas::tr("micro-batch %1 of %2 (index %3 in files), stage %4, %5")
                         .arg(inIteration(e.microbatch) + 1)
                         .arg(group_.view().config.params.m)
                         .arg(e.microbatch)
                         .arg(group_.stageInReplica(e.stage))
                         .arg(rank(e.rank));
        if (e.segment >= 0)
            lines << Canvas::tr("segment %1 of %2: it reads the keys and values of those before it")
                         .arg(e.segment + 1)
                         .arg(group_.view().config.params.segments);
        if (const QString replica = replicaText(e); !replica.isEmpty()) lines << replica;
        if (const QString shard = shardText(e); !shard.isEmpty()) lines << shard;
        addPlan(lines, e);
        addComparison(lines, e);
        addSpread(lines, e);
        if (e.disturbed) lines << Canvas::tr("disturbed: something else ran on this core");
        return lines;
    }

    Description message() const {
        const Event& e = hit_.event;
        Description d;
        d.title = opName(e.op) + QStringLiteral(" · ") +
                  action(e.action().as(e.op == Op::RecvForward ? Op::Forward : Op::Backward));
        const std::int64_t wait = e.transfer_ns - e.start_ns;
        if (!group_.view().knowsTransfers()) {
            d.lines << Canvas::tr(
                           "waited %1 for the message, since %2; waiting and transfer are not distinguished")
                           .arg(duration(e.end_ns - e.start_ns), at(e.start_ns));
            return d;
        }
        if (wait > 0)
            d.lines << Canvas::tr("waited %1 for the sender, since %2").arg(duration(wait), at(e.start_ns));
        else
            d.lines << Canvas::tr("arrived while the receiver was busy: hidden");
        QString travelled =
            Canvas::tr("travelled %1, until %2").arg(duration(e.end_ns - e.transfer_ns), at(e.end_ns));
        if (e.bytes > 0) travelled += QStringLiteral(" · ") + bytesText(static_cast<double>(e.bytes));
        d.lines << travelled;
        return d;
    }

    Description idle() const {
        return {gapTitle(group_, notation_, hit_.idle),
                gapSentences(group_, notation_, hit_.rank, hit_.idle)};
    }

private:
    // From when the rank was free for it; from another rank.
    void addWait(QStringList& lines, const Event& e) const {
        if (e.op == Op::BackwardWeight || e.op == Op::Recompute || !isCompute(e.op)) return;
        const Op receive = e.op == Op::Forward ? Op::RecvForward : Op::RecvBackward;
        const Timeline& timeline = *group_.view().ran;
        if (e.rank >= timeline.ranks()) return;
        for (const Event& message : timeline.receives(e.rank)) {
            if (message.action() != e.action().as(receive) || message.iteration != e.iteration) continue;
            if (!group_.view().knowsTransfers())
                lines << said(sentence("waited {0} for its input, transfer included",
                                       duration(message.end_ns - message.start_ns).toStdString()));
            else if (message.transfer_ns > message.start_ns)
                lines << Canvas::tr("waited %1 for its input, then %2 transfer")
                             .arg(duration(message.transfer_ns - message.start_ns),
                                  duration(message.end_ns - message.transfer_ns));
            else
                lines << Canvas::tr("its input had arrived: it waited for the rank to become free");
            return;
        }
    }

    void addPlan(QStringList& lines, const Event& e) const {
        if (const auto plan = plannedOf(e))
            lines << Canvas::tr("planned %1 to %2, lasts %3")
                         .arg(at(plan->start_ns), at(plan->end_ns), duration(plan->duration_ns()));
    }

    void addComparison(QStringList& lines, const Event& e) const {
        const IterationView& view = group_.view();
        if (!view.compared || !isCompute(e.op)) return;
        const auto other_ns = view.compared->durations.of(view.actionInIteration(e));
        const QString name = iterationName(view.compared->number, view.compared->file, view.file);
        if (!other_ns)
            lines << Canvas::tr("the baseline %1 has no such operation").arg(name);
        else if (const auto change = group_.changeOf(e);
                 change && duration(*other_ns) != duration(e.duration_ns()))
            lines << Canvas::tr("in the baseline %1 %2: here %3")
                         .arg(name, duration(*other_ns),
                              changeText(static_cast<double>(*other_ns),
                                         static_cast<double>(e.duration_ns())));
        else
            lines << Canvas::tr("in the baseline %1: the same length").arg(name);
    }

    void addSpread(QStringList& lines, const Event& e) const {
        const IterationView& view = group_.view();
        std::vector<std::int64_t> lasted;
        for (const auto& each : view.recent)
            if (const auto own = each->of(view.actionInIteration(e))) lasted.push_back(*own);
        if (lasted.size() < kLeastForSpread || !isCompute(e.op)) return;
        const auto [least, most] = std::ranges::minmax(lasted);
        lines << Canvas::tr("in the last %1 iterations: median %2, from %3 to %4")
                     .arg(QString::number(lasted.size()), notation_.duration(median(lasted)), duration(least),
                          duration(most));
    }

    QString at(std::int64_t time_ns) const { return notation_.duration(group_.relative(time_ns)); }
    QString duration(std::int64_t ns) const { return notation_.duration(static_cast<double>(ns)); }
    QString rank(int number) const { return rankInText(number, group_.view().ranksAreGpus()); }
    QString shardText(const Event& e) const {
        const ScheduleParams& params = group_.view().config.params;
        if (params.t == 1) return {};
        return Canvas::tr("tensor-parallel shard %1 of %2, computed together with the others")
            .arg(params.layout().shardOf(e.rank))
            .arg(params.t);
    }
    QString replicaText(const Event& e) const {
        const ScheduleParams& params = group_.view().config.params;
        if (params.d == 1) return {};
        const int replica = params.layout().replicaOf(e.rank);
        return Canvas::tr("data-parallel replica %1 of %2: micro-batch %3 of all %4; stage %5 in files")
            .arg(replica)
            .arg(params.d)
            .arg(replica * params.m + e.microbatch + 1)
            .arg(params.microbatches())
            .arg(e.stage);
    }
    // Endless streams count on.
    int inIteration(int microbatch) const {
        const IterationView& view = group_.view();
        const int m = std::max(1, view.config.params.m);
        return view.isStream() ? ((microbatch - view.first_microbatch) % m + m) % m : microbatch;
    }
    QString action(const Action& of) const {
        return notation_.action(of.op, of.microbatch, group_.chunkLetterOf(of.stage), of.segment());
    }

    // Run and plan follow the same order, so the n-th box of a rank is the n-th of its plan.
    std::optional<Event> plannedOf(const Event& event) const {
        if (event.rank >= group_.view().planned->ranks()) return std::nullopt;
        const auto ran = group_.ran(event.rank), planned = group_.planned(event.rank);
        const auto place = std::ranges::lower_bound(ran, event.start_ns, {}, &Event::start_ns) - ran.begin();
        if (place >= static_cast<std::ptrdiff_t>(planned.size())) return std::nullopt;
        const Event& plan = planned[static_cast<std::size_t>(place)];
        return plan.action() == event.action() ? std::optional(plan) : std::nullopt;
    }

    const PreparedView& group_;
    const Notation& notation_;
    const Hit& hit_;
};

QStringList notesAt(const Picture& picture, const Hit& hit) {
    const PreparedView& group = picture.groups.front();
    const TimeRange place{group.relative(hit.event.start_ns), group.relative(hit.event.end_ns)};
    QStringList lines;
    for (const NoteMark& note : picture.notes)
        if (note.rank == hit.rank && note.range == place)
            lines << Canvas::tr("note %1: %2").arg(QString::number(note.number), note.text);
    return lines;
}

// What the rank's arena has reserved beside what is live of it; of whole iterations of our own.
QString reservedText(const PreparedView& group, int rank) {
    const auto& report = group.view().report;
    if (!report || group.view().import || group.view().numbers_hidden ||
        static_cast<std::size_t>(rank) >= report->ranks.size())
        return {};
    const RankReport& of_rank = report->ranks[static_cast<std::size_t>(rank)];
    if (of_rank.reserved_bytes <= 0)
        return Canvas::tr(
            "The memory reserved for activations is unknown: this recording is from a version that did not "
            "record it.");
    return Canvas::tr("Arena of rank %1: %2 reserved for activations, at most %3 of it in use at once.")
        .arg(rank)
        .arg(bytesText(static_cast<double>(of_rank.reserved_bytes)),
             bytesText(static_cast<double>(of_rank.peak_activation_bytes)));
}

}  // namespace

// Of the plan where they have not run yet.
QString counterpartsText(const PreparedView& view, const Notation& notation, const Event& event,
                         bool planned) {
    const auto listed = [&](const EventSlice& events) {
        QStringList list;
        for (const Event& other : events)
            if (isCompute(other.op) && other.bytes > 0 &&
                takesActivations(other.op) != takesActivations(event.op) && other.stage == event.stage &&
                other.microbatch == event.microbatch && other.segment == event.segment)
                list << Canvas::tr("%1 at %2")
                            .arg(notation.action(other.op, other.microbatch, view.chunkLetterOf(other.stage),
                                                 other.segment),
                                 notation.duration(view.relative(other.end_ns)));
        return listText(list);
    };
    const bool has_plan = event.rank < view.view().planned->ranks();
    if (const QString ran = planned ? QString() : listed(view.ran(event.rank)); !ran.isEmpty()) return ran;
    if (!has_plan || !(planned || view.running())) return {};
    const QString later = listed(view.planned(event.rank));
    return planned || later.isEmpty() ? later : Canvas::tr("%1 as planned").arg(later);
}

Description describe(const Picture& picture, const Hit& hit) {
    if (!hit.isThing()) return {};
    const Describer describer(picture.groups[static_cast<std::size_t>(hit.group)], picture.notation, hit);
    Description described;
    if (hit.part == Hit::Part::Idle)
        described = describer.idle();
    else if (hit.part == Hit::Part::Message)
        described = describer.message();
    else {
        const bool planned = hit.part == Hit::Part::PlannedBox;
        described.title = describer.boxTitle(planned);
        if (hit.part == Hit::Part::Box && hit.group == 0) described.lines = notesAt(picture, hit);
        described.lines += describer.box(planned);
    }
    described.lines.resize(std::min(described.lines.size(), Description::kMostLines));
    return described;
}

QStringList furtherLines(const PreparedView& view, const Notation& notation, const Event& event) {
    Hit hit;
    hit.event = event;
    hit.rank = event.rank;
    return Describer(view, notation, hit).further();
}

QString noteOf(const Picture& picture, const Hit& hit) {
    if (picture.groups.empty()) return {};
    const PreparedView& group = picture.groups[static_cast<std::size_t>(
        std::clamp(hit.group, 0, static_cast<int>(picture.groups.size()) - 1))];
    if (hit.part == Hit::Part::Title) {
        const auto& beside = group.view().beside;
        const QString source = meaningOf(group.provenance());
        return beside ? sentencesText({source, alignmentMeaning(*beside, picture.notation)}) : source;
    }
    if (hit.in_memory) return reservedText(group, hit.rank);
    if (hit.part == Hit::Part::End && group.hasRun() && !group.view().numbers_hidden)
        return Canvas::tr(
            "To plan: how much later (+) or earlier (−) the rank's last operation ended than in the plan of "
            "this iteration; both are counted from the iteration's start.");
    return {};
}

}  // namespace bscope::ui
