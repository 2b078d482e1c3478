// The page in real browsers: no complaint of their consoles, cards, keys, switches. A browser that is not on
// this machine is skipped by name.
#include "bscope_process.h"
#include "headless_chromium.h"
#include "headless_firefox.h"
#include "played_run.h"
#include "registered_test.h"

namespace tst_page_browser {

using namespace bscope;

class TestPageBrowser : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString page_ = folder_.filePath("run.html");
    std::map<QString, std::unique_ptr<HeadlessBrowser>> opened_;
    HeadlessBrowser* browser_ = nullptr;

    // Null: it is not on this machine.
    template <typename Browser>
    static std::unique_ptr<HeadlessBrowser> started() {
        return Browser::program().isEmpty() ? nullptr : std::make_unique<Browser>();
    }

    QString value(const QString& expression) { return browser_->evaluate(expression).toVariant().toString(); }
    QString card() { return value("document.getElementById('card').innerText"); }
    bool isCardHidden() { return browser_->evaluate("document.getElementById('card').hidden").toBool(); }
    void press(const char* set, const char* choice) {
        browser_->click(QStringLiteral("document.querySelector('[data-set=%1][value=%2]')").arg(set, choice));
    }

private slots:
    void initTestCase_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"Chromium", "Firefox"}) QTest::newRow(name) << name;
    }

    void initTestCase() {
        const QString recording = folder_.filePath("run.bscope");
        RunConfig config;
        config.params = {4, 1, 8, 0};
        recordPlayed(recording, config, 1, [](Costs& costs) { costs.stages[2].forward_ns *= 2; });
        QCOMPARE(bscopeRun({"export", recording, "--html", page_, "--lang", "en"}).code, 0);
    }

    // Each browser is started once and keeps the page.
    void init() {
        QFETCH_GLOBAL(QString, name);
        std::unique_ptr<HeadlessBrowser>& browser = opened_[name];
        if (!browser) {
            browser = name == "Chromium" ? started<HeadlessChromium>() : started<HeadlessFirefox>();
            if (!browser) QSKIP(qPrintable("no " + name + " on this machine"));
            if (browser->isReady()) QVERIFY(browser->open(page_));
        }
        if (!browser->isReady()) QSKIP(qPrintable(name + " does not start on this machine"));
        browser_ = browser.get();
    }

    void aBoxThatIsPointedAtHasItsCard() {
        browser_->point("document.querySelectorAll('.b>rect')[1]");
        QVERIFY2(card().startsWith("F2 · forward"), qPrintable(card()));
        QVERIFY(card().contains("micro-batch 2 of 8 on rank 0"));
        browser_->point("document.querySelector('.g>rect')");
        QVERIFY2(card().contains("Rank 0 waits"), qPrintable(card()));
        QVERIFY(card().contains("of the idle time"));
    }

    void aClickFollowsTheMicrobatchAndEscapeEndsIt() {
        browser_->click("document.querySelectorAll('.b>rect')[1]");
        // Forward and backward on every rank.
        QCOMPARE(value("document.querySelectorAll('.b>rect.on').length"), "8");
        QVERIFY(value("document.querySelectorAll('.a>path.on').length").toInt() == 6);
        QCOMPARE(value("document.querySelectorAll('.t text.on').length"), "8");
        browser_->key("Escape");
        QCOMPARE(value("document.querySelectorAll('.on').length"), "0");
        QVERIFY(isCardHidden());
    }

    void keysGoFromBoxToBoxAndZoom() {
        browser_->evaluate("document.querySelector('.fig').focus()");
        browser_->key("ArrowRight");
        QVERIFY2(card().startsWith("F1"), qPrintable(card()));
        browser_->key("ArrowRight");
        QVERIFY2(card().startsWith("F2"), qPrintable(card()));
        browser_->key("ArrowDown");
        QVERIFY2(card().contains("rank 1") || card().contains("Rank 1"), qPrintable(card()));
        const auto width = [this] {
            return value("document.querySelector('.b>rect').getBoundingClientRect().width").toDouble();
        };
        const double before = width();
        browser_->key("+");
        QVERIFY(width() > 1.4 * before);
        browser_->key("-");
        QVERIFY(std::abs(width() - before) < 0.5);
        browser_->key("+");
        browser_->key("0");
        QVERIFY(std::abs(width() - before) < 0.5);
        browser_->key("Escape");
    }

    void theWheelZoomsAndWithShiftMoves() {
        const auto turn = [this](const char* how) {
            browser_->evaluate(QStringLiteral("document.querySelector('.fig').dispatchEvent(new WheelEvent("
                                              "'wheel', {bubbles: true, cancelable: true, %1}))")
                                   .arg(how));
        };
        const auto box = [this](const char* side) {
            return value(QStringLiteral("document.querySelector('.b>rect').getBoundingClientRect().%1")
                             .arg(side))
                .toDouble();
        };
        const double before = box("width");
        turn("ctrlKey: true, deltaY: -600");
        QVERIFY2(box("width") > 3.5 * before, qPrintable(QString::number(box("width") / before)));
        // Firefox leaves the wheel as it is, Chromium turns it.
        for (const char* shift : {"shiftKey: true, deltaY: 60", "shiftKey: true, deltaX: 60"}) {
            const double from = box("left");
            turn(shift);
            QVERIFY2(std::abs(from - box("left") - 60) < 1, shift);
        }
        browser_->evaluate("document.querySelector('.fig').focus()");
        browser_->key("0");
        QVERIFY(std::abs(box("width") - before) < 0.5);
    }

    void switchesChangeWordsNumbersAndColours() {
        const auto bubble = [this] { return value("document.querySelector('.numbers dd b').innerText"); };
        const QString of_total = bubble();
        press("bubble", "ideal");
        const double x = of_total.split(' ')[0].toDouble() / 100;
        QVERIFY(std::abs(bubble().split(' ')[0].toDouble() - 100 * x / (1 - x)) < 0.3);
        press("bubble", "total");
        QCOMPARE(bubble(), of_total);

        press("lang", "zh");
        QVERIFY(value("document.querySelector('.intro').innerText")
                    .startsWith(QStringLiteral("每一行是一个 Rank")));
        browser_->point("document.querySelectorAll('.b>rect')[1]");
        QVERIFY2(card().startsWith(QStringLiteral("F2 · 前向")), qPrintable(card()));
        press("lang", "en");

        const QString light = value("getComputedStyle(document.querySelector('.b>.f0')).fill");
        press("theme", "dark");
        QVERIFY(value("getComputedStyle(document.querySelector('.b>.f0')).fill") != light);
        QCOMPARE(value("document.querySelector('[data-set=theme][value=dark]').getAttribute('aria-pressed')"),
                 "true");
        press("theme", "light");
        QCOMPARE(value("getComputedStyle(document.querySelector('.b>.f0')).fill"), light);
    }

    void theConsoleStaysSilent() {
        const QStringList complaints = browser_->complaints();
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join('\n')));
    }
};

BUBBLESCOPE_TEST(TestPageBrowser)

}  // namespace tst_page_browser

#include "tst_page_browser.moc"
