// Lessons walked by keys alone before a class, with a small model and a real engine, on small screens, where
// nothing is cut in either language; a reveal is given whatever the runs show. All of
// them, which takes minutes, with BSCOPE_ALL_LESSONS=1.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/lessons/lesson_controller.h"
#include "app/lessons/lesson_words.h"
#include "app/settings/appearance.h"
#include "lessons/lesson_text.h"
#include "lessons/predicted_runs.h"
#include "opened_window.h"
#include "registered_test.h"

namespace tst_lesson_walk {

using namespace bscope;
using namespace bscope::ui;

namespace {

// The same schedules with next to no work in them.
void shrink(QJsonValueRef value) {
    if (value.isArray()) {
        QJsonArray all = value.toArray();
        for (QJsonValueRef each : all) shrink(each);
        value = all;
        return;
    }
    if (!value.isObject()) return;
    QJsonObject object = value.toObject();
    for (const QString& key : object.keys()) {
        if (key == "model") {
            QJsonObject model = object[key].toObject();
            model["hidden"] = 16, model["heads"] = 2, model["sequence"] = 8, model["vocabulary"] = 256;
            object[key] = model;
        } else if (key == "micro_batch") {
            object[key] = 1;
        } else if (object[key].isObject() || object[key].isArray()) {
            shrink(object[key]);
        }
    }
    value = object;
}

// Eight ranks, three runs.
const LessonComparison kWidestComparison{"In flight",
                                         {"Interleaved 1F1B", "GPipe", "Eager 1F1B"},
                                         std::vector<LessonComparison::Row>(8, {"Rank 7", {16, 8, 4}})};

}  // namespace

class TestLessonWalk : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    LessonBook book_;
    std::unique_ptr<OpenedWindow> opened_;  // one engine for all lessons

