// Exported figures: right size, real vectors and text, embedded fonts with Chinese, a badge that cannot be
// lost.
#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QSvgRenderer>
#include <QTest>

#include "app/settings/translations.h"
#include "catalog/bubble_formula.h"
#include "formula.h"
#include "registered_test.h"
#include "sample_view.h"
#include "widgets/figure/caption.h"
#include "widgets/figure/figure.h"

namespace tst_figure {

using namespace bscope;
using namespace bscope::ui;

class TestFigure : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::vector<IterationView> views_{sampleView()};

    QByteArray written(const FigureOptions& options, FigureFormat format) {
        const QString path = folder_.filePath(QStringLiteral("figure"));
        const QString problem = writeFigure(views_, options, path, format);
        if (!problem.isEmpty()) qWarning("%s", qPrintable(problem));
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static FigureOptions paper(double width_mm) {
        FigureOptions options;
        options.width_mm = width_mm;
        options.date = QDate(2025, 11, 21);
        options.svg_text = SvgText::Text;
        return options;
    }

private slots:
    // It belongs to the number, so it belongs to the caption, with what it means.
    void captionTellsThatTheMachineWasDisturbed() {
        IterationView view = sampleView();
        const auto caption = [&view] {
            const std::vector<PreparedView> groups{PreparedView(view)};
            return captionText(groups, Notation{}, QDate(2026, 1, 1));
        };
        QVERIFY(!caption().contains("isturbed"));
        view.report->disturbed = true;
        view.report->wall_over_cpu = 13.77;
        QVERIFY2(caption().contains("Disturbed: wall/CPU 13.77"), qPrintable(caption()));
        QVERIFY(caption().contains("13.77 times"));
        view.report->wall_over_cpu = 1;  // a stream that had to wait for its orders
        QVERIFY2(caption().contains("until more iterations were requested"), qPrintable(caption()));
        view.report->timing.source = TimingSource::Cupti;  // GPUs have clocks of their own
        QVERIFY(!caption().contains("isturbed"));
    }

    // The letters, with this run's values put in, come to the number beside them, which is the played one.
    void captionsFormulaComesToItsNumber() {
        int formulas = 0, with_idle = 0;
        for (const CatalogEntry& entry : catalog())
            for (const BubbleDefinition definition : {BubbleDefinition::OfTotal, BubbleDefinition::OfIdeal})
                for (const OperationDurations& ms :
                     {OperationDurations{8, 8, 8}, OperationDurations{8, 11, 6},
                      OperationDurations{10, 7, 5}}) {
                    SampleOptions options;
                    options.schedule = entry.name;
                    options.v = defaultChunks(entry);
                    if (!scheduleProblems(entry.name, {options.p, options.v, options.m, 0}).empty()) continue;
                    IterationView view = sampleView(options);
                    const Schedule schedule = makeSchedule(entry.name, view.config.params);
                    Costs costs;
                    StageCosts stage;
                    stage.forward_ns = 1e6 * ms.f;
                    stage.input_ns = 1e6 * ms.i;
                    stage.weight_ns = 1e6 * ms.w;
                    stage.backward_ns = stage.input_ns + stage.weight_ns;
                    costs.stages.assign(schedule.placement.size(), stage);
                    const double played =
                        summarize(predict(lower(schedule, Recompute::None), costs), 0).bubble_of_total;
                    view.report->costs = costs;
                    view.report->theory_bubble_of_total = played;
                    Notation notation;
                    notation.definition = definition;
                    const std::vector<PreparedView> groups{PreparedView(view)};
                    const QString caption =
                        captionText(groups, notation, QDate(2026, 1, 1)).replace(QChar::Nbsp, u' ');
                    static const QRegularExpression form(QStringLiteral(", theory (.+?) = ([0-9.]+) %")),
                        idle_form(QStringLiteral(", x = (.+?) = ([^;]+?) = ([0-9.]+) \\(durations in ms\\)")),
                        lonely_x(QStringLiteral("(?<![a-z])x(?![a-z])"));
                    const auto reported = form.match(caption);
                    if (!reported.hasMatch()) continue;
                    const auto put = [&](QString text) {
                        text.replace(QChar(0x2212), u'-').replace(QChar(0x00B7), u'*').remove(u' ');
                        return QString::fromStdString(
                            withNumbers(text.toStdString(), {view.config.params, 0, 0, ms}));
                    };
                    QString numbers = put(reported.captured(1));
                    if (const auto idle = idle_form.match(caption); idle.hasMatch()) {
                        RealFormula idle_ms(put(idle.captured(1)).toStdString());
                        QVERIFY2(std::abs(idle_ms.value() - idle.captured(3).toDouble()) < 1e-3 &&
                                     idle_ms.isWhole(),
                                 qPrintable(caption));
                        numbers.replace(lonely_x, idle.captured(3));
                        ++with_idle;
                    }
                    RealFormula formula(numbers.toStdString());
                    const double percent = 100 * formula.value();
                    QVERIFY2(formula.isWhole(), qPrintable(numbers + " | " + caption));
                    QVERIFY2(std::abs(percent - reported.captured(2).toDouble()) < 0.06,
                             qPrintable(QString("%1: %2 | %3").arg(percent).arg(numbers, caption)));
                    ++formulas;
                }
        QVERIFY2(formulas > 40 && with_idle > 8, qPrintable(QString("%1 %2").arg(formulas).arg(with_idle)));
    }

    // Calibrated durations are medians: what disturbed this iteration is not in its boxes.
    void calibratedDurationsAreNotDisturbed() {
        IterationView view = sampleView();
        view.report->disturbed = true;
        view.report->wall_over_cpu = 2;
        view.config.durations = Durations::Calibrated;
        const std::vector<PreparedView> groups{PreparedView(view)};
        const QString caption = captionText(groups, Notation{}, QDate(2026, 1, 1));
        QVERIFY2(!caption.contains("isturbed") && caption.contains("calibrated"), qPrintable(caption));
    }

    void costsByHandAreInTheCaption() {
        IterationView view = sampleView({.schedule = "zb-h1", .ran = false});
        view.costs_by_hand = true;
        view.hand_costs =
            HandCosts{.forward_ms = 1, .input_ms = 1.5, .weight_ms = 0.5, .link = {}, .factors = {1, 2}};
        const std::vector<PreparedView> groups{PreparedView(view)};
        for (QString caption :
             {captionText(groups, Notation{}, QDate(2026, 1, 1)), shortCaption(groups, Notation{})}) {
            caption.replace(QChar::Nbsp, u' ');
            QVERIFY2(caption.contains("F = 1 ms, I = 1.5 ms, W = 0.5 ms, stage 1 × 2"), qPrintable(caption));
            QVERIFY2(caption.contains("ubble"), qPrintable(caption));
        }
    }

    // A person reads the figure, not its small print, and F keeps its numbers as B does.
    void aColumnsFigureIsMostlyPicture() {
        for (const CaptionLength length : {CaptionLength::Short, CaptionLength::Long}) {
            FigureOptions bare = paper(85), full = paper(85);
            bare.caption = CaptionLength::None;
            bare.legend = false;
            full.caption = length;
            const double height = figureSize(views_, full).height();
            QVERIFY2(height - figureSize(views_, bare).height() < height / 3,
                     qPrintable(QString::number(height)));
        }
        const QByteArray svg = written(paper(85), FigureFormat::Svg);
        for (const char* number : {">1</text>", ">8</text>"})
            QVERIFY2(svg.count(number) >= 8, qPrintable(QString::number(svg.count(number))));
        QCOMPARE(captionOf(paper(85)), CaptionLength::Short);
        QCOMPARE(captionOf(paper(170)), CaptionLength::Long);
    }

    // The boxes are like those of a run; what it is stays on the badge.
    void aPlanCanBeSolid() {
        const std::vector<IterationView> plan{sampleView({.ran = false})};
        FigureOptions options = paper(170);
        const QColor forward = Theme::make(ThemeKind::Light).fill(Op::Forward);
        const auto pixels = [&] {
            const QImage image = renderFigureImage(plan, options);
            int count = 0;
            for (int y = 0; y < image.height() * 2 / 3; y += 2)
                for (int x = 0; x < image.width(); x += 2) count += image.pixelColor(x, y) == forward;
            return count;
        };
        QCOMPARE(pixels(), 0);
        options.plan = PlanLook::Solid;
        QVERIFY(pixels() > 2000);
        const QString path = folder_.filePath("solid.svg");
        options.caption = CaptionLength::Long;
        QCOMPARE(writeFigure(plan, options, path, FigureFormat::Svg), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("PREDICTED") && svg.contains("nothing ran"));
        QVERIFY(!svg.contains("Iteration 37") && !svg.contains("iteration 37"));
    }

    void operationsAlone() {
        FigureOptions options = paper(170);
        const double height = figureSize(views_, options).height();
        options.content = FigureContent::BoxesOnly;
        QVERIFY(figureSize(views_, options).height() < 0.75 * height);
        const QByteArray svg = written(options, FigureFormat::Svg);
        for (const char* word :
             {"warm-up", ">transfer<", ">wait<", "bubble: fill", "in flight", ">optimizer<"})
            QVERIFY2(!svg.contains(word), word);
        QVERIFY(svg.contains(">forward<") && svg.contains(">8</text>") && svg.contains("RECONSTRUCTED"));
    }

    void arrowsOfNoneOneOrAll() {
        for (const bool ran : {true, false}) {
            const std::vector<IterationView> views{sampleView({.ran = ran})};
            QList<qsizetype> lines;
            for (const FigureArrows which :
                 {FigureArrows::None, FigureArrows::OneMicrobatch, FigureArrows::All}) {
                FigureOptions options = paper(170);
                options.arrows = which;
                options.arrows_of = 3;
                const QString path = folder_.filePath("arrows.svg");
                QCOMPARE(writeFigure(views, options, path, FigureFormat::Svg), QString());
                QFile file(path);
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QByteArray svg = file.readAll();
                lines << svg.count("<polyline");
                QCOMPARE(svg.contains(">messages</text>"), which != FigureArrows::None);
            }
            QVERIFY(lines[1] > lines[0]);
            QCOMPARE(lines[2] - lines[1], 6 * 7);  // there and back between four ranks
        }
    }

    void captionIsInTheUnitOfTime() {
        const std::vector<PreparedView> groups{PreparedView(sampleView())};
        Notation notation;
        notation.unit = TimeUnit::MedianForward;
        notation.median_forward_ns = groups.front().medianForward();
        const QString in_forwards =
            notation.duration(static_cast<double>(groups.front().numbers()->iteration_ns));
        QVERIFY(in_forwards.endsWith(u'F'));
        QVERIFY(captionText(groups, notation, QDate(2026, 1, 1)).contains(in_forwards));
    }

    void pngHasTheAskedSize() {
        FigureOptions options;
        options.size_px = {800, 600};
        for (const double scale : {1.0, 2.0, 4.0}) {
            options.scale = scale;
            QCOMPARE(renderFigureImage(views_, options).size(), QSize(800, 600) * scale);
        }
        const QImage column = renderFigureImage(views_, paper(85)),
                     page = renderFigureImage(views_, paper(170));
        QCOMPARE(column.width(), 1004);  // 85 mm at 300 dpi
        QCOMPARE(page.width(), 2008);
        QCOMPARE(page.dotsPerMeterX(), 11811);
        const QImage read = QImage::fromData(written(paper(170), FigureFormat::Png));
        QCOMPARE(read.size(), page.size());
    }

    // Lanes, legend and caption are whole: where the size is too low for them, the picture is that much
    // higher and the same as if that had been asked for.
    void nothingIsCutFromALowPicture() {
        FigureOptions options;
        options.size_px = {640, 300};
        const QImage low = renderFigureImage(views_, options);
        QVERIFY(low.height() > 300 && low.height() % 2 == 0);
        QCOMPARE(figureSize(views_, options), QSizeF(low.size()));
        options.size_px.setHeight(low.height());
        QCOMPARE(renderFigureImage(views_, options), low);
        options.size_px.setHeight(low.height() + 200);
        QCOMPARE(renderFigureImage(views_, options).height(), low.height() + 200);
    }

    void backgroundIsLightUnlessAskedOtherwise() {
        FigureOptions options;
        QCOMPARE(renderFigureImage(views_, options).pixelColor(1, 1), QColor(Qt::white));
        options.theme = ThemeKind::Dark;
        QCOMPARE(renderFigureImage(views_, options).pixelColor(1, 1).name(), QStringLiteral("#14171c"));
        options.transparent = true;
        QCOMPARE(renderFigureImage(views_, options).pixelColor(1, 1).alpha(), 0);
    }

    void svgIsVectorsAndText() {
        const QByteArray svg = written(paper(170), FigureFormat::Svg);
        QVERIFY(QSvgRenderer(svg).isValid());
        QVERIFY(svg.count("<text") > 60);
        QVERIFY(svg.contains("<rect") || svg.contains("<path"));
        QVERIFY(!svg.contains("<image"));
        QVERIFY(!svg.contains("pattern"));
        QVERIFY(svg.toLower().contains("#2f7fd0"));
        QVERIFY(svg.contains("warm-up"));
    }

    // It looks the same where the fonts are missing, and its words can still be found and read aloud.
    void svgOfOutlinesNeedsNoFonts() {
        FigureOptions options = paper(170);
        options.svg_text = SvgText::Outlines;
        const QByteArray svg = written(options, FigureFormat::Svg);
        QVERIFY(QSvgRenderer(svg).isValid());
        QVERIFY(!svg.contains("<text") && !svg.contains("font-family") && !svg.contains("<image"));
        QVERIFY(!svg.contains("<symbol"));  // not everywhere
        const qsizetype desc = svg.indexOf("<desc>");
        QVERIFY(desc > 0 && svg.indexOf("RECONSTRUCTED", desc) > 0 && svg.indexOf("2025-11-21", desc) > 0);
        // Each glyph stands in it once.
        QVERIFY2(svg.size() < 3 * written(paper(170), FigureFormat::Svg).size(),
                 qPrintable(QString::number(svg.size())));
        QImage picture(964, 500, QImage::Format_RGB32);
        picture.fill(Qt::white);
        QPainter painter(&picture);
        QSvgRenderer(svg).render(&painter);
        int dark = 0;
        for (int x = 0; x < 300; ++x)  // the schedule's name, top left
            for (int y = 0; y < 40; ++y) dark += picture.pixelColor(x, y).lightness() < 90;
        QVERIFY2(dark > 60, qPrintable(QString::number(dark)));
    }

    void svgOfTextNamesFontsThatOthersHave() {
        const QByteArray svg = written(paper(170), FigureFormat::Svg);
        QVERIFY(svg.contains("font-family=\"Inter, ") && svg.contains("sans-serif\""));
        QVERIFY(!svg.contains("font-family=\"Inter\""));
    }

    void badgeStaysWhenTheCaptionGoes() {
        FigureOptions options = paper(170);
        const QByteArray with = written(options, FigureFormat::Svg);
        QVERIFY(with.contains("RECONSTRUCTED"));
        QVERIFY(with.contains("Bubblescope"));
        QVERIFY(with.contains("2025-11-21"));
        const double height = figureSize(views_, options).height();
        options.caption = CaptionLength::None;
        const QByteArray without = written(options, FigureFormat::Svg);
        QVERIFY(without.contains("RECONSTRUCTED"));
        QVERIFY(!without.contains("2025-11-21"));
        QVERIFY(figureSize(views_, options).height() < height);
    }

    void badgeFollowsTheProvenance() {
        for (const auto& [provenance, word] : {std::pair(Provenance::Measured, "MEASURED"),
                                               std::pair(Provenance::Reconstructed, "RECONSTRUCTED")}) {
            const std::vector<IterationView> views{sampleView({.provenance = provenance})};
            const QString path = folder_.filePath("badge.svg");
            QCOMPARE(writeFigure(views, paper(85), path, FigureFormat::Svg), QString());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(file.readAll().contains(word));
        }
        const std::vector<IterationView> plan{sampleView({.ran = false})};
        const QString path = folder_.filePath("plan.svg");
        QCOMPARE(writeFigure(plan, paper(170), path, FigureFormat::Svg), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("PREDICTED"));
    }

    void pdfHasVectorsAndEmbeddedFonts() {
        const QByteArray english = written(paper(170), FigureFormat::Pdf);
        QVERIFY(english.startsWith("%PDF"));
        const auto fonts = english.count("/FontFile");
        QVERIFY(fonts >= 1);
        QVERIFY(!english.contains("/Subtype /Image") && !english.contains("/SMask"));
        QVERIFY(english.contains("/MediaBox [ 0 0 481.8"));  // 170 mm in points
        QVERIFY(!english.contains("/Type3"));

        Translations translations;
        translations.setLanguage(Language::Chinese);
        const QByteArray translated = written(paper(170), FigureFormat::Pdf);
        const QByteArray svg = written(paper(170), FigureFormat::Svg);
        translations.setLanguage(Language::English);
        QVERIFY(translated.count("/FontFile") > fonts);  // the Chinese font as well
        QVERIFY(svg.contains("预热"));
        QVERIFY(svg.contains("重建") && svg.contains("RECONSTRUCTED"));
    }

    // Half an iteration says so, beside the badge, in the caption and in the file's name; paper is never
    // live.
    void halfAnIterationSaysSo() {
        const IterationView half = sampleView({.until = 0.4});
        QVERIFY(figureFileName(half, FigureFormat::Png).contains(QLatin1String("incomplete")));
        QVERIFY(!figureFileName(views_.front(), FigureFormat::Png).contains(QLatin1String("incomplete")));
        const QString end = QString::number(static_cast<double>(half.now_ns - half.start_ns) / 1e6, 'f', 1);
        const IterationView other = sampleView({.schedule = "gpipe"});
        for (const std::vector<IterationView>& views : {std::vector{half}, std::vector{half, other}})
            for (const double width : {85.0, 170.0})
                for (const bool caption : {true, false}) {
                    FigureOptions options = paper(width);
                    options.caption = caption ? CaptionLength::Long : CaptionLength::None;
                    const QString path = folder_.filePath("half.svg");
                    QCOMPARE(writeFigure(views, options, path, FigureFormat::Svg), QString());
                    QFile file(path);
                    QVERIFY(file.open(QIODevice::ReadOnly));
                    const QString svg = QString::fromUtf8(file.readAll());
                    QVERIFY(svg.contains(width > 100 ? "incomplete, up to " + end : "incomplete"));
                    QCOMPARE(svg.contains("Incomplete: "), caption);
                    QVERIFY(!svg.contains("Live"));
                }
        QVERIFY(!written(paper(170), FigureFormat::Svg).contains("ncomplete"));
    }

    // Of the words beside the badge nothing is cut off at the figure's edges.
    void everyWordOfTheTitleIsInside() {
        for (const IterationView& view :
             {sampleView({.until = 0.4}), sampleView(), sampleView({.ran = false})})
            for (const double width : {85.0, 170.0}) {
                const QImage image = renderFigureImage({&view, 1}, paper(width));
                for (int y = 0; y < image.height() / 4; ++y)
                    for (const int x : {0, 1, image.width() - 2, image.width() - 1})
                        QCOMPARE(image.pixelColor(x, y), QColor(Qt::white));
            }
    }

    // Of several runs on narrow paper: what has no room beside the badge is in the caption alone.
    void titlesOfSeveralRunsDoNotOverlap() {
        const std::vector<IterationView> two{sampleView({.schedule = "interleaved", .v = 2}),
                                             sampleView({.schedule = "gpipe"})};
        for (const double width : {60.0, 85.0, 170.0}) {
            const QString path = folder_.filePath("titles.svg");
            QCOMPARE(writeFigure(two, paper(width), path, FigureFormat::Svg), QString());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString svg = QString::fromUtf8(file.readAll());
            static const QRegularExpression text(
                QStringLiteral("<text[^>]* x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"[^>]*>([^<]*)</text>"));
            std::map<QString, double> badge,
                bubble;  // by line: where the badge's words end, the bubble begins
            const QFont font = Theme::make(ThemeKind::Light).font(11, QFont::DemiBold);
            for (auto match = text.globalMatch(svg); match.hasNext();) {
                const auto found = match.next();
                const QString words = found.captured(3), line = found.captured(2).section(u'.', 0, 0);
                if (words.startsWith("RECONSTRUCTED"))
                    badge[line] = found.captured(1).toDouble() + QFontMetricsF(font).horizontalAdvance(words);
                if (words.startsWith("bubble") && !badge.empty() && !words.contains(u'·') &&
                    !words.contains(u':'))
                    bubble[line] = found.captured(1).toDouble();
            }
            QCOMPARE(badge.size(), std::size_t{2});
            for (const auto& [line, begins] : bubble)
                for (const auto& [of, ends] : badge)
                    if (std::abs(of.toInt() - line.toInt()) < 3)
                        QVERIFY2(begins > ends,
                                 qPrintable(QString("%1: %2 %3").arg(width).arg(ends).arg(begins)));
        }
    }

    // A stream's micro-batches are counted as on the canvas, 1 to m in every iteration.
    void aStreamIsCountedAsOnTheCanvas() {
        IterationView stream = sampleView({.schedule = "pipedream"});
        auto later = std::make_shared<Timeline>(stream.ran->ranks(), Provenance::Reconstructed);
        for (int rank = 0; rank < stream.ran->ranks(); ++rank)
            for (Event each : stream.ran->compute(rank)) {
                if (each.microbatch >= 0) each.microbatch += 80;
                later->append(each);
            }
        stream.ran = later;
        stream.first_microbatch = 80;
        const QString path = folder_.filePath("stream.svg");
        QCOMPARE(writeFigure({&stream, 1}, paper(170), path, FigureFormat::Svg), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains(">8</text>"));
        QVERIFY(!svg.contains(">88</text>"));
    }

    void severalIterationsInOneFigure() {
        const std::vector<IterationView> two{sampleView({.schedule = "gpipe"}), sampleView()};
        const QString path = folder_.filePath("two.svg");
        QCOMPARE(writeFigure(two, paper(170), path, FigureFormat::Svg), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("GPipe") && svg.contains("1F1B"));
        QVERIFY(svg.count("RECONSTRUCTED") >= 2);
    }

    void clipboardHoldsPictureAndVectors() {
        copyFigure(views_, paper(85));
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data->hasImage());
        QVERIFY(data->data("image/svg+xml").contains("<svg"));
        copyFigure({}, paper(85));  // before anything is shown
        QCOMPARE(QGuiApplication::clipboard()->mimeData(), data);
    }

    void fileNamesSayWhatIsInside() {
        IterationView of_file = views_.front();
        of_file.config.schedule = "file:/home/user/mine.csv";
        QVERIFY(figureFileName(of_file, FigureFormat::Png).startsWith(QLatin1String("mine_csv_p4_")));
        QCOMPARE(figureFileName(views_.front(), FigureFormat::Svg),
                 QStringLiteral("1F1B_p4_m8_v1_ac0_it37_reconstructed.svg"));
        QCOMPARE(figureFileName(sampleView({.recompute = Recompute::Full, .ran = false}), FigureFormat::Pdf),
                 QStringLiteral("1F1B_p4_m8_v1_ac1_it37_predicted.pdf"));
        QCOMPARE(figureFormat("a/b.PDF"), std::optional(FigureFormat::Pdf));
        QCOMPARE(figureFormat("picture.gif"), std::nullopt);
    }

    void unwritablePathIsExplained() {
        const QString problem =
            writeFigure(views_, paper(85), folder_.filePath("none/such/figure.png"), FigureFormat::Png);
        QVERIFY(problem.contains("figure.png"));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestFigure)

}  // namespace tst_figure

#include "tst_figure.moc"
