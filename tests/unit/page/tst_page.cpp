// A run as one HTML file: its boxes are the events, its sentences those of the command line, everything from
// outside is escaped, both languages are in it, and several runs share one time axis.
#include <QJsonArray>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include "bscope_process.h"
#include "cli/input/analysed_run.h"
#include "cli/report/paged_run.h"
#include "page/box_cards.h"
#include "page/html_page.h"
#include "page/markdown_table.h"
#include "page/svg_figure.h"
#include "played_run.h"
#include "registered_test.h"
#include "required.h"
#include "view/palette.h"

namespace tst_page {

using namespace bscope;
using namespace bscope::page;

namespace {

struct Rect {
    double x = 0, width = 0;
    QString kind;
};

// What stands in the groups of class b of every lane; the picture is read as XML.
std::vector<std::vector<Rect>> boxesOf(const QString& svg) {
    std::vector<std::vector<Rect>> lanes;
    QXmlStreamReader xml(svg);
    bool in_boxes = false;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == u"g" && xml.attributes().value("class") == u"b") {
            lanes.emplace_back();
            in_boxes = true;
        } else if (xml.isEndElement() && xml.name() == u"g") {
            in_boxes = false;
        } else if (xml.isStartElement() && xml.name() == u"rect" && in_boxes) {
            lanes.back().push_back({xml.attributes().value("x").toDouble(),
                                    xml.attributes().value("width").toDouble(),
                                    xml.attributes().value("class").toString()});
        }
    }
    REQUIRE(!xml.hasError());
    return lanes;
}

QStringList figuresOf(const std::string& html) {
    QStringList figures;
    static const QRegularExpression figure("<svg class=\"fig\".*?</svg></svg>",
                                           QRegularExpression::DotMatchesEverythingOption);
    for (auto all = figure.globalMatch(QString::fromStdString(html)); all.hasNext();)
        figures << all.next().captured();
    return figures;
}

QJsonObject dataOf(const std::string& html) {
    static const QRegularExpression data("id=\"data\">(.*?)</script>");
    return QJsonDocument::fromJson(data.match(QString::fromStdString(html)).captured(1).toUtf8()).object();
}

// As the script puts them into words.
QString said(const QJsonValue& value, const QJsonArray& templates, int language) {
    if (value.isString()) return value.toString();
    const QJsonArray parts = value.toArray();
    std::vector<std::string> arguments;
    for (qsizetype i = 1; i < parts.size(); ++i)
        arguments.push_back(said(parts[i], templates, language).toStdString());
    return QString::fromStdString(
        fillTemplate(templates[parts[0].toInt()][language].toString().toStdString(), arguments));
}

}  // namespace

class TestPage : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    PageRun played(const char* schedule, ScheduleParams params, const CostsChange& oddity = {}) {
        RunConfig config;
        config.schedule = schedule;
        config.params = params;
        const QString file = folder_.filePath("run.bscope");
        recordPlayed(file, config, 3, oddity);
        return cli::pagedRun("run.bscope",
                             cli::readAnalysedRun(file.toStdString(), std::nullopt, Language::English));
    }
    PageRun playedAt(const char* schedule, int iteration, double loss) {
        RunConfig config;
        config.schedule = schedule;
        config.params = sizes(4, 1, 8);
        const QString file = folder_.filePath("run.bscope");
        recordPlayed(file, config, 3);
        PageRun run = cli::pagedRun("run.bscope",
                                    cli::readAnalysedRun(file.toStdString(), iteration, Language::English));
        IterationReport report = *run.view.report;
        report.loss = loss;
        run.view.report = report;
        return run;
    }
    static ScheduleParams sizes(int p, int v, int m, int d = 1) {
        ScheduleParams params{p, v, m, 0};
        params.d = d;
        return params;
    }

