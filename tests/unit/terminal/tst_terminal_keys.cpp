// Keys and mouse of the terminal view: what they change, and what is said of what they select.
#include <QTemporaryDir>
#include <QTest>

#include "played_run.h"
#include "registered_test.h"
#include "terminal/layout.h"
#include "terminal/viewer.h"
#include "view/stream_reader.h"

namespace tst_terminal_keys {

using namespace bscope;
using namespace bscope::terminal;

namespace {

constexpr int kColumns = 120, kRows = 40;
const Colours kColours(TerminalColours::Indexed, true);

RunConfig smallRun() {
    RunConfig config;
    config.params = {4, 1, 8, 0};
    config.micro_batch = 1;
    config.model = {8, 32, 2, 16, 256};
    return config;
}

}  // namespace

class TestTerminalKeys : public QObject {
    Q_OBJECT

    std::unique_ptr<Viewer> viewer_;

    bool press(char32_t key) { return viewer_->handle({static_cast<Key>(key)}, kColumns, kRows); }
    bool press(Key key) { return viewer_->handle({key}, kColumns, kRows); }
    const Look& look() const { return viewer_->look(); }
    QString picture() {
        const Grid grid = viewer_->draw(kColours, kColumns, kRows);
        QString text;
        for (int row = 0; row < grid.rows(); ++row) text += QString::fromStdString(grid.text(row)) + '\n';
        return text;
    }
    // Of the first row that begins so.
    int rowOf(const char* beginning) {
        const QStringList rows = picture().split('\n');
        for (int row = 0; row < rows.size(); ++row)
            if (rows[row].startsWith(beginning)) return row;
        return -1;
    }

private slots:
    void init() {
        viewer_ = std::make_unique<Viewer>(Language::English);
        viewer_->setFile("run.bscope");
        wire::Message hello;  // as every recording of an engine begins
        hello.mutable_hello()->set_protocol_version(kProtocolVersion);
        hello.mutable_hello()->set_state(wire::RUNNING);
        viewer_->take(hello);
        wire::Message start;
        *start.mutable_iteration_start() = toWire(playedStart(smallRun(), 0, 0));
        viewer_->take(start);
        std::int64_t end_ns = 0;
        for (int i = 0; i < 3; ++i)
            for (const auto& message : playedMessages(smallRun(), i, end_ns, true, &end_ns))
                viewer_->take(message);
        viewer_->setRead({});
    }

    void everyKeyOfTheTableMeansItsRow() {
        for (const KeyRow& row : keyRows())
            for (const char32_t key : row.keys) QCOMPARE(commandOf(static_cast<Key>(key)), row.command);
        QCOMPARE(commandOf(static_cast<Key>(U'W')), Command::ZoomIn);
        QCOMPARE(commandOf(static_cast<Key>(U'Q')), Command::Panel);
        QCOMPARE(commandOf(static_cast<Key>(U'~')), Command::None);
    }

    void iterationsAreWalked() {
        QCOMPARE(look().iteration, 2);
        QVERIFY2(picture().contains("recording run.bscope"), qPrintable(picture()));
        press(U'j');
        QCOMPARE(look().iteration, 1);
        QVERIFY(picture().contains("iteration 2"));
        press(Key::PageUp);
        press(Key::PageUp);
        QCOMPARE(look().iteration, 0);
        press(U'k');
        QCOMPARE(look().iteration, 1);
        press(Key::End);
        QCOMPARE(look().iteration, 2);
    }

    void zoomingHoldsTheCursorAndIsUndone() {
        picture();
        const int row = rowOf("rank 0");
        QVERIFY(row > 0);
        viewer_->handle({Key::WheelUp, 30, row}, kColumns, kRows);
        QVERIFY(look().range.has_value());
        const double cursor_ns = *look().cursor_ns, width = look().range->width();
        press(U'w');
        QVERIFY(look().range->width() < width);
        QVERIFY(look().range->from_ns <= cursor_ns && cursor_ns <= look().range->to_ns);
        const TimeRange zoomed = *look().range;
        press(U'd');
        QVERIFY(look().range->from_ns > zoomed.from_ns);
        press(U'a');
        QVERIFY(std::abs(look().range->from_ns - zoomed.from_ns) < 1);
        press(Key::Backspace);
        QCOMPARE(look().range->width(), width);
        press(U'0');
        QVERIFY(!look().range);
        for (int i = 0; i < 100; ++i) press(U'+');
        QVERIFY(look().range->width() > 0);
        QVERIFY(!picture().isEmpty());
        for (int i = 0; i < 100; ++i) press(U'-');
        QVERIFY(!look().range);
    }

