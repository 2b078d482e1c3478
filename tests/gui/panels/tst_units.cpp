// Times in units of F: once they are chosen, no text of the Timeline view, of what lies around it, of the
// dialogs about other configurations or of an exported picture gives a time in ms, but what was set in ms.
#include <QHeaderView>
#include <QRegularExpression>
#include <QTest>
#include <QToolTip>

#include "app/find/search.h"
#include "app/tune/advice_controller.h"
#include "app/tune/hand_costs_controller.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "sample_view.h"
#include "watched_window.h"
#include "widgets/bars/setup_button.h"
#include "widgets/bars/setup_panel.h"
#include "widgets/dock/import_section.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/figure/figure.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/bubble_formula_text.h"
#include "widgets/text/format.h"

namespace tst_units {

using namespace bscope;
using namespace bscope::ui;

class TestUnits : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static bool isSetting(const QWidget* widget) {
        for (; widget != nullptr; widget = widget->parentWidget())
            if (qobject_cast<const SetupPanel*>(widget) || qobject_cast<const SetupButton*>(widget))
                return true;
        return false;
    }
    // Every text that a widget and its children show, painted ones included.
    static QStringList textsOf(QWidget& root) {
        QStringList texts;
        QList<QWidget*> all = root.findChildren<QWidget*>();
        all << &root;
        for (QWidget* widget : all) {
            if (!widget->isVisible() || isSetting(widget)) continue;
            texts << widget->toolTip();
            PaintRecorder recorder(widget->size().expandedTo({1, 1}));
            widget->render(&recorder, {}, {}, QWidget::DrawWindowBackground);
            for (const PaintRecorder::Text& each : recorder.texts) texts << each.text;
            if (const auto* table = qobject_cast<const QTableWidget*>(widget)) {
                for (int column = 0; column < table->columnCount(); ++column)
                    texts << table->horizontalHeaderItem(column)->text()
                          << table->horizontalHeaderItem(column)->toolTip();
                for (int row = 0; row < table->rowCount(); ++row)
                    for (int column = 0; column < table->columnCount(); ++column)
                        if (const auto* item = table->item(row, column))
                            texts << item->text() << item->toolTip();
            }
        }
        return texts;
    }
    static QStringList inMilliseconds(const QStringList& texts) {
        static const QRegularExpression ms(QStringLiteral("\\b(ms|µs)\\b"));
        QStringList found;
        for (const QString& text : texts)
            if (text.contains(ms)) found << text;
        found.removeDuplicates();
        return found;
    }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    void nothingOfTheWindowStaysInMilliseconds() {
        WatchedWindow o(book_);
        o.config.params.m = 6;
        o.attach(wire::RUNNING);
        o.run(4);
        o.session().select(3);
        GanttView& canvas = canvasOf(o.window);
        QTRY_COMPARE(canvas.views().front().iteration, 3);
        part<TimelineController>(o.window).baselines().layBeside(1);
        canvas.stepGap(+1);
        QTest::keyClick(&canvas, Qt::Key_R);
        QVERIFY(!inMilliseconds(textsOf(o.window)).isEmpty());  // they are found where they are
        QTest::keyClick(&canvas, Qt::Key_U);
        QVERIFY(canvas.picture().notation.inForwards());
        QCoreApplication::processEvents();
        const QStringList left = inMilliseconds(textsOf(o.window));
        QVERIFY2(left.isEmpty(), qPrintable(left.join(u'\n')));
        QTest::keyClick(&canvas, Qt::Key_Escape);
        canvas.stepSelection(+1);
        const QStringList of_box = inMilliseconds(textsOf(o.window));
        QVERIFY2(of_box.isEmpty(), qPrintable(of_box.join(u'\n')));
    }

    void dialogsFollow() {
        WatchedWindow o(book_);
        o.attach(wire::RUNNING);
        o.run(3);
        o.session().select(2);
        GanttView& canvas = canvasOf(o.window);
        QTRY_COMPARE(canvas.views().front().iteration, 2);
        QTest::keyClick(&canvas, Qt::Key_U);
        o.window.showView(MainView::Improve);
        ImproveTable& table = part<ImproveTable>(o.window);
        DecisionPanel& side = part<DecisionPanel>(o.window);
        QTRY_VERIFY_WITH_TIMEOUT(table.table()->rowCount() > 3, kEngineMs);
        const QStringList of_advice = inMilliseconds(textsOf(table));
        QVERIFY2(of_advice.isEmpty(), qPrintable(of_advice.join(u'\n')));
        // The run's own line: its iteration in units of its F.
        const double F_ns = canvas.picture().notation.median_forward_ns;
        const IterationView shown = o.session().shown();
        QVERIFY(table.candidateAt(0) == nullptr);
        const double own = table.table()->item(0, 2)->text().toDouble();
        QVERIFY(std::abs(own - shown.report->predicted_iteration_ms * 1e6 / F_ns) < 0.2 * own);
        QCOMPARE(side.claims().size(), 3);  // what many texts say, held against predictions
        const QStringList of_choice = inMilliseconds(textsOf(side));
        QVERIFY2(of_choice.isEmpty(), qPrintable(of_choice.join(u'\n')));
        QTest::keyClick(&canvas, Qt::Key_U);  // back, while it is open
        QVERIFY(!inMilliseconds(textsOf(side)).isEmpty());
    }

