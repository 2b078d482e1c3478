// The words left and right of a lane: which rank with which stages and layers; how idle, how far from the
// plan, how much memory. While an iteration runs the numbers are those of the last complete one.
#include <QFontMetricsF>
#include <algorithm>
#include <numeric>

#include "widgets/paint/text_runs.h"
#include "widgets/picture/lane_painter.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "words/number_text.h"

namespace bscope::ui {

namespace {

// Of a stage whose layersOf() are known: false where embedding or head are all of it.
bool hasBlocks(const PreparedView& group, int stage) {
    return group.view().layers_per_stage[static_cast<std::size_t>(stage)] > 0;
}

// Blocks of a stage: "0–1", or "3" for one; the name of an end without any.
QString layersOf(const PreparedView& group, int stage) {
    const auto& layers = group.view().layers_per_stage;
    if (stage < 0 || static_cast<std::size_t>(stage) >= layers.size()) return {};
    // Every replica begins with layer 0.
    const Schedule* schedule = group.schedule();
    const int chain = schedule != nullptr ? schedule->chainOf(stage) : -1;
    const int first = chain < 0 ? 0 : schedule->chains[static_cast<std::size_t>(chain)].front();
    if (!hasBlocks(group, stage))
        return group.stageInReplica(stage) == 0 ? Canvas::tr("embedding") : Canvas::tr("head");
    int before = 0;
    for (int i = first; i < stage; ++i) before += layers[static_cast<std::size_t>(i)];
    const int count = layers[static_cast<std::size_t>(stage)];
    return count == 1 ? QString::number(before) : QStringLiteral("%1–%2").arg(before).arg(before + count - 1);
}

}  // namespace

// All chunks' layers in one line when there is no room for one line each: "a 0–1, b 8–9".
QStringList LanePainter::shortList(qsizetype lines, const QFont& font, double room) const {
    if (lines < 1) return {};
    QStringList chunks;
    for (const int stage : prepared_.stages) {
        const QString layers = layersOf(group_, stage);
        chunks << QString(QChar(u'a' + group_.places().of(stage).chunk % 26)) + u' ' +
                      (layers.isEmpty() ? QString::number(stage) : layers);
    }
    const QString text = chunks.join(QStringLiteral(", "));
    return textWidth(text, font) <= room ? QStringList{text} : QStringList{};
}

void LanePainter::header() {
    const IterationView& view = group_.view();
    const double s = theme_.scale, left = picture_.figure() ? 0 : 16 * s;
    const QFont name_font = theme_.font(picture_.figure() ? 12 : 13, QFont::DemiBold), soft = theme_.font(11);
    const QString name = rankText(rank_, view.ranksAreGpus());
    const double name_height = 16 * s, line_height = 13 * s;
    const ScheduleParams& params = view.config.params;
    QStringList replica, lines;
    const int in_replica = params.layout().replicaOf(rank_), shard = params.layout().shardOf(rank_);
    const bool has_room = lane_.all.height() >= name_height + line_height;
    if (has_room && params.d > 1 && params.t > 1)
        replica << QStringLiteral("dp %1 · tp %2").arg(in_replica).arg(shard);
    else if (has_room && params.d > 1)
        replica << Canvas::tr("replica %1").arg(in_replica);
    else if (has_room && params.t > 1)
        replica << Canvas::tr("shard %1").arg(shard);
    if (!picture_.figure() && !picture_.layout.narrow()) {
        if (prepared_.stages.size() == 1) {
            lines << said(sentence("stage {0}", group_.stageInReplica(prepared_.stages.front())));
            const QString layers = layersOf(group_, prepared_.stages.front());
            if (!layers.isEmpty())
                lines << (hasBlocks(group_, prepared_.stages.front()) ? Canvas::tr("layers %1").arg(layers)
                                                                      : layers);
        } else {
            for (const int stage : prepared_.stages) {
                const QString layers = layersOf(group_, stage);
                const QString letter(QChar(u'a' + group_.places().of(stage).chunk % 26));
                if (layers.isEmpty())
                    lines << Canvas::tr("%1 stage %2").arg(letter).arg(group_.stageInReplica(stage));
                else
                    lines << (hasBlocks(group_, stage) ? Canvas::tr("%1 layers %2").arg(letter, layers)
                                                       : letter + u' ' + layers);
            }
        }
    }
    const auto room =
        static_cast<qsizetype>(std::max(0.0, (lane_.box.height() + 2 * s - name_height) / line_height));
    const qsizetype fitting = std::max<qsizetype>(0, room - replica.size());
    if (lines.size() > fitting)
        lines = prepared_.stages.size() == 1 ? lines.mid(0, fitting)
                                             : shortList(fitting, soft, lane_.header.width() - left - 4 * s);
    lines = replica + lines;
    const double height = name_height + line_height * static_cast<double>(lines.size());
    double y = picture_.figure() && lines.empty()
                   ? lane_.box.center().y()
                   : lane_.box.top() + std::max(0.0, (lane_.box.height() - height) / 2) + name_height / 2;
    const QFont own_font = picture_.figure() ? fittingFont(name, theme_, 12, QFont::DemiBold,
                                                           lane_.header.width() - left - 4 * s)
                                             : name_font;
    drawLeft(painter_, {left, y}, name, own_font, theme_.text);
    y += name_height / 2 + line_height / 2;
    for (const QString& text : lines) {
        const QFont font = picture_.figure() ? fittingFont(text, theme_, 11, QFont::Normal,
                                                           lane_.header.width() - left - 4 * s)
                                             : soft;
        drawLeft(painter_, {left, y}, text, font, theme_.text_soft);
        y += line_height;
    }
}

QString LanePainter::deltaOf(const IterationSummary& shown, std::size_t rank) const {
    const auto& plan = group_.view().plan_summary;
    if (&shown == &plan || rank >= plan.ranks.size() || rank >= shown.ranks.size()) return {};
    const Notation& notation = picture_.notation;
    const auto real = static_cast<double>(shown.ranks[rank].last_end_ns - shown.start_ns);
    const auto planned = static_cast<double>(plan.ranks[rank].last_end_ns - plan.start_ns);
    const int decimals = notation.inForwards() ? 2 : decimalsOf(planned / notation.unitNs());
    const double difference =
        printedDifference(planned / notation.unitNs(), real / notation.unitNs(), decimals);
    return withUnit(signedText(difference, decimals), notation.unitName());
}

// Alike on all ranks: with the words where they fit on each, else the number alone, else nothing; never up to
// the edge.
QString LanePainter::deltaText(const IterationSummary& shown, const QFont& font, double room) const {
    const QString own = deltaOf(shown, static_cast<std::size_t>(rank_));
    if (own.isEmpty()) return {};
    double numbers = 0, whole = 0;
    for (std::size_t rank = 0; rank < shown.ranks.size(); ++rank) {
        const QString number = deltaOf(shown, rank);
        numbers = std::max(numbers, textWidth(number, font));
        whole = std::max(whole, textWidth(Canvas::tr("%1 to plan").arg(number), font));
    }
    const double free = room - 4 * theme_.scale;
    return whole <= free ? Canvas::tr("%1 to plan").arg(own) : numbers <= free ? own : QString();
}

// The count of chunks in flight in large type with its words and the peak at its right, on every rank.
bool LanePainter::hasRoomBesideCount(const IterationSummary& shown, double room) const {
    const QFont big = theme_.font(22, QFont::DemiBold), soft = theme_.font(11);
    const double words = textWidth(Canvas::tr("in flight"), soft);
    return std::ranges::all_of(shown.ranks, [&](const RankSummary& rank) {
        const double peak = textWidth(bytesText(static_cast<double>(rank.peak_activation_bytes)), soft);
        return textWidth(QString::number(rank.peak_in_flight), big) + 8 * theme_.scale +
                   std::max(words, peak) <=
               room;
    });
}

// On narrow paper: both in type that fits on every rank; where the words have no room, the legend has them.
void LanePainter::countAbovePeak(const IterationSummary& shown, double left, double room) {
    QString longest_count, longest_peak;
    for (const RankSummary& rank : shown.ranks) {
        const QString count = said(sentence("{0} in flight", rank.peak_in_flight)),
                      peak = bytesText(static_cast<double>(rank.peak_activation_bytes));
        if (count.size() > longest_count.size()) longest_count = count;
        if (peak.size() > longest_peak.size()) longest_peak = peak;
    }
    const RankSummary& rank = shown.ranks[static_cast<std::size_t>(rank_)];
    const QFont with_words = fittingFont(longest_count, theme_, 11, QFont::DemiBold, room);
    const bool fits = textWidth(longest_count, with_words) <= room;
    const double y = lane_.memory.center().y(), s = theme_.scale;
    drawLeft(
        painter_, {left, y - 6.5 * s},
        fits ? said(sentence("{0} in flight", rank.peak_in_flight)) : QString::number(rank.peak_in_flight),
        fits ? with_words : theme_.font(12.5, QFont::DemiBold), theme_.text);
    drawLeft(painter_, {left, y + 6.5 * s}, bytesText(static_cast<double>(rank.peak_activation_bytes)),
             fittingFont(longest_peak, theme_, 11, QFont::Normal, room), theme_.text_soft);
}

void LanePainter::end() {
    const IterationSummary* shown = group_.numbers();
    const bool first = &group_ == &picture_.groups.front();
    // Beside boxes and a curve of another configuration they would be read as theirs.
    if (shown == nullptr && first && picture_.last_complete && !picture_.numbersAreOfOtherRun())
        shown = &picture_.last_complete->summary;
    if (shown == nullptr || static_cast<std::size_t>(rank_) >= shown->ranks.size()) return;
    const RankSummary& rank = shown->ranks[static_cast<std::size_t>(rank_)];
    const double s = theme_.scale, left = lane_.end.left() + (picture_.figure() ? 10 : 16) * s;
    const double room = lane_.end.right() - left;
    const double size = !picture_.figure() ? 14 : room < 60 * s ? 10.5 : 12.5;
    const QFont strong = theme_.font(size, QFont::DemiBold), soft = theme_.font(11);

    const QString delta = deltaText(*shown, soft, room);
    const bool two_lines = !delta.isEmpty() && !picture_.figure() && !picture_.layout.low();
    const double middle = lane_.box.center().y();
    const QString bubble = picture_.notation.bubble(rank.bubble_of_total);
    const QFont bubble_font = picture_.layout.low() ? theme_.font(13) : strong;
    drawLeft(painter_, {left, two_lines ? middle - 8 * s : middle}, bubble,
             picture_.figure() ? fittingFont(bubble, theme_, picture_.layout.low() ? 13 : size,
                                             QFont::Weight(bubble_font.weight()), room)
                               : bubble_font,
             theme_.text);
    if (two_lines) drawLeft(painter_, {left, middle + 8.5 * s}, delta, soft, theme_.text_soft);

    if (lane_.memory.height() <= 0 || rank.peak_activation_bytes <= 0) return;
    const QString peak = bytesText(static_cast<double>(rank.peak_activation_bytes));
    const QString in_flight = said(sentence("{0} in flight", rank.peak_in_flight));
    const double top = lane_.memory.top();
    if (picture_.layout.low()) {
        if (picture_.figure() && !hasRoomBesideCount(*shown, room)) return countAbovePeak(*shown, left, room);
        const QFont big = theme_.font(22, QFont::DemiBold);
        const QString number = QString::number(rank.peak_in_flight);
        const double y = lane_.memory.center().y(), after = left + textWidth(number, big) + 8 * s;
        drawLeft(painter_, {left, y}, number, big, theme_.text);
        drawLeft(painter_, {after, y - 6.5 * s}, Canvas::tr("in flight"), soft, theme_.text_soft);
        drawLeft(painter_, {after, y + 6.5 * s}, peak, soft, theme_.text_soft);
        return;
    }
    const bool tight = lane_.memory.height() < 30 * s;
    const double peak_y = top + (tight ? 4 : 6) * s;
    const double peak_size = tight ? 12 : size;
    drawLeft(painter_, {left, peak_y}, peak,
             picture_.figure() ? fittingFont(peak, theme_, peak_size, QFont::DemiBold, room)
                               : theme_.font(peak_size, QFont::DemiBold),
             theme_.text);
    if (textWidth(in_flight, soft) <= room)
        drawLeft(painter_, {left, peak_y + (tight ? 14.5 : 17) * s}, in_flight, soft, theme_.text_soft);
    const std::optional<IterationReport> report = picture_.reportBeside(group_);
    const RankReport* reported = report && static_cast<std::size_t>(rank_) < report->ranks.size()
                                     ? &report->ranks[static_cast<std::size_t>(rank_)]
                                     : nullptr;
    const int versions = reported ? reported->weight_versions : 1;
    const QString kept = Canvas::tr("%1 versions").arg(versions);
    if (versions > 1 && lane_.memory.height() >= 44 * s && textWidth(kept, soft) <= room)
        drawLeft(painter_, {left, peak_y + 32 * s}, kept, soft, theme_.text_soft);
    if (reported == nullptr || reported->driver_bytes <= 0 || versions > 1 || lane_.memory.height() < 44 * s)
        return;
    const QString used = bytesText(static_cast<double>(reported->driver_bytes));
    for (const QString& text : {Canvas::tr("whole GPU: %1").arg(used), Canvas::tr("GPU: %1").arg(used)}) {
        if (textWidth(text, soft) > room - 4 * s) continue;  // it may not touch what stands beside
        drawLeft(painter_, {left, peak_y + 32 * s}, text, soft, theme_.text_soft);
        return;
    }
}

}  // namespace bscope::ui
