// The catalog of the engine's words: every sentence of the sources is in both languages with the same
// arguments, and nothing is in it that the sources do not use. Numbers in sentences.
#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

#include "catalog/catalog.h"
#include "config/config_table.h"
#include "registered_test.h"
#include "words/catalog.h"
#include "words/number_text.h"
#include "words/sentence_error.h"

namespace tst_words {

using namespace bscope;

namespace {

QStringList places(const std::string& text) {
    static const QRegularExpression form(QStringLiteral("\\{\\d+\\}"));
    QStringList found;
    for (auto all = form.globalMatch(QString::fromStdString(text)); all.hasNext();)
        found << all.next().captured();
    found.removeDuplicates();
    found.sort();
    return found;
}

// All sources that say what is in the catalog, the parts of a literal joined.
QMap<QString, QString> sources() {
    QMap<QString, QString> texts;
    QStringList files;
    for (const char* room : {"/engine", "/kernels", "/app"})
        for (QDirIterator each(QStringLiteral(BUBBLESCOPE_SOURCE_DIR) + room, {"*.cpp", "*.h", "*.cuh"},
                               QDir::Files, QDirIterator::Subdirectories);
             each.hasNext();)
            files << each.next();
    for (const QString& name : files) {
        QFile file(name);
        if (!file.open(QIODevice::ReadOnly)) continue;
        static const QRegularExpression seam(QStringLiteral("(?<!\\\\)\"\\s*\\n\\s*\""));
        static const QRegularExpression comment(QStringLiteral("(^|\\s)//.*$"),
                                                QRegularExpression::MultilineOption);
        texts[file.fileName()] = QString::fromUtf8(file.readAll()).remove(comment).remove(seam);
    }
    return texts;
}

}  // namespace

class TestWords : public QObject {
    Q_OBJECT

private slots:
    // Two entries of one sentence are read as one of them, which one is left open.
    void everySentenceStandsInTheCatalogOnce() {
        QFile file(QStringLiteral(BUBBLESCOPE_SOURCE_DIR) + "/resources/i18n/engine_zh_CN.po");
        QVERIFY(file.open(QIODevice::ReadOnly));
        static const QRegularExpression entry(QStringLiteral("^msgid ((?:\".*\"\\n?)+)"),
                                              QRegularExpression::MultilineOption);
        QSet<QString> ids;
        QStringList twice;
        for (auto all = entry.globalMatch(QString::fromUtf8(file.readAll())); all.hasNext();) {
            const QString id = all.next().captured(1);
            if (ids.contains(id)) twice << id;
            ids << id;
        }
        QVERIFY(ids.size() > 1000);
        QVERIFY2(twice.isEmpty(), qPrintable(twice.join("; ")));
    }

