#include "widgets/text/notation.h"

#include <QRegularExpression>
#include <cmath>

#include "view/text/operation_name.h"
#include "view/text/provenance_words.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

void Notation::countAsIn(const IterationView& view) {
    stream_m = view.isStream() ? view.config.params.m : 0;
    stream_first = view.isStream() ? view.first_microbatch : 0;
}

Notation Notation::fineFor(double shortest_ns) const {
    Notation fine = *this;
    const int usual = inForwards() ? 2 : 1;
    const int wanted = decimalsFor(shortest_ns / unitNs(), usual);
    if (wanted > usual) fine.decimals = wanted;
    return fine;
}

QString Notation::unitName() const {
    return inForwards() ? QStringLiteral("F") : QStringLiteral("ms");
}

QString Notation::number(double ns) const {
    if (decimals >= 0) return numberText(ns / unitNs(), decimals);
    return inForwards() ? numberText(ns / median_forward_ns, 2) : msNumber(ns / 1e6);
}

QString Notation::duration(double ns) const {
    if (inForwards()) return withUnit(number(ns), unitName());
    if (ns > 0 && ns < 1e3) return withUnit(numberText(ns, 0), QStringLiteral("ns"));
    if (ns > 0 && ns < 1e5) return withUnit(numberText(ns / 1e3, 1), QStringLiteral("µs"));
    return msText(ns / 1e6);
}

QString Notation::length(double from_ns, double to_ns) const {
    const int printed = decimals >= 0 ? decimals : inForwards() ? 2 : 1;
    const double difference = printedDifference(from_ns / unitNs(), to_ns / unitNs(), printed);
    return inForwards() || decimals >= 0 ? numberText(difference, printed) : msNumber(difference);
}

QString Notation::bubble(double of_total) const {
    const bool of_ideal = definition == BubbleDefinition::OfIdeal && of_total < 1;
    return shareText(of_ideal ? of_total / (1 - of_total) : of_total);
}

QString Notation::microbatch(int index, int segment) const {
    if (stream_m > 0) index = ((index - stream_first) % stream_m + stream_m) % stream_m;
    return microbatchText(index, count_from_zero, segment);
}

QString Notation::action(Op op, int microbatch_index, int chunk, int segment) const {
    if (op == Op::OptimizerStep || isOfCopies(op)) return opName(op);
    const std::string_view letter = opText(op);
    QString text = QString::fromLatin1(letter.data(), static_cast<qsizetype>(letter.size()));
    text += microbatch(microbatch_index, segment);
    return chunk >= 0 ? text + QChar(u'a' + chunk % 26) : text;
}

// A stream that was not continued in time is disturbed with all its operations undisturbed; GPUs have clocks
// of their own.
QString disturbedText(const IterationReport& report) {
    if (!report.disturbed || report.timing.ofGpus()) return {};
    if (disturbanceOf(report) == Disturbance::Cores)
        return Canvas::tr("disturbed: waiting for a core %1").arg(shareText(report.held_share));
    return Canvas::tr("disturbed: wall/CPU %1").arg(numberText(report.wall_over_cpu, 2));
}

QString disturbedMeaning(const IterationReport& report) {
    if (disturbanceOf(report) == Disturbance::Operations)
        return Canvas::tr(
                   "Other programs used these cores: on one rank, operations took %1 times their CPU time, "
                   "so boxes, gaps and the bubble differ from those on an idle machine.")
            .arg(numberText(report.wall_over_cpu, 2));
    if (disturbanceOf(report) == Disturbance::Cores)
        return Canvas::
            tr("Other programs used these cores: ranks that were ready to run waited for a core, in total "
               "for %1 of the iteration, so gaps and the bubble differ from those on an idle machine.")
                .arg(shareText(report.held_share));
    return Canvas::tr(
        "The first rank had to wait until more iterations were requested; this wait counts as idle time.");
}

Notation notationOf(const ViewState& state, const IterationView& view) {
    Notation notation;
    notation.unit = state.timeUnit();
    notation.median_forward_ns = view.medianForward_ns();
    notation.definition = state.bubbleDefinition();
    notation.count_from_zero = state.countFromZero();
    notation.countAsIn(view);
    return notation;
}

