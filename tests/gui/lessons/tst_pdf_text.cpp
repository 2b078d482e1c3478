// The text of a PDF as it is taken out again: the very characters that were drawn, in both languages,
// whatever form a font gives them beside others; and the fonts that it is drawn with.
#include <cairo-ft.h>

#include <QBuffer>
#include <QFontDatabase>
#include <QPainter>
#include <QProcess>
#include <QRawFont>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include "app/settings/translations.h"
#include "registered_test.h"
#include "sample_view.h"
#include "widgets/figure/caption.h"
#include "widgets/figure/embedded_fonts.h"
#include "widgets/figure/figure.h"
#include "widgets/figure/vector_paper.h"

namespace tst_pdf_text {

using namespace bscope;
using namespace bscope::ui;

namespace {

// Without white space, which depends on where lines end.
QString bare(QString text) {
    static const QRegularExpression space(QStringLiteral("\\s+"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    return text.remove(space);
}

QString textOfPdf(const QByteArray& pdf) {
    QProcess process;
    process.start(QStandardPaths::findExecutable("pdftotext"), {"-raw", "-enc", "UTF-8", "-", "-"});
    process.write(pdf);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000)) return {};
    return bare(QString::fromUtf8(process.readAllStandardOutput()));
}

template <typename Draw>
QByteArray pdfOf(const Draw& draw) {
    QByteArray pdf;
    QBuffer out(&pdf);
    out.open(QIODevice::WriteOnly);
    VectorPaper paper(out, VectorPaper::Kind::Pdf, {600, 400}, "Test");
    QPainter painter(&paper);
    draw(painter, paper);
    painter.end();
    return paper.finish() ? pdf : QByteArray();
}

const Theme kTheme = Theme::make(ThemeKind::Light);

}  // namespace

class TestPdfText : public QObject {
    Q_OBJECT

private slots:
    void init() {
        if (QStandardPaths::findExecutable("pdftotext").isEmpty()) QSKIP("pdftotext is not installed");
    }

