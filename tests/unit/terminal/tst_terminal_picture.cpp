// The picture of a run in the terminal as cells: every box at its columns with its number and colour, idle
// time hatched by cause, at any size, in both languages, with many colours and none.
#include <QRegularExpression>
#include <QTest>
#include <array>

#include "played_run.h"
#include "registered_test.h"
#include "terminal/layout.h"
#include "terminal/letters.h"
#include "terminal/printed_picture.h"
#include "terminal/viewer.h"
#include "view/stream_reader.h"

namespace tst_terminal_picture {

using namespace bscope;
using namespace bscope::terminal;

namespace {

RunConfig configOf(const std::string& schedule, int p, int v, int m, int d = 1) {
    RunConfig config;
    config.schedule = schedule;
    config.params = {p, v, m, 0};
    config.params.d = d;
    config.micro_batch = 1;
    config.model = {8, 32, 2, 16, 256};
    return config;
}

struct Played {
    Viewer viewer;
    RunHistory history;
    PreparedView view;

    explicit Played(const RunConfig& config, int iterations = 2, Language language = Language::English)
        : viewer(language) {
        std::vector<wire::Message> messages(1);
        *messages.front().mutable_iteration_start() = toWire(playedStart(config, 0, 0));
        std::int64_t end_ns = 0;
        for (int i = 0; i < iterations; ++i)
            for (auto& message : playedMessages(config, i, end_ns, true, &end_ns))
                messages.push_back(std::move(message));
        viewer.setFile("run.bscope");
        for (const auto& message : messages) {
            viewer.take(message);
            applyToHistory(message, history);
        }
        viewer.setRead({});
        view = PreparedView(*history.view(iterations - 1));
    }

    Scene scene(const Look& look) const {
        Scene scene;
        scene.view = &view;
        scene.history = &history;
        scene.look = &look;
        return scene;
    }
};

const Colours kDirect(TerminalColours::Direct, true), kNone(TerminalColours::None, true);

QString all(const Grid& grid) {
    QString text;
    for (int row = 0; row < grid.rows(); ++row) text += QString::fromStdString(grid.text(row)) + '\n';
    return text;
}

// Every row fills the grid exactly, whatever stands in it.
void verifyWhole(const Grid& grid) {
    for (int row = 0; row < grid.rows(); ++row) {
        QCOMPARE(cellsOf(grid.text(row)), grid.columns());
        for (int column = 0; column < grid.columns(); ++column) {
            const char32_t letter = grid.at(column, row).letter;
            QVERIFY(letter == 0 || cellsOf(letter) > 0);
            if (letter == 0) QVERIFY(column > 0 && cellsOf(grid.at(column - 1, row).letter) == 2);
            if (letter != 0 && cellsOf(letter) == 2)
                QVERIFY(column + 1 < grid.columns() && grid.at(column + 1, row).letter == 0);
        }
    }
}

}  // namespace

class TestTerminalPicture : public QObject {
    Q_OBJECT

private slots:
    // The same lanes as text, without what belongs to a screen; colours change nothing but the sequences
    // between.
    void thePrintedPictureIsThatOfTheView() {
        Played played(configOf("1f1b", 4, 1, 8));
        const auto printed = [&](TerminalColours depth, Language language) {
            return QString::fromStdString(printedPicture(played.view.view(), depth, true, 100, language));
        };
        const QString plain = printed(TerminalColours::None, Language::English);
        for (const char* part : {"p=4 m=8", "iteration 2", "rank 0", "rank 3", "fill and drain"})
            QVERIFY2(plain.contains(part), qPrintable(plain));
        QVERIFY2(!plain.contains("quit") && !plain.contains('\x1b'), qPrintable(plain));
        for (const QString& line : plain.split('\n')) QVERIFY(cellsOf(line.toStdString()) <= 100);
        static const QRegularExpression sequences("\x1b\\[[0-9;]*m");
        for (const TerminalColours depth :
             {TerminalColours::Basic, TerminalColours::Indexed, TerminalColours::Direct}) {
            QString coloured = printed(depth, Language::English);
            QVERIFY(coloured.contains("\x1b[0;") && coloured.endsWith('\n'));
            QCOMPARE(coloured.remove(sequences).count("rank "), plain.count("rank "));
        }
        QVERIFY(printed(TerminalColours::Direct, Language::English).contains(";48;2;"));
        QVERIFY(printed(TerminalColours::Indexed, Language::English).contains(";48;5;"));
        QVERIFY(printed(TerminalColours::None, Language::Chinese).contains(QStringLiteral("填充")));
    }