    static void everythingIsInSight(const OpenedWindow& opened, const char* where) {
        LessonController& lessons = part<LessonController>(opened.window);
        const PresentedLesson& block = lessons.presented();
        const auto in = [&](const QWidget& widget) {
            return opened.window.rect().contains(
                QRect(widget.mapTo(&opened.window, QPoint(0, 0)), widget.size()));
        };
        const auto fits = [&] {
            return block.isVisible() && in(block) && in(*lessons.canvas()) &&
                   block.heightNeeded(block.width(), block.fontPixels()) <= block.height() &&
                   lessons.canvas()->width() == opened.window.width() &&
                   lessons.canvas()->picture().layout.max_scroll <= 0;
        };
        QVERIFY2(QTest::qWaitFor(fits, kEngineMs),
                 qPrintable(QString("%1: text of %2 in %3, canvas %4 wide, %5 beyond it")
                                .arg(where)
                                .arg(block.heightNeeded(block.width(), block.fontPixels()))
                                .arg(block.height())
                                .arg(lessons.canvas()->width())
                                .arg(lessons.canvas()->picture().layout.max_scroll)));
    }

private slots:
    void initTestCase() {
        OpenedWindow::useBuiltEngine();
        const LessonBook embedded = LessonBook::embedded();
        for (const wire::Scenario* lesson : embedded.lessons()) {
            const QString name = QString::fromStdString(lesson->id()) + ".json";
            QFile file(":/scenarios/" + name), small(folder_.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly) && small.open(QIODevice::WriteOnly));
            QJsonArray whole{QJsonDocument::fromJson(file.readAll()).object()};
            shrink(whole[0]);
            small.write(QJsonDocument(whole[0].toObject()).toJson());
        }
        book_ = LessonBook::ofFolder(folder_.path());
        QVERIFY2(book_.problems().isEmpty(), qPrintable(book_.problems().join('\n')));
        QCOMPARE(book_.lessons().size(), embedded.lessons().size());
    }

    void pagesLoseNothing() {
        const auto bare = [](QString text) { return text.remove(QRegularExpression("\\s")); };
        int pages = 0;
        for (const wire::Scenario* lesson : book_.lessons())
            for (const Language language : {Language::English, Language::Chinese})
                for (const wire::Text* text :
                     {&lesson->lesson().story(), &lesson->lesson().reveal(), &lesson->lesson().follow_up(),
                      &lesson->lesson().interview()}) {
                    const QString whole = textOf(*text, language);
                    const QStringList cut = pagesOfText(whole);
                    QCOMPARE(bare(cut.join("")), bare(whole));
                    for (const QString& page : cut) {
                        QVERIFY2(wordsOf(page) <= kWordsOfPage, qPrintable(page));
                        QVERIFY2(!QStringLiteral("）」』】》”’，。、；：！？").contains(page[0]),
                                 qPrintable(page));
                    }
                    pages += static_cast<int>(cut.size());
                }
        QVERIFY(pages > 400);
        QCOMPARE(wordsOf("p = 4 is\nfour"), 5.0);
        QCOMPARE(wordsOf(QStringLiteral("四个 Rank")), 2.0);
        QCOMPARE(pagesOfText("One two. Three four five.", 4), QStringList({"One two.", "Three four five."}));
    }

    // Before the guess stands which run is which, where schedule, p, m and v alone may be the same.
    void coveredRunsAreNamed() {
        int named = 0;
        for (const wire::Scenario* lesson : book_.lessons())
            for (const Language language : {Language::English, Language::Chinese}) {
                const LessonData data = lessonData(*lesson, withAllNames(lesson->lesson()), language);
                if (data.before.isEmpty()) continue;
                ++named;
                for (const wire::LessonRun& run : lesson->lesson().runs())
                    QVERIFY2(data.before.contains(textOf(run.title(), language)), lesson->id().c_str());
            }
        QVERIFY(named > 40);
        const LessonData head =
            lessonData(*book_.find("the-heavy-head"), withAllNames(book_.find("the-heavy-head")->lesson()),
                       Language::Chinese);
        QVERIFY2(head.before.startsWith(QStringLiteral("A: 1F1B，3、3、2、2 层\nB: 1F1B，3、3、3、1 层\n")),
                 qPrintable(head.before));
    }

    void cleanupTestCase() { opened_.reset(); }

    // What is compared under a reveal is drawn before a class, too: in the table's place there is ink.
    void aComparisonIsDrawn() {
        QWidget screen;
        screen.resize(1024, 768);
        LessonWalk walk;
        PresentedLesson block(walk, &screen);
        LessonData data = lessonData(*book_.lessons().front(),
                                     withAllNames(book_.lessons().front()->lesson()), Language::English);
        const auto image = [&] {
            walk.setLesson(data);
            walk.openCurtain();
            walk.goTo(LessonStep::Reveal);
            block.resize(1024, block.minimumHeight());
            return block.grab().toImage();
        };
        const auto table = [&] {
            return std::ranges::find(block.pages(), LessonPage::Kind::Comparison, &LessonPage::kind);
        };
        image();
        QVERIFY(table() == block.pages().end());
        data.comparison = kWidestComparison;
        image();
        QVERIFY(table() != block.pages().end());
        QCOMPARE(table()->heading, data.comparison->title);
        while (block.page() < table() - block.pages().begin()) QTest::keyClick(&block, Qt::Key_Right);
        const QImage full = image();
        for (auto& row : data.comparison->rows) row.values = {0, 0, 0};
        QVERIFY(full != image());
    }

    // Every page of every step has room, and the pictures keep more than half.
    void everyPageFits() {
        for (const QSize size : {QSize(1024, 768), QSize(1280, 720)})
            for (const wire::Scenario* lesson : book_.lessons())
                for (const Language language : {Language::English, Language::Chinese}) {
                    QWidget screen;
                    screen.resize(size);
                    LessonWalk walk;
                    PresentedLesson block(walk, &screen);
                    LessonData data = lessonData(*lesson, withAllNames(lesson->lesson()), language);
                    data.builds_on = buildsOnText(book_, lesson->lesson(), language);
                    data.comparison = kWidestComparison;
                    walk.setLesson(data);
                    for (int step = 0; step < 4; ++step) {
                        const char* where = lesson->id().c_str();
                        QVERIFY2(block.heightNeeded(size.width(), block.fontPixels()) <= block.height(),
                                 where);
                        QVERIFY2(block.height() <= size.height() / 2, where);
                        QVERIFY2(block.fontPixels() >= 20, where);
                        for (const LessonPage& page : block.pages())
                            QVERIFY2(wordsOf(page.text) <= kWordsOfPage, where);
                        step == 1 ? walk.openCurtain() : walk.goOn();
                    }
                }
    }

    // A number that is a known mistake is named as one.
    void aTypedMistakeIsNamed() {
        const wire::Lesson& lesson = book_.find("06")->lesson();
        QVERIFY(lesson.has_number_guess());
        const LessonRuns none = withAllNames(lesson);
        QVERIFY(estimateOf(lesson, 4, none, Language::English).words.contains("That is rank 0 alone"));
        QVERIFY(estimateOf(lesson, 4, none, Language::Chinese).words.contains("Rank 0"));
        QVERIFY(!estimateOf(lesson, 5, none, Language::English).words.contains("That is"));
    }

    void everyLessonBeforeAClass_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QSize>("size");
        bool wide = false;
        const bool all = qEnvironmentVariableIsSet("BSCOPE_ALL_LESSONS");
        for (const wire::Scenario* lesson : book_.lessons()) {
            const QByteArray number = QByteArray::fromStdString(lesson->id()).left(2);
            // With tries; a table; two tries. Under sanitizers one is enough: their runs take minutes there.
            const auto some = *SANITIZERS ? QByteArrayList{"05"} : QByteArrayList{"05", "10", "16"};
            if (!all && !some.contains(number)) continue;
            QTest::newRow(lesson->id().c_str())
                << QString::fromStdString(lesson->id()) << (wide ? QSize(1280, 720) : QSize(1024, 768));
            wide = !wide;
        }
    }
    void everyLessonBeforeAClass() {
        QFETCH(QString, id);
        QFETCH(QSize, size);
        if (!opened_) opened_ = std::make_unique<OpenedWindow>(book_);
        OpenedWindow& opened = *opened_;
        Appearance& appearance = part<Appearance>(opened.window);
        appearance.setLanguage(Language::English);
        LessonController& lessons = part<LessonController>(opened.window);
        opened.window.showView(MainView::Lessons);
        lessons.open(*book_.find(id));
        LessonWalk& walk = lessons.panel().walk();
        PresentedLesson& block = lessons.presented();
        if (!appearance.projector()) QTest::keyClick(&lessons.panel(), Qt::Key_F11);
        QVERIFY(lessons.presents());
        QTRY_VERIFY(block.hasFocus());
        opened.window.setWindowState(Qt::WindowNoState);
        opened.window.resize(size);
        QTRY_COMPARE(opened.window.size(), size);
        const auto press = [&](Qt::Key key) { QTest::keyClick(&block, key); };
        const auto looked = [&] {
            for (int language = 0; language < 2; ++language) {
                everythingIsInSight(
                    opened,
                    qPrintable(
                        QString("%1, language %2, step %3").arg(id).arg(language).arg(int(walk.step()))));
                press(Qt::Key_L);
            }
        };
        looked();
        QCOMPARE(appearance.language(), Language::English);
        for (int page = 0; walk.step() == LessonStep::Look && page < 20; ++page) press(Qt::Key_Right);
        QCOMPARE(walk.step(), LessonStep::Guess);
        looked();
        press(Qt::Key_Space);  // no guess, no reveal
        QCOMPARE(walk.step(), LessonStep::Guess);
        press(Qt::Key_2);
        QVERIFY(walk.hasGuessed());
        QVERIFY(walk.canGoOn());  // at once, with what has run
        press(Qt::Key_PageDown);
        QCOMPARE(walk.step(), LessonStep::Reveal);
        looked();
        QTRY_VERIFY_WITH_TIMEOUT(lessons.runner().finished(), kEngineMs);
        QVERIFY(walk.lesson().settling.isEmpty());
        looked();
        press(Qt::Key_Return);
        const wire::Lesson& lesson = book_.find(id)->lesson();
        // On a busy machine the last numbers reach the text a turn later.
        const auto numbers = [&] { return withAllNames(lesson, lessons.runner().made().course.kept()); };
        const auto expected = [&] {
            return QString::fromStdString(
                fillNumbers(lesson.reveal().en(), explanationOf(lesson.claims(), numbers()).runs));
        };
        QTRY_VERIFY2_WITH_TIMEOUT(walk.lesson().reveal.contains(expected()),
                                  qPrintable(walk.lesson().reveal + "\n" + expected()), kEngineMs);
        QCOMPARE(walk.lesson().contradicted, !allClaimsHold(lesson.claims(), numbers()));
        for (int page = 0; walk.step() == LessonStep::Reveal && page < 40; ++page) press(Qt::Key_Right);
        QCOMPARE(walk.step(), LessonStep::FollowUp);
        looked();
        while (block.pages()[std::size_t(block.page())].kind != LessonPage::Kind::Tries &&
               block.page() + 1 < int(block.pages().size()))
            press(Qt::Key_Right);
        if (!walk.lesson().tries.empty()) {
            press(Qt::Key_1);
            QCOMPARE(walk.tried(), 0);
            QTRY_VERIFY_WITH_TIMEOUT(lessons.runner().finished(), kEngineMs);
            looked();
        }
        press(Qt::Key_Left);
        for (int page = 0; walk.step() == LessonStep::FollowUp && !walk.lesson().id.isEmpty() && page < 40;
             ++page)
            press(Qt::Key_Right);
        QVERIFY(!lessons.presents());
        QVERIFY(lessons.list().isVisible());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestLessonWalk)

}  // namespace tst_lesson_walk

#include "tst_lesson_walk.moc"
