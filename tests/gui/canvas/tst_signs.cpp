// The legend and the picture say the same: what is painted is explained, and what is explained is painted,
// for every schedule, checkpointing, replicas and scheme of colours. Which boxes carry numbers.
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <memory>

#include "paint_recorder.h"
#include "registered_test.h"
#include "sample_view.h"
#include "widgets/picture/box_numbers.h"
#include "widgets/picture/lane_painter.h"
#include "widgets/picture/legend_items.h"
#include "widgets/picture/note_flags.h"
#include "widgets/picture/timeline_painter.h"

namespace tst_signs {

using namespace bscope;
using namespace bscope::ui;

namespace {

// With the layers that are off at first.
Layers moreLayers() {
    Layers layers;
    layers.arrows = layers.ghost = true;
    return layers;
}

Picture pictureOf(const std::vector<IterationView>& views, QSizeF size, const Theme& theme = {},
                  const Layers& layers = moreLayers()) {
    Picture picture;
    picture.theme = theme.canvas.isValid() ? theme : Theme::make(ThemeKind::Light);
    picture.layers = layers;
    LayoutRequest request;
    request.width = size.width();
    request.height = size.height();
    request.memory = layers.memory;
    request.lanes.clear();
    double extent = 1;
    for (const IterationView& view : views) {
        picture.groups.emplace_back(view);
        request.lanes.push_back(picture.groups.back().lanes());
        extent = std::max(extent, picture.groups.back().extent().to_ns);
    }
    picture.layout = LaneLayout::make(request);
    picture.axis = {{0, extent * 1.01}, picture.layout.plot.left(), picture.layout.plot.width()};
    return picture;
}

std::unique_ptr<PaintRecorder> painted(const Picture& picture) {
    auto recorder = std::make_unique<PaintRecorder>(picture.layout.all.size().toSize());
    QPainter painter(recorder.get());
    TimelinePainter(painter, picture).draw();
    painter.end();
    return recorder;
}

// Width of the widest gap of a cause, so that what is too narrow to be hatched is not missed.
double widest(const Picture& picture, CauseFamily family) {
    std::int64_t most_ns = 0;
    for (const PreparedView& group : picture.groups)
        for (int rank = 0; rank < group.lanes(); ++rank)
            for (const IdlePeriod& period : group.lane(rank).idle)
                if (const Gap* gap = group.gapOf(period); gap != nullptr && familyOf(gap->cause) == family)
                    most_ns = std::max(most_ns, gap->length_ns());
    return static_cast<double>(most_ns) * picture.axis.pxPerNs();
}

double longestWait(const Picture& picture) {
    std::int64_t most_ns = 0;
    for (const PreparedView& group : picture.groups)
        for (int rank = 0; rank < group.lanes(); ++rank)
            if (group.hasRun())
                for (const Event& event : group.receives(rank))
                    most_ns = std::max(most_ns, event.transfer_ns - event.start_ns);
    return static_cast<double>(most_ns) * picture.axis.pxPerNs();
}

bool near(double a, double b) {
    return std::abs(a - b) < 0.51;
}

// What of it stands in the picture.
class Seen {
public:
    explicit Seen(const Picture& picture) : picture_(picture), all_(painted(picture)) {}