    void everyBoxStandsAtItsColumns_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("d");
        QTest::newRow("1f1b") << "1f1b" << 4 << 1 << 8 << 1;
        QTest::newRow("split backward") << "zb-h1" << 4 << 1 << 8 << 1;
        QTest::newRow("chunks and replicas") << "interleaved" << 2 << 2 << 4 << 2;
    }
    void everyBoxStandsAtItsColumns() {
        QFETCH(QString, schedule);
        QFETCH(int, p);
        QFETCH(int, v);
        QFETCH(int, m);
        QFETCH(int, d);
        Played played(configOf(schedule.toStdString(), p, v, m, d));
        const Grid grid = played.viewer.draw(kDirect, 300, 100);
        const Look look = played.viewer.look();
        const Scene scene = played.scene(look);
        const Layout layout = layoutOf(scene, 300, 100);
        QCOMPARE(layout.lanes, p * d);
        int seen = 0;
        for (int rank = 0; rank < p * d; ++rank)
            for (const Event& event : played.view.ran(rank)) {
                const TimeRange range = rangeOf(scene);
                const int first = layout.columnOf(played.view.relative(event.start_ns), range),
                          past = layout.columnOf(played.view.relative(event.end_ns), range);
                if (past - first < 4 || !isCompute(event.op)) continue;
                ++seen;
                const int chunk = played.view.chunkLetterOf(event.stage);
                const Paint paint = kDirect.box(event.op, chunk, false);
                std::string text;
                for (int x = first; x < past; ++x) {
                    const Cell& cell = grid.at(layout.time_x + x, layout.rowOf(rank));
                    QCOMPARE(cell.paint.fill, paint.fill);
                    const Cell& labelled =
                        grid.at(layout.time_x + x, layout.rowOf(rank) + (layout.box_h - 1) / 2);
                    if (labelled.letter != U' ' && labelled.letter != kDirect.seam())
                        text += utf8Of(labelled.letter);
                }
                QString number = QString::number(event.microbatch + 1);
                if (chunk >= 0) number += QChar('a' + chunk);
                QCOMPARE(QString::fromStdString(text), number);
            }
        QVERIFY(seen >= p * d * m);
    }

    void kindsDifferInColourAndWithoutAny() {
        std::set<int> fills, patterns;
        for (const Op op :
             {Op::Forward, Op::Backward, Op::BackwardWeight, Op::Recompute, Op::ReduceGradients}) {
            for (const TerminalColours depth :
                 {TerminalColours::Basic, TerminalColours::Indexed, TerminalColours::Direct})
                fills.insert(static_cast<int>(depth) << 25 | Colours(depth, false).box(op, 0, false).fill);
            patterns.insert(static_cast<int>(kNone.pattern(op)));
            QCOMPARE(kNone.box(op, 0, false).fill, -1);
        }
        QCOMPARE(patterns.size(), std::size_t{5});
        QCOMPARE(fills.size(), std::size_t{15});
        std::set<char32_t> hatches;
        for (const auto family :
             {CauseFamily::FillDrain, CauseFamily::Dependency, CauseFamily::Network, CauseFamily::Other})
            hatches.insert(Colours::hatchLetter(family));
        QCOMPARE(hatches.size(), std::size_t{4});
    }

    void withoutColoursABoxBeginsWithItsLetter() {
        Played played(configOf("1f1b", 4, 1, 4));
        const Grid grid = played.viewer.draw(kNone, 160, 40);
        const QString text = all(grid);
        for (const char* label : {"F1─", "B1━", "F4─", "B4━", "|──", "|━━"})
            QVERIFY2(text.contains(QString::fromUtf8(label)), label);
        for (int row = 0; row < grid.rows(); ++row)
            for (int column = 0; column < grid.columns(); ++column) {
                QCOMPARE(grid.at(column, row).paint.ink, -1);
                QCOMPARE(grid.at(column, row).paint.fill, -1);
            }
    }

    // Between the boxes of a lane there is nothing but the hatch of the gap's cause, or its length.
    void gapsAreHatched() {
        Played played(configOf("gpipe", 4, 1, 4));
        const Grid grid = played.viewer.draw(kDirect, 200, 40);
        const Look look = played.viewer.look();
        const Scene scene = played.scene(look);
        const Layout layout = layoutOf(scene, 200, 40);
        int seen = 0;
        for (int rank = 0; rank < 4; ++rank)
            for (const IdlePeriod& period : played.view.lane(rank).idle) {
                const int first = layout.columnOf(played.view.relative(period.start_ns), rangeOf(scene)),
                          past = layout.columnOf(played.view.relative(period.end_ns), rangeOf(scene));
                const Gap* gap = played.view.gapOf(period);
                QVERIFY(gap != nullptr);
                for (int x = first + 1; x < past - 1; ++x, ++seen)
                    QCOMPARE(grid.at(layout.time_x + x, layout.rowOf(rank)).letter,
                             Colours::hatchLetter(familyOf(gap->cause)));
            }
        QVERIFY(seen > 50);
        QVERIFY(all(grid).contains(" ms fill "));
    }

