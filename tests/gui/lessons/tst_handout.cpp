// A handout is a PDF with its fonts inside, whose text can be taken out again, in both languages; the answers
// stand where they were asked for, and every page says where its numbers come from.
#include <QBuffer>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "app/handout/handout_dialog.h"
#include "app/handout/handout_exporter.h"
#include "app/handout/lesson_job.h"
#include "app/settings/appearance.h"
#include "app/settings/program_options.h"
#include "lessons/lesson_file.h"
#include "opened_window.h"
#include "registered_test.h"
#include "sample_view.h"
#include "report/measured_report.h"
#include "wire/convert.h"

namespace tst_handout {

using namespace bscope;
using namespace bscope::ui;

namespace {

struct Made {
    QByteArray pdf;
    int pages = 0;
};

// The pictures are of a sample run; what the texts name has not run, but for what the sample has.
std::vector<HandoutLesson> lessonsOf(const LessonBook& book, const QStringList& ids, bool with_tries) {
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
        for (int set = 0; with_tries && set < scenario->lesson().tries_size(); ++set) {
            const wire::LessonTry& tries = scenario->lesson().tries(set);
            for (int run = 0; run < tries.runs_size(); ++run) {
                LessonRun& one =
                    lesson.numbers[setName(set) + runName(static_cast<std::size_t>(run))].emplace(
                        *lesson.numbers.at("A"));
                if (!tries.runs(run).table().empty())
                    one = {.config = {}, .report = {}, .ran = {}, .problems = 12};
            }
        }
        lesson.numbers = withAllNames(scenario->lesson(), lesson.numbers);
    }
    return lessons;
}

Made made(const LessonBook& book, const QStringList& ids, const HandoutOptions& options,
          bool with_tries = false) {
    Preferences preferences;
    preferences.language = options.language;
    const Appearance appearance(preferences);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    const int pages = writeHandout(lessonsOf(book, ids, with_tries), options, buffer);
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
    for (QString& page : pages) page.remove(QRegularExpression("\\s+"));
    return pages;
}

QString bare(QString text) {
    return text.remove(QRegularExpression("\\s+"));
}

}  // namespace

