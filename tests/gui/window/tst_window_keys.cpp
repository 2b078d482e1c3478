// The keys of the canvas from every part of the window that can have the focus.
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QScreen>
#include <QTest>

#include "app/find/command_palette.h"
#include "app/lessons/lesson_controller.h"
#include "app/window/help_controller.h"
#include "registered_test.h"
#include "watched_window.h"
#include "widgets/help/glossary.h"
#include "widgets/help/glossary_dialog.h"
#include "widgets/help/help_dialog.h"
#include "widgets/tune/improve_table.h"

namespace tst_window_keys {

using namespace bscope;
using namespace bscope::ui;

class TestWindowKeys : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static QString nameOf(const QWidget* widget) {
        return QStringLiteral("%1 \"%2\"")
            .arg(QLatin1String(widget->metaObject()->className()), widget->accessibleName());
    }
    static QAction* action(MainWindow& window, const QString& words) {
        for (QAction* action : part<WindowActions>(window).all())
            if (plainActionText(*action) == words) return action;
        return nullptr;
    }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void canvasKeysWorkWhereverTheFocusIs_data() {
        QTest::addColumn<bool>("lesson");
        QTest::newRow("timeline") << false;
        QTest::newRow("lesson") << true;
    }

    void canvasKeysWorkWhereverTheFocusIs() {
        QFETCH(bool, lesson);
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        action(window, "About the schedule")->trigger();  // more to go through
        action(window, "Step-by-rank grid")->trigger();
        if (lesson) window.showView(MainView::Lessons);
        ViewState& state = lesson ? part<LessonController>(window).viewState() : canvasOf(window).state();
        GanttView& canvas = lesson ? *part<LessonController>(window).canvas() : canvasOf(window);
        QVERIFY(!canvas.views().empty());

        part<ControlBar>(window).runButton()->setFocus();
        const QWidget* first = QApplication::focusWidget();
        int stops = 0, numbers = 0;
        do {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QWidget* now = QApplication::focusWidget();
            QVERIFY(now != nullptr);
            if (qobject_cast<QLineEdit*>(now)) continue;  // a text is edited there
            numbers += qobject_cast<NumberField*>(now) != nullptr;
            const RunConfig edited = part<ControlBar>(window).edited();
            canvas.fit();
            const double whole = state.range().width();
            QTest::keyClick(now, Qt::Key_W);
            QVERIFY2(state.range().width() < whole, qPrintable(nameOf(now)));
            const double from = state.range().from_ns;
            QTest::keyClick(now, Qt::Key_D);
            QVERIFY2(state.range().from_ns > from, qPrintable(nameOf(now)));
            QTest::keyClick(now, Qt::Key_A);
            QTest::keyClick(now, Qt::Key_S);
            QVERIFY2(std::abs(state.range().width() - whole) < 1, qPrintable(nameOf(now)));
            state.select(Selection{0, {0, Op::Forward, 1}, canvas.views().front().iteration});
            QTest::keyClick(now, Qt::Key_Period);
            QVERIFY2(state.selection()->action.microbatch == 2, qPrintable(nameOf(now)));
            QTest::keyClick(now, Qt::Key_Comma);
            QVERIFY2(state.selection()->action.microbatch == 1, qPrintable(nameOf(now)));
            QTest::keyClick(now, Qt::Key_Semicolon);
            QVERIFY2(state.gap().has_value(), qPrintable(nameOf(now)));
            QCOMPARE(QApplication::focusWidget(), now);
            QCOMPARE(part<ControlBar>(window).edited(), edited);  // and nothing was typed or chosen
        } while (QApplication::focusWidget() != first && ++stops < 120);
        QVERIFY(stops > 10 && stops < 120);
        QVERIFY(numbers >= 3);
    }

