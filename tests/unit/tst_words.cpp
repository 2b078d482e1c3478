// The catalog of the engine's words: every sentence of the sources is in both languages with the same
// arguments, and nothing is in it that nobody says.
#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

#include "schedule/catalog.h"
#include "schedule/config_table.h"
#include "words/catalog.h"

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

// All sources below the window, the parts of a literal joined.
QMap<QString, QString> sources() {
    QMap<QString, QString> texts;
    QStringList files;
    for (const char* room : {"/engine", "/kernels"})
        for (QDirIterator each(QStringLiteral(BUBBLESCOPE_SOURCE_DIR) + room, {"*.cpp", "*.h"}, QDir::Files,
                               QDirIterator::Subdirectories);
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
            QRegularExpression(QStringLiteral("\\bsentence\\(\\s*\"((?:[^\"\\\\\\n]|\\\\.)*)\"")),
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

    // Failures and refusals are still put together in English where they happen and found again by their
    // words: these, and no others, are no literals of the sources.
    void nothingIsInTheCatalogThatNobodySays() {
        const QSet<QString> told_filled_in{
            "Rank {0} stopped in {1}: {2}.",
            "Rank {0} stopped before its first operation: {1}.",
            "Rank 0 stopped between iterations, in {0}: {1}.",
            "The iteration could not be run: {0}.",
            "The links between GPUs do not come up: {0}.",
            "Between iterations {0} fell silent.",
            "Between iterations {0} went away.",
            "The engine refuses this viewer: {0}.",
            "The state could not be saved: {0}",
            "The state could not be loaded: {0}",
            "The state was saved to {0}.",
            "The state of {0} was loaded.",
            "The sweep ended early: {0}",
            "The training has diverged: the loss of iteration {0} is {1}.",
            "The training has diverged: the norm of the gradients of iteration {0} is {1}.",
            "the system gives no thread for {0}: {1} (ulimit -u limits processes and threads, ulimit -v "
            "memory)",
            "its weights are not all finite numbers.",
            "it has {0} viewers already",
            "The recording cannot be used after byte {0}: {1}. What follows is left out.",
            "The recording was cut in the middle of a message: its last {0} bytes are left out.",
            "the stream names a configuration that cannot run: {0}",
            "a report of the stream names sizes that cannot be: {0}",
            "the order of {0} is too large to be made again here",
            "the stream of {0} is too large to be planned here",
            "the stream names {0}, which cannot be",
            "there is no memory left for its model"};
        QString all;
        for (const QString& text : sources()) all += text;
        for (const auto& [english, chinese] : chineseWords()) {
            const QString id = QString::fromStdString(english);
            const bool literal = all.contains('"' + QString(id).replace("\"", "\\\"") + '"');
            QVERIFY2(literal != told_filled_in.contains(id), english.c_str());
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
        QCOMPARE(say(sentence("Nobody knows {0}.", 7), Language::Chinese), std::string("Nobody knows 7."));
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

QTEST_GUILESS_MAIN(TestWords)
#include "tst_words.moc"
