// Where sequences are cut every picture of an operation names its segment: boxes, cards, the grid, the text
// picture and the title.
#include <QTest>

#include "canvas_fixture.h"
#include "catalog/catalog.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "view/text/text_gantt.h"
#include "widgets/picture/describe.h"
#include "widgets/text/notation.h"

namespace tst_segment_labels {

using namespace bscope;
using namespace bscope::ui;

namespace {

const SampleOptions kCut{.schedule = "seq1f1b", .p = 2, .m = 2, .segments = 2};

}  // namespace

class TestSegmentLabels : public QObject, CanvasFixture {
    Q_OBJECT

private slots:
    void init() { open(); }
    void cleanup() { close(); }

    void boxesAndTitle() {
        view_->setView(sampleView(kCut));
        PaintRecorder recorder(view_->size());
        QPainter painter(&recorder);
        TimelinePainter(painter, view_->picture()).draw();
        painter.end();
        QStringList texts;
        for (const PaintRecorder::Text& text : recorder.texts) texts << text.text;
        for (const char* label : {"1.1", "1.2", "2.1", "2.2"})
            QVERIFY2(texts.contains(QString::fromLatin1(label)), qPrintable(texts.join('|')));
        QVERIFY2(!texts.filter(QStringLiteral("q=2")).isEmpty(), qPrintable(texts.join('|')));
    }

    void namesCountAsTheUserDoes() {
        Notation notation;
        QCOMPARE(notation.action(Op::Backward, 2, 1, 3), QStringLiteral("B3.4b"));
        notation.count_from_zero = true;
        QCOMPARE(notation.action(Op::Backward, 2, 1, 3), QStringLiteral("B2.3b"));
        QCOMPARE(notation.action(Op::Backward, 2, -1), QStringLiteral("B2"));
    }

    void aBoxSaysWhichSegmentItIs() {
        const IterationView view = sampleView(kCut);
        view_->setView(view);
        const Event event = view.ran->compute(0)[1];
        QCOMPARE(event.action(), Action(0, Op::Forward, 0, false, 1));
        Hit hit;
        hit.part = Hit::Part::Box;
        hit.group = hit.rank = 0;
        hit.event = event;
        const Picture& picture = view_->picture();
        const Description card = describe(picture, hit);
        QVERIFY2(card.title.startsWith(QStringLiteral("F1.2")), qPrintable(card.title));
        const QString further = furtherLines(picture.groups.front(), picture.notation, event).join('\n');
        QVERIFY2(further.contains(QStringLiteral("segment 2 of 2")), qPrintable(further));
    }

    void textPicture() {
        const IterationView view = sampleView(kCut);
        const std::string text =
            textGantt(*view.ran, view.iteration, 200, TerminalColours::None, Language::English);
        QVERIFY2(text.find("F0.1") != std::string::npos, text.c_str());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestSegmentLabels)

}  // namespace tst_segment_labels

#include "tst_segment_labels.moc"
