// The export sheet: what is chosen shows at once, is what is written, and is there again the next time.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTest>

#include "app/export/figure_exporter.h"
#include "opened_window.h"
#include "registered_test.h"
#include "sample_view.h"
#include "widgets/figure/export_sheet.h"

namespace tst_export_sheet {

using namespace bscope;
using namespace bscope::ui;

class TestExportSheet : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static ExportSheet& opened(OpenedWindow& of) {
        auto& exporter = part<FigureExporter>(of.window);
        exporter.openSheet();
        return *exporter.sheet();
    }
    // By its label's text.
    static QComboBox* field(ExportSheet& sheet, const char* item) {
        for (QComboBox* each : sheet.findChildren<QComboBox*>())
            if (each->findText(QLatin1String(item)) >= 0) return each;
        return nullptr;
    }
    static void choose(ExportSheet& sheet, const char* item) {
        QComboBox* of = field(sheet, item);
        QVERIFY2(of, item);
        of->setCurrentText(QLatin1String(item));
    }
    static QAction* schedule(ExportSheet& sheet, const char* title) {
        for (QAction* each : sheet.findChild<QMenu*>()->actions())
            if (each->text() == QLatin1String(title)) return each;
        return nullptr;
    }
    static QImage picture(ExportSheet& sheet) {
        QCoreApplication::processEvents();
        for (QLabel* label : sheet.findChildren<QLabel*>())
            if (!label->pixmap(Qt::ReturnByValue).isNull()) return label->pixmap(Qt::ReturnByValue).toImage();
        return {};
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void everyChoiceShowsAtOnce() {
        OpenedWindow window(book_);
        ExportSheet& sheet = opened(window);
        QVERIFY(sheet.isVisible());
        QImage last = picture(sheet);
        QVERIFY(last.width() > 200);
        for (const char* item : {"85 mm, one column", "Long: what ran, and how", "Solid", "Operations only",
                                 "All", "Of one micro-batch", "Slide, 16:9"}) {
            choose(sheet, item);
            const QImage now = picture(sheet);
            QVERIFY2(!now.isNull() && now != last, item);
            last = now;
        }
        QCOMPARE(sheet.options().size_px, QSize(1280, 720));
        for (QCheckBox* box : sheet.findChildren<QCheckBox*>()) {
            if (!box->isEnabled()) continue;
            box->click();
            const QImage now = picture(sheet);
            QVERIFY2(now != last, qPrintable(box->text()));
            last = now;
        }
    }

    void whatHasNoEffectCannotBeChosen() {
        OpenedWindow window(book_);
        ExportSheet& sheet = opened(window);
        const auto numbers = sheet.findChildren<NumberField*>();
        QCOMPARE(numbers.size(), 3);
        for (NumberField* each : numbers) QVERIFY(!each->isEnabled());
        choose(sheet, "Other width");
        choose(sheet, "Of one micro-batch");
        choose(sheet, "PNG");
        for (NumberField* each : numbers) QVERIFY(each->isEnabled());
        QVERIFY(field(sheet, "Dashed")->isEnabled());  // nothing ran
    }

    void anotherScheduleStandsBelow() {
        OpenedWindow window(book_);
        ExportSheet& sheet = opened(window);
        const QImage before = picture(sheet);
        QAction* const gpipe = schedule(sheet, "GPipe");
        QVERIFY(gpipe);
        gpipe->setChecked(true);
        QCOMPARE(sheet.views().size(), std::size_t{2});
        QCOMPARE(sheet.views().back().config.schedule, std::string("gpipe"));
        QCOMPARE(sheet.views().back().config.params.m, sheet.views().front().config.params.m);
        QVERIFY(picture(sheet) != before);
        gpipe->setChecked(false);
        QCOMPARE(sheet.views().size(), std::size_t{1});
    }

    void aPictureThatNoPageHoldsSaysSo() {
        OpenedWindow window(book_);
        ExportSheet& sheet = opened(window);
        const auto warned = [&] {
            picture(sheet);
            return std::ranges::any_of(sheet.findChildren<QLabel*>(), [](const QLabel* each) {
                return each->text().endsWith(QLatin1String("mm: taller than an A4 page (297 mm)"));
            });
        };
        QVERIFY(!warned());
        for (const char* title : {"GPipe", "Eager 1F1B", "ZB-H1", "ZB-H2"})
            schedule(sheet, title)->setChecked(true);
        QVERIFY(warned());
        choose(sheet, "Slide, 16:9");
        QVERIFY(!warned());
    }

    // F is also a key of the window.
    void aLetterChoosesInAnOpenMenu() {
        OpenedWindow opened(book_);
        QMenu* const file = opened.window.findChild<QMenuBar*>()->actions().front()->menu();
        file->popup(opened.window.mapToGlobal(QPoint(10, 30)));
        for (const Qt::Key letter : {Qt::Key_E, Qt::Key_F})
            QTest::keyClick(opened.window.windowHandle(), letter);
        QVERIFY(!file->isVisible());
        QVERIFY(part<FigureExporter>(opened.window).filmDialog() != nullptr);
    }

    void theCommandLineChoosesPaletteAndResolution() {
        QStringList problems;
        const ProgramOptions options = parseOptions(
            {"bubblescope", "--export", "x.png", "--width", "85", "--dpi", "600", "--palette", "grey"},
            problems);
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(' ')));
        const QImage image = renderFigureImage(std::vector{sampleView()}, options.figure);
        QCOMPARE(image.width(), qRound(85 / 25.4 * 600));
        QCOMPARE(image.dotsPerMeterX(), qRound(600 / 0.0254));
        for (int y = 0; y < image.height(); y += 7)
            for (int x = 0; x < image.width(); x += 7) {
                const QColor pixel = image.pixelColor(x, y);
                QVERIFY(qMax(pixel.red(), pixel.blue()) - qMin(pixel.red(), pixel.blue()) < 40);
            }
        parseOptions({"bubblescope", "--export", "x.pdf", "--dpi", "9", "--palette", "red"}, problems);
        for (const char* each : {"--dpi needs a whole number from 72 to 1200", "--dpi is for a .png",
                                 "--palette is bubblescope or megatron"})
            QVERIFY2(problems.join(' ').contains(each), qPrintable(problems.join(' ')));
    }

    void choicesAreThereTheNextTime() {
        {
            OpenedWindow window(book_);
            ExportSheet& sheet = opened(window);
            choose(sheet, "85 mm, one column");
            choose(sheet, "SVG, text as text");
            choose(sheet, "None");
            choose(sheet, "as in PyTorch");
            for (const char* title : {"ZB-H1", "GPipe"}) schedule(sheet, title)->setChecked(true);
            sheet.reject();
        }
        const FigureChoices kept = Preferences::load().figures;
        QCOMPARE(kept.width, FigureWidth::Column);
        QCOMPARE(kept.format, FigureFormat::Svg);
        QCOMPARE(kept.svg_text, SvgText::Text);
        QCOMPARE(kept.scheme, ColourScheme::PyTorch);
        OpenedWindow window(book_, Preferences::load());
        ExportSheet& again = opened(window);
        QCOMPARE(again.choices(), kept);
        QCOMPARE(again.views().size(), std::size_t{3});
        QCOMPARE(again.views()[1].config.schedule, std::string("zb-h1"));
        QCOMPARE(again.views()[2].config.schedule, std::string("gpipe"));
        QCOMPARE(figureOptions(kept).width_mm, 85.0);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestExportSheet)

}  // namespace tst_export_sheet

#include "tst_export_sheet.moc"
