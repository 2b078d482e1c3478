// Figures of every width hold what they say: no word is cut at the edge of the paper or lies over another
// one, of one run and of several below each other, in both languages.
#include <QTemporaryDir>
#include <QTest>

#include "analysis/hand_costs_for.h"
#include "app/export/plan_below.h"
#include "app/session/session.h"
#include "app/settings/translations.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "sample_view.h"
#include "widgets/figure/caption.h"
#include "widgets/figure/figure.h"
#include "widgets/figure/figure_painter.h"

namespace tst_figure_widths {

using namespace bscope;
using namespace bscope::ui;

namespace {

using Text = PaintRecorder::Text;

std::vector<Text> textsOf(const std::vector<IterationView>& views, const FigureOptions& options,
                          QSizeF& size) {
    const FigurePainter figure(views, options, 0.05);
    size = figure.size();
    PaintRecorder recorder(size.toSize());
    QPainter painter(&recorder);
    figure.draw(painter);
    painter.end();
    return recorder.texts;
}

// What of a text's box has ink, more or less: ascent and descent are higher than letters.
QRectF inkOf(const Text& text) {
    const double height = text.place.height();
    return text.place.adjusted(0.6, 0.3 * height, -0.6, -0.25 * height);
}

}  // namespace

class TestFigureWidths : public QObject {
    Q_OBJECT

private slots:
    void everyWidthHoldsItsContent_data() {
        QTest::addColumn<int>("language");
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"plans", "one", "runs", "many ranks", "unfinished", "beside"}) {
            QTest::addRow("en %s", kind) << static_cast<int>(Language::English) << QString(kind);
            QTest::addRow("zh %s", kind) << static_cast<int>(Language::Chinese) << QString(kind);
        }
    }
    void everyWidthHoldsItsContent() {
        QFETCH(int, language);
        QFETCH(QString, kind);
        Translations translations;
        translations.setLanguage(static_cast<Language>(language));
        std::vector<IterationView> views;
        if (kind == u"plans")
            for (const char* schedule : {"1f1b", "gpipe", "interleaved", "zb-h1", "dualpipe", "v-half"})
                views.push_back(sampleView(
                    {.schedule = schedule, .v = defaultChunks(*findSchedule(schedule)), .ran = false}));
        else if (kind == u"runs")
            views = {sampleView({.schedule = "interleaved", .v = 2}), sampleView({.pace = 200})};
        else if (kind == u"many ranks")
            views = {sampleView({.p = 12, .m = 24}), sampleView({.schedule = "gpipe", .p = 12, .m = 24})};
        else if (kind == u"beside")
            views = {sampleView({.schedule = "zb-h1"}), sampleView()};
        else
            views = {sampleView({.schedule = "interleaved", .v = 2, .until = kind == u"one" ? 1 : 0.4})};
        for (IterationView& view : views)
            if (view.report) view.calibrated_over = 8;
        if (kind == u"beside")
            for (IterationView& view : views) {
                view.beside = Beside{};
                view.beside->is_baseline = &view != &views.front();
            }
        for (const double width : {60.0, 72.0, 85.0, 120.0, 180.0}) {
            if (kind == u"many ranks" && width > 100) continue;
            FigureOptions options;
            options.width_mm = width;
            options.date = QDate(2026, 11, 27);
            QSizeF size;
            const std::vector<Text> texts = textsOf(views, options, size);
            QVERIFY(texts.size() > 20);
            const QRectF paper = QRectF(QPointF(), size).adjusted(-0.5, 0, 0.5, 0);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                const auto where = [&](const QRectF& place) {
                    return QStringLiteral("%1 mm, \"%2\" at %3 to %4 of %5, %6")
                        .arg(width)
                        .arg(texts[i].text)
                        .arg(place.left())
                        .arg(place.right())
                        .arg(size.width())
                        .arg(place.top());
                };
                if (!paper.contains(texts[i].place) || texts[i].text.contains(QChar(0x2026)))
                    QFAIL(qPrintable(where(texts[i].place)));
                const QRectF ink = inkOf(texts[i]);
                for (std::size_t j = 0; j < i; ++j)
                    if (ink.intersects(inkOf(texts[j])))
                        QFAIL(qPrintable(where(texts[i].place) + " over " + texts[j].text));
            }
        }
    }

    // A head of one line takes the room of one, whatever the heads of the other runs need.
    void aHeadTakesNoRoomForLinesOfAnother() {
        std::vector<IterationView> views{sampleView(), sampleView({.schedule = "interleaved", .v = 2})};
        for (IterationView& view : views) {
            view.beside = Beside{};
            view.beside->is_baseline = &view != &views.front();
        }
        FigureOptions options;
        options.width_mm = 85;
        QSizeF size;
        std::vector<double> names, badges, lanes;  // y of each group
        for (const Text& text : textsOf(views, options, size)) {
            if (text.text.startsWith("This") || text.text.startsWith("Baseline"))
                names.push_back(text.place.center().y());
            if (text.text.startsWith("RECONSTRUCTED")) badges.push_back(text.place.center().y());
            if (text.text == "Rank 0") lanes.push_back(text.place.center().y());
        }
        QCOMPARE(names.size(), 2U);
        QCOMPARE(badges.size(), 2U);
        QCOMPARE(lanes.size(), 2U);
        QVERIFY(std::abs(badges[0] - names[0]) < 3);
        QVERIFY(badges[1] - names[1] > 15);
        QVERIFY2(std::abs((lanes[0] - badges[0]) - (lanes[1] - badges[1])) < 4,
                 qPrintable(QStringLiteral("%1 %2").arg(lanes[0] - badges[0]).arg(lanes[1] - badges[1])));
    }

    // Beside the number of a narrow box no dashes stand, which would read as a part of it; a wide box has them
    // all around.
    void noDashesRunThroughNumbers() {
        const std::vector<IterationView> views{sampleView({.schedule = "gpipe", .ran = false}),
                                               sampleView({.schedule = "zb-h1", .ran = false})};
        for (const double width : {85.0, 170.0}) {
            FigureOptions options;
            options.width_mm = width;
            const FigurePainter figure(views, options, 0.05);
            PaintRecorder recorder(figure.size().toSize());
            QPainter painter(&recorder);
            figure.draw(painter);
            painter.end();
            int around = 0, numbers = 0;
            for (const PaintRecorder::Shape& box : recorder.shapes) {
                if (!box.dashed || box.bounds.height() < 8) continue;
                for (const Text& text : recorder.texts) {
                    if (text.text.toInt() == 0 || !box.bounds.contains(text.place.center())) continue;
                    ++numbers;
                    around += box.bounds.width() > 8 ? 1 : 0;
                }
            }
            QVERIFY(numbers > 0);
            QCOMPARE(around, numbers);
        }
    }

    // An SVG holds its sentences whole, with plain spaces, whichever way its letters are drawn.
    void sentencesOfAnSvgCanBeFound() {
        const std::vector<IterationView> views{sampleView(), sampleView({.schedule = "gpipe"})};
        for (const Language language : {Language::English, Language::Chinese})
            for (const SvgText kind : {SvgText::Text, SvgText::Outlines}) {
                Translations translations;
                translations.setLanguage(language);
                FigureOptions options;
                options.width_mm = 85;
                options.svg_text = kind;
                QTemporaryDir folder;
                const QString path = folder.filePath("figure.svg");
                QCOMPARE(writeFigure(views, options, path, FigureFormat::Svg), QString());
                QFile file(path);
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString svg = QString::fromUtf8(file.readAll());
                const std::vector<PreparedView> groups{PreparedView(views[0]), PreparedView(views[1])};
                Notation notation;
                notation.countAsIn(views.front());
                const QString caption = shortCaption(groups, notation).replace(QChar::Nbsp, u' ');
                QVERIFY2(svg.contains(caption), qPrintable(caption));
            }
    }

    // What stands below each other is the same training: a rank's work does not grow with its chunks.
    void aPlanBelowHasTheSameWork() {
        Session session;
        RunConfig config;
        config.schedule = "1f1b";
        config.params = {4, 1, 8, 0};
        IterationView shown = session.planOf(config);
        shown.config = config;
        shown.hand_costs = HandCosts{};
        const auto work_ns = [](const Timeline& plan) {
            double all = 0;
            for (int rank = 0; rank < plan.ranks(); ++rank)
                for (const Event& event : plan.compute(rank))
                    if (event.microbatch >= 0) all += static_cast<double>(event.end_ns - event.start_ns);
            return all;
        };
        std::vector<PreparedView> groups;
        for (const char* schedule :
             {"1f1b", "gpipe", "interleaved", "zb-h1", "dualpipe", "dualpipe-v", "zb-v"}) {
            const auto plan = planBelow(session, shown, schedule);
            QVERIFY2(plan, schedule);
            QVERIFY2(std::abs(work_ns(*plan->planned) - 4 * 8 * 3e6) < 100,
                     qPrintable(QString("%1: %2").arg(schedule).arg(work_ns(*plan->planned))));
            groups.emplace_back(*plan);
        }
        QVERIFY(groups[2].view().hand_costs->forward_ms == 0.5);
        const QString words = QStringLiteral("same work in all plans");
        QVERIFY(shortCaption(groups, {}).contains(words));
        QVERIFY(captionText(groups, {}, QDate(2026, 11, 27)).contains(words));
        groups.resize(2);
        QVERIFY(!shortCaption(groups, {}).contains(words));
    }

    // An uneven split stays where the stages are as many; where it cannot, that is said.
    void aPlanBelowHasTheSameSplit() {
        Session session;
        RunConfig config;
        config.schedule = "1f1b";
        config.params = {4, 1, 8, 0};
        config.model.layers = 8;
        config.layers_per_stage = {1, 3, 2, 2};
        IterationView shown = session.planOf(config);
        shown.config = config;
        std::vector<PreparedView> groups{PreparedView(shown)};
        for (const char* schedule : {"gpipe", "zb-h1", "eager-1f1b", "dualpipe-v"}) {
            const auto plan = planBelow(session, shown, schedule);
            QVERIFY2(plan, schedule);
            const bool as_many = plan->config.params.stagesOfReplica() == 4;
            QCOMPARE(plan->config.layers_per_stage, as_many ? config.layers_per_stage : std::vector<int>());
            groups.emplace_back(*plan);
        }
        // GPipe is no faster.
        QVERIFY(static_cast<double>(groups[1].numbers()->iteration_ns) >=
                0.999 * static_cast<double>(groups[0].numbers()->iteration_ns));
        for (const QString& words : {shortCaption(groups, {}), captionText(groups, {}, QDate(2026, 11, 29))}) {
            QCOMPARE(words.count(QStringLiteral("layers 1 3 2 2")), 4);
            QCOMPARE(words.count(QStringLiteral("layers split evenly")), 1);
        }
        QVERIFY(parameterText(shown).contains(QStringLiteral("layers 1 3 2 2")));
        config.layers_per_stage.clear();
        shown.config = config;
        QVERIFY(!shortCaption(std::vector{PreparedView(shown)}, {}).contains(QStringLiteral("split")));
    }

    // A stage that takes longer does so in every plan; its chunks share that.
    void factorsStayWithTheirLayers() {
        const Schedule plain = makeSchedule("1f1b", {4, 1, 8, 0});
        const HandCosts hand{
            .forward_ms = 2, .input_ms = 2, .weight_ms = 1, .link = {}, .factors = {3, 1, 1, 1}};
        const HandCosts cut = handCostsFor(hand, plain, makeSchedule("interleaved", {4, 2, 8, 0}));
        QCOMPARE(cut.forward_ms, 1.0);
        QCOMPARE(cut.weight_ms, 0.5);
        QCOMPARE(cut.factors, (std::vector<double>{3, 3, 1, 1, 1, 1, 1, 1}));
        const HandCosts both = handCostsFor(hand, plain, makeSchedule("dualpipe", {4, 2, 8, 0}));
        QCOMPARE(both.forward_ms, 2.0);
        QCOMPARE(both.factors.size(), std::size_t{8});
        QCOMPARE(handCostsFor(hand, plain, plain), hand);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestFigureWidths)

}  // namespace tst_figure_widths

#include "tst_figure_widths.moc"