    void aBoxIsSelectedWithItsFacts() {
        press(U'.');
        QVERIFY(look().box.has_value());
        QCOMPARE(toText(look().box->action), std::string("0F0"));
        QVERIFY(picture().contains("0F0: forward of micro-batch 1, stage 0, rank 0"));
        press(U'.');
        QCOMPARE(toText(look().box->action), std::string("0F1"));
        press(U',');
        press(U']');
        QCOMPARE(toText(look().box->action), std::string("1F0"));
        press(U'[');
        QCOMPARE(toText(look().box->action), std::string("0F0"));
        press(Key::Down);
        QCOMPARE(look().box->rank, 1);
        press(Key::Escape);
        QVERIFY(!look().box);
    }

    void aGapSaysItsCause() {
        press(U';');
        QVERIFY(look().gap.has_value());
        const QString first = picture();
        QVERIFY2(first.contains("waits") || first.contains("has nothing"), qPrintable(first));
        const GapSelection largest = *look().gap;
        press(U';');
        QVERIFY(*look().gap != largest);
        press(U':');
        QCOMPARE(*look().gap, largest);
    }

    void theMouseSelectsBoxesAndBars() {
        picture();
        const int row = rowOf("rank 0");
        viewer_->handle({Key::Click, 8, row}, kColumns, kRows);
        QVERIFY(look().box.has_value());
        QCOMPARE(toText(look().box->action), std::string("0F0"));
        const int strip = rowOf("#1 ");
        QVERIFY(strip > 0);
        viewer_->handle({Key::Click, 0, strip - 1}, kColumns, kRows);
        QCOMPARE(look().iteration, 0);
        viewer_->handle({Key::Click, 119, 0}, kColumns, kRows);
        viewer_->handle({Key::WheelDown, 0, 39}, kColumns, kRows);
    }

    void layersComeAndGo() {
        QVERIFY(picture().contains(QString::fromUtf8("····")));
        press(U'b');
        QVERIFY(!picture().contains(QString::fromUtf8("····")));
        QVERIFY(picture().contains(QString::fromUtf8("▅")));
        press(U'y');
        QVERIFY(!picture().contains(QString::fromUtf8("▅")));
        press(U'u');
        QVERIFY(picture().contains("|0 F"));
        QVERIFY(picture().contains("of ideal"));
        press(U'Q');
        QVERIFY(!picture().contains("of ideal"));
    }

    void pagesOpenScrollAndClose() {
        press(U'?');
        QVERIFY(picture().startsWith("Keys"));
        QVERIFY(picture().contains("Next largest gap of the iteration"));
        press(U'?');
        press(U'e');
        QVERIFY(picture().startsWith("The schedule"));
        const std::string top = viewer_->draw(kColours, 60, 12).text(2);
        viewer_->handle({Key::PageDown}, 60, 12);
        QVERIFY(viewer_->draw(kColours, 60, 12).text(2) != top);
        press(Key::Home);
        QCOMPARE(viewer_->draw(kColours, 60, 12).text(2), top);
        press(Key::Escape);
        QVERIFY(picture().startsWith("1F1B"));
    }

    void qQuits() {
        QVERIFY(press(U'x'));
        QVERIFY(!press(U'q'));
    }

    // A recording that was cut ends in an iteration that is shown as far as it goes.
    void aCutRecordingSaysSo() {
        Viewer cut(Language::English);
        cut.setFile("cut.bscope");
        wire::Message start;
        *start.mutable_iteration_start() = toWire(playedStart(smallRun(), 0, 0));
        cut.take(start);
        std::int64_t end_ns = 0;
        for (const auto& message : playedMessages(smallRun(), 0, 0, false, &end_ns)) cut.take(message);
        cut.setRead({sentence("the rest is missing")});
        const Grid grid = cut.draw(kColours, kColumns, kRows);
        QString text;
        for (int row = 0; row < grid.rows(); ++row) text += QString::fromStdString(grid.text(row)) + '\n';
        QVERIFY2(text.contains("cut.bscope ends in this iteration"), qPrintable(text));
        QVERIFY(text.contains("the rest is missing"));
    }

    void nothingOfAStreamThrows() {
        Viewer empty(Language::Chinese);
        empty.setFile("none");
        empty.setRead({});
        for (const char32_t key : std::u32string(U".,;:[]wsad0fjke?byuQ")) {
            QVERIFY(empty.handle({static_cast<Key>(key)}, kColumns, kRows));
            QVERIFY(empty.draw(kColours, kColumns, kRows).rows() == kRows);
        }
        wire::Message odd;
        odd.mutable_events()->add_iteration(3);
        empty.take(odd);
        odd.mutable_iteration_start()->mutable_config()->set_p(-5);
        empty.take(odd);
        empty.draw(kColours, kColumns, kRows);
    }
};

BUBBLESCOPE_TEST(TestTerminalKeys)

}  // namespace tst_terminal_keys

#include "tst_terminal_keys.moc"