    // What is said of the clocks of another program's run.
    void clocksFollow() {
        IterationView view = sampleView();
        auto origin = std::make_shared<ImportOrigin>();
        origin->max_shift_ns = 71'000'000;
        origin->slack_ns = 4'000'000;
        view.import = origin;
        ViewState state;
        ImportSection section(state);
        section.setView(view);
        QVERIFY2(section.text().contains(msText(71)) && section.text().contains(msText(4)),
                 qPrintable(section.text()));
        state.setTimeUnit(TimeUnit::MedianForward);
        QVERIFY2(inMilliseconds({section.text()}).isEmpty(), qPrintable(section.text()));
        QVERIFY2(section.text().contains(notationOf(state, view).duration(71e6)), qPrintable(section.text()));
    }

    // A bound that would be written as 0.0 is not written.
    void noBoundOfNothing() {
        IterationView view = sampleView();
        ViewState state;
        ImportSection section(state);
        for (const ImportOrigin::Times times : {ImportOrigin::Times::Host, ImportOrigin::Times::Ranges})
            for (const double bound : {0.0, 0.0004, 0.012}) {
                auto origin = std::make_shared<ImportOrigin>();
                origin->times = times;
                origin->operations_inferred = true;
                origin->understated_by = bound;
                view.import = origin;
                section.setView(view);
                for (const QString& text : {section.text(), section.briefText()}) {
                    QVERIFY2(!text.contains(QStringLiteral("0.0")), qPrintable(text));
                    QCOMPARE(text.contains(QStringLiteral("by up to 1.2 percentage points")), bound > 0.01);
                }
                QCOMPARE(section.shownText(), section.briefText());
                section.moreButton()->click();
                QCOMPARE(section.shownText(), section.text());
                section.moreButton()->click();
            }
    }

    void picturesFollow() {
        SampleOptions zero_bubble;
        zero_bubble.schedule = "zb-h1";
        FigureOptions options;
        options.svg_text = SvgText::Text;
        options.unit = TimeUnit::MedianForward;
        QTemporaryDir folder;
        for (const IterationView& view : {sampleView(), sampleView(zero_bubble)}) {
            const QString path = folder.filePath(QStringLiteral("a.svg"));
            QVERIFY(writeFigure(std::vector{view}, options, path, FigureFormat::Svg).isEmpty());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            static const QRegularExpression ms(QStringLiteral("\\d\\s*ms\\b|in ms"));
            // The latency of the link is a setting, in its own unit.
            static const QRegularExpression link(QStringLiteral("link [\\d.]+\\sms"));
            const auto found = ms.match(QString::fromUtf8(file.readAll()).remove(link));
            QVERIFY2(!found.hasMatch(), qPrintable(found.captured()));
        }
    }

    // The idle time that a closed form is made of, in the unit: its numbers are F times smaller, its value
    // the same.
    void theClosedFormFollows() {
        IterationView view = sampleView();
        view.config.schedule = "zb-h1";
        const Costs costs = sampleCosts(4, 1, true);
        Notation ms, forwards;
        forwards.unit = TimeUnit::MedianForward;
        forwards.median_forward_ns = 8e6;
        const auto in_ms = theoryFormula(view.config, &costs, ms),
                   in_f = theoryFormula(view.config, &costs, forwards);
        QVERIFY(in_ms && in_f && !in_ms->idle_numbers.empty());
        QVERIFY(in_ms->idle_numbers != in_f->idle_numbers);
        QVERIFY(std::abs(in_ms->value - in_f->value) < 1e-9);
    }

    void gapsAreFoundByUnitsOfF() {
        const IterationView view = sampleView();
        const double F_ms = view.medianForward_ns() / 1e6;
        const auto query = parseSearch(QStringLiteral("bubble>2F @1"), false);
        QVERIFY(query && query->longer_forwards == 2.0 && query->rank == 1 && !query->longer_ms);
        SearchQuery same;
        same.longer_ms = 2 * F_ms;
        same.rank = 1;
        const auto by_f = findAll(*query, view), by_ms = findAll(same, view);
        QVERIFY(!by_f.empty() && by_f.size() == by_ms.size());
        QVERIFY(findAll(*parseSearch(QStringLiteral("bubble>0.01f"), false), view).size() > by_f.size());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestUnits)

}  // namespace tst_units

#include "tst_units.moc"
