// Chrome trace, event CSV and the terminal picture of a timeline.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catalog/catalog.h"
#include "documented_columns.h"
#include "export/chrome_trace.h"
#include "export/csv_export.h"
#include "registered_test.h"
#include "schedule/data_parallel.h"
#include "schedule/program.h"
#include "timeline/predict.h"
#include "view/palette.h"
#include "view/text/text_gantt.h"

namespace tst_exporters {

using namespace bscope;

namespace {

Timeline example(double link = 0.25) {
    return predict(lower(makeSchedule("1f1b", {2, 1, 2, 0})), unitCosts(2, 1, 1, 1, link));
}

}  // namespace

class TestExporters : public QObject {
    Q_OBJECT
private slots:
    void chromeTraceIsCompleteJson() {
        std::ostringstream out;
        writeChromeTrace(out, example());
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(out.str()), &error);
        QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
        QCOMPARE(document["otherData"]["provenance"].toString(), QString("PREDICTED"));
        int boxes = 0, arrows = 0, counters = 0;
        double forward_us = 0;
        for (const QJsonValue& e : document["traceEvents"].toArray()) {
            if (e["ph"] == "X" && e["tid"].toInt() % 2 == 0) ++boxes;
            if (e["ph"] == "s") ++arrows;
            if (e["ph"] == "C") ++counters;
            if (e["name"] == "1F0" && e["ph"] == "X") forward_us = e["ts"].toDouble();
        }
        QCOMPARE(boxes, 8);
        QCOMPARE(arrows, 4);
        QCOMPARE(counters, 8);
        QCOMPARE(forward_us, 1.25e6);
    }

