// The quiz: over a thousand seeds every right answer is what playback gives, no two options agree, wrong ones
// are named in both languages and have a lesson; the results by misconception.
#include <QRegularExpression>
#include <QTest>
#include <map>
#include <set>
#include <span>

#include "cards/quiz.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "schedule/validate.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "words/catalog.h"
#include "words/number_text.h"

namespace tst_quiz {

using namespace bscope;

namespace {

using Kind = QuizQuestion::Kind;

IterationSummary play(const QuizQuestion& question, int m, bool recomputes = false, double b = 2) {
    ScheduleParams params;
    params.p = question.p;
    params.v = question.v;
    params.m = m;
    const Schedule schedule = makeSchedule(question.schedule, params);
    return summarize(predict(lower(schedule, recomputes ? Recompute::Full : Recompute::None),
                             unitCosts(schedule.stageCount(), 1, b / 2, b / 2, 0)),
                     0);
}

// The quizzes of the seeds 0 to count - 1, each made once for all tests: making them takes longer than
// judging them.
std::span<const std::vector<QuizQuestion>> quizzes(std::size_t count) {
    static const std::vector<std::vector<QuizQuestion>> made = [] {
        std::vector<std::vector<QuizQuestion>> all;
        for (std::uint64_t seed = 0; seed < 1000; ++seed) all.push_back(makeQuiz(seed));
        return all;
    }();
    return std::span(made).first(count);
}

// The number in the right option's text.
double shownOf(const QuizOption& option) {
    return QString::fromStdString(say(option.text, Language::English)).section(u' ', 0, 0).toDouble();
}

// Asks another question of the same values than the maker did, where that can be asked.
void checkRight(const QuizQuestion& question) {
    const QuizOption& right = question.options[question.right];
    const IterationSummary played = play(question, question.m);
    switch (question.kind) {
        case Kind::Bubble:
            QVERIFY(std::abs(shownOf(right) - 100 * played.bubble_of_total) < 0.051);
            break;
        case Kind::InFlight:
            QCOMPARE(shownOf(right), std::min(question.m, question.p - question.rank) * 1.0);
            break;
        case Kind::Microbatches: {
            const double limit =
                QString::fromStdString(question.text.arguments[1].text).toDouble() / 100 + 1e-9;
            QVERIFY(play(question, static_cast<int>(shownOf(right))).bubble_of_total <= limit);
            QVERIFY(play(question, static_cast<int>(shownOf(right)) - 1).bubble_of_total > limit);
            break;
        }
        case Kind::Messages:
            QCOMPARE(shownOf(right), 2.0 * (question.p * question.v - 1));
            break;
        case Kind::Recompute: {
            const double b = QString::fromStdString(question.text.arguments[0].text).toDouble();
            QVERIFY(std::abs(shownOf(right) - (2 + b) / (1 + b)) < 0.0051);
            break;
        }
        case Kind::LegalOrder:
            break;  // below
        case Kind::SlowRank:
            QCOMPARE(static_cast<int>(question.right), question.rank);
            break;
        case Kind::Utilisation:
            QVERIFY(std::abs(shownOf(right) - 100 * (1 - played.bubble_of_total)) < 0.051);
            break;
        case Kind::FixedBatch: {
            const auto said = [&](std::size_t i) {
                return QString::fromStdString(question.text.arguments[i].text).toInt();
            };
            QCOMPARE(said(1) / said(3), question.m);  // samples of an iteration and of a micro-batch
            QVERIFY(said(3) > said(2));
            QVERIFY(std::abs(shownOf(right) - 100 * played.bubble_of_total) < 0.051);
            break;
        }
        case Kind::SplitAndRecompute: {
            QuizQuestion plain = question;
            plain.schedule = "1f1b";
            plain.v = 1;
            const double ratio = static_cast<double>(play(question, question.m, true).iteration_ns) /
                                 static_cast<double>(play(plain, question.m, true).iteration_ns) / question.v;
            QVERIFY(std::abs(right.value - 100 * (1 - ratio)) < 1e-6);
            const QString text = QString::fromStdString(say(right.text, Language::English));
            if (std::abs(right.value) < 0.05)
                QCOMPARE(text, QStringLiteral("the same"));
            else
                QCOMPARE(text, QStringLiteral("%1 % %2")
                                   .arg(std::abs(right.value), 0, 'f', 1)
                                   .arg(right.value > 0 ? "shorter" : "longer"));
            break;
        }
        case Kind::SameBubble: {
            QuizQuestion gpipe = question;
            gpipe.schedule = "gpipe";
            const IterationSummary of_gpipe = play(gpipe, question.m);
            QVERIFY(of_gpipe.bubble_of_total == played.bubble_of_total);
            QCOMPARE(QString::fromStdString(say(right.text, Language::English)),
                     QStringLiteral("GPipe %1 %, %2 held; 1F1B %1 %, %3 held")
                         .arg(100 * played.bubble_of_total, 0, 'f', 1)
                         .arg(of_gpipe.ranks[0].peak_in_flight)
                         .arg(played.ranks[0].peak_in_flight));
            break;
        }
        case Kind::MemoryOfM:
            QVERIFY(std::abs(shownOf(right) -
                             1.0 * std::min(question.m, question.p) /
                                 std::min(QString::fromStdString(question.text.arguments[1].text).toInt(),
                                          question.p)) < 0.0051);
            break;
        case Kind::WeightVersions:
            QCOMPARE(shownOf(right), question.schedule == "1f1b"        ? 1.0
                                     : question.schedule == "pipedream" ? question.p - question.rank
                                                                        : 2.0);
            break;
        case Kind::Inference:
            QVERIFY(std::abs(shownOf(right) - 100.0 * (question.p - 1) / (question.m + question.p - 1)) <
                    0.051);
            break;
        case Kind::TensorMessages: {
            const int layers = QString::fromStdString(question.text.arguments[0].text).toInt();
            QCOMPARE(QString::fromStdString(say(right.text, Language::English)),
                     QStringLiteral("%1 messages; %2 all-reduces").arg(2 * (question.p - 1)).arg(4 * layers));
            break;
        }
        case Kind::Factor:
            QVERIFY(std::abs(shownOf(right) - 100 * played.bubble_of_total) < 0.051);
            break;
    }
}

}  // namespace

class TestQuiz : public QObject {
    Q_OBJECT

private slots:
    void thousandSeeds() {
        std::set<Kind> kinds;
        std::vector<int> places(4);
        std::set<std::string> met;
        for (const auto& quiz : quizzes(1000))
            for (const QuizQuestion& question : quiz) {
                const std::string text = say(question.text, Language::English);
                kinds.insert(question.kind);
                QVERIFY2(question.options.size() >= 3 && question.options.size() <= 4, text.c_str());
                QVERIFY2(question.right < question.options.size(), text.c_str());
                ++places[question.right];
                checkRight(question);
                if (QTest::currentTestFailed())
                    qFatal("seed %d: %s", int(&quiz - quizzes(1000).data()), text.c_str());
                std::set<std::string> texts;
                for (std::size_t i = 0; i < question.options.size(); ++i) {
                    const QuizOption& option = question.options[i];
                    texts.insert(say(option.text, Language::English));
                    QCOMPARE(option.mistake.empty(), i == question.right);
                    if (i == question.right) continue;
                    met.insert(option.misconception);
                    const bool is_known = std::ranges::any_of(
                        misconceptions(),
                        [&](const Misconception& each) { return each.id == option.misconception; });
                    QVERIFY2(is_known, option.misconception.c_str());
                }
                QCOMPARE(texts.size(), question.options.size());
                const bool percent = question.kind == Kind::Bubble || question.kind == Kind::Utilisation ||
                                     question.kind == Kind::FixedBatch || question.kind == Kind::Inference ||
                                     question.kind == Kind::Factor;
                for (const QuizOption& option : question.options)  // what a share can be
                    QVERIFY2(!percent || (option.value >= 0 && option.value <= 100), text.c_str());
                for (std::size_t i = 0; percent && i < question.options.size(); ++i)
                    for (std::size_t k = 0; k < i; ++k)
                        QVERIFY2(std::abs(question.options[i].value - question.options[k].value) >= 1.5,
                                 text.c_str());
            }
        QCOMPARE(kinds.size(), std::size_t{16});
        QCOMPARE(met.size(), misconceptions().size());
        for (const int count : places) QVERIFY(count > 1000);
    }