    bool box(Op op, int shade) const {
        const Lane& lane = picture_.layout.groups.front().front();
        const QColor fill = picture_.theme.fill(op, shade);
        const bool to_come = !picture_.groups.front().hasRun();
        return hasShape(to_come ? mixed(fill, picture_.theme.canvas, 0.16) : fill, lane.box.height());
    }
    bool neighbour() const {
        for (const Op op : {Op::Forward, Op::Backward})
            if (hasShape(mixed(picture_.theme.fill(op), picture_.theme.canvas, kNeighbourFill),
                         picture_.layout.groups.front().front().box.height()))
                return true;
        return false;
    }
    bool transfer() const {
        return hasShape(picture_.theme.communication,
                        picture_.layout.groups.front().front().communication.height());
    }
    bool wait() const {
        const Theme& theme = picture_.theme;
        return !linesOf(mixed(theme.communication, theme.canvas, theme.kind == ThemeKind::Dark ? 0.9 : 0.6))
                    .empty();
    }
    bool outlines() const {
        return !linesOf(mixed(picture_.theme.text_soft, picture_.theme.canvas, 0.6)).empty();
    }
    bool memory() const { return hasShape(picture_.theme.memory_fill, -1); }
    bool dashed(const QList<qreal>& pattern) const {
        return std::ranges::any_of(all_->lines, [&](const PaintRecorder::Line& line) {
            return line.pen.style() == Qt::CustomDashLine && line.pen.dashPattern() == pattern;
        });
    }
    bool text(const QString& pattern) const {
        const QRegularExpression form(QRegularExpression::anchoredPattern(pattern));
        return std::ranges::any_of(
            all_->texts, [&](const PaintRecorder::Text& each) { return form.match(each.text).hasMatch(); });
    }
    // Lines of hatches that rise, fall, are level, and whether any two cross.
    struct Hatches {
        bool rising = false, falling = false, crossed = false, level = false;
    };
    Hatches hatches() const {
        Hatches found;
        std::vector<QLineF> rising, falling;
        for (const QLineF& line : linesOf(picture_.theme.bubble_hatch))
            if (line.dy() == 0)
                found.level = true;
            else
                (line.dx() * line.dy() < 0 ? rising : falling).push_back(line);
        found.rising = !rising.empty();
        found.falling = !falling.empty();
        for (const QLineF& down : falling)
            for (const QLineF& up : rising)
                if (!found.crossed && std::abs(up.y1() - down.y1()) < 200)
                    found.crossed = up.intersects(down, nullptr) == QLineF::BoundedIntersection;
        return found;
    }

private:
    bool hasShape(const QColor& fill, double height) const {
        return std::ranges::any_of(all_->shapes, [&](const PaintRecorder::Shape& shape) {
            return shape.fill == fill && (height < 0 || near(shape.bounds.height(), height));
        });
    }
    std::vector<QLineF> linesOf(const QColor& colour) const {
        std::vector<QLineF> found;
        for (const PaintRecorder::Line& line : all_->lines)
            if (line.pen.color() == colour && line.pen.style() == Qt::SolidLine) found.push_back(line.line);
        return found;
    }