class TestHandout : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    std::map<bscope::Language, Made> booklets_;

    // Those of a booklet: all; under sanitizers, where each takes seconds, the first five.
    std::vector<const wire::Scenario*> bookletLessons() const {
        std::vector<const wire::Scenario*> lessons = book_.lessons();
        if (*SANITIZERS) lessons.resize(5);
        return lessons;
    }
    QStringList bookletIds() const {
        QStringList ids;
        for (const wire::Scenario* lesson : bookletLessons()) ids << QString::fromStdString(lesson->id());
        return ids;
    }

    // A booklet of questions and answers; made once a language.
    const QByteArray& booklet(bscope::Language language) {
        Made& kept = booklets_[language];
        if (kept.pages == 0) {
            HandoutOptions options;
            options.language = language;
            kept = made(book_, bookletIds(), options);
        }
        return kept.pdf;
    }

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
        // The syllabus and the page of symbols have no numbers.
        for (qsizetype page = 1; page < pages.size() - (options.paper == Paper::Slides ? 0 : 1); ++page)
            QVERIFY2(pages[page].contains("--lesson") && pages[page].contains(provenance),
                     qPrintable(pages[page]));
    }

    // Never at the foot of the page before.
    void headingsStandOverTheirText() {
        for (const bscope::Language language : {bscope::Language::English, bscope::Language::Chinese}) {
            const bool chinese = language == bscope::Language::Chinese;
            const QStringList pages = textOfPdf(booklet(language));
            if (pages.isEmpty()) QSKIP("pdftotext is not installed: the text was not taken out");
            const QString all = pages.join("");
            for (const wire::Scenario* lesson : bookletLessons()) {
                const wire::Lesson& of = lesson->lesson();
                const std::pair<QString, const wire::Text*> parts[] = {
                    {chinese ? QStringLiteral("追问") : QStringLiteral("Follow-up"), &of.follow_up()},
                    {chinese ? QStringLiteral("面试，30秒") : QStringLiteral("Interview,30seconds"),
                     &of.interview()}};
                for (const auto& [heading, text] : parts) {
                    const QString words = bare(ui::textOf(*text, language)).section(u'{', 0, 0).left(8);
                    QVERIFY2(all.contains(heading + words), qPrintable(heading + words));
                }
            }
        }
    }

    // A few lines alone on a page are drawn onto the one before, a little smaller.
    void noPageIsNearlyEmpty() {
        for (const bscope::Language language : {bscope::Language::English, bscope::Language::Chinese}) {
            const QStringList pages = textOfPdf(booklet(language));
            if (pages.isEmpty()) QSKIP("pdftotext is not installed: the text was not taken out");
            const qsizetype least = language == bscope::Language::English ? 500 : 240;
            // Behind the syllabus and the sheets, before the symbols.
            const auto sheets = static_cast<qsizetype>(bookletLessons().size());
            for (qsizetype page = 1 + sheets; page + 1 < pages.size(); ++page)
                QVERIFY2(pages[page].size() >= least,
                         qPrintable(QStringLiteral("%1: %2").arg(page + 1).arg(pages[page])));
        }
    }

    // Where smaller letters are not enough, more comes onto the last page, from a heading on: the tables of
    // this lesson leave room for no more than its answer.
    void aLastPageGetsMoreFromAHeadingOn() {
        for (const bscope::Language language : {bscope::Language::English, bscope::Language::Chinese}) {
            HandoutOptions options;
            options.language = language;
            options.answers = Answers::Only;
            const QStringList pages = textOfPdf(made(book_, {"10"}, options, true).pdf);
            if (pages.isEmpty()) QSKIP("pdftotext is not installed: the text was not taken out");
            QCOMPARE(pages.size(), 3);  // the symbols are the last one
            QVERIFY2(pages[1].size() >= (language == bscope::Language::English ? 700 : 330),
                     qPrintable(pages[1]));
        }
    }

    // Small or of its full size: below each other begin the names of the lanes and the text.
    void picturesBeginWhereTheTextDoes() {
        const QString tool = QStandardPaths::findExecutable("pdftotext");
        if (tool.isEmpty()) QSKIP("pdftotext is not installed: the text was not taken out");
        HandoutOptions options;
        options.answers = Answers::None;
        QProcess process;
        process.start(tool, {"-bbox", "-", "-"});
        process.write(made(book_, {"05", "11"}, options).pdf);  // without memory, and with it
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60'000));
        const QString words = QString::fromUtf8(process.readAllStandardOutput());
        static const QRegularExpression word(
            QStringLiteral("xMin=\"([\\d.]+)\"[^>]*>(Rank|Question)</word>"));
        QMap<QString, QList<double>> begins;
        for (auto found = word.globalMatch(words); found.hasNext();) {
            const auto match = found.next();
            begins[match.captured(2)] << match.captured(1).toDouble();
        }
        QCOMPARE(begins["Question"].size(), 2);
        QVERIFY(begins["Rank"].size() >= 16);  // lanes and the grid to draw in
        for (const double each : begins["Rank"])
            QVERIFY2(std::abs(each - begins["Question"].front()) < 2.5, qPrintable(QString::number(each)));
    }

    // Nor a line that begins with a mark or ends within a formula.
    void linesEndWhereTheyMay() {
        const QString tool = QStandardPaths::findExecutable("pdftotext");
        if (tool.isEmpty()) QSKIP("pdftotext is not installed: the text was not taken out");
        static const QRegularExpression begins(QStringLiteral("^\\s*[%），。；：、？！》”)]")),
            unit(QStringLiteral("^(ms|[kMG]B)\\b")),
            number(QStringLiteral("^.{24,}\\d$")),  // of a paragraph; those of pictures are short
            ends(QStringLiteral("([(（《“]|[\\w)] [−+×]|\\b\\w{1,2}/|--)\\s*$"));
        for (const bscope::Language language : {bscope::Language::English, bscope::Language::Chinese}) {
            QProcess process;
            process.start(tool, {"-enc", "UTF-8", "-", "-"});
            process.write(booklet(language));
            process.closeWriteChannel();
            QVERIFY(process.waitForFinished(60'000));
            QString before;
            for (const QString& line : QString::fromUtf8(process.readAllStandardOutput()).split(u'\n')) {
                QVERIFY2(!line.contains(begins) && !line.contains(ends), qPrintable(line));
                QVERIFY2(!line.contains(unit) || !before.contains(number), qPrintable(before + '\n' + line));
                before = line;
            }
        }
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
        const auto tables = [&](Answers answers) {
            options.answers = answers;
            return textOfPdf(made(book_, {"10"}, options).pdf).join("").count("GPU0F1F2F3F4");
        };
        QCOMPARE(tables(Answers::None), 1);  // a table stands beside its answer, too
        QCOMPARE(tables(Answers::End), 2);
        QVERIFY(pagesWith(Answers::None, reveal).isEmpty());
        QVERIFY(pagesWith(Answers::Only, question).isEmpty());
        QVERIFY(!pagesWith(Answers::Only, reveal).isEmpty());
        const QStringList answers = pagesWith(Answers::End, reveal),
                          questions = pagesWith(Answers::End, question);
        QCOMPARE(answers.size(), 1);
        QVERIFY(!questions.isEmpty());
        QVERIFY(answers.front().toInt() > questions.back().toInt());  // after all questions
        // Which mistake a wrong choice is stands with the answers alone.
        const QString why =
            bare(ui::textOf(book_.find("05")->lesson().choices(1).why(), bscope::Language::English)).left(20);
        QVERIFY(!pagesWith(Answers::Only, why).isEmpty());
        QVERIFY(pagesWith(Answers::None, why).isEmpty());
        // The right choice is marked on no page before.
        QVERIFY(pagesWith(Answers::None, QStringLiteral("✓")).isEmpty());
    }

    // For a class in both languages: the numbers are the same.
    void theSameRunsAreWrittenInBothLanguages() {
        QTemporaryDir folder;
        const QString english = folder.filePath("en.pdf"), chinese = folder.filePath("zh.pdf");
        HandoutOptions options;
        const std::vector<HandoutLesson> lessons = lessonsOf(book_, {"05"}, true);
        Preferences preferences;
        preferences.language = options.language;
        Appearance appearance(preferences);
        const WrittenFile written = writeBothHandouts(
            lessons, options, english, chinese,
            [&](bscope::Language language) { appearance.setLanguage(language); });
        QVERIFY2(written.is_there, qPrintable(written.sentence));
        QCOMPARE(written.sentence.count("Wrote "), 2);
        QVERIFY(written.sentence.contains("en.pdf") && written.sentence.contains("zh.pdf"));
        QVERIFY(appearance.language() == bscope::Language::English);
        const auto textOf = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? textOfPdf(file.readAll()).join("") : QString();
        };
        if (QStandardPaths::findExecutable("pdftotext").isEmpty()) QSKIP("pdftotext is not installed");
        const QString first = textOf(english), second = textOf(chinese);
        QVERIFY(first.contains("Answer") && !first.contains(QStringLiteral("答案")));
        QVERIFY(second.contains(QStringLiteral("答案")) && !second.contains("Answer"));
        const QString number = QString::fromStdString(fillNumbers("{A.iteration_ms}", lessons[0].numbers));
        QVERIFY2(first.contains(number) && second.contains(number), qPrintable(number));
        const WrittenFile nowhere = writeBothHandouts(lessons, options, english, folder.filePath("no/zh.pdf"),
                                                      [](bscope::Language) {});
        QVERIFY(!nowhere.is_there && nowhere.sentence.contains("no/zh.pdf"));
    }

    // With a real engine: every run is made, and the file is there whole.
    void aJobMakesTheRuns() {
        QTemporaryDir folder;
        wire::Scenario small = *book_.find("03");
        RunConfig config = smallRun();
        for (wire::LessonRun& run : *small.mutable_lesson()->mutable_runs())
            *run.mutable_config() = toWire(config);
        const QString path = folder.filePath("out.pdf");
        const auto writing = [](const QString& to) {
            return
                [to](const std::vector<HandoutLesson>& lessons) { return writeHandoutFile(lessons, {}, to); };
        };
        LessonJob job({small}, book_, writing(path));
        bool written = false;
        QString said;
        connect(&job, &LessonJob::finished, this, [&](bool ok, const QString& sentence) {
            written = ok;
            said = sentence;
        });
        job.start();
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), kEngineMs);
        QVERIFY2(written, qPrintable(said));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith("%PDF"));

        LessonJob nowhere({small}, book_, writing(folder.filePath("no/such/folder/out.pdf")));
        said.clear();
        connect(&nowhere, &LessonJob::finished, this, [&](bool ok, const QString& sentence) {
            written = ok;
            said = sentence;
        });
        nowhere.start();
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), kEngineMs);
        QVERIFY(!written && said.contains("out.pdf"));
    }

    // Answers say what further runs showed; for them these are made, too.
    void answersHaveTheResultsOfTries() {
        wire::Scenario small = *book_.find("03");
        const RunConfig config = smallRun();
        QVERIFY(small.lesson().tries_size() > 0);
        for (wire::LessonRun& run : *small.mutable_lesson()->mutable_runs())
            *run.mutable_config() = toWire(config);
        for (wire::LessonTry& set : *small.mutable_lesson()->mutable_tries()) {
            for (wire::LessonRun& run : *set.mutable_runs()) *run.mutable_config() = toWire(config);
            set.mutable_after()->set_en("It took {T1A.iteration_ms} ms");
            set.clear_claims();
        }
        QByteArray pdf;
        LessonRuns numbers;
        LessonJob job({small}, book_,
                      [&](const std::vector<HandoutLesson>& lessons) {
                          numbers = lessons.front().numbers;
                          QBuffer out(&pdf);
                          out.open(QIODevice::WriteOnly);
                          writeHandout(lessons, {}, out);
                          return WrittenFile{true, "written"};
                      },
                      true);
        QString said;
        connect(&job, &LessonJob::finished, this, [&](bool, const QString& sentence) { said = sentence; });
        job.start();
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), kEngineMs);
        QVERIFY(numbers.contains("A") && numbers.at("A") && numbers.at("T1A"));
        if (QStandardPaths::findExecutable("pdftotext").isEmpty()) QSKIP("pdftotext is not installed");
        QTemporaryDir folder;
        QFile file(folder.filePath("out.pdf"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(pdf) == pdf.size());
        file.close();
        QProcess text;
        text.start("pdftotext", {"-layout", file.fileName(), "-"});
        QVERIFY(text.waitForFinished());
        const QString words = QString::fromUtf8(text.readAllStandardOutput());
        QVERIFY2(words.contains(QRegularExpression("It took [0-9.]+ ms")), qPrintable(words));
    }

    // Of several lessons the first page says what they are called and what each builds on.
    void severalLessonsHaveASyllabus() {
        if (QStandardPaths::findExecutable("pdftotext").isEmpty()) QSKIP("pdftotext is not installed");
        for (const Paper paper : {Paper::A4, Paper::Slides}) {
            HandoutOptions options;
            options.paper = paper;
            const QStringList pages = textOfPdf(made(book_, bookletIds(), options).pdf);
            QString first;
            for (qsizetype page = 0; page < pages.size() && !pages[page].contains("--lesson"); ++page)
                first += pages[page];
            for (const wire::Scenario* lesson : bookletLessons())
                QVERIFY2(first.contains(bare(ui::textOf(lesson->title(), Language::English))),
                         lesson->id().c_str());
            QVERIFY(first.contains("buildson"));
        }
        QVERIFY(!textOfPdf(made(book_, {"05"}, {}).pdf).front().contains("buildson"));
        const HandoutLesson lesson = handoutLesson(*book_.find("13"), book_, {}, {});
        QCOMPARE(lesson.number, 13);
        QCOMPARE(lesson.builds_on, (std::vector<int>{11, 12}));
    }

    // Its runs stacked in one picture, under its title.
    void aLessonIsOnePicture() {
        QTemporaryDir folder;
        HandoutLesson lesson = handoutLesson(*book_.find("05"), book_, {}, {sampleView(), sampleView()});
        FigureOptions options;
        options.svg_text = SvgText::Text;
        options.size_px = {900, 700};
        const auto written = [&](const char* name) {
            const QString path = folder.filePath(name);
            const WrittenFile file =
                writeLessonFigure(lesson, options, bscope::Language::English, path, FigureFormat::Svg);
            QFile svg(path);
            if (!file.is_there || !svg.open(QIODevice::ReadOnly)) return file.sentence;
            static const QRegularExpression described(QStringLiteral("<desc>.*</desc>"),
                                                      QRegularExpression::DotMatchesEverythingOption);
            return QString::fromUtf8(svg.readAll()).remove(described);
        };
        const QString two = written("two.svg");
        QVERIFY(two.contains("GPipe or 1F1B: who finishes first?"));
        lesson.views.pop_back();
        const QString one = written("one.svg");
        const QString badge = QString::fromLatin1(toText(sampleView().ran->provenance()));
        QCOMPARE(two.count(badge), 2 * one.count(badge));
        QVERIFY(!writeLessonFigure(lesson, options, bscope::Language::English, folder.filePath("no/a.svg"),
                                   FigureFormat::Svg)
                     .is_there);
    }

    // From the menu, with the runs that the lesson has made.
    void theOpenLessonIsExported() {
        OpenedWindow opened(book_);
        LessonController& lessons = part<LessonController>(opened.window);
        HandoutExporter& exporter = part<HandoutExporter>(opened.window);
        WindowActions& actions = part<WindowActions>(opened.window);
        const auto all = actions.all();
        const auto action = std::ranges::find_if(
            all, [](const QAction* each) { return each->text().remove('&') == "Export a handout…"; });
        QVERIFY(action != all.end());
        QVERIFY(!actions.whyNot(**action).isEmpty());
        wire::Scenario small = *book_.find("03");
        for (wire::LessonRun& run : *small.mutable_lesson()->mutable_runs())
            *run.mutable_config() = toWire(smallRun());
        opened.window.showView(MainView::Lessons);
        lessons.open(small);
        QTRY_VERIFY_WITH_TIMEOUT(lessons.lessonRuns(), kEngineMs);
        QVERIFY(actions.whyNot(**action).isEmpty());
        QTemporaryDir folder;
        QVERIFY(exporter.writeTo(folder.filePath("out.pdf"), {.paper = Paper::Slides}));
        QVERIFY(QFileInfo(folder.filePath("out.pdf")).size() > 1000);
        QVERIFY(!exporter.writeTo(folder.filePath("no/such/out.pdf"), {}));
        HandoutDialog dialog(&opened.window);
        dialog.paperField()->setCurrentIndex(1);
        dialog.answersField()->setCurrentIndex(2);
        QVERIFY(dialog.options().paper == Paper::Letter && dialog.options().answers == Answers::Only);
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
        QCOMPARE(parsed({"--lesson", "05", "--export", "a.png"}, problems).lessons, QStringList{"05"});
        QVERIFY(problems.isEmpty());
        for (const QStringList& wrong : {QStringList{"--handout", "a.pdf"},
                                         {"--lesson", "05", "--handout", "a.png"},
                                         {"--lesson", "05,06"},
                                         {"--lesson", "all"},
                                         {"--answers", "end"},
                                         {"--lesson", "05", "--handout", "a.pdf", "--answers", "maybe"},
                                         {"--lesson", "05", "--handout", "a.pdf", "--paper", "a5"},
                                         {"--other-language", "b.pdf"},
                                         {"--lesson", "05", "--handout", "a.pdf", "--other-language", "b.txt"},
                                         {"--lesson", "05", "--handout", "a.pdf", "--other-language", "a.pdf"},
                                         {"--lesson", "05", "--scenario", "default"},
                                         {"--lesson", "05,06", "--export", "b.png"},
                                         {"--lesson", "05", "--export", "b.png", "--iterations", "3"},
                                         {"--lesson", "05", "--handout", "a.pdf", "--export", "b.png"}}) {
            problems.clear();
            parsed(wrong, problems);
            QVERIFY2(problems.size() == 1, qPrintable(wrong.join(' ') + ": " + problems.join('\n')));
        }
    }
};

BUBBLESCOPE_WINDOW_TEST(TestHandout)

}  // namespace tst_handout

#include "tst_handout.moc"