    void onlyTheRightOrderIsLegal() {
        int seen = 0;
        for (const auto& quiz : quizzes(60))
            for (const QuizQuestion& question : quiz) {
                if (question.kind != Kind::LegalOrder) continue;
                ++seen;
                ScheduleParams params;
                params.p = question.p;
                params.m = question.m;
                for (std::size_t i = 0; i < question.options.size(); ++i) {
                    Schedule schedule = makeSchedule("1f1b", params);
                    std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(question.rank)];
                    order.clear();
                    const QString text =
                        QString::fromStdString(say(question.options[i].text, Language::English));
                    for (const QString& cell : text.split(u' '))
                        order.push_back({question.rank, cell[0] == u'F' ? Op::Forward : Op::Backward,
                                         cell.mid(1).toInt()});
                    QCOMPARE(locateErrors(schedule).empty(), i == question.right);
                }
            }
        QVERIFY(seen > 15);
    }

    // What is believed most often comes first, and the kinds of which the most is asked are in every quiz.
    void whatMattersComesFirst() {
        for (const auto& quiz : quizzes(200)) {
            QCOMPARE(quiz.front().kind, Kind::SameBubble);
            const auto& options = quiz.front().options;
            QVERIFY(
                std::ranges::any_of(options, [](const auto& each) { return each.misconception == "M1"; }));
            for (const Kind kind :
                 {Kind::Bubble, Kind::InFlight, Kind::Microbatches, Kind::WeightVersions, Kind::Inference})
                QVERIFY(std::ranges::find(quiz, kind, &QuizQuestion::kind) != quiz.end());
        }
    }