    const Picture& picture_;
    std::unique_ptr<PaintRecorder> all_;
};

Signs signsOf(const Picture& picture) {
    Signs signs;
    for (const PreparedView& group : picture.groups) signs |= signsOf(group, picture.groups.size() > 1);
    return signs;
}

std::vector<LegendItem> legendOf(const Picture& picture, LegendUse use) {
    return legendItems(signsOf(picture), picture.theme, picture.layers, use, 96);
}

// Names what differs, or nothing.
QString compare(const Picture& picture) {
    const Signs signs = signsOf(picture);
    const Seen seen(picture);
    QStringList wrong;
    const auto check = [&](const QString& name, bool in_legend, bool in_picture) {
        if (in_legend != in_picture)
            wrong << name + (in_legend ? QStringLiteral(" is not painted") : QStringLiteral(" is missing"));
    };
    for (int op = 0; op < kOpCount; ++op)
        for (int shade = 0; shade < 3; ++shade) {
            const Op each = static_cast<Op>(op);
            if (isCommunication(each) || each == Op::Backward || each == Op::BackwardInput || isOfCopies(each))
                continue;
            const bool one_shade = each == Op::OptimizerStep || each == Op::Recompute;
            if (one_shade && shade > 0) continue;
            check(QString::fromUtf8(opText(each).data()) + QString::number(shade),
                  signs.shadesOf(each) > shade, seen.box(each, shade));
        }
    check("what copies do", signs.shadesOf(Op::ReduceGradients) + signs.shadesOf(Op::GatherWeights) > 0,
          seen.box(Op::ReduceGradients, 0));  // one colour, and a bar
    for (int shade = 0; shade < 3; ++shade)  // one colour here
        check("backward" + QString::number(shade),
              std::max(signs.shadesOf(Op::Backward), signs.shadesOf(Op::BackwardInput)) > shade,
              seen.box(Op::Backward, shade));
    check("neighbour", signs.neighbours, seen.neighbour());
    check("chunk letter", signs.chunk_letters, seen.text("[a-z]( w\\d+)?"));
    check("version", signs.weight_versions, seen.text("([a-z] )?w\\d+"));
    check("transfer", signs.transfer, seen.transfer());
    if (seen.wait() || longestWait(picture) > 3) check("wait", signs.wait, seen.wait());
    check("outlines", signs.outlines, seen.outlines());
    check("memory", signs.memory, seen.memory());
    check("cap", signs.cap, seen.dashed({5, 4}));
    check("end", signs.end, seen.dashed({1.5, 2.5}));
    const Seen::Hatches hatches = seen.hatches();
    const double fill_drain = widest(picture, CauseFamily::FillDrain),
                 dependency = widest(picture, CauseFamily::Dependency),
                 network = widest(picture, CauseFamily::Network), other = widest(picture, CauseFamily::Other);
    if (hatches.rising || std::max(fill_drain, network) > 6)
        check("rising hatch", signs.fill_drain || signs.network, hatches.rising);
    if (hatches.falling || std::max(dependency, network) > 6)
        check("falling hatch", signs.dependency || signs.network, hatches.falling);
    if (hatches.crossed || network > 12) check("crossed hatch", signs.network, hatches.crossed);
    if (hatches.level || other > 6) check("level hatch", signs.other_causes, hatches.level);
    check("legend of fill and drain", signs.fill_drain, fill_drain > 0);
    check("legend of dependency", signs.dependency, dependency > 0);
    check("legend of the network", signs.network, network > 0);
    check("legend of other causes", signs.other_causes, other > 0);
    return wrong.join(QStringLiteral(", "));
}

bool legal(const SampleOptions& options) {
    ScheduleParams params{options.p, options.v, options.m, 0};
    params.d = options.d;
    return scheduleProblems(options.schedule, params).empty();
}

int usualV(const CatalogEntry& entry) {
    return std::max(1, entry.usual_v);
}

// Durations that differ by a few percent, as real ones do.
IterationView withNoise(IterationView view, double share) {
    const Timeline& exact = *view.ran;
    auto ran = std::make_shared<Timeline>(exact.ranks(), Provenance::Reconstructed);
    unsigned seed = 1;
    for (int rank = 0; rank < exact.ranks(); ++rank)
        for (Event each : exact.compute(rank)) {
            seed = seed * 1664525u + 1013904223u;
            const double part = share * (static_cast<double>(seed >> 8) / (1u << 24));
            each.end_ns -= static_cast<std::int64_t>(part * static_cast<double>(each.duration_ns()));
            ran->append(each);
        }
    view.ran = ran;
    return view;
}

}  // namespace

class TestSigns : public QObject {
    Q_OBJECT
private slots:
    void legendSaysWhatIsPainted_data() {
        QTest::addColumn<SampleOptions>("options");
        for (const CatalogEntry& entry : catalog())
            for (const int d : {1, 2})
                for (const Recompute recompute : {Recompute::None, Recompute::Full, Recompute::Selective})
                    for (const bool ran : {true, false}) {
                        const SampleOptions options{.schedule = std::string(entry.name),
                                                    .p = d == 1 ? 4 : 2,
                                                    .m = 8,
                                                    .v = usualV(entry),
                                                    .d = d,
                                                    .recompute = recompute,
                                                    .ran = ran};
                        if (!legal(options)) continue;
                        QTest::addRow("%s d=%d ac=%d %s", options.schedule.c_str(), d,
                                      static_cast<int>(recompute), ran ? "ran" : "plan")
                            << options;
                    }
    }

