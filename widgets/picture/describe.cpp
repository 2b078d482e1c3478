#include "widgets/picture/describe.h"

#include <algorithm>

#include "widgets/text/canvas_words.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

class Describer {
public:
    Describer(const PreparedView& group, const Notation& notation, const Hit& hit)
        : group_(group), notation_(notation), hit_(hit) {}

    Description box(bool planned) const {
        const Event& e = hit_.event;
        Description d;
        d.title = action(e.stage, e.op, e.microbatch) + QStringLiteral(" · ") + opName(e.op);
        if (planned) d.title += QStringLiteral(" · ") + Canvas::tr("planned");
        if (e.microbatch >= 0)
            d.lines << Canvas::tr("micro-batch %1 of %2 (index %3 in files), stage %4, %5")
                           .arg(inIteration(e.microbatch) + 1)
                           .arg(group_.view().config.params.m)
                           .arg(e.microbatch)
                           .arg(stageInReplica(e.stage))
                           .arg(rank(e.rank));
        if (const QString replica = replicaText(e); !replica.isEmpty()) d.lines << replica;
        d.lines
            << Canvas::tr("%1 to %2, lasts %3").arg(at(e.start_ns), at(e.end_ns), duration(e.duration_ns()));
        if (!planned)
            if (const auto plan = plannedOf(e))
                d.lines << Canvas::tr("planned %1 to %2, lasts %3")
                               .arg(at(plan->start_ns), at(plan->end_ns), duration(plan->duration_ns()));
        if (e.bytes > 0 && isCompute(e.op)) {
            const QString size = bytesText(static_cast<double>(e.bytes));
            const bool takes = e.op == Op::Forward || e.op == Op::Recompute;
            d.lines << (takes ? Canvas::tr("takes %1 of activations").arg(size)
                              : Canvas::tr("frees %1 of activations").arg(size));
        }
        if (const QString version = versionText(e); !version.isEmpty()) d.lines << version;
        if (e.disturbed) d.lines << Canvas::tr("disturbed: something else ran on this core");
        return d;
    }

