// The words beside the icons of the tool bar: until an icon is known, always or never; what is kept of it;
// and what happens where there is no room.
#include <QTest>

#include "app/settings/preferences.h"
#include "opened_window.h"
#include "widgets/bars/control_bar.h"

using namespace bscope;
using namespace bscope::ui;

class TestIconWords : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static std::vector<Button*> icons(ControlBar& bar) {
        return {bar.explainButton(), bar.gridButton(), bar.stepButton(), bar.exportButton()};
    }
    static std::vector<bool> words(ControlBar& bar) {
        std::vector<bool> shown;
        for (const Button* icon : icons(bar)) shown.push_back(icon->showsText());
        return shown;
    }
    static void show(ControlBar& bar, int width) {
        bar.resize(width, 60);
        bar.show();
    }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void anIconThatIsKnownHasNoWord() {
        ControlBar bar;
        show(bar, 1900);
        QCOMPARE(words(bar), std::vector<bool>({true, true, true, true}));
        for (int use = 0; use < IconLook::kKnownAfter; ++use) {
            QVERIFY(bar.gridButton()->showsText());
            bar.gridButton()->click();
        }
        QCOMPARE(words(bar), std::vector<bool>({true, false, true, true}));
        bar.gridButton()->click();
        QCOMPARE(bar.iconWords().look().uses.value(QStringLiteral("grid")), IconLook::kKnownAfter);
        QCOMPARE(bar.iconWords().look().uses.value(QStringLiteral("step")), 0);
        // The choice of a person comes first.
        bar.iconWords().setLook({IconWording::Always, bar.iconWords().look().uses});
        QCOMPARE(words(bar), std::vector<bool>({true, true, true, true}));
        bar.iconWords().setLook({IconWording::Never, bar.iconWords().look().uses});
        QCOMPARE(words(bar), std::vector<bool>({false, false, false, false}));
        for (const Button* icon : icons(bar))
            QVERIFY(!icon->accessibleName().isEmpty() && !icon->toolTip().isEmpty());
    }

    // Words go one by one before anything leaves the bar, and no part is cut.
    void wordsGiveWay() {
        ControlBar bar;
        show(bar, 1900);
        bar.iconWords().setLook({IconWording::Always, {}});
        std::vector<std::ptrdiff_t> counts;
        for (int width = 1900; width >= 700; width -= 5) {
            bar.resize(width, 60);
            QVERIFY2(bar.layout()->minimumSize().width() <= width, qPrintable(QString::number(width)));
            const std::vector<bool> shown = words(bar);
            const auto count = std::ranges::count(shown, true);
            for (std::size_t i = 0; i < shown.size(); ++i)
                QCOMPARE(bool(shown[i]), static_cast<std::ptrdiff_t>(i) < count);  // the last goes first
            if (counts.empty() || counts.back() != count) counts.push_back(count);
            if (count > 0)
                for (const Button* icon : icons(bar)) QVERIFY(icon->isVisibleTo(&bar));
        }
        QCOMPARE(counts, std::vector<std::ptrdiff_t>({4, 3, 2, 1, 0}));
    }

    void whatIsKnownIsKept() {
        {
            OpenedWindow o(book_);
            auto& bar = part<ControlBar>(o.window);
            for (int use = 0; use < 2; ++use) bar.gridButton()->click();
            bar.iconWords().setLook({IconWording::Always, bar.iconWords().look().uses});
            o.window.close();
        }
        const Preferences kept = Preferences::load();
        QCOMPARE(kept.icons.wording, IconWording::Always);
        QCOMPARE(kept.icons.uses.value(QStringLiteral("grid")), 2);
        OpenedWindow again(book_, kept);
        QVERIFY(part<ControlBar>(again.window).iconWords().look() == kept.icons);
    }
};

QTEST_MAIN(TestIconWords)
#include "tst_icon_words.moc"
