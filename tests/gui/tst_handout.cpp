// A handout is a PDF with its fonts inside, whose text can be taken out again, in both languages; the answers
// stand where they were asked for, and every page says where its numbers come from.
#include <QBuffer>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/handout/handout_job.h"
#include "app/settings/appearance.h"
#include "app/settings/program_options.h"
#include "lessons/lesson_file.h"
#include "opened_window.h"
#include "sample_view.h"
#include "timeline/measured_report.h"
#include "wire/convert.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

struct Made {
    QByteArray pdf;
    int pages = 0;
};

// The pictures are of a sample run; what the texts name has not run, but for what the sample has.
Made made(const LessonBook& book, const QStringList& ids, const HandoutOptions& options) {
    Preferences preferences;
    preferences.language = options.language;
    const Appearance appearance(preferences);
    std::vector<HandoutLesson> lessons;
    for (const QString& id : ids) {
        const wire::Scenario* scenario = book.find(id);
        HandoutLesson& lesson = lessons.emplace_back();
        lesson.scenario = scenario;
        lesson.number = 5;
        for (int run = 0; run < scenario->lesson().runs_size(); ++run) {
            if (!scenario->lesson().runs(run).table().empty()) continue;
            lesson.views.push_back(sampleView());
            const IterationView& view = lesson.views.back();
            IterationReport report;
            report.p = 4, report.m = 8, report.v = 1;
            fillMeasured(report, *view.summary);
            lesson.numbers[runName(static_cast<std::size_t>(run))] =
                LessonRun{.config = view.config, .report = report, .ran = view.ran};
        }
        lesson.numbers = withAllNames(scenario->lesson(), lesson.numbers);
    }
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    const int pages = writeHandout(lessons, options, buffer);
    return {buffer.data(), pages};
}

int count(const QByteArray& pdf, const char* pattern) {
    auto all = QRegularExpression(QString::fromLatin1(pattern)).globalMatch(QString::fromLatin1(pdf));
    int found = 0;
    for (; all.hasNext(); all.next()) ++found;
    return found;
}

// Page by page, without line breaks; empty when there is no tool to take it out.
QStringList textOfPdf(const QByteArray& pdf) {
    const QString tool = QStandardPaths::findExecutable("pdftotext");
    if (tool.isEmpty()) return {};
    QProcess process;
    process.start(tool, {"-enc", "UTF-8", "-", "-"});
    process.write(pdf);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000)) return {};
    QStringList pages = QString::fromUtf8(process.readAllStandardOutput()).split(QChar(0x0C));
    pages.removeLast();
    // A glyph that stands for two letters, a character and its radical, may come out as the other one.
    for (QString& page : pages)
        page = page.normalized(QString::NormalizationForm_KC).remove(QRegularExpression("\\s+"));
    return pages;
}

QString bare(QString text) {
    return text.normalized(QString::NormalizationForm_KC).remove(QRegularExpression("\\s+"));
}

}  // namespace