    // Of an order that cannot run it is said what is wrong in it, and nothing of the ranks that wait for it:
    // when the two operations that are named change places, the rank comes further.
    void aDeadlockIsExplainedByItsCause() {
        static const QRegularExpression before(QStringLiteral("^(B\\d+) comes before (F\\d+), "));
        static const QRegularExpression later(
            QStringLiteral("^it stops at ([FB]\\d+): .* from ([FB]\\d+), "));
        int circles = 0, seen = 0;
        for (const auto& quiz : quizzes(300))
            for (const QuizQuestion& question : quiz) {
                if (question.kind != Kind::LegalOrder) continue;
                for (std::size_t i = 0; i < question.options.size(); ++i) {
                    if (i == question.right) continue;
                    const QuizOption& option = question.options[i];
                    const QString said = QString::fromStdString(say(option.mistake, Language::English));
                    QStringList order =
                        QString::fromStdString(say(option.text, Language::English)).split(u' ');
                    const auto of_itself = before.match(said), of_circle = later.match(said);
                    QVERIFY2(of_itself.hasMatch() || of_circle.hasMatch(), qPrintable(said));
                    const auto& match = of_itself.hasMatch() ? of_itself : of_circle;
                    const auto first = order.indexOf(match.captured(1)),
                               second = order.indexOf(match.captured(2));
                    QVERIFY2(first >= 0 && first < second, qPrintable(said + ": " + order.join(' ')));
                    ++seen;
                    circles += of_circle.hasMatch();
                }
            }
        QVERIFY2(seen > 150 && circles > 20, qPrintable(QStringLiteral("%1 %2").arg(seen).arg(circles)));
    }

    // After an answer stands how it is derived, and nothing in it contradicts itself.
    void everyAnswerIsDerived() {
        static const QRegularExpression twice(
            QStringLiteral("is ([0-9.]+ %) at m = \\d+, and ([0-9.]+ %) at"));
        int derived = 0;
        for (const auto& quiz : quizzes(300))
            for (const QuizQuestion& question : quiz) {
                const QString because = QString::fromStdString(say(question.because, Language::English));
                const auto both = twice.match(because);
                if (question.kind == Kind::Microbatches) {
                    QVERIFY2(both.hasMatch() && both.captured(1) != both.captured(2), qPrintable(because));
                }
                const bool calculates = question.kind != Kind::LegalOrder &&
                                        question.kind != Kind::SlowRank &&
                                        question.kind != Kind::Microbatches;
                QVERIFY2(!calculates || because.contains(u'=') || because.contains("Counted in F") ||
                             because.contains("p − r"),
                         qPrintable(because));
                QVERIFY2(!because.contains(u'*'), qPrintable(because));  // formulas as people set them
                derived += because.contains(u'=');
            }
        QVERIFY(derived > 1500);
    }