    Description message() const {
        const Event& e = hit_.event;
        Description d;
        d.title = opName(e.op) + QStringLiteral(" · ") +
                  action(e.stage, e.op == Op::RecvForward ? Op::Forward : Op::Backward, e.microbatch);
        const std::int64_t wait = e.transfer_ns - e.start_ns;
        if (!group_.view().knowsTransfers()) {
            d.lines << Canvas::tr(
                           "waited %1 for the message, since %2; waiting and transfer are not told apart")
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
        const IdlePeriod& period = hit_.idle;
        const auto& gaps = group_.lane(hit_.rank).gaps;
        Description d;
        d.title = Canvas::tr("idle %1 · %2")
                      .arg(duration(period.end_ns - period.start_ns), causeName(period.cause));
        const std::span<const IdleGap> parts = std::span(gaps).subspan(period.first_gap, period.gaps);
        const IdleGap& last = parts.back();
        if (!last.next) {
            const Awaited& end = last.awaited;
            d.lines << Canvas::tr("%1 has finished its part; the iteration ends at %2, when %3 has done %4.")
                           .arg(rank(hit_.rank), at(end.end_ns), rank(end.rank), action(end.action));
            return d;
        }
        const QString next = action(*last.next);
        // At most an own step, then waiting for one input, then its journey, then what the rank took itself.
        const bool steps = parts.front().awaited.kind == Awaited::Kind::Step;
        if (steps)
            d.lines << Canvas::tr("%1 does its optimizer step until %2.")
                           .arg(rank(hit_.rank), at(parts.front().end_ns));
        const IdleGap& wait = parts[steps && parts.size() > 1 ? 1 : 0];
        const Awaited& input = wait.awaited;
        if (input.kind != Awaited::Kind::Operation && input.kind != Awaited::Kind::Message) {
            d.lines << Canvas::tr("%1 begins %2 at %3; no input from another rank was missing.")
                           .arg(rank(hit_.rank), next, at(period.end_ns));
            return d;
        }
        if (input.rank < 0)
            d.lines << Canvas::tr("%1 waits since %2 for the input of %3; what made it is not recorded.")
                           .arg(rank(hit_.rank), at(wait.start_ns), next);
        else
            d.lines << Canvas::tr("%1 waits since %2 for %3 to do %4.")
                           .arg(rank(hit_.rank), at(wait.start_ns), rank(input.rank), action(input.action));
        std::int64_t arrival_ns = input.made_ns;
        for (const IdleGap& part : parts)
            if (part.awaited.kind == Awaited::Kind::Message) arrival_ns = part.awaited.end_ns;
        const std::int64_t travel = arrival_ns - input.made_ns;
        d.lines << (travel > 0 ? Canvas::tr("It was done at %1, then the message travelled %2.")
                                     .arg(at(input.made_ns), duration(travel))
                               : Canvas::tr("It was done at %1.").arg(at(input.made_ns)));
        if (last.awaited.kind == Awaited::Kind::Nothing)
            d.lines << Canvas::tr("%1 then took %2 more to begin %3.")
                           .arg(rank(hit_.rank), duration(last.end_ns - last.start_ns), next);
        const QString reason = lateness(input, period);
        if (!reason.isEmpty()) d.lines << reason;
        return d;
    }

private:
    QString at(std::int64_t time_ns) const { return notation_.duration(group_.relative(time_ns)); }
    QString duration(std::int64_t ns) const { return notation_.duration(static_cast<double>(ns)); }
    QString rank(int number) const { return rankText(number, group_.view().ranksAreGpus()); }
    int stageInReplica(int stage) const {
        const ScheduleParams& params = group_.view().config.params;
        return params.d > 1 ? stage % params.stagesOfReplica() : stage;
    }
    QString replicaText(const Event& e) const {
        const ScheduleParams& params = group_.view().config.params;
        if (params.d == 1) return {};
        const int replica = params.replicaOf(e.rank);
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
    QString action(int stage, Op op, int microbatch) const {
        return notation_.action(op, microbatch, group_.chunkLetterOf(stage));
    }

    QString action(const Action& a) const { return action(a.stage, a.op, a.microbatch); }

    // Run and plan follow the same order, so the n-th box of a rank is the n-th of its plan.
    std::optional<Event> plannedOf(const Event& event) const {
        if (event.rank >= group_.view().planned->ranks()) return std::nullopt;
        const auto ran = group_.ran(event.rank), planned = group_.planned(event.rank);
        const auto place = std::ranges::lower_bound(ran, event.start_ns, {}, &Event::start_ns) - ran.begin();
        if (place >= static_cast<std::ptrdiff_t>(planned.size())) return std::nullopt;
        const Event& plan = planned[static_cast<std::size_t>(place)];
        const bool same =
            plan.stage == event.stage && plan.op == event.op && plan.microbatch == event.microbatch;
        return same ? std::optional(plan) : std::nullopt;
    }

    // Which operation of the rank it waited for overran its plan most, while this rank stood still.
    QString lateness(const Awaited& input, const IdlePeriod& period) const {
        if (input.rank < 0) return {};
        std::optional<Event> worst;
        std::int64_t most = 0, planned_ns = 0;
        for (const Event& event : group_.ran(input.rank)) {
            if (event.end_ns <= period.start_ns || event.end_ns > input.made_ns) continue;
            const auto plan = plannedOf(event);
            if (!plan || event.duration_ns() - plan->duration_ns() <= most) continue;
            worst = event;
            most = event.duration_ns() - plan->duration_ns();
            planned_ns = plan->duration_ns();
        }
        if (!worst || planned_ns <= 0 || static_cast<double>(most) < 0.05 * static_cast<double>(planned_ns))
            return {};
        return Canvas::tr("Meanwhile %1 on %2 took %3 longer than planned.")
            .arg(action(worst->stage, worst->op, worst->microbatch), rank(input.rank),
                 withUnit(numberText(100 * static_cast<double>(most) / static_cast<double>(planned_ns), 0),
                          QStringLiteral("%")));
    }

    const PreparedView& group_;
    const Notation& notation_;
    const Hit& hit_;
};

}  // namespace

Description describe(const Picture& picture, const Hit& hit) {
    if (!hit.isThing()) return {};
    const Describer describer(picture.groups[static_cast<std::size_t>(hit.group)], picture.notation, hit);
    if (hit.part == Hit::Part::Idle) return describer.idle();
    if (hit.part == Hit::Part::Message) return describer.message();
    return describer.box(hit.part == Hit::Part::PlannedBox);
}

Description describeGap(const PreparedView& group, const Notation& notation, int rank,
                        const IdlePeriod& period) {
    Hit hit;
    hit.part = Hit::Part::Idle;
    hit.rank = rank;
    hit.idle = period;
    return Describer(group, notation, hit).idle();
}

}  // namespace bscope::ui
