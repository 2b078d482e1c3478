// The Chinese translation is complete: nothing unfinished or empty, placeholders kept, nothing in the sources
// that it does not know, and a sentence for every problem the engine can name. Lesson texts name only numbers
// that exist.
#include <QDirIterator>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>
#include <algorithm>

#include "app/lessons/lesson_book.h"
#include "app/session/session.h"
#include "app/settings/program_options.h"
#include "app/settings/translations.h"
#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "config/config_table.h"
#include "fake_engine.h"
#include "lesson_runs_of.h"
#include "lessons/lesson_text.h"
#include "registered_test.h"
#include "widgets/help/glossary.h"
#include "widgets/text/config_text.h"

namespace tst_translations {

using namespace bscope;
using namespace bscope::ui;

namespace {

struct Message {
    QString context, source, comment;
    QStringList translations;
    bool unfinished = false;
    QString key() const { return context + QLatin1Char('|') + source + QLatin1Char('|') + comment; }
};

QList<Message> readTs(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&file);
    QList<Message> messages;
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == u"name") context = xml.readElementText();
        if (xml.name() == u"message") {
            messages.append(Message());
            messages.back().context = context;
        }
        if (xml.name() == u"source") messages.back().source = xml.readElementText();
        if (xml.name() == u"comment") messages.back().comment = xml.readElementText();
        if (xml.name() == u"translation") {
            messages.back().unfinished = xml.attributes().hasAttribute(QStringLiteral("type"));
            const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements);
            messages.back().translations.append(text.trimmed());
        }
    }
    return messages;
}

QStringList placeholders(const QString& text) {
    static const QRegularExpression form(QStringLiteral("%L?\\d+|%n|\\{\\d+\\}"));
    QStringList found;
    for (auto matches = form.globalMatch(text); matches.hasNext();) found.append(matches.next().captured());
    found.sort();
    found.removeDuplicates();
    return found;
}

QString ts() {
    return QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/resources/i18n/bubblescope_zh_CN.ts");
}