    // What an answer depends on stands in its question, and no number has decimals that say nothing.
    void questionsSayWhatTheyDependOn() {
        static const QRegularExpression needless(QStringLiteral("\\.00+ %|\\.\\d\\d00\\b"));
        int split = 0;
        for (const auto& quiz : quizzes(300))
            for (const QuizQuestion& question : quiz) {
                const QString text = QString::fromStdString(say(question.text, Language::English));
                QVERIFY2(!text.contains(needless), qPrintable(text));
                // By it alone the answer does not depend on p and m, which are not said.
                QCOMPARE(text.contains("begins when the gradient is there"),
                         question.kind == Kind::Recompute);
                // "the ideal time, 1.30" would be the ideal time.
                if (question.kind == Kind::Factor) QVERIFY2(text.contains(", gets "), qPrintable(text));
                // Inference is a question of its own, which every quiz has.
                QCOMPARE(question.schedule == "forward-only", question.kind == Kind::Inference);
                if (question.kind != Kind::Bubble) continue;
                QVERIFY2(text.contains("equal stages") && text.contains("free link"), qPrintable(text));
                if (question.schedule != "zb-h1") continue;
                QVERIFY2(text.contains("F = I = W"), qPrintable(text));
                ++split;
            }
        QVERIFY(split > 20);
    }

    // The picture of the right answer shows what is asked; that of a wrong one, its number.
    void picturesShowWhatTheyAreOf() {
        std::map<Kind, int> others;
        for (const auto& quiz : quizzes(40))
            for (const QuizQuestion& question : quiz)
                for (std::size_t answer = 0; answer < question.options.size(); ++answer) {
                    const std::vector<QuizPicture> pictures =
                        quizPictures(question, static_cast<int>(answer));
                    const QuizPicture& right = pictures.front();
                    QVERIFY(right.played && right.schedule.name == question.schedule);
                    QVERIFY(pictures.size() == 1 || answer != question.right);
                    const double idle = 100 * summarize(*right.played, 0).bubble_of_total;
                    if (question.kind == Kind::Bubble || question.kind == Kind::FixedBatch)
                        QVERIFY(std::abs(question.options[question.right].value - idle) < 0.051);
                    const QString shown = QString::fromStdString(fixedText(idle, 1)) + " %";
                    QVERIFY(QString::fromStdString(say(right.title, Language::English)).contains(shown));
                    for (int rank = 0; rank < right.played->ranks(); ++rank)
                        for (const Event& event : right.played->compute(rank))
                            QVERIFY(event.start_ns % right.step_ns == 0 && event.end_ns % right.step_ns == 0);
                    if (pictures.size() == 1) continue;
                    ++others[question.kind];
                    const QuizOption& wrong = question.options[answer];
                    QCOMPARE(pictures[1].played.has_value(), question.kind != Kind::LegalOrder);
                    if (!pictures[1].played) {
                        QVERIFY(!locateErrors(pictures[1].schedule).empty());
                        continue;
                    }
                    const IterationSummary of_wrong = summarize(*pictures[1].played, 0);
                    if (question.kind == Kind::Bubble || question.kind == Kind::FixedBatch)
                        QVERIFY(std::abs(wrong.value - 100 * of_wrong.bubble_of_total) < 0.051);
                    if (question.kind == Kind::InFlight)
                        QCOMPARE(of_wrong.ranks[std::size_t(question.rank)].peak_in_flight, int(wrong.value));
                    if (question.kind == Kind::SlowRank) {
                        const auto& ranks = of_wrong.ranks;
                        QCOMPARE(std::ranges::min_element(ranks, {}, &RankSummary::bubble_of_total) -
                                     ranks.begin(),
                                 std::ptrdiff_t(wrong.value));
                    }
                }
        QVERIFY2(others.size() >= 12, qPrintable(QString::number(others.size())));
    }