    void fewMegabytesAndMillisecondsHaveTwoDigits() {
        QCOMPARE(megabytesText(12.34e6), std::string("12.3"));
        QCOMPARE(megabytesText(1e6), std::string("1.0"));
        QCOMPARE(megabytesText(437'000), std::string("0.44"));
        QCOMPARE(megabytesText(43'210), std::string("0.043"));
        QCOMPARE(megabytesText(4), std::string("0.000004"));
        QCOMPARE(megabytesText(0), std::string("0.0"));
        QCOMPARE(millisecondsText(0.137), std::string("0.14"));
    }

    void argumentsAgree() {
        QVERIFY(chineseWords().size() > 120);
        for (const auto& [english, chinese] : chineseWords()) {
            QVERIFY2(!chinese.empty(), english.c_str());
            QVERIFY2(places(english) == places(chinese), (english + " -> " + chinese).c_str());
        }
    }

    // What has arguments, what is made a sentence, and what a problem without arguments says.
    void everySentenceHasItsChinese() {
        const QList<QRegularExpression> forms{
            QRegularExpression(QStringLiteral("\"((?:[^\"\\\\\\n]|\\\\.)*\\{0\\}(?:[^\"\\\\\\n]|\\\\.)*)\"")),
            QRegularExpression(QStringLiteral("\\b(?:sentence|Refusal)\\(\\s*\"((?:[^\"\\\\\\n]|\\\\.)*)\"")),
            QRegularExpression(
                QStringLiteral("\\{\\s*\"[a-z_]+\",\\s*\"([^\"\\n]* [^\"\\n]*)\",\\s*\\{\\}"))};
        int seen = 0;
        const auto all = sources();
        for (auto text = all.begin(); text != all.end(); ++text)
            for (const QRegularExpression& form : forms)
                for (auto found = form.globalMatch(*text); found.hasNext();) {
                    const QString id = found.next().captured(1).replace("\\\"", "\"");
                    if (id == u"{0}") continue;  // another's words
                    if (!id.contains(QRegularExpression(QStringLiteral("^[A-Za-z{].*[a-z] "))))
                        continue;  // no sentence
                    ++seen;
                    QVERIFY2(chineseWords().contains(id.toStdString()), qPrintable(text.key() + ": " + id));
                }
        QVERIFY(seen > 50);
        for (const CatalogEntry& entry : catalog())
            QVERIFY2(chineseWords().contains(entry.title), entry.title);
    }

    void theCatalogHoldsNothingUnused() {
        QString all;
        for (const QString& text : sources()) all += text;
        for (const auto& [english, chinese] : chineseWords()) {
            const QString id = QString::fromStdString(english);
            QVERIFY2(all.contains('"' + QString(id).replace("\"", "\\\"") + '"'), english.c_str());
        }
    }

    void sentencesStandInSentences() {
        const Sentence cause = sentence("there is no memory left");
        const Sentence stopped = sentence("Rank {0} stopped in {1}: {2}.", 2, "1F3", cause);
        QCOMPARE(say(stopped, Language::English),
                 std::string("Rank 2 stopped in 1F3: there is no memory left."));
        QCOMPARE(QString::fromStdString(say(stopped, Language::Chinese)),
                 QStringLiteral("Rank 2 在 1F3 处停下：内存不足。"));
        // A name is a name, even one that is a word.
        QCOMPARE(say(sentence("{0}", "full"), Language::Chinese), std::string("full"));
        QCOMPARE(QString::fromStdString(say(sentence("{0}", sentence("full")), Language::Chinese)),
                 QStringLiteral("完全"));
        QCOMPARE(say(sentence("Unknown number {0}.", 7), Language::Chinese),
                 std::string("Unknown number 7."));
    }

    // The stream takes messages up to a depth of 100.
    void manySentencesAreNoDeepTree() {
        std::vector<Sentence> all;
        for (int i = 0; i < 1000; ++i) all.push_back(sentence("rank {0}", i));
        const Sentence row = inARow(all);
        const auto depth = [](const auto& self, const Sentence& of) -> int {
            int deepest = 0;
            for (const Argument& argument : of.arguments)
                for (const Sentence& inner : argument.words) deepest = std::max(deepest, self(self, inner));
            return deepest + 1;
        };
        QVERIFY(depth(depth, row) < 20);
        const QString text = QString::fromStdString(say(row, Language::English));
        QVERIFY(text.startsWith(QStringLiteral("rank 0; rank 1; ")) &&
                text.endsWith(QStringLiteral("; rank 999")));
    }

    void whatIsThrownCarriesItsSentence() {
        const Sentence full = sentence("it has {0} viewers already", 64);
        QVERIFY(sentenceOf(SentenceError<>(full)) == full);
        QCOMPARE(std::string(SentenceError<>(full).what()), std::string("it has 64 viewers already"));
        QVERIFY(sentenceOf(std::runtime_error("{0} is theirs")) == sentence("{0}", "{0} is theirs"));
    }

    void catalogsAreRead() {
        const WordTable table = readPo(
            "# of files\nmsgid \"\"\nmsgstr \"\"\n\"head\\n\"\n\nmsgid \"a \"\n"
            "\"b {0}\"\nmsgstr \"\"\n\"\\\"甲\\\" {0}\\n\"\n");
        QCOMPARE(table.size(), std::size_t{1});
        QCOMPARE(table.at("a b {0}"), std::string("\"甲\" {0}\n"));
        for (const char* bad :
             {"msgid a\n", "msgctxt \"x\"\n", "msgid \"a\nmsgstr \"b\"\n", "msgid \"a\\\"\n"})
            QVERIFY_THROWS_EXCEPTION(std::invalid_argument, readPo(bad));
    }
};

BUBBLESCOPE_TEST(TestWords)

}  // namespace tst_words

#include "tst_words.moc"
