// A run as text: a Markdown table, a grid of plain letters and a TikZ picture hold the numbers and the boxes
// of the run with where they come from; what is from outside is escaped, and LaTeX makes it as wide as asked.
#include <QRegularExpression>
#include <QStandardPaths>

#include "bscope_process.h"
#include "cli/input/analysed_run.h"
#include "cli/report/paged_run.h"
#include "page/markdown_table.h"
#include "page/tikz_figure.h"
#include "played_run.h"
#include "registered_test.h"

namespace tst_page_text {

using namespace bscope;
using namespace bscope::page;

namespace {

const std::string kHostile = "x|y\n| `<script>` **b** \\input{/etc/passwd} $%&#_^~{} \x1b[31m\xff";

QList<QStringList> cellsOf(const std::string& table) {
    QList<QStringList> rows;
    for (const QString& line : QString::fromStdString(table).split('\n')) {
        if (!line.startsWith('|')) break;
        QStringList cells = line.split(QRegularExpression("(?<!\\\\)\\|"));
        for (QString& cell : cells) cell = cell.trimmed();
        rows << cells.mid(1, cells.size() - 2);
    }
    return rows;
}

}  // namespace

class TestPageText : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    PageRun played(const char* schedule, int p, int m, int v = 1) {
        RunConfig config;
        config.schedule = schedule;
        config.params = {p, v, m, 0};
        const QString file = folder_.filePath("run.bscope");
        recordPlayed(file, config, 2);
        return cli::pagedRun("run.bscope",
                             cli::readAnalysedRun(file.toStdString(), std::nullopt, Language::English));
    }
    QString written(const char* name, const std::string& text) {
        QFile file(folder_.filePath(name));
        const bool good =
            file.open(QIODevice::WriteOnly) &&
            file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size());
        return good ? file.fileName() : QString();
    }