// What stands in Chinese in files and folders below the sources: string literals of code and JSON, lines of
// texts.
QStringList chineseOf(const QStringList& names) {
    static const QRegularExpression literal(QStringLiteral("\"(?:[^\"\\\\\\n]|\\\\.)*\"")),
        line(QStringLiteral("[^\\n]+")), han(QStringLiteral("[一-鿿]"));
    QStringList found;
    const auto read = [&](const QString& path, const QRegularExpression& part) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) return;
        for (auto parts = part.globalMatch(QString::fromUtf8(file.readAll())); parts.hasNext();)
            if (const QString text = parts.next().captured(); text.contains(han)) found << text;
    };
    for (const QString& name : names) {
        const QString path = QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/") + name;
        if (QFileInfo(path).isFile()) {
            read(path, line);
            continue;
        }
        QDirIterator files(path, {QStringLiteral("*.json"), QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                           QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) read(files.next(), literal);
    }
    return found;
}

}  // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void nothingIsUnfinishedOrEmpty() {
        const QList<Message> messages = readTs(ts());
        QVERIFY(messages.size() > 200);
        for (const Message& message : messages) {
            QVERIFY2(!message.unfinished, qPrintable(message.key()));
            for (const QString& translation : message.translations)
                QVERIFY2(!translation.isEmpty(), qPrintable(message.key()));
        }
    }

    void placeholdersAreKept() {
        for (const Message& message : readTs(ts()))
            for (const QString& translation : message.translations)
                QVERIFY2(placeholders(translation) == placeholders(message.source),
                         qPrintable(message.key() + " -> " + translation));
    }

    // What the window and the engine both say has one Chinese wording; but for English words with several
    // meanings, which the two use in different ones, and counters that are written in their own places.
    void bothCataloguesSayTheSame() {
        static const QSet<QString> several{
            "layers {0}", "in flight", "iteration",  "iteration {0}", "messages",          "micro-batch",
            "Memory",     "{0}, {1}",  "{0} of {1}", "note: {0}",     "One iteration",     "change",
            "found",      "none",      "copies",     "a recording",   "iteration {0}: {1}"};
        int shared = 0;
        for (const Message& message : readTs(ts())) {
            const auto asEngine = [](QString text) {
                for (int at = 1; at <= 9; ++at)
                    text.replace(QStringLiteral("%%1").arg(at), QStringLiteral("{%1}").arg(at - 1));
                return text;
            };
            const QString english = asEngine(message.source);
            if (several.contains(english) || message.translations.size() != 1) continue;
            Sentence sentence{english.toStdString(), {}};
            for (int at = 0; at < 9; ++at)
                sentence.arguments.emplace_back(QStringLiteral("{%1}").arg(at).toStdString());
            const QString engine = QString::fromStdString(say(sentence, bscope::Language::Chinese));
            if (engine == english) continue;  // the engine does not say it
            ++shared;
            QVERIFY2(asEngine(message.translations.front()) == engine,
                     qPrintable(message.key() + " -> " + message.translations.front() + " | " + engine));
        }
        QVERIFY(shared > 20);
        QVERIFY2(shared <= 60, "what is said of data is the engine's sentence: said(sentence(...))");
    }

    // One Chinese word per thing in the window, the glossary, the explanations, the lessons, what the engine
    // prints, and the documents.
    void oneChineseWordPerThing() {
        QStringList texts;
        for (const Message& message : readTs(ts())) texts += message.translations;
        for (const GlossaryTerm& term : glossary())
            texts << QString::fromUtf8(term.chinese) << QString::fromUtf8(term.meaning_zh);
        for (const CatalogEntry& entry : catalog()) {
            for (const ScheduleParams& params : {ScheduleParams{4, defaultChunks(entry), 8, 0},
                                                 ScheduleParams{4, defaultChunks(entry), 8, 0, false, 2}})
                if (scheduleProblems(entry.name, params).empty())
                    texts << QString::fromStdString(bscope::toText(
                        explain(entry.name, params, bscope::Language::Chinese), bscope::Language::Chinese));
        }
        const QStringList files =
            chineseOf({"scenarios", "engine", "README.md", "README.zh-CN.md", "docs/NUMBERS.zh-CN.md",
                       "docs/GUIDE.zh-CN.md", "docs/CLUSTER.zh-CN.md", "docs/BENCHMARKS.zh-CN.md",
                       "CONTRIBUTING.md", "resources/cards.json", "resources/desktop/bubblescope.desktop"});
        QVERIFY(files.size() > 200);
        texts += files;
        for (const auto& [english, chinese] : chineseWords()) texts << QString::fromStdString(chinese);
        static const QRegularExpression code(QStringLiteral("`[^`]*`"));
        for (QString& text : texts) text.remove(code);
        QVERIFY(texts.size() > 700);
        // The word is on the left; on the right, what is said instead. `rank` stands for itself in formulas.
        const QMap<QString, QString> forbidden{{"收尾|冷却下来", "冷却"},
                                               {"稳定阶段", "稳态"},
                                               {"微批(?!次)", "微批次"},
                                               {"(?<![一-鿿])批 ?\\d", "微批次大小"},
                                               {"累加|相加", "归约, 累积"},
                                               {"追踪", "跟踪"},
                                               {"重构", "重建"},
                                               {"激活(?!值|显存|内存|重计算)", "激活值, 激活内存"},
                                               {"(?<!阶段)放置", "阶段放置"},
                                               {"闭式", "公式"},
                                               {"时隙", "时间片"},
                                               {"构件", "构造块"},
                                               {"剖析", "性能分析器"},
                                               {"口令", "令牌"},
                                               {"「|」", "“ ”"},
                                               {"(?<![A-Za-z_“.{])rank(?![A-Za-z0-9_”-])", "Rank"}};
        static const QRegularExpression han(QStringLiteral("[一-鿿]"));
        for (const QString& text : texts) {
            if (!text.contains(han)) continue;
            for (const auto& [word, instead] : forbidden.asKeyValueRange()) {
                const auto match = QRegularExpression(word).match(text);
                QVERIFY2(!match.hasMatch(),
                         qPrintable(QString("%1 (%2): %3").arg(match.captured(), instead, text)));
            }
        }
    }

    // What an operation or a message takes is its 耗时; 时长 is the length of a gap or of an iteration.
    void durationsHaveOneChineseWord() {
        static const QRegularExpression duration(QStringLiteral("\\b(durations?|costs)\\b"),
                                                 QRegularExpression::CaseInsensitiveOption);
        const QString other = QStringLiteral("时长");
        int seen = 0;
        const auto check = [&](const QString& english, const QString& chinese) {
            if (!english.contains(duration)) return;
            ++seen;
            QVERIFY2(!chinese.contains(other), qPrintable(english + ": " + chinese));
        };
        for (const Message& message : readTs(ts()))
            for (const QString& translation : message.translations) check(message.source, translation);
        for (const auto& [english, chinese] : chineseWords())
            check(QString::fromStdString(english), QString::fromStdString(chinese));
        QVERIFY(seen > 40);
        static const QRegularExpression kind(
            QStringLiteral("(平均|单次|原始|实测|理想|操作|消息|校准|合并)的?时长|时长经过校准|同样的时长"));
        for (const QString& text : chineseOf({"scenarios", "engine", "docs/NUMBERS.zh-CN.md",
                                              "docs/GUIDE.zh-CN.md", "resources/cards.json"}))
            QVERIFY2(!text.contains(kind), qPrintable(text));
    }

    // Of a document in two languages no section, row or named number is missing in one.
    void documentsHaveTheSameParts() {
        const auto read = [](const QString& name) {
            QFile file(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/") + name);
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        const auto count = [](const QString& text, const char* form) {
            const QRegularExpression line(QLatin1String(form), QRegularExpression::MultilineOption);
            return text.count(line);
        };
        for (const char* name : {"README", "docs/NUMBERS", "docs/GUIDE", "docs/CLUSTER", "docs/BENCHMARKS"}) {
            const QString english = read(QLatin1String(name) + ".md"),
                          chinese = read(QLatin1String(name) + ".zh-CN.md");
            QVERIFY(!english.isEmpty() && !chinese.isEmpty());
            for (const char* form : {"^#+ ", "^\\|", "^```", "^    \\S"})
                QVERIFY2(count(english, form) == count(chinese, form),
                         qPrintable(QStringLiteral("%1 %2: %3, %4")
                                        .arg(name, form)
                                        .arg(count(english, form))
                                        .arg(count(chinese, form))));
        }
        static const QRegularExpression named(QStringLiteral("`[a-zA-Z_-]+`"));
        const QString chinese = read("docs/NUMBERS.zh-CN.md"), english = read("docs/NUMBERS.md");
        for (auto found = named.globalMatch(english); found.hasNext();)
            if (const QString code = found.next().captured(); !chinese.contains(code))
                QFAIL(qPrintable(code));
    }

    // What the glossary shows exists; what it shows of no run needs a GPU, a device for each rank, a search,
    // or is not trained here.
    void termsShowWhatExists() {
        const LessonBook book = LessonBook::embedded();
        QStringList shown_by_nothing;
        for (const GlossaryTerm& term : glossary()) {
            const QString what = QString::fromUtf8(term.show), name = what.section(u':', 1);
            if (what.isEmpty())
                shown_by_nothing << QString::fromUtf8(term.english);
            else if (what.startsWith(u"lesson:"))
                QVERIFY2(book.find(name) != nullptr && book.find(name)->has_lesson(), term.show);
            else
                QVERIFY2(what.startsWith(u"schedule:") && findSchedule(name.toStdString()) != nullptr,
                         term.show);
        }
        QCOMPARE(shown_by_nothing, (QStringList{"optimality gap", "Improve", "kernel", "launch gap", "CUPTI",
                                                "driver memory", "MEASURED", "IMPORTED", "noise",
                                                "sequence parallelism", "context parallelism"}));
    }

    // The key C changes the colours.
    void lessonsNameNoColours() {
        static const QRegularExpression colour(
            QStringLiteral("\\b(blue|orange|green|red|violet|purple|yellow|pink|colou?red)\\b|[蓝橙绿紫粉]"
                           "|红色|黄色|有颜色"),
            QRegularExpression::CaseInsensitiveOption);
        QDirIterator files(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/scenarios"), {QStringLiteral("*.json")});
        int lines = 0;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n')) {
                ++lines;
                QVERIFY2(!line.contains(colour), qPrintable(file.fileName() + ": " + line));
            }
        }
        QVERIFY(lines > 300);
    }

    // What the window's program says before it has a window follows --lang and the locale.
    void optionsAreInBothLanguages() {
        Translations translations;
        QStringList problems;
        const auto help = [&] {
            return parseOptions({QStringLiteral("bubblescope"), QStringLiteral("--help")}, problems).answer;
        };
        const QString english = help();
        translations.setLanguage(bscope::Language::Chinese);
        const QString chinese = help();
        static const QRegularExpression han(QStringLiteral("[一-鿿]")),
            option(QStringLiteral("^  (-\\S.*?)  +(\\S.*)$"), QRegularExpression::MultilineOption);
        QVERIFY(!english.contains(han));
        int options = 0;
        for (auto found = option.globalMatch(chinese); found.hasNext(); ++options) {
            const QRegularExpressionMatch line = found.next();
            QVERIFY2(line.captured(2).contains(han), qPrintable(line.captured()));
        }
        QVERIFY2(options > 15, qPrintable(chinese));
        QVERIFY(chinese.contains(QStringLiteral("示例：")));
        parseOptions({QStringLiteral("bubblescope"), QStringLiteral("--theme"), QStringLiteral("blue")},
                     problems);
        QCOMPARE(problems, QStringList{QStringLiteral("--theme 是 light 或 dark。")});
        const QStringList named{"bubblescope", "--lang", "zh", "--lang=en"};
        QVERIFY(languageOf(named) == bscope::Language::English);
        QVERIFY(languageOf(named.first(3)) == bscope::Language::Chinese);
        for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) qunsetenv(name);
        QVERIFY(languageOf({"bubblescope"}) == bscope::Language::English);
        qputenv("LANG", "zh_CN.UTF-8");
        QVERIFY(languageOf({"bubblescope"}) == bscope::Language::Chinese);
        qputenv("LC_ALL", "C.UTF-8");
        QVERIFY(languageOf({"bubblescope"}) == bscope::Language::English);
    }

    void sourcesHoldNothingNew() {
        const QString lupdate = QStringLiteral(BUBBLESCOPE_LUPDATE);
        QTemporaryDir folder;
        const QString fresh = folder.filePath(QStringLiteral("fresh_zh_CN.ts"));
        QVERIFY(QFile::copy(ts(), fresh));
        QProcess process;
        process.start(
            lupdate,
            {QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/app"), QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/widgets"),
             QStringLiteral("-I"), QStringLiteral(BUBBLESCOPE_SOURCE_DIR), QStringLiteral("-no-obsolete"),
             QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("-ts"), fresh});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        QSet<QString> known;
        for (const Message& message : readTs(ts())) known.insert(message.key());
        QSet<QString> used;
        for (const Message& message : readTs(fresh)) {
            used.insert(message.key());
            QVERIFY2(known.contains(message.key()), qPrintable("not translated: " + message.key()));
        }
        for (const QString& key : known)
            QVERIFY2(used.contains(key), qPrintable("no longer in the sources: " + key));
    }

    void sentencesOfTheEngineAreTranslated() {
        QTranslator translator;
        QVERIFY(translator.load(QStringLiteral(":/i18n/bubblescope_zh_CN.qm")));
        const Sentence killed =
            sentence("Rank {0} stopped in {1}: {2}.", 2, "1F3", sentence("there is no memory left"));
        QCOMPARE(said(killed), QStringLiteral("Rank 2 stopped in 1F3: there is no memory left."));
        QCoreApplication::installTranslator(&translator);
        QCOMPARE(said(killed), QStringLiteral("Rank 2 在 1F3 处停下：内存不足。"));
        QVERIFY(said(wordsOf(kernelsComeLater())).contains(u'，'));
        QCOMPARE(said(sentence("An unknown sentence: {0}.", "really")),
                 QStringLiteral("An unknown sentence: really."));
        const Problem cap{"m",
                          "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; fewer "
                          "micro-batches fit, or checkpointing {3}",
                          {"0", "75.6", "40.0", sentence("full")},
                          {2}};
        QVERIFY2(problemText(cap).contains(QStringLiteral("完全")), qPrintable(problemText(cap)));
        QCoreApplication::removeTranslator(&translator);
    }

    void everyFieldOfAConfigurationHasItsTitle() {
        QTranslator translator;
        QVERIFY(translator.load(QStringLiteral(":/i18n/bubblescope_zh_CN.qm")));
        for (const ConfigRow& row : configTable()) {
            const bool letter = row.title[1] == '\0';  // the same in every language
            const bool by_its_value = std::string_view(row.name) == "schedule";
            if (!letter && !by_its_value)
                QVERIFY2(!translator.translate("Config", row.title).isEmpty(), row.title);
        }
    }

    void lessonsNameOnlyNumbersThatExist() {
        const LessonBook book = LessonBook::embedded();
        QVERIFY2(book.problems().isEmpty(), qPrintable(book.problems().join('\n')));
        QVERIFY(book.lessons().size() >= 8);
        QVERIFY(book.find(QStringLiteral("default")));
        for (const wire::Scenario* scenario : book.lessons()) {
            const wire::Lesson& lesson = scenario->lesson();
            std::vector<std::optional<IterationView>> runs;
            for (const wire::LessonRun& run : lesson.runs()) {
                const RunConfig config = fromWire(run.config());
                QVERIFY2(problems(config).empty(), scenario->id().c_str());
                RunHistory history;
                std::int64_t end_ns = 0;
                history.iterationStarted(playedStart(config, 0, 0));
                for (const auto& message : playedMessages(config, 0, 0, true, &end_ns)) {
                    if (message.has_iteration_report())
                        history.iterationFinished(fromWire(message.iteration_report()));
                    if (message.has_events()) history.events(fromWire(message.events()));
                }
                runs.push_back(history.view(0));
            }
            for (const wire::Text* text : {&lesson.story(), &lesson.look(), &lesson.question(),
                                           &lesson.reveal(), &lesson.follow_up(), &lesson.interview()}) {
                for (const bscope::Language language :
                     {bscope::Language::English, bscope::Language::Chinese}) {
                    std::string filled;
                    try {
                        filled = fillNumbers(textOf(*text, language).toStdString(), lessonRuns(runs));
                    } catch (const LessonError& error) {
                        filled = "{" + scenario->id() + ": " + error.what();
                    }
                    QVERIFY2(filled.find_first_of("{}") == std::string::npos, filled.c_str());
                }
            }
            const auto right = std::count_if(lesson.choices().begin(), lesson.choices().end(),
                                             [](const wire::Choice& choice) { return choice.right(); });
            QCOMPARE(right, 1);
        }
    }
};

BUBBLESCOPE_TEST(TestTranslations)

}  // namespace tst_translations

#include "tst_translations.moc"