    void everySizeIsWhole_data() {
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("rows");
        for (const auto& [columns, rows] :
             {std::pair{80, 24}, {300, 100}, {40, 10}, {61, 13}, {111, 31}, {20, 10}, {7, 3}, {1, 1}})
            QTest::addRow("%dx%d", columns, rows) << columns << rows;
    }
    void everySizeIsWhole() {
        QFETCH(int, columns);
        QFETCH(int, rows);
        for (const Language language : {Language::English, Language::Chinese}) {
            Played played(configOf("interleaved", 2, 2, 4, 2), 3, language);
            for (const Key key : {Key::Escape, static_cast<Key>(U'.'), static_cast<Key>(U';'),
                                  static_cast<Key>(U'Q'), static_cast<Key>(U'w'), static_cast<Key>(U'?')}) {
                QVERIFY(played.viewer.handle({key}, columns, rows));
                for (const Colours& colours : {kDirect, kNone}) {
                    const Grid grid = played.viewer.draw(colours, columns, rows);
                    QCOMPARE(grid.columns(), columns);
                    QCOMPARE(grid.rows(), rows);
                    verifyWhole(grid);
                }
            }
        }
    }

    void eightyByTwentyFourHasAllParts() {
        Played played(configOf("1f1b", 4, 1, 8));
        const QString text = all(played.viewer.draw(kDirect, 80, 24));
        for (const char* part :
             {"1F1B · p=4 m=8 v=1 d=1 · iteration 2", "◐ RECONSTRUCTED",
              "% of total = idle / (p × iteration)", "tokens/s", "|0.0 ms", "rank 0", "rank 3", " F  forward",
              "fill and drain", "idle, all ranks", "#1 1F1B · p=4 m=8", "recording run.bscope", "q quit"})
            QVERIFY2(text.contains(QString::fromUtf8(part)),
                     (part + std::string("\n") + text.toStdString()).c_str());
    }

    void aNarrowTerminalIsAskedToBeWider() {
        Played english(configOf("1f1b", 4, 1, 8)), chinese(configOf("1f1b", 4, 1, 8), 2, Language::Chinese);
        QCOMPARE(QString::fromStdString(english.viewer.draw(kDirect, 20, 24).text(0)).trimmed(),
                 "too narrow: 20");
        QCOMPARE(QString::fromStdString(english.viewer.draw(kDirect, 20, 24).text(1)).trimmed(),
                 "columns, at least 40");
        QVERIFY(all(chinese.viewer.draw(kDirect, 20, 24)).contains("太窄"));
        QVERIFY(all(english.viewer.draw(kDirect, 80, 6)).contains("too low: 6 rows, at least 10"));
    }

    void chineseSaysTheSame() {
        Played played(configOf("1f1b", 4, 1, 8), 2, Language::Chinese);
        const QString text = all(played.viewer.draw(kDirect, 100, 30));
        for (const char* part : {"迭代 2", "气泡占总时间", "损失", "前向", "填充与排空", "按键"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), part);
    }

    // What comes from a file cannot drive the terminal.
    void namesOfFilesAreShownSafely() {
        Played played(configOf("1f1b", 2, 1, 2));
        played.viewer.setFile("evil\x1b[31m\r\n.bscope");
        const Grid grid = played.viewer.draw(kDirect, 100, 30);
        verifyWhole(grid);
        QVERIFY(all(grid).contains("evil\\x1b[31m"));
    }

    void lettersAreCountedByCells() {
        QCOMPARE(cellsOf(std::string_view("abc")), 3);
        QCOMPARE(cellsOf(std::string_view("气泡 a")), 6);
        QCOMPARE(cellsOf(std::string_view("\x1b\x07")), 0);
        QCOMPARE(fitted("气泡占比", 5), std::string("气泡…"));
        QCOMPARE(fitted("bubble", 6), std::string("bubble"));
        QCOMPARE(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
        QCOMPARE(wrapped("气泡占总时间", 5), (std::vector<std::string>{"气泡", "占总", "时间"}));
        QCOMPARE(wrapped("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
        Grid grid(6, 1);
        grid.write(0, 0, "气泡x", {});
        grid.put(1, 0, U'|', {});
        QCOMPARE(grid.text(0), std::string(" |泡x "));
    }
};

BUBBLESCOPE_TEST(TestTerminalPicture)

}  // namespace tst_terminal_picture

#include "tst_terminal_picture.moc"