QString functionName(const QString& whole) {
    static const QRegularExpression scopes(QStringLiteral("(?:\\(anonymous namespace\\)|\\w+)::"));
    const QString name = QString(whole).remove(scopes);
    qsizetype begin = 0, end = 0;
    for (int depth = 0; end < name.size(); ++end) {
        const QChar letter = name[end];
        depth += letter == u'<' ? 1 : letter == u'>' ? -1 : 0;
        if (depth == 0 && letter == u'(') break;            // the parameters
        if (depth == 0 && letter == u' ') begin = end + 1;  // behind the result
    }
    return begin < end ? name.mid(begin, end - begin) : whole;
}

QString opName(Op op) {
    return said(sentence(operationName(op)));
}

QString causeName(BubbleCause cause) {
    return said(wordsOf(cause));
}

QString meaningOf(BubbleCause cause) {
    switch (cause) {
        case BubbleCause::Fill:
            return Canvas::tr("Idle time while the pipeline fills, due to the order of the schedule.");
        case BubbleCause::Drain:
            return Canvas::tr("Idle time while the pipeline drains, due to the order of the schedule.");
        case BubbleCause::Dependency:
            return Canvas::tr("Idle time between fill and drain, due to the order of the schedule.");
        case BubbleCause::Imbalance:
            return Canvas::tr("Stages that take longer than the mean of all stages.");
        case BubbleCause::SlowRank:
            return Canvas::tr("A rank that is significantly slower than the others.");
        case BubbleCause::LinkLatency:
            return Canvas::tr("The part of message time that does not depend on message size.");
        case BubbleCause::LinkBandwidth:
            return Canvas::tr("The rest of message time.");
        case BubbleCause::Recomputation:
            return Canvas::tr("Activations computed a second time.");
        case BubbleCause::LaunchGaps:
            return Canvas::tr(
                "The rank was free and all inputs had arrived, but the operation had not started.");
        case BubbleCause::Optimizer:
            return Canvas::tr("Optimizer steps between two operations.");
        case BubbleCause::Noise:
            return Canvas::tr("Single operations that took longer than the median of their kind.");
    }
    return {};
}

QString versionText(const Event& event) {
    if (event.weight_version == kNoVersion) return {};
    const bool step = event.op == Op::OptimizerStep;
    const QString version = (step ? Canvas::tr("makes weight version %1") : Canvas::tr("weight version %1"))
                                .arg(event.weight_version);
    if (event.staleness <= 0) return version;
    return (step ? Canvas::tr("%1, from gradients of weights %2 versions older")
                 : Canvas::tr("%1, %2 versions behind the newest"))
        .arg(version)
        .arg(event.staleness);
}

const char* schemeSource(ColourScheme scheme) {
    switch (scheme) {
        case ColourScheme::Bubblescope:
            return QT_TRANSLATE_NOOP("Canvas", "Bubblescope's own");
        case ColourScheme::Megatron:
            return QT_TRANSLATE_NOOP("Canvas", "as in Megatron-LM");
        case ColourScheme::ZeroBubble:
            return QT_TRANSLATE_NOOP("Canvas", "as in the zero-bubble papers");
        case ColourScheme::PyTorch:
            return QT_TRANSLATE_NOOP("Canvas", "as in PyTorch");
        case ColourScheme::DualPipe:
            return QT_TRANSLATE_NOOP("Canvas", "as in DualPipe");
        case ColourScheme::Grey:
            return QT_TRANSLATE_NOOP("Canvas", "greys, for print");
        case ColourScheme::Stages:
            return QT_TRANSLATE_NOOP("Canvas", "by stage, as in GPipe");
    }
    return "";
}

QString schemeName(ColourScheme scheme) {
    return QCoreApplication::translate("Canvas", schemeSource(scheme));
}

QString meaningOf(Provenance value) {
    return said(provenanceWords(value));
}

QString provenanceName(Provenance value) {
    return said(bscope::provenanceName(value));
}

}  // namespace bscope::ui
