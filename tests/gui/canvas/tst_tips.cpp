// Tips: in several lines where one would be too wide, and all there.
#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QTableWidget>
#include <QTest>
#include <QTextDocumentFragment>
#include <QToolTip>

#include "registered_test.h"
#include "shown_bar.h"
#include "widgets/controls/long_tips.h"

namespace tst_tips {

using namespace bscope;
using namespace bscope::ui;

namespace {

const QString kLong = QStringLiteral("Of all ranks < 8 & \"more\": ").repeated(12).trimmed();

const QLabel* shownTip() {
    for (const QWidget* top : QApplication::topLevelWidgets())
        if (top->inherits("QTipLabel") && top->isVisible()) return static_cast<const QLabel*>(top);
    return nullptr;
}
// What is shown when the pointer rests on the widget.
const QLabel* tipOver(QWidget* widget, const QPoint& at = {2, 2}) {
    QToolTip::hideText();
    QHelpEvent ask(QEvent::ToolTip, at, widget->mapToGlobal(at));
    QApplication::sendEvent(widget, &ask);
    return shownTip();
}
// As a reader has it.
QString read(const QLabel& tip) {
    return Qt::mightBeRichText(tip.text()) ? QTextDocumentFragment::fromHtml(tip.text()).toPlainText()
                                           : tip.text();
}

}  // namespace

class TestTips : public QObject {
    Q_OBJECT

    const LongTips long_tips_{nullptr};
    void verifyShown(const QLabel* tip) {
        QVERIFY(tip);
        QCOMPARE(read(*tip), kLong);
        QVERIFY2(tip->width() < 640, qPrintable(QString::number(tip->width())));
        QVERIFY(tip->height() > 3 * tip->fontMetrics().height());
    }

private slots:
    void ofWidgets() {
        QWidget widget;
        widget.show();
        widget.setToolTip(kLong);
        verifyShown(tipOver(&widget));
        for (const QString& kept : {QStringLiteral("Copy"), QStringLiteral("<b>") + kLong}) {
            widget.setToolTip(kept);
            const QLabel* tip = tipOver(&widget);
            QVERIFY(tip);
            QCOMPARE(tip->text(), kept);
        }
    }

    // As a note that a user wrote.
    void whatIsPaintedShowsItsSigns() {
        QWidget widget;
        widget.show();
        const auto tip = [&](const QString& text) {
            showTip(widget.mapToGlobal(QPoint(2, 2)), text, &widget);
            return shownTip();
        };
        verifyShown(tip(kLong));
        for (const QString& text :
             {QStringLiteral("<b>bold</b>"), QStringLiteral("a < b"), QStringLiteral("two\nlines")}) {
            const QLabel* shown = tip(text);
            QVERIFY(shown);
            QCOMPARE(read(*shown), text);
        }
        QTRY_VERIFY(tip({}) == nullptr);
    }

    void ofTables() {
        QTableWidget table(1, 2);
        table.setItem(0, 1, new QTableWidgetItem(QStringLiteral("1")));
        table.item(0, 1)->setToolTip(kLong);
        table.setHorizontalHeaderItem(1, new QTableWidgetItem(QStringLiteral("b")));
        table.horizontalHeaderItem(1)->setToolTip(kLong);
        table.show();
        verifyShown(tipOver(table.viewport(), table.visualItemRect(table.item(0, 1)).center()));
        QHeaderView* head = table.horizontalHeader();
        verifyShown(tipOver(head->viewport(), {head->sectionViewportPosition(1) + 3, 3}));
    }

    void segmentsWithWordsShowTheTipOfTheirGroup() {
        ControlBar bar;
        showBar(bar);
        QTest::mouseClick(bar.setupButton(), Qt::LeftButton);
        const auto read_over = [](QWidget* widget) {
            const QLabel* tip = tipOver(widget);
            return tip != nullptr ? read(*tip) : QString();
        };
        Segments* device = bar.setupPanel()->device();
        QVERIFY(!device->toolTip().isEmpty());
        for (int i = 0; i < device->count(); ++i) QCOMPARE(read_over(device->segment(i)), device->toolTip());
        Segments* views = bar.viewSwitch();
        views->setCompact(true);
        QCOMPARE(read_over(views->segment(1)), views->segment(1)->text());
        views->setCompact(false);
        QVERIFY(views->segment(1)->toolTip().isEmpty());
    }

    void ofTheSetupForm() {
        ControlBar bar;
        showBar(bar);
        QTest::mouseClick(bar.setupButton(), Qt::LeftButton);
        int wide = 0;
        for (QWidget* part : bar.setupPanel()->findChildren<QWidget*>()) {
            if (part->toolTip().isEmpty() || !part->isVisible()) continue;
            const QLabel* tip = tipOver(part);
            QVERIFY(tip);
            QCOMPARE(read(*tip), part->toolTip());
            QVERIFY2(tip->width() < 640, qPrintable(part->toolTip()));
            wide += tip->height() > 2 * tip->fontMetrics().height();
        }
        QVERIFY(wide > 3);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestTips)

}  // namespace tst_tips

#include "tst_tips.moc"