    // Who calculates with the number that stands in the question gets the answer that is right.
    void whatIsPrintedGivesTheAnswer() {
        int derived = 0;
        for (const auto& quiz : quizzes(1000))
            for (const QuizQuestion& question : quiz) {
                if (question.kind != Kind::Utilisation && question.kind != Kind::Factor) continue;
                const double printed =
                    QString::fromStdString(question.text.arguments[0].text).section(u' ', 0, 0).toDouble();
                const double right =
                    question.kind == Kind::Utilisation ? 100 / (1 + printed / 100) : 100 * (1 - 1 / printed);
                const QString shown =
                    QString::fromStdString(say(question.options[question.right].text, Language::English));
                QCOMPARE(shown, QString::fromStdString(fixedText(right, 1)) + " %");
                ++derived;
            }
        QVERIFY(derived > 100);
    }

    // What a wrong option is called is what it was computed by, for every schedule that is asked for.
    void namesOfMistakesFitTheirValues() {
        std::set<std::string> named;
        for (const auto& quiz : quizzes(1000))
            for (const QuizQuestion& question : quiz)
                for (const QuizOption& option : question.options) {
                    const std::string name = say(option.mistake, Language::English);
                    if (name == "slots of F and B above, m alone below")
                        QCOMPARE(option.value, 200.0 * (question.p - 1) / question.m);
                    else if (name == "every rank like the first one")
                        QVERIFY(question.schedule ==
                                (question.kind == Kind::InFlight ? "1f1b" : "pipedream"));
                    else if (name == "one micro-batch: m is forgotten" && option.setting)
                        QVERIFY(std::abs(option.value - 100 * play(question, 1).bubble_of_total) < 1e-9);
                    else
                        continue;
                    named.insert(name);
                }
        QCOMPARE(named.size(), std::size_t{3});
    }

    void sameSeedSameQuiz() {
        const auto first = makeQuiz(7), again = makeQuiz(7);
        QCOMPARE(first.size(), std::size_t{10});
        for (std::size_t i = 0; i < first.size(); ++i) {
            QVERIFY(first[i].text == again[i].text);
            QCOMPARE(first[i].right, again[i].right);
        }
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, makeQuiz(1, 0));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, makeQuiz(1, kMostQuestions + 1));
    }

    void everythingIsSaidInChinese() {
        static const QRegularExpression han(QStringLiteral("\\p{Han}"));
        for (const auto& quiz : quizzes(40))
            for (const QuizQuestion& question : quiz) {
                for (const Sentence& text : {question.text, question.because})
                    QVERIFY2(QString::fromStdString(say(text, Language::Chinese)).contains(han),
                             text.id.c_str());
                for (const QuizOption& option : question.options)
                    if (!option.mistake.empty())
                        QVERIFY2(QString::fromStdString(say(option.mistake, Language::Chinese)).contains(han),
                                 option.mistake.id.c_str());
            }
        for (const Misconception& each : misconceptions())
            QVERIFY2(chineseWords().contains(each.belief), each.belief);
    }

    void resultsSayWhatWasBelieved() {
        const std::vector<QuizQuestion> questions = makeQuiz(3);
        std::vector<int> right, of_ideal(questions.size(), -1);
        for (const QuizQuestion& question : questions) right.push_back(static_cast<int>(question.right));
        QCOMPARE(rightAnswers(questions, right), 10);
        for (const QuizResult& result : resultsOf(questions, right)) QCOMPARE(result.avoided, result.offered);
        int believed = 0;
        for (std::size_t i = 0; i < questions.size(); ++i)
            for (std::size_t k = 0; k < questions[i].options.size(); ++k)
                if (questions[i].options[k].misconception == "M13") {
                    of_ideal[i] = static_cast<int>(k);
                    ++believed;
                    break;
                }
        QVERIFY(believed > 0);
        const auto results = resultsOf(questions, of_ideal);
        const auto row = std::ranges::find_if(
            results, [](const QuizResult& each) { return each.misconception->id == std::string("M13"); });
        QVERIFY(row != results.end());
        QCOMPARE(row->offered, believed);
        QCOMPARE(row->avoided, 0);
        for (const QuizResult& each : results)
            if (each.misconception != row->misconception) QCOMPARE(each.avoided, each.offered);
        QCOMPARE(rightAnswers(questions, of_ideal), 0);
    }
};

BUBBLESCOPE_TEST(TestQuiz)

}  // namespace tst_quiz

#include "tst_quiz.moc"