private slots:
    void boxesAreTheEvents_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<QList<int>>("sizes");  // p, v, m, d
        QTest::newRow("1F1B") << "1f1b" << QList{4, 1, 8, 1};
        QTest::newRow("one rank") << "1f1b" << QList{1, 1, 3, 1};
        QTest::newRow("interleaved") << "interleaved" << QList{2, 2, 4, 1};
        QTest::newRow("zero bubble") << "zb-h1" << QList{4, 1, 8, 1};
        QTest::newRow("DualPipe") << "dualpipe" << QList{4, 2, 8, 1};
        QTest::newRow("replicas") << "gpipe" << QList{2, 1, 4, 2};
        QTest::newRow("stream") << "pipedream" << QList{4, 1, 8, 1};
    }
    void boxesAreTheEvents() {
        QFETCH(QString, schedule);
        QFETCH(QList<int>, sizes);
        const PageRun run =
            played(schedule.toUtf8().constData(), TestPage::sizes(sizes[0], sizes[1], sizes[2], sizes[3]));
        const std::string html = htmlPage({&run, 1}, Language::English);
        const QStringList figures = figuresOf(html);
        QCOMPARE(figures.size(), 1);
        const auto lanes = boxesOf(figures.front());
        const QJsonObject data = dataOf(html)["figures"].toArray()[0].toObject();
        const Timeline& ran = *run.view.ran;
        QCOMPARE(static_cast<int>(lanes.size()), ran.ranks());
        const double ns = data["ms"].toDouble() * 1e6 / kPlotWidth;  // of a unit
        qsizetype boxes = 0, messages = 0;
        for (int rank = 0; rank < ran.ranks(); ++rank) {
            const auto events = ran.compute(rank);
            const auto& lane = lanes[static_cast<std::size_t>(rank)];
            QCOMPARE(lane.size(), events.size());
            for (std::size_t i = 0; i < events.size(); ++i) {
                QVERIFY(std::abs(lane[i].x * ns -
                                 static_cast<double>(events[i].start_ns - run.view.start_ns)) <= 0.001 * ns);
                QVERIFY(std::abs(lane[i].width * ns - static_cast<double>(events[i].duration_ns())) <=
                        0.001 * ns);
            }
            boxes += static_cast<qsizetype>(events.size());
            messages += static_cast<qsizetype>(ran.receives(rank).size());
        }
        QCOMPARE(data["b"].toArray().size(), boxes);
        QCOMPARE(data["m"].toArray().size(), messages);
    }

    // But for the names of operations, which are those of the picture.
    void gapsSayWhatTheCommandLineSays() {
        const PageRun run =
            played("1f1b", sizes(4, 1, 8), [](Costs& costs) { costs.stages[2].forward_ns *= 2; });
        const QJsonObject data = dataOf(htmlPage({&run, 1}, Language::English));
        const QJsonArray templates = data["words"].toArray(),
                         gaps = data["figures"].toArray()[0].toObject()["g"].toArray();
        const BubbleCauses& causes = run.view.analysis->causes;
        QCOMPARE(gaps.size(), static_cast<qsizetype>(causes.gaps().size()));
        QVERIFY(gaps.size() > 10);
        static const QRegularExpression in_files("\\b\\d+([FBIWR])\\d+\\b"),
            in_picture("\\b([FBIWR])\\d+\\b");
        QStringList page, command_line;
        for (const QJsonValue& gap : gaps)
            for (const int language : {0, 1})
                page << said(gap.toArray()[2], templates, language).replace(in_picture, "\\1");
        for (const Gap& gap : causes.gaps())
            for (const Language language : {Language::English, Language::Chinese})
                command_line
                    << QString::fromStdString(say(causes.words(gap), language)).replace(in_files, "\\1");
        page.sort();
        command_line.sort();
        QCOMPARE(page, command_line);
    }

    void aCardSaysWhatItsBoxDid() {
        const PageRun run = played("1f1b", sizes(2, 1, 4));
        const QJsonObject data = dataOf(htmlPage({&run, 1}, Language::English));
        const QJsonArray templates = data["words"].toArray(),
                         card = data["figures"].toArray()[0].toObject()["b"].toArray()[1].toArray();
        const Event event = run.view.ran->compute(0)[1];
        QCOMPARE(card[1].toString(), "F2");
        QCOMPARE(said(card[2], templates, 0), "forward");
        QCOMPARE(said(card[2], templates, 1), "前向");
        QVERIFY(
            said(card[3], templates, 0)
                .endsWith(QString::fromStdString("lasts " + GapWording::durationText(event.duration_ns()))));
        QStringList lines;
        for (qsizetype i = 3; i < card.size(); ++i) lines << said(card[i], templates, 0);
        QVERIFY2(lines.contains("micro-batch 2 of 4 on rank 0, stage 0 (0F1 in files)"),
                 qPrintable(lines.join('\n')));
    }

    void whatIsFromOutsideIsEscaped() {
        PageRun run = played("1f1b", sizes(2, 1, 4));
        const std::string hostile =
            "\"><script>alert(1)</script><img src=x onerror='alert(2)'>&\x1b[31m\xff</title>";
        run.file = hostile;
        run.view.device = hostile;
        run.view.config.schedule = hostile;
        auto order = std::make_shared<Schedule>(*run.view.order);
        order->name = hostile;
        run.view.order = order;
        run.remarks.push_back({hostile, hostile + "2"});
        const QByteArray html = QByteArray::fromStdString(htmlPage(std::vector{run, run}, Language::English));
        for (const char* never : {"<script>alert", "<img", "\x1b", "\xff"})
            QVERIFY2(!html.contains(never), never);
        QCOMPARE(html.count("<script"), 2);
        QCOMPARE(html.count("</script"), 2);
        QCOMPARE(html.count("</title"), 1);
        QVERIFY(QString::fromUtf8(html).toUtf8() == html);
        QVERIFY(html.contains("&lt;script&gt;alert(1)"));
        QCOMPARE(figuresOf(html.toStdString()).size(), 2);
        QVERIFY(html.contains("default-src 'none'"));
        QVERIFY(!html.contains("http://") ||
                html.count("http://") == html.count("http://www.w3.org/2000/svg"));
        QVERIFY(!html.contains("https://"));
    }

    void isSmall_data() {
        QTest::addColumn<QString>("schedule");
        QTest::newRow("1F1B") << "1f1b";
        QTest::newRow("zero bubble") << "zb-h1";
    }
    void isSmall() {
        QFETCH(QString, schedule);
        const PageRun run = played(schedule.toUtf8().constData(), sizes(8, 1, 64));
        QVERIFY(refusal({&run, 1}).empty());
        const std::size_t bytes = htmlPage({&run, 1}, Language::English).size();
        QVERIFY2(bytes < 1'000'000, qPrintable(QString::number(bytes)));
    }

    void whatIsTooLargeIsRefused() {
        const PageRun run = played("1f1b", sizes(16, 1, 640));
        QVERIFY(!refusal({&run, 1}).empty());
    }

    void bothLanguagesAreInIt() {
        const PageRun run = played("1f1b", sizes(4, 1, 8));
        const std::string html = htmlPage({&run, 1}, Language::Chinese);
        for (const char* words :
             {"data-lang=\"zh\"", "每一行是一个 Rank", "Each row is a rank", "重建 RECONSTRUCTED",
              "idle time ÷ (p × iteration time)", "预热", "warm-up"})
            QVERIFY2(html.find(words) != std::string::npos, words);
        for (const QJsonValue& each : dataOf(html)["words"].toArray()) {
            const std::string english = each[0].toString().toStdString();
            QVERIFY2(chineseWords().contains(english), english.c_str());
            QCOMPARE(each[1].toString().toStdString(), chineseWords().find(english)->second);
        }
    }

    void numbersAreThoseOfTheReport() {
        const PageRun run = played("1f1b", sizes(4, 1, 8));
        const QString html = QString::fromStdString(htmlPage({&run, 1}, Language::English));
        const double bubble = run.view.summary->bubble_of_total;
        for (const double each : {bubble, bubble / (1 - bubble)})
            QVERIFY(html.contains("<span class=\"b" + QString(each == bubble ? "t" : "i") + "\">" +
                                  QString::number(100 * each, 'f', 1) + " %"));
        QVERIFY(html.contains("<b>" + QString::number(run.view.report->loss, 'f', 3) + "</b>"));
    }

    void runsShareOneTimeAxis() {
        const std::vector runs{
            played("gpipe", sizes(4, 1, 8)),
            played("1f1b", sizes(2, 1, 4), [](Costs& costs) { costs.stages[0].forward_ns *= 3; })};
        const std::string html = htmlPage(runs, Language::English);
        const QStringList figures = figuresOf(html);
        QCOMPARE(figures.size(), 2);
        std::vector<double> ns;
        for (int i = 0; i < 2; ++i) {
            const Event event = runs[static_cast<std::size_t>(i)].view.ran->compute(0).front();
            ns.push_back(static_cast<double>(event.duration_ns()) / boxesOf(figures[i])[0][0].width);
        }
        QVERIFY(std::abs(ns[0] / ns[1] - 1) < 0.001);
        const QString page = QString::fromStdString(html);
        QVERIFY(page.contains("A · GPipe") && page.contains("B · 1F1B") && page.contains("B − A"));
        // Of the printed bubbles, in points.
        const auto printed = [&](int i) {
            return QString::number(100 * runs[static_cast<std::size_t>(i)].view.summary->bubble_of_total, 'f',
                                   1)
                .toDouble();
        };
        const double points = printed(1) - printed(0);
        QVERIFY(page.contains(QString("<span class=\"en\">%1%2 points")
                                  .arg(points > 0 ? "+" : "−")
                                  .arg(std::abs(points), 0, 'f', 1)));
    }

    // The loss falls with every iteration: of two that are not the same there is no difference.
    void lossesOfOtherIterationsHaveNoDifference() {
        const auto rowOfLoss = [](const QString& table) {
            for (const QString& line : table.split(u'\n'))
                if (line.contains(QStringLiteral("loss |"))) return line.trimmed();
            return QString();
        };
        const QString words = QStringLiteral("losses are of different iterations");
        for (const int iteration : {2, 1}) {
            const std::vector runs{playedAt("gpipe", 2, 4.271), playedAt("1f1b", iteration, 4.561)};
            const QString page = QString::fromStdString(htmlPage(runs, Language::English)),
                          table = QString::fromStdString(markdownTable(runs, Language::English));
            const bool same = iteration == 2;
            QVERIFY2(rowOfLoss(table).endsWith(same ? QStringLiteral("+0.290 |") : QStringLiteral("– |")),
                     qPrintable(rowOfLoss(table)));
            QCOMPARE(page.contains(QStringLiteral("+0.290")), same);
            QVERIFY(page.contains(words) != same && table.contains(words) != same);
        }
    }

    void coloursAreThoseOfTheWindow() {
        for (const bool dark : {false, true}) {
            const QString style = QString::fromStdString(paletteStyle(dark));
            const DataPalette& palette = dataPalette(ColourScheme::Bubblescope, dark);
            for (int chunk = 0; chunk < 3; ++chunk)
                for (const auto& [letter, op] :
                     {std::pair('f', Op::Forward), std::pair('b', Op::Backward),
                      std::pair('i', Op::BackwardInput), std::pair('w', Op::BackwardWeight)}) {
                    const Rgb fill = palette.fill(op, chunk);
                    const QString name = QChar::fromLatin1(letter) + QString::number(chunk);
                    QVERIFY(style.contains(QString("--%1:#%2;--ink-%1:#%3;")
                                               .arg(name)
                                               .arg(fill, 6, 16, QLatin1Char('0'))
                                               .arg(inkOn(fill), 6, 16, QLatin1Char('0'))));
                }
        }
    }

    // By the program: an import says what its times do not mean, as its replay does.
    void importsKeepTheirWarnings() {
        const QString recording = folder_.filePath("import.bscope"), out = folder_.filePath("import.html"),
                      data = QStringLiteral(BUBBLESCOPE_SOURCE_DIR
                                            "/tests/data/real-runs/kineto-interleaved-p2-v2-m4");
        QCOMPARE(bscopeRun({"import", data, "-o", recording}).code, 0);
        const Outcome made = bscopeRun({"export", recording, "--html", out});
        QVERIFY2(made.code == 0, made.errors);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        QVERIFY(html.contains("class=\"badge imported\""));
        QVERIFY(html.contains("IMPORTED: another program ran and timed it"));
        const Outcome replayed = bscopeRun({"replay", recording});
        int warnings = 0;
        for (const QByteArray& line : replayed.out.split('\n'))
            if (line.startsWith("schedule: ") || line.startsWith("clocks: ") || line.startsWith("times: ") ||
                line.startsWith("note: ") || line.startsWith("inferred: ")) {
                ++warnings;
                const std::string text = escaped(line.toStdString());
                QVERIFY2(html.contains(text.c_str()), text.c_str());
            }
        QVERIFY(warnings > 1);
        QVERIFY(!html.contains("<dt><span class=\"en\">loss"));
    }

    void aBubbleThatMayBeTooLowSaysSo() {
        PageRun run = played("1f1b", sizes(2, 1, 4));
        auto origin = std::make_shared<ImportOrigin>();
        run.view.import = origin;
        QVERIFY(htmlPage({&run, 1}, Language::English).find("may be too low") == std::string::npos);
        origin->understated_by = 0.123;
        QVERIFY(htmlPage({&run, 1}, Language::English).find("may be too low, by up to 12.3 points") !=
                std::string::npos);
    }

    void optionsThatDoNotGoTogetherAreRefused() {
        const QString a = folder_.filePath("a.bscope"), b = folder_.filePath("b.bscope");
        for (const QString& each : {a, b}) recordPlayed(each, RunConfig(), 1);
        const Outcome two = bscopeRun({"export", a, b, "--csv", folder_.filePath("x.csv")});
        QCOMPARE(two.code, 2);
        QVERIFY(two.errors.contains("several recordings are for --html, --markdown and --ascii alone"));
        QCOMPARE(bscopeRun({"export", a, "--html", a}).code, 2);
        const QString page = folder_.filePath("two.html");
        QCOMPARE(bscopeRun({"export", a, b, "--html", page}).code, 0);
        QVERIFY(QFileInfo(page).size() > 10'000);
    }
};

BUBBLESCOPE_TEST(TestPage)

}  // namespace tst_page

#include "tst_page.moc"