    // A rank's clock that is ahead of the first one's begins before 0; files may hold any number.
    void chromeTraceOfAnyTimes() {
        constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                               kMost = std::numeric_limits<std::int64_t>::max();
        const auto exported = [](std::int64_t start_ns, std::int64_t end_ns, const std::string& kernel) {
            Timeline timeline(1, Provenance::Measured);
            Event e;
            e.stage = e.microbatch = 0;
            e.start_ns = start_ns;
            e.end_ns = end_ns;
            timeline.append(e);
            timeline.append(MemoryPoint{start_ns, 1, 0, 0, 1});
            KernelEvent of_it;
            of_it.start_ns = start_ns;
            of_it.end_ns = end_ns;
            of_it.stage = of_it.microbatch = 0;
            of_it.name = kernel;
            std::ostringstream out;
            writeChromeTrace(out, timeline, std::vector{of_it});
            return out.str();
        };
        const auto box = [](const std::string& text) {
            const nlohmann::json whole = nlohmann::json::parse(text);
            for (const auto& e : whole.at("traceEvents"))
                if (e.at("ph") == "X") return std::pair(e.at("ts").dump(), e.at("dur").dump());
            return std::pair(std::string(), std::string());
        };
        using Times = std::pair<std::string, std::string>;
        QCOMPARE(box(exported(-1'627'281, -1'000, "k")), (Times{"-1627.281", "1626.281"}));
        QCOMPARE(box(exported(-281, 719, "k")), (Times{"-0.281", "1.0"}));
        QCOMPARE(box(exported(0, 1, "k")), (Times{"0.0", "0.001"}));
        // Digits beyond a double's are in the text.
        const std::string huge = exported(kLeast / 2, kMost / 2, "k");
        QVERIFY(huge.find("\"ts\":-4611686018427387.904,\"dur\":9223372036854775.807") != std::string::npos);
        for (const std::int64_t start : {kLeast, std::int64_t{-1}, std::int64_t{0}, kMost - 1})
            for (const std::string name : {"plain", "quote \" and \\", "tab\t", "\xff\xfe", "\xe5\x89\x8d"})
                QVERIFY(nlohmann::json::accept(exported(start, start + 1, name)));
    }

    void chromeTraceOfNothing() {
        std::ostringstream out;
        writeChromeTrace(out, Timeline(1, Provenance::Measured));
        QVERIFY(!QJsonDocument::fromJson(QByteArray::fromStdString(out.str())).isNull());
    }

    void chromeTraceHasAKernelRowUnderItsRank() {
        const Timeline timeline = example();
        const Event& box = timeline.compute(1)[0];
        KernelEvent gemm{.start_ns = box.start_ns,
                         .end_ns = box.start_ns + 500,
                         .bytes = 0,
                         .iteration = 0,
                         .stage = box.stage,
                         .microbatch = box.microbatch,
                         .rank = 1,
                         .op = box.op,
                         .kind = KernelEvent::Kind::Kernel,
                         .name = "void gemm<\"a\\b\">(float*)"};
        KernelEvent copy = gemm;
        copy.kind = KernelEvent::Kind::Copy;
        copy.name.clear();
        std::ostringstream out;
        writeChromeTrace(out, timeline, std::vector{gemm, copy});
        const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(out.str()));
        QStringList order(6), names;
        std::map<int, QString> threads;
        for (const QJsonValue& e : document["traceEvents"].toArray()) {
            if (e["name"] == "thread_name") threads[e["tid"].toInt()] = e["args"]["name"].toString();
            if (e["name"] == "thread_sort_index")
                order[e["args"]["sort_index"].toInt()] = threads[e["tid"].toInt()];
            if (e["ph"] == "X" && threads[e["tid"].toInt()] == "rank 1 kernels") {
                names << e["name"].toString();
                QCOMPARE(e["args"]["of"].toString(), QString("1F0"));
            }
        }
        QCOMPARE(order, QStringList({"rank 0", "", "rank 0 receives", "rank 1", "rank 1 kernels",
                                     "rank 1 receives"}));
        QCOMPARE(names, QStringList({"void gemm<\"a\\b\">(float*)", "copy"}));
    }

    void eventsCsvHasOneRowAnEvent() {
        const Timeline timeline = example();
        std::ostringstream out;
        writeEventsCsv(out, timeline);
        const QStringList rows = QString::fromStdString(out.str()).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(rows.size(), 1 + 8 + 4);
        QCOMPARE(rows[0], documentedColumns("writes one row per event:"));
        QCOMPARE(rows[1], QString("PREDICTED,0,0,F,0,0,0,1000000000,,1,0,,"));
        QVERIFY(rows.contains("PREDICTED,0,1,RECV_F,1,0,0,1250000000,1000000000,0,0,,"));
    }

    void terminalPictureReadsWithoutColours() {
        const QStringList rows =
            QString::fromStdString(textGantt(example(0), 0, 60, TerminalColours::None)).split('\n');
        QCOMPARE(rows[0], QString("rank 0 F0───F1───··········B0━━━━━━━━·····B1━━━━━━━━  33.3 %"));
        QCOMPARE(rows[1], QString("rank 1 ·····F0───B0━━━━━━━━F1───B1━━━━━━━━··········  33.3 %"));
        QVERIFY(rows[2].contains("|0 ms"));
        QVERIFY(rows[3].startsWith("PREDICTED, iteration 1, 9000.00 ms, bubble 33.3 % of total;"));
        QVERIFY(rows[3].size() <= 60 && rows[4].size() <= 60);
        QVERIFY((rows[3] + rows[4]).contains("F─ forward"));
        QVERIFY(!rows.join(u' ').contains("recompute"));
    }

    void everyRowOfThePictureIsEquallyWide() {
        for (int columns : {10, 60, 61, 120, 200})
            for (const char* name : {"1f1b", "interleaved", "naive"}) {
                const ScheduleParams params{4, QString(name) == "interleaved" ? 2 : 1, 8, 0};
                const Program program = lower(makeSchedule(name, params), Recompute::Full);
                const Timeline timeline = predict(program, unitCosts(4 * params.v, 1, 1, 1, 0.1));
                const QStringList plain =
                    QString::fromStdString(textGantt(timeline, 0, columns, TerminalColours::None))
                        .split('\n');
                for (int rank = 0; rank < 4; ++rank) QCOMPARE(plain[rank].size(), std::max(columns, 40));
                QString coloured =
                    QString::fromStdString(textGantt(timeline, 0, columns, TerminalColours::Indexed));
                QVERIFY(coloured.contains('\x1b'));
                coloured.remove(QRegularExpression("\x1b\\[[0-9;]*m"));
                for (int rank = 0; rank < 4; ++rank)
                    QCOMPARE(coloured.split('\n')[rank].size(), std::max(columns, 40));
            }
    }

    // The colours of the palette, each as the nearest that a terminal has, by trying all of them.
    void terminalHasThePalettesColours() {
        const auto part = [](int colour, int shift) { return colour >> shift & 0xff; };
        const auto rgbOf = [](int number) {
            if (number >= 232) return (8 + 10 * (number - 232)) * 0x10101;
            const auto step = [](int digit) { return digit == 0 ? 0 : 55 + 40 * digit; };
            const int cube = number - 16;
            return step(cube / 36) << 16 | step(cube / 6 % 6) << 8 | step(cube % 6);
        };
        const auto distance = [&](int a, int b) {
            int sum = 0;
            for (const int shift : {16, 8, 0}) {
                const int difference = part(a, shift) - part(b, shift);
                sum += difference * difference;
            }
            return sum;
        };
        std::vector<Rgb> colours{0, 0xffffff, 0x7f7f7f, 0x808080, 0xff0000, 0x123456, 0xeeeeee};
        for (const ColourScheme scheme : kColourSchemes)
            for (const bool on_dark : {false, true})
                for (int op = 0; op < kOpCount; ++op)
                    for (int chunk = 0; chunk < 3; ++chunk)
                        colours.push_back(dataPalette(scheme, on_dark).fill(static_cast<Op>(op), chunk));
        for (const Rgb colour : colours) {
            const int chosen = terminalColour(colour);
            QVERIFY(chosen >= 16 && chosen <= 255);
            const int wanted = static_cast<int>(colour);
            for (int other = 16; other < 256; ++other)
                QVERIFY2(distance(rgbOf(chosen), wanted) <= distance(rgbOf(other), wanted),
                         qPrintable(QString::number(colour, 16)));
        }
        const QString coloured =
            QString::fromStdString(textGantt(example(0), 0, 60, TerminalColours::Indexed));
        const Rgb forward = dataPalette(ColourScheme::Bubblescope, false).fill(Op::Forward, 0);
        QVERIFY(coloured.contains(QString("\x1b[38;5;16;48;5;%1mF0").arg(terminalColour(forward))) ||
                coloured.contains(QString("\x1b[38;5;16;48;5;%1m0").arg(terminalColour(forward))));
        QCOMPARE(inkOn(forward), Rgb{0x0a0c0f});
    }

    // The ink is that of the colour that is shown, not of the one it stands for.
    void inkCanBeReadOnWhatIsShown() {
        const auto rgbOf = [](int number) -> Rgb {
            if (number >= 232) return static_cast<Rgb>((8 + 10 * (number - 232)) * 0x10101);
            const auto step = [](int digit) { return digit == 0 ? 0 : 55 + 40 * digit; };
            const int cube = number - 16;
            return static_cast<Rgb>(step(cube / 36) << 16 | step(cube / 6 % 6) << 8 | step(cube % 6));
        };
        for (const char* name : {"1f1b", "zb-h1", "gpipe"}) {
            const Timeline timeline =
                predict(lower(makeSchedule(name, {4, 1, 8, 0}), Recompute::Full), unitCosts(4, 1, 1, 1, 0));
            const QString indexed =
                QString::fromStdString(textGantt(timeline, 0, 100, TerminalColours::Indexed));
            static const QRegularExpression of_256("\x1b\\[38;5;(\\d+);48;5;(\\d+)m"),
                of_any("\x1b\\[38;2;(\\d+);(\\d+);(\\d+);48;2;(\\d+);(\\d+);(\\d+)m");
            int boxes = 0;
            for (auto each = of_256.globalMatch(indexed); each.hasNext(); ++boxes) {
                const auto found = each.next();
                const double contrast =
                    contrastRatio(rgbOf(found.captured(1).toInt()), rgbOf(found.captured(2).toInt()));
                QVERIFY2(contrast >= 4.5, qPrintable(found.captured() + QString::number(contrast)));
            }
            const QString direct =
                QString::fromStdString(textGantt(timeline, 0, 100, TerminalColours::Direct));
            for (auto each = of_any.globalMatch(direct); each.hasNext(); --boxes) {
                const auto found = each.next();
                const auto rgb = [&found](int at) {
                    return static_cast<Rgb>(found.captured(at).toInt() << 16 |
                                            found.captured(at + 1).toInt() << 8 |
                                            found.captured(at + 2).toInt());
                };
                QVERIFY2(contrastRatio(rgb(1), rgb(4)) >= 4.5, qPrintable(found.captured()));
            }
            QCOMPARE(boxes, 0);
            // Of 16 colours none that a terminal of 16 does not know.
            const QString basic = QString::fromStdString(textGantt(timeline, 0, 100, TerminalColours::Basic));
            QVERIFY(basic.contains("\x1b[97;44m") && !basic.contains(";5;") && !basic.contains(";2;"));
        }
    }

    // The last lines are no wider than the picture, whatever the language and with or without colours.
    void theLegendKeepsToItsColumns() {
        const Timeline timeline =
            predict(lower(makeSchedule("zb-h1", {4, 1, 8, 0}), Recompute::Full), unitCosts(4, 1, 1, 1, 0));
        for (const Language language : {Language::English, Language::Chinese})
            for (const TerminalColours colours : {TerminalColours::None, TerminalColours::Direct})
                for (const int columns : {60, 80, 200}) {
                    QString picture =
                        QString::fromStdString(textGantt(timeline, 0, columns, colours, language));
                    picture.remove(QRegularExpression("\x1b\\[[0-9;]*m"));
                    for (const QString& line : picture.split(u'\n')) {
                        int cells = 0;
                        for (const QChar each : line) cells += each.unicode() >= 0x2e80 ? 2 : 1;
                        QVERIFY2(cells <= columns, qPrintable(line));
                    }
                }
    }

    // After the iteration, where idle is no bubble.
    void gradientsAddedAreDrawn() {
        Costs costs = unitCosts(4, 1, 1, 1, 0);
        costs.reduce_ns = 1'000'000'000;
        const Timeline timeline = predict(lower(dataParallel(makeSchedule("gpipe", {2, 1, 2, 0}), 2)), costs);
        const QStringList rows =
            QString::fromStdString(textGantt(timeline, 0, 75, TerminalColours::None)).split('\n');
        QVERIFY2(rows[0].contains(QRegularExpression("B1?━+A\\+* +[0-9]")), qPrintable(rows[0]));
        QVERIFY2(rows[2].contains(QRegularExpression("B1?━+A\\+*·* +[0-9]")), qPrintable(rows[2]));
        QVERIFY2(rows.mid(5).join(u' ').contains("A+ gradients added"), qPrintable(rows[5]));
    }

    void chunksAreReported() {
        const Timeline timeline =
            predict(lower(makeSchedule("interleaved", {2, 2, 2, 0})), unitCosts(4, 1, 1, 1, 0));
        const QString picture = QString::fromStdString(textGantt(timeline, 0, 120, TerminalColours::None));
        QVERIFY(picture.contains("F0a") && picture.contains("F0b") && picture.contains("B1b"));
    }
};

BUBBLESCOPE_TEST(TestExporters)

}  // namespace tst_exporters

#include "tst_exporters.moc"