    // Fonts have other glyphs for signs beside capitals or figures, and one glyph for an arrow of two signs.
    void everyCharacterComesBack_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"(p - 1) / (m + p - 1) = 27.3 %", "p\u22121",
                                 "(1F1B) [A] {B} A-B 2026-11-27 -10", "A -> B <- C => D (A) 3x4 10:30",
                                 "\u6c14\u6ce1\u5360\u603b\u65f6\u95f4 29.0 "
                                 "%\uff1b\u957f\u5ea6\u3001\u5927\u5c0f\u3001\u9762\u3001\u884c\u3001\u89c1"
                                 "\u3001\u9752\u3001\u96e8",
                                 "\u9884\u6d4b (p\u22121)/(m+p\u22121) = 3/11\uff08\u5fae\u6279\u6b21\uff09",
                                 "fi ffi \u00b5s \u0394t \u00b7 \u00d7 \u00f7 \u2260 \u2264"})
            QTest::addRow("%s", text) << QString::fromUtf8(text);
    }
    void everyCharacterComesBack() {
        QFETCH(QString, text);
        for (const int weight : {int{QFont::Normal}, int{QFont::DemiBold}}) {
            const QByteArray pdf = pdfOf([&](QPainter& painter, VectorPaper&) {
                painter.setFont(kTheme.font(12, weight));
                painter.drawText(QPointF(20, 40), text);
            });
            QCOMPARE(textOfPdf(pdf), bare(text));
        }
    }

    void figuresAreSearchable_data() {
        QTest::addColumn<int>("language");
        QTest::newRow("en") << static_cast<int>(Language::English);
        QTest::newRow("zh") << static_cast<int>(Language::Chinese);
    }
    void figuresAreSearchable() {
        QFETCH(int, language);
        Translations translations;
        translations.setLanguage(static_cast<Language>(language));
        QTemporaryDir folder;
        const QString path = folder.filePath("figure.pdf");
        const std::vector<IterationView> views{sampleView()};
        FigureOptions options;
        options.width_mm = 170;
        options.date = QDate(2026, 11, 27);
        options.title = QStringLiteral("A-B (p\u22121) -> \u6c14\u6ce1");
        QCOMPARE(writeFigure(views, options, path, FigureFormat::Pdf), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray pdf = file.readAll();
        const QString text = textOfPdf(pdf);
        const std::vector<PreparedView> groups{PreparedView(views.front())};
        Notation notation;
        notation.countAsIn(views.front());
        const QString caption = bare(captionText(groups, notation, options.date));
        QVERIFY2(text.contains(caption), qPrintable(text + "\n" + caption));
        QVERIFY2(text.contains(bare(options.title)) && text.contains("RECONSTRUCTED"), qPrintable(text));
        for (const QChar each : text)
            QVERIFY2(each.unicode() < 0x2E80 || each.unicode() > 0x2FDF, qPrintable(text));  // radicals
        QVERIFY2(pdf.size() < 200'000, qPrintable(QString::number(pdf.size())));
    }

    // The same font at several sizes is in the file once.
    void aFontIsEmbeddedOnce() {
        const QByteArray pdf = pdfOf([&](QPainter& painter, VectorPaper& paper) {
            for (const double size : {9.0, 12.0, 20.0}) {
                painter.setFont(kTheme.font(size));
                painter.drawText(QPointF(20, 10 * size), QStringLiteral("abc %1").arg(size));
            }
            paper.newPage();
            painter.drawText(QPointF(20, 50), QStringLiteral("cab"));
        });
        QCOMPARE(pdf.count("/FontDescriptor\n"), qsizetype{1});
        QVERIFY(textOfPdf(pdf).endsWith("cab"));
    }

    // cairo leaves out what it reads over behind a late hint mask: of this character that was all of it.
    void noCharacterIsMissing() {
        const QString tool = QStandardPaths::findExecutable("pdftoppm");
        if (tool.isEmpty()) QSKIP("pdftoppm is not installed: nothing was drawn");
        const QString text = QStringLiteral("如果操作康换递集噪");
        const QByteArray pdf = pdfOf([&](QPainter& painter, VectorPaper&) {
            painter.setFont(kTheme.font(20));
            for (qsizetype i = 0; i < text.size(); ++i)
                painter.drawText(QPointF(10 + 30.0 * static_cast<double>(i), 40), text.mid(i, 1));
        });
        QProcess process;
        process.start(tool, {"-r", "96", "-png", "-f", "1", "-l", "1", "-"});
        process.write(pdf);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60'000));
        const QImage page =
            QImage::fromData(process.readAllStandardOutput()).convertToFormat(QImage::Format_Grayscale8);
        QVERIFY(!page.isNull());
        for (qsizetype i = 0; i < text.size(); ++i) {
            int ink = 0;
            for (int x = 10 + 30 * static_cast<int>(i); x < 32 + 30 * static_cast<int>(i); ++x)
                for (int y = 15; y < 50 && x < page.width(); ++y)
                    ink += qGray(page.pixel(x, y)) < 128 ? 1 : 0;
            QVERIFY2(ink > 40, qPrintable(QStringLiteral("%1: %2").arg(text.mid(i, 1)).arg(ink)));
        }
    }

    // A variable font has no file of one weight; its outlines are taken, and the text with them.
    void aVariableFontIsHeldAsOutlines() {
        const QRawFont inter = QRawFont::fromFont(kTheme.font(12));
        QByteArray file = fontFile(inter);
        QVERIFY(!file.isEmpty());
        QCOMPARE(cairo_font_face_get_type(embeddedFace(inter)), CAIRO_FONT_TYPE_FT);
        const qsizetype post = file.indexOf("post");
        QVERIFY(post > 0 && post < 400);
        file.replace(post, 4, "fvar");
        const QRawFont variable(file, 12);
        QVERIFY(variable.isValid());
        QVERIFY(fontFile(variable).isEmpty());
        cairo_font_face_t* face = embeddedFace(variable);
        QCOMPARE(cairo_font_face_get_type(face), CAIRO_FONT_TYPE_USER);

        cairo_surface_t* picture = cairo_image_surface_create(CAIRO_FORMAT_A8, 32, 32);
        cairo_t* drawing = cairo_create(picture);
        cairo_set_font_face(drawing, face);
        cairo_set_font_size(drawing, 24);
        const cairo_glyph_t glyph{variable.glyphIndexesForString("M").front(), 4, 26};
        cairo_show_glyphs(drawing, &glyph, 1);
        cairo_destroy(drawing);
        cairo_surface_flush(picture);
        const unsigned char* pixels = cairo_image_surface_get_data(picture);
        int inked = 0;
        for (int i = 0; i < 32 * cairo_image_surface_get_stride(picture); ++i) inked += pixels[i] > 128;
        cairo_surface_destroy(picture);
        QVERIFY2(inked > 80 && inked < 500, qPrintable(QString::number(inked)));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestPdfText)

}  // namespace tst_pdf_text

#include "tst_pdf_text.moc"
