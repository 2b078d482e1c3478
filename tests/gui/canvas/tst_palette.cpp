// The command palette: what it finds, in which order, in both languages, and what it says of what is not
// possible.
#include <QRegularExpression>
#include <QTest>
#include <span>

#include "app/find/command_palette.h"
#include "app/window/palette_entries.h"
#include "catalog/presets.h"
#include "opened_window.h"
#include "registered_test.h"
#include "widgets/text/config_text.h"

namespace tst_palette {

using namespace bscope;
using namespace bscope::ui;

// What the palette of this window offers.
std::vector<PaletteEntry> entriesOf(const MainWindow& window) {
    return paletteEntries(part<WindowActions>(window), canvasOf(window).commands(), part<Session>(window),
                          part<ControlBar>(window));
}

class TestPalette : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static QStringList found(const std::vector<PaletteEntry>& entries, const QString& typed) {
        QStringList names;
        for (const std::size_t i : ranked(entries, typed)) names << entries[i].name;
        return names;
    }
    static PaletteEntry entry(const QString& name, const QStringList& words = {}, const QString& key = {}) {
        return {name, key, words.isEmpty() ? QStringList{name} : words, {}, {}};
    }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void betterMatchesComeFirst() {
        const std::vector<PaletteEntry> entries{entry("Prefer sparse boxes"),
                                                entry("Load weights"),
                                                entry("Schedule: GPipe", {"GPipe"}),
                                                entry("Zoom in", {"Zoom in"}, "W, +"),
                                                entry("Whole iteration"),
                                                entry("Schedule: ZB-V", {"ZB-V", "zb-v", "ZBV"}),
                                                entry("Schedule: ZB-H1", {"ZB-H1"})};
        QCOMPARE(found(entries, "w"), (QStringList{"Zoom in", "Whole iteration", "Load weights"}));
        QCOMPARE(found(entries, "zb v"), QStringList{"Schedule: ZB-V"});
        QCOMPARE(found(entries, "zbv"), QStringList{"Schedule: ZB-V"});
        QCOMPARE(found(entries, "ZB"), (QStringList{"Schedule: ZB-V", "Schedule: ZB-H1"}));
        QCOMPARE(found(entries, "+"), QStringList{"Zoom in"});
        QCOMPARE(found(entries, "weights load"), QStringList{"Load weights"});
        QCOMPARE(found(entries, "prfspb"), QStringList{"Prefer sparse boxes"});
        QCOMPARE(found(entries, ""), found(entries, " "));
        QCOMPARE(found(entries, "").size(), std::ssize(entries));
    }

    void whatIsNotPossibleComesAfterWhatIsAsGood() {
        std::vector<PaletteEntry> entries{entry("Swap A"), entry("Swap B")};
        entries[0].why_not = QStringLiteral("no baseline");
        QCOMPARE(found(entries, "swap"), (QStringList{"Swap B", "Swap A"}));
    }