    void legendSaysWhatIsPainted() {
        QFETCH(SampleOptions, options);
        const std::vector<IterationView> views{sampleView(options)};
        const QString wrong = compare(pictureOf(views, {6000, 800}));
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    // What the copies of stages do has one colour, and a sign in the legend for each.
    void weightsAreGatheredBesideSums() {
        const std::vector<IterationView> views{sampleView({.p = 2, .d = 2, .zero = 1})};
        const Picture picture = pictureOf(views, {6000, 800});
        QVERIFY2(compare(picture).isEmpty(), qPrintable(compare(picture)));
        const auto count = [&](Op op) {
            return std::ranges::count(legendOf(picture, LegendUse::Window), op, &LegendItem::op);
        };
        QCOMPARE(count(Op::ReduceGradients), 1);
        QCOMPARE(count(Op::GatherWeights), 1);
    }

    // The word of a phase stands beside a note's flag, not below it; without room beside it there is none.
    void wordsOfPhasesMakeWayForFlags() {
        Picture picture = pictureOf({sampleView()}, {1200, 700});
        const auto wordOfFirstRank = [&] {
            const auto drawn = painted(picture);
            const Lane& lane = picture.layout.groups.front().front();
            for (const PaintRecorder::Text& text : drawn->texts)
                if (text.text == u"warm-up" && lane.all.contains(text.place.center())) return text.place;
            return QRectF();
        };
        const QRectF before = wordOfFirstRank();
        QVERIFY(!before.isEmpty());
        const auto noteAt = [&](double x) {
            const double time_ns = picture.axis.toNs(x);
            return NoteMark{1, 0, {time_ns, time_ns}, {}};
        };
        picture.notes = {noteAt(before.left() + 4)};
        const QRectF beside = wordOfFirstRank();
        QVERIFY(!beside.isEmpty() && beside != before);
        QVERIFY(!beside.intersects(flagOf(picture, picture.notes.front())));
        picture.notes = {noteAt(before.right() + 40)};
        QCOMPARE(wordOfFirstRank(), before);
        picture.notes.clear();
        for (double x = picture.layout.plot.left(); x < picture.layout.plot.right(); x += 30)
            picture.notes.push_back(noteAt(x));
        QVERIFY(wordOfFirstRank().isEmpty());
    }

    // Also below each other, where strips and outlines are left out.
    void ofStackedIterationsToo() {
        const QString wrong =
            compare(pictureOf({sampleView({.schedule = "gpipe"}), sampleView()}, {4000, 800}));
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    // In a stream a rank holds what the iteration before has left, and passes on its own; no line ends all.
    void aStreamGoesOn() {
        IterationView view = sampleView({.schedule = "pipedream"});
        view.first_microbatch = 8;
        auto before = std::make_shared<Timeline>(view.ran->ranks(), Provenance::Reconstructed);
        auto after = std::make_shared<Timeline>(view.ran->ranks(), Provenance::Reconstructed);
        const std::int64_t end_ns = view.ran->end_ns();
        for (std::int16_t rank = 0; rank < view.ran->ranks(); ++rank) {
            before->append(MemoryPoint{view.start_ns - 1'000'000, 40'000'000, view.iteration - 1, rank, 3});
            Event next = view.ran->compute(rank).front();
            next.start_ns = end_ns + 1'000'000;
            next.end_ns = end_ns + 9'000'000;
            next.iteration = view.iteration + 1;
            after->append(next);
            after->append(MemoryPoint{end_ns + 1'000'000, 50'000'000, view.iteration + 1, rank, 4});
        }
        view.before = before;
        view.after = after;
        const PreparedView prepared(view);
        QCOMPARE(prepared.memory(1).front().live_bytes, 40'000'000);
        QCOMPARE(prepared.memory(1).back().live_bytes, 50'000'000);
        QVERIFY(std::ranges::is_sorted(prepared.memory(1), {}, &MemoryPoint::time_ns));
        QVERIFY(prepared.memoryScale() >= 50e6);
        const Picture picture = pictureOf({view}, {6000, 800});
        const QString wrong = compare(picture);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const Seen seen(picture);  // it is neither filled nor drained
        QVERIFY(seen.text("steady") && !seen.text("warm-up") && !seen.text("cool-down"));
        view.first_microbatch = 0;
        QVERIFY(Seen(pictureOf({view}, {6000, 800})).text("warm-up"));
    }

    // The words of the phases are no taller than what is above and below the bracket's middle.
    void wordsOfPhasesStayWithinLowLanes() {
        for (const double height : {330.0, 800.0}) {
            const Picture picture = pictureOf({sampleView()}, {1200, height});
            const auto recorder = painted(picture);
            const double type_size = 9.6;  // of low lanes
            for (const Lane& lane : picture.layout.groups.front()) {
                int seen = 0;
                for (const PaintRecorder::Line& each : recorder->lines) {
                    const double above = each.line.y1() - lane.bracket.top();
                    if (each.line.dy() != 0 || each.pen.color() != picture.theme.text_faint || above < 0 ||
                        above >= lane.bracket.height())
                        continue;
                    ++seen;
                    QVERIFY2(above >= type_size / 2, qPrintable(QString::number(above)));
                }
                QVERIFY(seen > 0);
            }
        }
    }

    // Lanes that are too low for two lines have the rank's name alone.
    void namesOfLanesDoNotOverlap() {
        const IterationView view = sampleView({.d = 2});
        for (const double height : {500.0, 2400.0}) {
            const Picture picture = pictureOf({view, view, view}, {1200, height});
            std::vector<double> middles;
            bool has_replicas = false;
            static const QRegularExpression name(QStringLiteral("^([Rr]ank|replica) \\d"));
            const auto recorder = painted(picture);
            for (const PaintRecorder::Text& each : recorder->texts) {
                if (each.place.right() > picture.layout.plot.left() || !each.text.contains(name)) continue;
                middles.push_back(each.place.center().y());
                has_replicas = has_replicas || each.text.startsWith("replica");
            }
            std::ranges::sort(middles);
            QVERIFY(middles.size() >= 8);  // of those in sight
            QCOMPARE(has_replicas, height > 1000);
            for (std::size_t i = 1; i < middles.size(); ++i)
                QVERIFY2(middles[i] - middles[i - 1] >= 9, qPrintable(QString::number(height)));
        }
    }

    // A rank may step while others still compute: its gap lasts to their end, and is labelled beside the box.
    void aLabelStandsWhereNoBoxCoversItsGap() {
        IterationView view = sampleView();
        const int last = view.ran->ranks() - 1;
        auto ran = std::make_shared<Timeline>(view.ran->ranks(), Provenance::Imported);
        Event step;
        for (int rank = 0; rank <= last; ++rank) {
            std::int64_t computed_ns = 0;
            for (Event each : view.ran->compute(rank)) {
                if (isCompute(each.op)) computed_ns = each.end_ns;
                if (rank == last && each.op == Op::OptimizerStep) {
                    each.end_ns = computed_ns + (view.ran->end_ns() - computed_ns) * 6 / 10;
                    each.start_ns = computed_ns;
                    step = each;
                }
                ran->append(each);
            }
        }
        view.ran = ran;
        view.summary = summarize(*ran, view.iteration);
        const Picture picture = pictureOf({view}, {1400, 800});
        const PreparedView& group = picture.groups.front();
        QVERIFY(group.lane(last).idle.back().start_ns == step.start_ns);
        const QRectF lane = picture.layout.groups.front().back().box;
        const double left = picture.axis.toPx(group.relative(step.start_ns)),
                     right = picture.axis.toPx(group.relative(step.end_ns));
        const std::unique_ptr<PaintRecorder> recorder = painted(picture);
        int labels = 0;
        for (const PaintRecorder::Text& text : recorder->texts) {
            if (!lane.contains(text.place.center()) || text.place.right() < left) continue;
            if (text.place.left() >= right)
                ++labels;
            else
                QVERIFY2(text.text.toInt() > 0, qPrintable(text.text + " is covered"));  // a number of a box
        }
        QCOMPARE(labels, 1);
    }

    void waitingForTheNetworkIsExplained() {
        const std::vector<IterationView> views{sampleView()};
        const Picture picture = pictureOf(views, {6000, 800});
        QVERIFY(Seen(picture).hatches().crossed);
        const auto items = legendOf(picture, LegendUse::Window);
        QCOMPARE(std::ranges::count(items, LegendKind::NetworkBubble, &LegendItem::kind), 1);
    }

    // The colours of an entry are those of the boxes it explains, in every scheme.
    void oneEntryForOneColour() {
        const IterationView view = sampleView({.schedule = "dualpipe-v", .v = 2});
        for (const ColourScheme scheme : kColourSchemes)
            for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
                const Theme theme = Theme::make(kind, scheme);
                const Picture picture = pictureOf({view}, {6000, 800}, theme);
                const Seen seen(picture);
                QSet<QRgb> explained;
                for (const LegendItem& item : legendOf(picture, LegendUse::Window))
                    if (item.kind == LegendKind::Operation)
                        for (int shade = 0; shade < item.shades; ++shade) {
                            const QRgb colour =
                                (item.shades > 1 ? theme.fill(item.op, shade) : theme.fill(item.op)).rgb();
                            QVERIFY2(!explained.contains(colour), qPrintable(item.text));
                            explained.insert(colour);
                        }
                for (int op = 0; op < kOpCount; ++op)
                    for (int shade = 0; shade < theme.palette().shades(); ++shade)
                        if (!isCommunication(static_cast<Op>(op)) && seen.box(static_cast<Op>(op), shade))
                            QVERIFY2(
                                explained.contains(theme.fill(static_cast<Op>(op), shade).rgb()),
                                qPrintable(
                                    QStringLiteral("%1 %2 %3").arg(schemeWord(scheme)).arg(op).arg(shade)));
            }
    }

    // By stage: every box has the hue of its place in the chain and the depth of its operation, and the
    // legend has each of these colours; so on paper too.
    void stagesAreColoured_data() {
        QTest::addColumn<SampleOptions>("options");
        QTest::addColumn<int>("stages");
        QTest::newRow("a stage a rank") << SampleOptions{} << 4;
        QTest::newRow("chunks") << SampleOptions{.schedule = "interleaved", .v = 2} << 8;
        QTest::newRow("two directions") << SampleOptions{.schedule = "chimera", .v = 2} << 4;
        QTest::newRow("replicas") << SampleOptions{.p = 2, .d = 2} << 2;
        QTest::newRow("more than there are hues") << SampleOptions{.schedule = "interleaved", .v = 3} << 12;
        QTest::newRow("a plan") << SampleOptions{.schedule = "zb-v", .v = 2, .ran = false} << 8;
    }
    void stagesAreColoured() {
        QFETCH(SampleOptions, options);
        QFETCH(int, stages);
        const Theme theme = Theme::make(ThemeKind::Light, ColourScheme::Stages);
        const Picture picture = pictureOf({sampleView(options)}, {6000, 800}, theme);
        const int hues = theme.palette().shades();
        QCOMPARE(hues, 8);
        const Seen seen(picture);
        for (const Op op : {Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight})
            for (int stage = 0; stage < hues; ++stage) {
                const bool has_op = signsOf(picture).shadesOf(op) > 0 ||
                                    (op != Op::BackwardWeight && op != Op::Forward);  // one colour
                QCOMPARE(seen.box(op, stage), has_op && stage < stages);
            }
        for (const LegendUse use : {LegendUse::Window, LegendUse::Figure})
            for (const LegendItem& item : legendOf(picture, use)) {
                if (item.kind != LegendKind::Operation || !isCompute(item.op)) continue;
                QCOMPARE(item.shades, std::min(stages, hues));
                if (item.op != Op::Forward) continue;
                const QString words = QStringLiteral("forward, stages 0–%1").arg(stages - 1);
                QCOMPARE(item.text, stages > hues ? words + ", 8 colours in turn" : words);
            }
    }

    // A figure explains no layer that it leaves out, and the plan wherever it is drawn.
    void hiddenLayersAreNotExplainedOnPaper() {
        const auto has = [](const IterationView& view, const Layers& layers, LegendKind kind) {
            const auto items = legendOf(pictureOf({view}, {4000, 800}, {}, layers), LegendUse::Figure);
            return std::ranges::count(items, kind, &LegendItem::kind) == 1;
        };
        const Layers none{false, false, false, false};
        for (const LegendKind kind :
             {LegendKind::FillDrain, LegendKind::Plan, LegendKind::Memory, LegendKind::Cap}) {
            QVERIFY(has(sampleView(), moreLayers(), kind));
            QVERIFY(!has(sampleView(), none, kind));
        }
        QVERIFY(has(sampleView({.ran = false}), none, LegendKind::Plan));
        QVERIFY(!has(sampleView(), {}, LegendKind::Arrow));
    }

    // While an iteration runs, what its plan has is explained already.
    void theLegendStandsWhileAnIterationRuns() {
        const Signs whole = signsOf(pictureOf({sampleView({.schedule = "zb-h1"})}, {1200, 700}));
        for (const double until : {0.05, 0.3, 0.6, 0.9})
            QCOMPARE(
                signsOf(pictureOf({sampleView({.schedule = "zb-h1", .until = until})}, {1200, 700})).shades,
                whole.shades);
    }

    // At any width: all boxes of an operation have their number, or none has.
    void equalBoxesAreNumberedAlike() {
        const IterationView view = withNoise(sampleView({.p = 8, .m = 16}), 0.2);
        QSet<int> counts;
        for (int width = 400; width < 2600; width += 9) {
            const Picture picture = pictureOf({view}, QSizeF(width, 800));
            const std::unique_ptr<PaintRecorder> recorder = painted(picture);
            static const QRegularExpression number(QRegularExpression::anchoredPattern("\\d+"));
            std::vector<int> of_rank(8);
            for (std::size_t rank = 0; rank < 8; ++rank) {
                const QRectF box = picture.layout.groups.front()[rank].box;
                for (const PaintRecorder::Text& text : recorder->texts)
                    of_rank[rank] += number.match(text.text).hasMatch() && box.contains(text.place.center());
            }
            for (const int count : of_rank) {
                QVERIFY2(count == of_rank.front() && count % 16 == 0,
                         qPrintable(QStringLiteral("%1 numbers at width %2").arg(count).arg(width)));
                counts.insert(count);
            }
        }
        QCOMPARE(counts, (QSet<int>{0, 16, 32}));  // none, the backward ones, all
    }

    // The rule knows the scale only: larger, and never fewer numbers or smaller ones.
    void numbersGrowWithTheScale() {
        const std::vector<IterationView> views{sampleView({.p = 8, .m = 16})};
        int before = 0;
        for (int width = 300; width < 3000; width += 5) {
            const Picture picture = pictureOf(views, QSizeF(width, 800));
            const BoxNumbers numbers(picture, picture.groups.front());
            const QFont* font = numbers.fontOf(Op::Forward, 0);
            const int size = font == nullptr ? 0 : font->pixelSize();
            QVERIFY(size >= before);
            before = size;
            for (int stage = 1; stage < 8; ++stage)
                QCOMPARE(numbers.fontOf(Op::Forward, stage) == nullptr, font == nullptr);
        }
        QCOMPARE(before, 12);
    }

    // A stage that takes half as long has boxes of another width: they are judged by their own.
    void anotherWidthIsJudgedByItself() {
        UsualDurations durations;
        const auto add = [&durations](int stage, std::int64_t ns) {
            Event event;
            event.op = Op::Forward;
            event.stage = static_cast<std::int16_t>(stage);
            event.end_ns = ns;
            durations.add(event);
        };
        for (int stage = 0; stage < 4; ++stage)
            for (const int noise : {-3, 0, 3}) add(stage, stage == 3 ? 50 + noise : 100 + stage + noise);
        durations.settle({});
        QCOMPARE(durations.of_ns(Op::Forward, 0), durations.of_ns(Op::Forward, 2));
        QCOMPARE(durations.of_ns(Op::Forward, 3), 50.0);
        QCOMPARE(durations.of_ns(Op::Backward, 0), 0.0);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestSigns)

}  // namespace tst_signs

#include "tst_signs.moc"