private slots:
    void theTableHasTheNumbersOfTheRun() {
        const PageRun run = played("1f1b", 4, 8);
        const std::string text = markdownTable({&run, 1}, Language::English);
        const QList<QStringList> rows = cellsOf(text);
        QVERIFY(rows.size() > 8);
        for (const QStringList& row : rows) QCOMPARE(row.size(), 2);
        QCOMPARE(rows[0][1], "1F1B");
        QCOMPARE(rows[1][1], "---:");
        QMap<QString, QString> values;
        for (const QStringList& row : rows) values[row[0]] = row[1];
        const double bubble = run.view.summary->bubble_of_total;
        QCOMPARE(values["bubble, of total"], QString::number(100 * bubble, 'f', 1) + " %");
        QCOMPARE(values["bubble, of ideal"], QString::number(100 * bubble / (1 - bubble), 'f', 1) + " %");
        QCOMPARE(values["loss"], QString::number(run.view.report->loss, 'f', 3));
        QVERIFY(values["source of its times"].startsWith("RECONSTRUCTED · CPU · 2 cores"));
        QVERIFY(text.find("idle time ÷ (p × iteration time)") != std::string::npos);
    }

    void severalRunsHaveTheirDifferences() {
        const std::vector runs{played("gpipe", 4, 8), played("1f1b", 2, 4)};
        const QList<QStringList> rows = cellsOf(markdownTable(runs, Language::English));
        QCOMPARE(rows[0], (QStringList{"", "A · GPipe", "B · 1F1B", "B − A"}));
        for (const QStringList& row : rows) {
            QCOMPARE(row.size(), 4);
            if (row[0] != "bubble, of total") continue;
            const auto value = [&](int cell) { return row[cell].section(' ', 0, 0).toDouble(); };
            QCOMPARE(row[3], QString("%1%2 points")
                                 .arg(value(2) < value(1) ? "−" : "+")
                                 .arg(std::abs(value(2) - value(1)), 0, 'f', 1));
        }
        QVERIFY(markdownTable(runs, Language::Chinese).find("B · 1F1B") != std::string::npos);
    }

    void whatIsFromOutsideIsEscaped() {
        PageRun run = played("1f1b", 2, 4);
        run.file = run.view.device = run.view.config.schedule = kHostile;
        run.remarks.push_back(kHostile);
        const std::string table = markdownTable({&run, 1}, Language::English);
        for (const QStringList& row : cellsOf(table)) QCOMPARE(row.size(), 2);
        const std::string tex = tikzFigure(run, 170, ColourScheme::Bubblescope, Language::English);
        for (const std::string& text : {table, tex}) {
            QVERIFY(text.find('\x1b') == std::string::npos);
            QVERIFY(text.find('\xff') == std::string::npos);
        }
        QVERIFY(table.find("<script>") == std::string::npos);
        QVERIFY(QString::fromStdString(tex)
                    .remove(QRegularExpression("^%.*$", QRegularExpression::MultilineOption))
                    .indexOf("\\input") < 0);
    }

    // Every box is there, as long as its event.
    void thePictureHasTheBoxesOfTheRun_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("v");
        QTest::newRow("1F1B") << "1f1b" << 1;
        QTest::newRow("interleaved") << "interleaved" << 2;
        QTest::newRow("zero bubble") << "zb-h1" << 1;
        QTest::newRow("stream") << "pipedream" << 1;
    }
    void thePictureHasTheBoxesOfTheRun() {
        QFETCH(QString, schedule);
        QFETCH(int, v);
        const PageRun run = played(schedule.toUtf8().constData(), 4, 8, v);
        const QString tex =
            QString::fromStdString(tikzFigure(run, 170, ColourScheme::Bubblescope, Language::English));
        static const QRegularExpression box(
            R"(\[bs box ([fbiwor])\d\] \(([-\d.]+),0\) rectangle \(([-\d.]+),[\d.]+\))");
        std::vector<double> widths;
        for (auto all = box.globalMatch(tex); all.hasNext();) {
            const auto match = all.next();
            widths.push_back(match.captured(3).toDouble() - match.captured(2).toDouble());
        }
        std::vector<double> lengths;
        const Timeline& ran = *run.view.ran;
        for (int rank = 0; rank < ran.ranks(); ++rank)
            for (const Event& event : ran.compute(rank))
                lengths.push_back(static_cast<double>(event.duration_ns()));
        QCOMPARE(widths.size(), lengths.size());
        const double unit = lengths.front() / widths.front();
        for (std::size_t i = 0; i < lengths.size(); ++i)
            QVERIFY(std::abs(lengths[i] / unit - widths[i]) < 0.02);
        QVERIFY(tex.contains("RECONSTRUCTED"));
        QCOMPARE(tex.count("\\begin{scope}"), tex.count("\\end{scope}"));
    }

    // By stage: the boxes of stage s have the s-th hue, which is defined, and the legend names it.
    void stagesAreColoured() {
        const PageRun run = played("interleaved", 4, 8, 2);
        const QString tex =
            QString::fromStdString(tikzFigure(run, 170, ColourScheme::Stages, Language::English));
        const DataPalette& palette = dataPalette(ColourScheme::Stages, false);
        QCOMPARE(palette.shades(), 8);
        for (const auto& [letter, op] : {std::pair('f', Op::Forward), std::pair('b', Op::Backward)})
            for (int stage = 0; stage < 8; ++stage) {
                const QString sign = QString(QLatin1Char(letter)) + QString::number(stage);
                const QString colour = QString::number(palette.fill(op, stage), 16).rightJustified(6, '0');
                QVERIFY2(tex.contains("\\definecolor{bs" + sign + "}{HTML}{" + colour + "}"),
                         qPrintable(sign));
                QCOMPARE(tex.count("[bs box " + sign + "] ("), 8 + 1);  // micro-batches, and the legend's
            }
        QVERIFY(tex.contains("forward, stages 0--7"));
    }

    void latexMakesItAsWideAsAsked_data() {
        QTest::addColumn<double>("width_mm");
        QTest::newRow("column") << 85.0;
        QTest::newRow("page") << 170.0;
        QTest::newRow("odd") << 123.4;
    }
    void latexMakesItAsWideAsAsked() {
        QFETCH(double, width_mm);
        const QString latex = QStandardPaths::findExecutable("pdflatex");
        if (latex.isEmpty()) QSKIP("pdflatex is not installed");
        const PageRun run = played("interleaved", 4, 8, 2);
        const QString picture =
            written("picture.tex", tikzFigure(run, width_mm, ColourScheme::Bubblescope, Language::English));
        const QString document =
            written("document.tex",
                    "\\documentclass{article}\\usepackage{tikz}\\usetikzlibrary{patterns}\n"
                    "\\begin{document}\\newbox\\figurebox\n"
                    "\\setbox\\figurebox\\hbox{\\input{picture}\\unskip}\n"
                    "\\typeout{WIDTH \\the\\wd\\figurebox}\\noindent\\usebox\\figurebox\n"
                    "\\end{document}\n");
        QProcess process;
        process.setWorkingDirectory(folder_.path());
        process.start(latex, {"-interaction=nonstopmode", "-halt-on-error", document});
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(120'000));
        const QByteArray log = process.readAllStandardOutput();
        if (log.contains("tikz.sty' not found")) QSKIP("LaTeX has no TikZ on this machine");
        QVERIFY2(process.exitCode() == 0, log.right(2000));
        static const QRegularExpression width("WIDTH ([\\d.]+)pt");
        const double pt = width.match(QString::fromUtf8(log)).captured(1).toDouble();
        QVERIFY2(std::abs(pt / 72.27 * 25.4 - width_mm) < 0.05, qPrintable(QString::number(pt)));
    }

    void whatIsTooLargeForLatexIsRefused() {
        const PageRun small = played("1f1b", 4, 8);
        QVERIFY(tikzRefusal(small).empty());
        const PageRun run = played("1f1b", 16, 160);
        QVERIFY(say(tikzRefusal(run), Language::English).find("--export OUT.pdf") != std::string::npos);
    }

    void theCommandWritesThem() {
        const QString file = folder_.filePath("a.bscope"), out = folder_.filePath("out.md");
        recordPlayed(file, RunConfig(), 1);
        const Outcome table = bscopeRun({"export", file, "--markdown", "-"});
        QCOMPARE(table.code, 0);
        QVERIFY(table.out.startsWith("|  | "));
        QCOMPARE(bscopeRun({"export", file, "--markdown", out}).code, 0);
        QFile in_file(out);
        QVERIFY(in_file.open(QIODevice::ReadOnly));
        QCOMPARE(in_file.readAll(), table.out);

        const Outcome grid = bscopeRun({"export", file, file, "--ascii", "-", "--columns", "80"});
        QCOMPARE(grid.code, 0);
        QVERIFY(std::ranges::none_of(grid.out.split('\n').mid(1, 4).join(), [](char c) { return c < 0; }));
        QVERIFY2(grid.out.startsWith("A · "), grid.out);
        for (const QByteArray& line : grid.out.split('\n'))
            if (line.startsWith("rank ")) QVERIFY(line.size() <= 80 && line.contains("F0"));
        QCOMPARE(grid.out.count("RECONSTRUCTED"), 2);

        const Outcome wrong = bscopeRun(
            {"export", file, file, "--tikz", "-", "--columns", "3", "--width-mm", "20", "--palette", "red"});
        QCOMPARE(wrong.code, 2);
        for (const char* each :
             {"several recordings are for --html, --markdown and --ascii alone", "--columns is for --ascii",
              "--columns 3 is not legal: give 40 to 1000", "--width-mm 20 is not legal: give 60 to 1000",
              "--palette red is not legal: give one of bubblescope, megatron"})
            QVERIFY2(wrong.errors.contains(each), each);
        QCOMPARE(bscopeRun({"export", file, "--markdown", "-", "--ascii", "-"}).code, 2);
    }
};

BUBBLESCOPE_TEST(TestPageText)

}  // namespace tst_page_text

#include "tst_page_text.moc"