class TestHandout : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void fontsAndTextAreInside_data() {
        QTest::addColumn<int>("language");
        QTest::addColumn<int>("paper");
        for (const bscope::Language language : {bscope::Language::English, bscope::Language::Chinese})
            for (const Paper paper : {Paper::A4, Paper::Letter, Paper::Slides})
                QTest::addRow("%d %d", static_cast<int>(language), static_cast<int>(paper))
                    << static_cast<int>(language) << static_cast<int>(paper);
    }
    void fontsAndTextAreInside() {
        QFETCH(int, language);
        QFETCH(int, paper);
        HandoutOptions options;
        options.language = static_cast<bscope::Language>(language);
        options.paper = static_cast<Paper>(paper);
        const Made handout = made(book_, {"05", "10"}, options);
        QVERIFY(handout.pdf.startsWith("%PDF"));
        QCOMPARE(count(handout.pdf, "/Type\\s*/Page\\b(?!s)"), handout.pages);
        const int fonts = count(handout.pdf, "/Type\\s*/FontDescriptor");
        QVERIFY(fonts > 0);
        QCOMPARE(count(handout.pdf, "/FontFile[23]?\\b"), fonts);
        QVERIFY(count(handout.pdf, "/ToUnicode") >= fonts);

        const QStringList pages = textOfPdf(handout.pdf);
        if (pages.isEmpty()) QSKIP("pdftotext is not installed: the text was not taken out");
        QCOMPARE(pages.size(), handout.pages);
        const QString all = pages.join("");
        for (const char* id : {"05", "10"}) {
            const wire::Lesson& lesson = book_.find(id)->lesson();
            for (const wire::Text* text : {&lesson.question(), &lesson.story(), &lesson.interview()}) {
                const QString words = bare(ui::textOf(*text, options.language));
                QVERIFY2(all.contains(words.left(12)), qPrintable(words.left(12)));
            }
        }
        const QString provenance = QString::fromLatin1(toText(sampleView().ran->provenance()));
        // The page of symbols has no numbers.
        for (qsizetype page = 0; page < pages.size() - (options.paper == Paper::Slides ? 0 : 1); ++page)
            QVERIFY2(pages[page].contains("--lesson") && pages[page].contains(provenance),
                     qPrintable(pages[page]));
    }

    void answersStandWhereTheyWereAskedFor() {
        const QString reveal =
            bare(ui::textOf(book_.find("05")->lesson().interview(), bscope::Language::English)).left(20);
        HandoutOptions options;
        const auto pagesWith = [&](Answers answers, const QString& what) {
            options.answers = answers;
            QStringList found;
            const QStringList pages = textOfPdf(made(book_, {"05", "06"}, options).pdf);
            for (qsizetype page = 0; page < pages.size(); ++page)
                if (pages[page].contains(what)) found << QString::number(page);
            return found;
        };
        if (QStandardPaths::findExecutable("pdftotext").isEmpty()) QSKIP("pdftotext is not installed");
        const QString question =
            bare(ui::textOf(book_.find("06")->lesson().question(), bscope::Language::English)).left(20);
        QVERIFY(pagesWith(Answers::None, reveal).isEmpty());
        QVERIFY(pagesWith(Answers::Only, question).isEmpty());
        QVERIFY(!pagesWith(Answers::Only, reveal).isEmpty());
        const QStringList answers = pagesWith(Answers::End, reveal),
                          questions = pagesWith(Answers::End, question);
        QCOMPARE(answers.size(), 1);
        QVERIFY(!questions.isEmpty());
        QVERIFY(answers.front().toInt() > questions.back().toInt());  // after all questions
        // The right choice is marked on no page before.
        QVERIFY(pagesWith(Answers::None, QStringLiteral("✓")).isEmpty());
    }

    // With a real engine: every run is made, and the file is there whole.
    void aJobMakesTheRuns() {
        QTemporaryDir folder;
        wire::Scenario small = *book_.find("03");
        RunConfig config = smallRun();
        for (wire::LessonRun& run : *small.mutable_lesson()->mutable_runs())
            *run.mutable_config() = toWire(config);
        const QString path = folder.filePath("out.pdf");
        HandoutJob job({small}, book_, {}, path);
        bool written = false;
        QString said;
        connect(&job, &HandoutJob::finished, this, [&](bool ok, const QString& sentence) {
            written = ok;
            said = sentence;
        });
        job.start();
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), kEngineMs);
        QVERIFY2(written, qPrintable(said));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith("%PDF"));

        HandoutJob nowhere({small}, book_, {}, folder.filePath("no/such/folder/out.pdf"));
        said.clear();
        connect(&nowhere, &HandoutJob::finished, this, [&](bool ok, const QString& sentence) {
            written = ok;
            said = sentence;
        });
        nowhere.start();
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), kEngineMs);
        QVERIFY(!written && said.contains("out.pdf"));
    }

    void optionsAreRead() {
        const auto parsed = [](const QStringList& words, QStringList& problems) {
            return parseOptions(QStringList{"bubblescope"} + words, problems);
        };
        QStringList problems;
        const ProgramOptions options = parsed({"--lesson", "05,06", "--handout", "a.pdf", "--answers", "none",
                                               "--paper", "letter", "--lang", "zh"},
                                              problems);
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n')));
        QCOMPARE(options.lessons, (QStringList{"05", "06"}));
        QVERIFY(options.handout.answers == Answers::None && options.handout.paper == Paper::Letter &&
                options.handout.language == bscope::Language::Chinese);
        QVERIFY(
            parsed({"--lesson", "all", "--handout", "a.pdf", "--layout", "slides"}, problems).handout.paper ==
            Paper::Slides);
        QCOMPARE(parsed({"--lesson", "05"}, problems).scenario, QString("05"));
        QVERIFY(problems.isEmpty());
        for (const QStringList& wrong : {QStringList{"--handout", "a.pdf"},
                                         {"--lesson", "05", "--handout", "a.png"},
                                         {"--lesson", "05,06"},
                                         {"--lesson", "all"},
                                         {"--answers", "end"},
                                         {"--lesson", "05", "--handout", "a.pdf", "--answers", "maybe"},
                                         {"--lesson", "05", "--handout", "a.pdf", "--paper", "a5"},
                                         {"--lesson", "05", "--scenario", "default"},
                                         {"--lesson", "05", "--handout", "a.pdf", "--export", "b.png"}}) {
            problems.clear();
            parsed(wrong, problems);
            QVERIFY2(problems.size() == 1, qPrintable(wrong.join(' ') + ": " + problems.join('\n')));
        }
    }
};

QTEST_MAIN(TestHandout)
#include "tst_handout.moc"