    // Keys of the menus too: a number is no word.
    void numberFieldsPassLettersAndKeepDigits() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        NumberField* m = part<ControlBar>(window).m();
        m->setFocus();
        QVERIFY(!action(window, "About the schedule")->isChecked());
        QTest::keyClick(m, Qt::Key_E);
        QVERIFY(action(window, "About the schedule")->isChecked());
        m->selectAll();
        QTest::keyClicks(m, "1w2");
        QCOMPARE(m->number(), 12);
        QVERIFY(canvasOf(window).state().range().width() < canvasOf(window).fitRange().width());
    }

    // By name wherever they can be seen or chosen.
    void coloursAreNamed() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* legend = window.findChild<LegendBar*>();
        QVERIFY(!part<BriefNotice>(window).isVisible());
        for (std::size_t i = 1; i <= kColourSchemes.size(); ++i) {
            QTest::keyClick(&canvasOf(window), Qt::Key_C);
            const ColourScheme scheme = kColourSchemes[i % kColourSchemes.size()];
            QCOMPARE(part<Appearance>(window).scheme(), scheme);
            const QString name = schemeName(scheme);
            QVERIFY2(part<BriefNotice>(window).isVisible() && part<BriefNotice>(window).text().contains(name),
                     qPrintable(part<BriefNotice>(window).text()));
            QVERIFY2(legend->colours().contains(name), qPrintable(legend->colours()));
            QVERIFY(action(window, name)->isChecked());
        }
        action(window, schemeName(ColourScheme::DualPipe))->trigger();
        QCOMPARE(part<Appearance>(window).scheme(), ColourScheme::DualPipe);
    }

    // Below the canvas other things are announced: what waits, which iterations there are.
    void aBriefNoticeStandsOnTheCanvas() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        for (const QSize size : {QSize(1024, 700), QSize(1440, 900)}) {
            window.resize(size);
            for (const MainView view : {MainView::Timeline, MainView::Lessons, MainView::Improve}) {
                window.showView(view);
                window.showBriefly(QString(120, QChar(u'校')));
                const BriefNotice& notice = part<BriefNotice>(window);
                const QRect place(notice.mapTo(&window, QPoint()), notice.size());
                if (view == MainView::Improve) {
                    const QWidget& words = *part<ImproveTable>(window).footWords();
                    QVERIFY(!place.intersects(QRect(words.mapTo(&window, QPoint()), words.size())));
                } else {
                    const GanttView& canvas = view == MainView::Timeline
                                                  ? canvasOf(window)
                                                  : *part<LessonController>(window).canvas();
                    QVERIFY(QRect(canvas.mapTo(&window, QPoint()), canvas.size()).contains(place));
                }
                QVERIFY(!place.intersects(QRect(part<StatusLine>(window).mapTo(&window, QPoint()),
                                                part<StatusLine>(window).size())));
            }
        }
    }

    // Nothing moves under the pointer.
    void theSideIsThereAtOnce() {
        OpenedWindow opened(book_);
        QVERIFY(!opened.window.isAnimated());
    }

    // Whole, and as wide as its words, in letters that have no spaces between them too.
    void aBriefNoticeIsReadable() {
        QWidget ground;
        ground.resize(900, 300);
        BriefNotice notice(&ground);
        notice.followTheme();
        ground.show();
        for (int letters = 1; letters < 150; ++letters) {
            notice.say(QString(letters, QChar(u'校')));
            const QImage image = notice.grab().toImage();
            const int room = notice.width() - 2 * currentTheme().px(12);
            const QRect needed =
                notice.fontMetrics().boundingRect(QRect(0, 0, room, 1000), Qt::TextWordWrap, notice.text());
            QVERIFY2(needed.height() <= notice.height() && needed.width() <= room,
                     qPrintable(QString::number(letters)));
            long ink = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    ink += image.pixelColor(x, y).lightness() > 160 ? 1 : 0;
            QVERIFY2(ink > 10L * letters, qPrintable(QString("%1: %2").arg(letters).arg(ink)));
        }
    }

    void textsAreTyped() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        part<SearchBar>(window).open();
        auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(field != nullptr);
        const TimeRange before = canvasOf(window).state().range();
        QTest::keyClicks(field, "wasd,.;");
        QCOMPARE(field->text(), QStringLiteral("wasd,.;"));
        QCOMPARE(canvasOf(window).state().range(), before);
    }

    // What no other part wants comes to the canvas.
    void otherKeysOfTheCanvasComeThrough() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        part<ControlBar>(window).setupButton()->setFocus();
        QWidget* here = QApplication::focusWidget();
        QTest::keyClick(here, Qt::Key_W);
        QVERIFY(canvasOf(window).state().range().width() < canvasOf(window).fitRange().width());
        QTest::keyClick(here, Qt::Key_0);
        QCOMPARE(canvasOf(window).state().range(), canvasOf(window).fitRange());
        QTest::keyClick(here, Qt::Key_Semicolon);
        QVERIFY(canvasOf(window).state().gap());
        QTest::keyClick(here, Qt::Key_C, Qt::ControlModifier);
        QVERIFY2(QGuiApplication::clipboard()->text().startsWith("idle "),
                 qPrintable(QGuiApplication::clipboard()->text()));
        QVERIFY(part<BriefNotice>(window).isVisible());
        QVERIFY2(part<BriefNotice>(window).text().startsWith("Copied: idle "),
                 qPrintable(part<BriefNotice>(window).text()));
        QTest::keyClick(here, Qt::Key_Escape);
        QVERIFY(!canvasOf(window).state().gap());
    }

    // On a word of the field F1 gives the glossary with it, elsewhere keys and mouse; what a term shows is
    // drawn as a plan.
    void keyOfHelpExplainsTheWord() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        Label word(TextRole::Body, &window);
        word.setText(QStringLiteral("Which straggler?"));
        word.setGeometry(300, 300, 200, 30);
        word.show();
        QCursor::setPos(word.mapToGlobal(QPoint(20, 10)));
        canvasOf(window).setFocus();
        QTest::keyClick(&canvasOf(window), Qt::Key_F1);
        auto* glossary = window.findChild<GlossaryDialog*>();
        QVERIFY(glossary != nullptr);
        QVERIFY(glossary->shownText().indexOf("straggler") < glossary->shownText().indexOf("flush"));
        glossary->searchField()->setText(QStringLiteral("ZB-V"));
        QTest::keyClick(glossary->searchField(), Qt::Key_Return);
        QVERIFY(!glossary->isVisible());
        word.hide();
        QCursor::setPos(window.mapToGlobal(QPoint(1, 1)));
        window.showMe(QStringLiteral("schedule:zb-v"));
        QTRY_COMPARE(canvasOf(window).views().front().config.schedule, std::string("zb-v"));
        QCOMPARE(part<ControlBar>(window).edited().schedule, std::string("1f1b"));  // what is wanted stays
        // Where no term is named all of them are there.
        QTest::keyClick(&canvasOf(window), Qt::Key_F1);
        QTRY_VERIFY(window.findChild<GlossaryDialog*>() != nullptr);
        QTRY_COMPARE(window.findChild<GlossaryDialog*>()->shownTerms(),
                     static_cast<int>(bscope::ui::glossary().size()));
    }

    // Space pauses and goes on, wherever the focus is, but for what uses it: a button that has the focus is
    // pressed.
    void spacePausesAndGoesOn() {
        WatchedWindow watched(book_);
        watched.attach(wire::RUNNING);
        watched.run(2);
        const auto asked = [&] {
            const wire::Message* control = watched.engine.last(wire::Message::kControl);
            return control != nullptr ? static_cast<int>(control->control().verb()) : -1;
        };
        const ControlBar& bar = part<ControlBar>(watched.window);
        for (QWidget* focused :
             {static_cast<QWidget*>(&canvasOf(watched.window)), static_cast<QWidget*>(bar.m())}) {
            focused->setFocus();
            QTest::keyClick(focused, Qt::Key_Space);
            QTRY_COMPARE(asked(), static_cast<int>(wire::Control::PAUSE));
            watched.engine.status(wire::PAUSED);
            QTRY_COMPARE(watched.session().state(), SessionState::Paused);
            QTest::keyClick(focused, Qt::Key_Space);
            QTRY_COMPARE(asked(), static_cast<int>(wire::Control::RUN));
            watched.engine.status(wire::RUNNING);
            QTRY_COMPARE(watched.session().state(), SessionState::Running);
            QVERIFY(canvasOf(watched.window).state().follow());
        }
        QSignalSpy grid(bar.gridButton(), &QAbstractButton::clicked);
        bar.gridButton()->setFocus();
        QTest::keyClick(bar.gridButton(), Qt::Key_Space);
        QCOMPARE(grid.count(), 1);
        QTest::qWait(50);
        QCOMPARE(asked(), static_cast<int>(wire::Control::RUN));
        QTest::keyClick(&canvasOf(watched.window), Qt::Key_F, Qt::ShiftModifier);
        QVERIFY(!canvasOf(watched.window).state().follow());
    }

    // F1 has a term for the name of every field and for every mark of the picture.
    void everyWordAndMarkIsExplained_data() {
        QTest::addColumn<bool>("chinese");
        QTest::newRow("en") << false;
        QTest::newRow("zh") << true;
    }
    void everyWordAndMarkIsExplained() {
        QFETCH(bool, chinese);
        Preferences preferences;
        preferences.language = chinese ? Language::Chinese : Language::English;
        preferences.dock_opened = {"waterfall"};
        WatchedWindow watched(book_, preferences);
        MainWindow& window = watched.window;
        watched.attach(wire::RUNNING);
        watched.run(2);
        QTest::qWait(50);
        const ControlBar& bar = part<ControlBar>(window);
        const GanttView& canvas = canvasOf(window);
        const LaneLayout& layout = canvas.picture().layout;
        const Lane& lane = layout.groups.front().front();
        std::vector<std::pair<QString, QPoint>> places;
        for (const QWidget* field : std::initializer_list<const QWidget*>{bar.p(), bar.m(), bar.v(),
                                                                          bar.schedule(), bar.recompute()})
            places.emplace_back(field->accessibleName(), field->mapTo(&window, field->rect().center()));
        const auto add = [&](const char* name, const QPointF& at) {
            places.emplace_back(QString::fromLatin1(name), canvas.mapTo(&window, at.toPoint()));
        };
        add("title", {layout.title.left() + 200, layout.title.center().y()});
        add("phases", {lane.box.left() + 40, lane.bracket.center().y()});
        add("memory", {lane.memory.left() + 60, lane.memory.bottom() - 2});
        add("lane end", {lane.end.center().x(), lane.box.center().y()});
        add("lane head", {lane.header.center().x(), lane.box.center().y()});
        const PreparedView& shown = canvas.picture().groups.front();
        const auto& idle = shown.lane(0).idle;
        QVERIFY(!idle.empty());
        const IdlePeriod period = *idle.begin();
        add("gap",
            {canvas.picture().xOf(shown, (period.start_ns + period.end_ns) / 2), lane.box.center().y()});
        for (const auto& [name, at] : places) {
            const QString words = wordsUnder(window, at);
            QVERIFY2(!termsIn(words).empty(), qPrintable(name + ": " + words));
        }
        for (const char* word :
             {"noise", "RECONSTRUCTED", "warm-up", "fill", "in flight", "Checkpointing", "schedule"})
            QVERIFY2(!termsIn(QString::fromLatin1(word)).empty(), word);
        for (const char* word : {"波动", "重计算", "调度", "收尾", "填充", "在途"})
            QVERIFY2(!termsIn(QString::fromUtf8(word)).empty(), word);
    }

    // What is typed finds keys by what they do and by their name, on all pages.
    void theHelpIsSearched() {
        OpenedWindow opened(book_);
        HelpDialog help(&opened.window);
        QVERIFY(help.shownText().contains("Zoom out"));
        help.search()->setText("pause run");
        QVERIFY2(help.shownText().contains("Run or pause"), qPrintable(help.shownText()));
        QVERIFY(!help.shownText().contains("Zoom out"));
        help.search()->setText("middle drag");  // of the mouse
        QVERIFY(help.shownText().contains("zoom to the range"));
        help.search()->setText("Ctrl+T");
        QVERIFY(help.shownText().contains("Sweep"));
        help.search()->setText("no such thing anywhere");
        QVERIFY(help.shownText().contains("Nothing here"));
        help.search()->clear();
        QVERIFY(help.shownText().contains("Zoom out"));
    }

    // What a person has asked to see is there again at the next start.
    void whatIsShownIsRemembered() {
        {
            OpenedWindow opened(book_);
            canvasOf(opened.window).toggleLayer(&Layers::arrows);
            canvasOf(opened.window).toggleLayer(&Layers::ghost);
            part<NumbersDock>(opened.window).detail().foldButton()->click();
            opened.window.close();
        }
        const Preferences kept = Preferences::load();
        QCOMPARE(kept.dock_opened, QStringList{"causes"});
        OpenedWindow again(book_, kept);
        const Layers layers = canvasOf(again.window).state().layers();
        QVERIFY(layers.arrows && layers.ghost);
        QVERIFY(part<NumbersDock>(again.window).detail().isOpen());
        QVERIFY(!part<NumbersDock>(again.window).memory().held()->isOpen());
        Preferences().save();
    }

    // No menu is taller than a small screen.
    void menusFitASmallScreen() {
        for (const Language language : {Language::English, Language::Chinese}) {
            Preferences preferences;
            preferences.language = language;
            OpenedWindow opened(book_, preferences);
            for (const QMenu* menu : opened.window.findChildren<QMenu*>()) {
                if (menu->actions().isEmpty()) continue;
                QVERIFY2(menu->sizeHint().height() <= 660,
                         qPrintable(menu->title() + QString::number(menu->sizeHint().height())));
                QVERIFY2(menu->sizeHint().width() <= 640, qPrintable(menu->title()));
            }
        }
    }

    // The first window is on the screen, whole.
    void theFirstWindowFitsItsScreen() {
        MainWindow window(Preferences(), book_);
        const QSize screen = window.screen()->availableGeometry().size();
        QVERIFY(window.width() <= screen.width() && window.height() <= screen.height());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestWindowKeys)

}  // namespace tst_window_keys

#include "tst_window_keys.moc"