    void findsSchedulesOptionsPanelsLessonsAndKeys_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("first");
        for (const auto& [typed, first] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"zb-v", "Schedule: ZB-V"},
                 {"interleaved 1f1b", "Schedule: Interleaved 1F1B"},
                 {"交错式 1F1B", "Schedule: Interleaved 1F1B"},
                 {"PyTorch ScheduleGPipe", "Schedule: GPipe"},
                 {"memory cap", "Option: Memory cap"},
                 {"内存上限", "Option: Memory cap"},
                 {"learning rate", "Option: Learning rate, seed"},
                 {"numbers", "Numbers"},
                 {"E", "About the schedule"},
                 {"F11", "Projector"},
                 {"/", "Find…"}})
            QTest::addRow("%s", typed) << QString::fromUtf8(typed) << QString::fromUtf8(first);
    }
    void findsSchedulesOptionsPanelsLessonsAndKeys() {
        QFETCH(QString, typed);
        QFETCH(QString, first);
        OpenedWindow opened(book_);
        const QStringList names = found(entriesOf(opened.window), typed);
        QVERIFY(!names.isEmpty());
        QVERIFY2(names.front() == first || names.front().endsWith(": " + first),
                 qPrintable(names.join(" | ")));
    }

    void zbFindsEveryZeroBubbleSchedule() {
        OpenedWindow opened(book_);
        const QStringList names = found(entriesOf(opened.window), "zb").mid(0, 4);
        for (const char* schedule : {"Schedule: ZB-H1", "Schedule: ZB-H2", "Schedule: ZB-V"})
            QVERIFY2(names.contains(QLatin1String(schedule)), qPrintable(names.join(" | ")));
    }

    // Frameworks', papers' and Chinese names, whatever the window speaks.
    void findsSchedulesByEveryNameTheyHave() {
        OpenedWindow opened(book_);
        const std::vector<PaletteEntry> entries = entriesOf(opened.window);
        int names = 0;
        for (const std::span<const Preset> table : {presets(), aliases()})
            for (const Preset& each : table) {
                const QString typed = QString::fromUtf8(each.name);
                const QStringList matches = found(entries, typed);
                // A lesson may have the same name.
                const QStringList schedules = matches.mid(0, 3).filter(QRegularExpression("^Schedule: "));
                QVERIFY2(schedules.value(0) == "Schedule: " + scheduleTitle(each.schedule),
                         qPrintable(typed + ": " + matches.join(" | ")));
                ++names;
            }
        QVERIFY(names > 30);
    }

    // Every lesson by its title in either language, whatever the window speaks.
    void findsLessonsInBothLanguages() {
        for (const Language language : {Language::English, Language::Chinese}) {
            Preferences preferences;
            preferences.language = language;
            OpenedWindow opened(book_, preferences);
            const std::vector<PaletteEntry> entries = entriesOf(opened.window);
            for (const wire::Scenario* lesson : book_.lessons())
                for (const Language title : {Language::English, Language::Chinese}) {
                    const QString typed = textOf(lesson->title(), title);
                    const std::vector<std::size_t> places = ranked(entries, typed);
                    QVERIFY2(!places.empty(), qPrintable(typed));
                    QVERIFY2(entries[places.front()].words.contains(typed), qPrintable(typed));
                }
            const QString schedule = entries[ranked(entries, "zero bubble interleaved").front()].name;
            QVERIFY(!schedule.isEmpty());
            part<Appearance>(opened.window).setLanguage(Language::English);
        }
    }

    // A held key repeats: what switches must not switch to and fro.
    void aHeldKeySwitchesOnce() {
        OpenedWindow opened(book_);
        int seen = 0;
        for (const QAction* action : opened.window.findChildren<QAction*>()) {
            const bool runs = action->shortcuts().contains(QKeySequence(Qt::Key_F5));
            if (action->shortcuts().isEmpty() || !(action->isCheckable() || runs)) continue;
            QVERIFY2(!action->autoRepeat(), qPrintable(action->text()));
            ++seen;
        }
        QVERIFY2(seen > 5, qPrintable(QString::number(seen)));
    }

    void saysWhyNot() {
        OpenedWindow opened(book_);
        RunConfig odd;
        odd.params.m = 6;
        part<Session>(opened.window).edit(odd);
        const std::vector<PaletteEntry> entries = entriesOf(opened.window);
        const auto why = [&](const QString& typed) {
            return entries[ranked(entries, typed).front()].why_not;
        };
        QVERIFY2(why("interleaved 1F1B").contains("m = 6"), qPrintable(why("interleaved 1F1B")));
        QVERIFY(why("zb-v").isEmpty());
        QVERIFY(!why("swap with the baseline").isEmpty());
        QVERIFY(!why("leave the recording").isEmpty());
        QVERIFY(!why("focus the selection").isEmpty());
        QVERIFY(why("zoom in").isEmpty());
        for (const PaletteEntry& each : entries)
            QVERIFY2(each.run || !each.why_not.isEmpty(),
                     qPrintable(each.name));  // nothing does nothing silently
    }

    void aScheduleIsChosenAsInItsField() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        QTest::keyClick(&canvasOf(window), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = window.findChild<CommandPalette*>();
        QVERIFY(palette != nullptr);
        QTest::keyClicks(palette->field(), QStringLiteral("interleaved 1f1b"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QCOMPARE(part<Session>(window).wanted().schedule, std::string("interleaved"));
        QCOMPARE(part<Session>(window).wanted().params.v, 2);
        QVERIFY(part<BriefNotice>(window).text().contains("v = 2"));
    }

    void anOptionGoesToItsField() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const std::vector<PaletteEntry> entries = entriesOf(window);
        entries[ranked(entries, "memory cap").front()].run();
        QVERIFY(part<ControlBar>(window).setupPanel()->isVisible());
        part<ControlBar>(window).setupPanel()->hide();
        entries[ranked(entries, "m: micro-batches of one iteration").front()].run();
        QVERIFY(part<ControlBar>(window).m()->hasFocus());
    }

    void whatIsNotPossibleLeavesThePaletteOpen() {
        OpenedWindow opened(book_);
        QTest::keyClick(&canvasOf(opened.window), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = opened.window.findChild<CommandPalette*>();
        QTest::keyClicks(palette->field(), QStringLiteral("swap with the baseline"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QVERIFY(palette->isVisible());
        QVERIFY(palette->list()->item(0)->toolTip().contains("no baseline"));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestPalette)

}  // namespace tst_palette

#include "tst_palette.moc"
