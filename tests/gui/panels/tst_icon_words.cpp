// The words beside the icons of the tool bar: they stay, however often an icon is used, until a person wants
// none; what is kept of that; and what happens where there is no room.
#include <QTest>

#include "app/settings/preferences.h"
#include "opened_window.h"
#include "registered_test.h"
#include "widgets/bars/control_bar.h"

namespace tst_icon_words {

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

    void aWordStaysHoweverOftenItsIconIsUsed() {
        ControlBar bar;
        show(bar, 1900);
        QCOMPARE(words(bar), std::vector<bool>({true, true, true, true}));
        const QRect place = bar.exportButton()->geometry();
        for (int use = 0; use < 12; ++use)
            for (Button* icon : icons(bar)) icon->click();
        QCOMPARE(words(bar), std::vector<bool>({true, true, true, true}));
        QCOMPARE(bar.exportButton()->geometry(), place);
        bar.iconWords().setLook({IconWording::Never});
        QCOMPARE(words(bar), std::vector<bool>({false, false, false, false}));
        for (const Button* icon : icons(bar))
            QVERIFY(!icon->accessibleName().isEmpty() && !icon->toolTip().isEmpty());
        bar.iconWords().setLook({IconWording::Always});
        QCOMPARE(words(bar), std::vector<bool>({true, true, true, true}));
    }

    // Words go one by one before anything leaves the bar, and no part is cut.
    void wordsGiveWay() {
        ControlBar bar;
        show(bar, 1900);
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

    void theChoiceIsKept() {
        {
            OpenedWindow o(book_);
            part<ControlBar>(o.window).iconWords().setLook({IconWording::Never});
            o.window.close();
        }
        const Preferences kept = Preferences::load();
        QCOMPARE(kept.icons.wording, IconWording::Never);
        OpenedWindow again(book_, kept);
        QVERIFY(part<ControlBar>(again.window).iconWords().look() == kept.icons);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestIconWords)

}  // namespace tst_icon_words

#include "tst_icon_words.moc"
