// Interview cards: every number on them holds for any p, m and v; texts are complete in both languages; the
// three boxes; and a file of them that is broken.
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "analysis/bubble_stack.h"
#include "cards/card_boxes.h"
#include "cards/card_numbers.h"
#include "cards/learning_path.h"
#include "cards/quiz.h"
#include "catalog/catalog.h"
#include "config/run_config.h"
#include "lessons/lesson_file.h"
#include "registered_test.h"
#include "schedule/lowering.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "wire/scenario.h"
#include "words/number_text.h"

namespace tst_cards {

using namespace bscope;

namespace {

RunConfig configOf(const std::string& schedule, int p, int v, int m) {
    RunConfig config;
    config.schedule = schedule;
    config.params.p = p;
    config.params.v = v;
    config.params.m = m;
    return config;
}

// Of 1F1B over every small p and m, and of other schedules at random.
std::vector<RunConfig> configurations() {
    std::vector<RunConfig> all;
    for (int p = 2; p <= 9; ++p)
        for (const int m : {1, 2, 3, 4, 7, 8, 12, 17, 33}) all.push_back(configOf("1f1b", p, 1, m));
    std::mt19937 random(7);
    while (all.size() < 130) {
        const CatalogEntry& entry = catalog()[random() % catalog().size()];
        const RunConfig config =
            configOf(entry.name, 2 + static_cast<int>(random() % 7),
                     entry.fixed_v > 0 ? entry.fixed_v : 1 + static_cast<int>(random() % 3),
                     1 + static_cast<int>(random() % 30));
        if (scheduleProblems(config.schedule, config.params).empty()) all.push_back(config);
    }
    return all;
}

QStringList textsOf(const Card& card) {
    QStringList texts;
    for (const CardText* text : {&card.question, &card.answer, &card.numbers, &card.trap, &card.ran})
        texts << QString::fromStdString(text->en) << QString::fromStdString(text->zh);
    return texts;
}

}  // namespace

class TestCards : public QObject {
    Q_OBJECT

private slots:
    // The picture of a formula is what its schedule plays: on every rank the stretches of idle time, and
    // their share of the whole.
    void aStackIsWhatIsPlayed() {
        const struct {
            const char *kind, *schedule;
        } all[]{{"whole", "1f1b"}, {"whole", "gpipe"}, {"chunks", "interleaved"}, {"split", "zb-h1"},
                {"forward", "forward-only"}};
        for (const auto& [kind, schedule] : all)
            for (const int p : {2, 4, 6})
                for (const int m : {p, 2 * p, 4 * p}) {
                    const int v = std::string(kind) == "chunks" ? 2 : 1;
                    const auto stack = bubbleStack(kind, p, v, m);
                    QVERIFY(stack && stack->ranks.size() == static_cast<std::size_t>(p));
                    const Schedule order = makeSchedule(schedule, {p, v, m, 0});
                    const Costs costs = unitCosts(order.stageCount(), 1, 1, 1, 0);
                    const IterationSummary played =
                        summarize(predict(lower(order, Recompute::None), costs), 0);
                    QVERIFY2(std::abs(stack->share() - played.bubble_of_total) < 1e-6,
                             qPrintable(QString("%1 p %2 m %3: %4, played %5")
                                            .arg(schedule)
                                            .arg(p)
                                            .arg(m)
                                            .arg(stack->share())
                                            .arg(played.bubble_of_total)));
                    for (const auto& rank : stack->ranks) {
                        double idle = 0;
                        for (const StackPart& part : rank)
                            if (part.kind != StackPart::Kind::Work) idle += part.units;
                        QVERIFY(std::abs(idle - stack->idle_units) < 1e-9);
                    }
                }
        QVERIFY(!bubbleStack("whole", 1, 1, 8) && !bubbleStack("", 4, 1, 8));
        for (const Card& card : cards())
            QVERIFY2(card.stack.empty() || bubbleStack(card.stack, 4, 2, 8), card.id.c_str());
    }

    // Paths name lessons, cards and levels that are there; every lesson is in the semester, once.
    void pathsNameWhatIsThere() {
        std::set<std::string> ids;
        for (const auto& file : std::filesystem::directory_iterator(BUBBLESCOPE_SOURCE_DIR "/scenarios"))
            if (std::isdigit(static_cast<unsigned char>(file.path().filename().string()[0])))
                ids.insert(file.path().stem().string());
        QVERIFY(findPath("interview") && findPath("semester") && !findPath("nothing"));
        for (const LearningPath& path : learningPaths()) {
            std::set<std::string> seen;
            for (const PathPart& part : path.parts) {
                for (const std::string& lesson : part.lessons)
                    QVERIFY2(ids.contains(lesson) && seen.insert(lesson).second, lesson.c_str());
                for (const std::string& sheet : part.sheets) QVERIFY2(ids.contains(sheet), sheet.c_str());
                for (const std::string& id : part.cards)
                    QVERIFY2(std::ranges::find(cards(), id, &Card::id) != cards().end(), id.c_str());
            }
            if (path.id == "semester") QCOMPARE(seen, ids);
        }
        const PathPart& hour = findPath("interview")->parts.front();
        QCOMPARE(hour.lessons.size(), std::size_t(5));
        QCOMPARE(hour.cards.size(), std::size_t(12));
        QVERIFY(hour.quiz);
        for (const char* broken : {"{}", "[{\"id\": \"x\"}]", "[{\"id\": 1}]"})
            QVERIFY_THROWS_EXCEPTION(std::invalid_argument, readPaths(broken));
    }

    void aCardIsAskedWhenItIsChosen() {
        CardBoxes known;
        for (const Card& card : cards()) known.box[card.id] = 3;
        CardDeck deck(cards(), known);
        QVERIFY(deck.ask("Q07"));
        QCOMPARE(deck.current().id, std::string("Q07"));
        QVERIFY(!deck.ask("Q99"));
        const CardDeck all(cards().first(12), known, true);
        QCOMPARE(all.left(), 12);
    }

    void everyFormulaOfATextIsClaimed() {
        QCOMPARE(cards().size(), std::size_t{36});
        static const QRegularExpression formula(QStringLiteral("\\{=([^|}]*)\\|\\d\\}"));
        static const QRegularExpression name(QStringLiteral("[A-Za-z]"));
        for (const Card& card : cards())
            for (const QString& text : textsOf(card))
                for (auto found = formula.globalMatch(text); found.hasNext();) {
                    const QString expression = found.next().captured(1);
                    const bool claimed = std::ranges::any_of(card.claims, [&](const std::string& claim) {
                        return QString::fromStdString(claim).contains(expression);
                    });
                    // A variable, a product of settings, or the peak of a run over its chunks is what it
                    // says.
                    static const QRegularExpression plain(QStringLiteral(
                        "^((config|model|weights)\\.\\w+|\\w+\\.in_flight\\.0/(\\w+\\.v|2)|4\\*now\\.p|"
                        "now\\.m\\*config\\.micro_batch\\*config\\.d|2\\*now\\.m|4\\*model\\.layers|"
                        "weights\\.model_mb/4|model\\.vocabulary/"
                        "\\(12\\*model\\.hidden\\))$"));
                    QVERIFY2(claimed || expression.contains(plain),
                             qPrintable(QString::fromStdString(card.id) + ": " + expression));
                }
    }

    // What a card prints of a run of its own; `now` and `ran` are held against playback and report elsewhere.
    void everyNumberOfARunIsClaimed() {
        static const QRegularExpression place(QStringLiteral("\\{([^}]*)\\}")),
            name(QStringLiteral("\\b([A-Z][A-Z0-9]*)\\.([a-z_]+)"));
        for (const Card& card : cards())
            for (const QString& text : textsOf(card))
                for (auto all = place.globalMatch(text); all.hasNext();) {
                    const QString printed = all.next().captured(1);
                    for (auto each = name.globalMatch(printed); each.hasNext();) {
                        const auto found = each.next();
                        if (QStringList{"p", "m", "v", "d"}.contains(found.captured(2))) continue;
                        QVERIFY2(std::ranges::any_of(card.claims,
                                                     [&](const std::string& claim) {
                                                         return QString::fromStdString(claim).contains(
                                                             found.captured(0));
                                                     }),
                                 qPrintable(QString::fromStdString(card.id) + ": " + found.captured(0)));
                    }
                }
    }

    // A lesson's tags are cards and misconceptions that exist, and what refers to a lesson is among its tags.
    void tagsOfLessonsLeadBothWays() {
        std::vector<wire::Scenario> scenarios;
        std::map<std::string, std::set<std::string>> tags;
        std::vector<const wire::Scenario*> lessons;
        for (const auto& file : std::filesystem::directory_iterator(BUBBLESCOPE_SOURCE_DIR "/scenarios"))
            if (file.path().extension() == ".json") scenarios.push_back(loadLessonFile(file.path()));
        std::ranges::sort(scenarios, {}, [](const wire::Scenario& each) { return each.id(); });
        for (const wire::Scenario& scenario : scenarios) {
            if (!scenario.has_lesson()) continue;
            lessons.push_back(&scenario);
            const wire::Lesson& lesson = scenario.lesson();
            tags[std::string(withoutNumber(scenario.id()))] = {lesson.tags().begin(), lesson.tags().end()};
            QVERIFY2(lesson.minutes() > 0 && lesson.references_size() > 0, scenario.id().c_str());
        }
        QCOMPARE(orderProblems(lessons).size(), std::size_t{0});
        std::set<std::string> known;
        for (const Card& card : cards()) {
            known.insert(card.id);
            QVERIFY2(tags[card.show.lesson].contains(card.id), card.id.c_str());
        }
        for (const Misconception& each : misconceptions()) {
            known.insert(each.id);
            QVERIFY2(tags[each.lesson].contains(each.id), each.id);
        }
        for (const auto& [lesson, of_lesson] : tags)
            for (const std::string& tag : of_lesson) QVERIFY2(known.contains(tag), (lesson + tag).c_str());
    }

    void claimsHoldForAllConfigurations() {
        int claims = 0;
        for (const RunConfig& config : configurations())
            for (const Card& card : cards()) {
                const LessonRuns runs = cardRuns(card, config);
                const QString where = QStringLiteral("%1, %2 p=%3 v=%4 m=%5: ")
                                          .arg(card.id.c_str(), config.schedule.c_str())
                                          .arg(config.params.p)
                                          .arg(config.params.v)
                                          .arg(config.params.m);
                QVERIFY2(!runs.empty(), qPrintable(where));
                for (const std::string& claim : card.claims) {
                    // Fewer layers than stages: such a model has no weights to speak of.
                    if (claim.find("weights.") != std::string::npos && !problems(config).empty()) {
                        QVERIFY(!cardClaimHolds(claim, config, runs));
                        continue;
                    }
                    ++claims;
                    QVERIFY2(cardClaimHolds(claim, config, runs).value_or(false),
                             qPrintable(where + QString::fromStdString(claim)));
                }
            }
        QVERIFY(claims > 5000);
    }

    // What a card prints of the current schedule is what its playback gives.
    void numbersOfTheScheduleAreItsPlayback() {
        for (const RunConfig& config : configurations()) {
            const Schedule schedule = makeSchedule(config.schedule, config.params);
            if (schedule.step_every > 0) continue;  // runs as an endless stream
            const IterationSummary played =
                summarize(predict(lower(schedule), unitCosts(schedule.stageCount(), 1, 1, 1, 0)), 0);
            const FilledCard card = filled(cards()[0], {.config = config}, Language::English);
            const QString expected =
                QStringLiteral("Your schedule: %1 % of ideal, %2 % of total.")
                    .arg(QString::fromStdString(fixedText(100 * played.bubble_of_ideal, 1)))
                    .arg(QString::fromStdString(fixedText(100 * played.bubble_of_total, 1)));
            QVERIFY2(QString::fromStdString(card.numbers).contains(expected),
                     qPrintable(QString::fromStdString(config.schedule + ": " + card.numbers) + expected));
            const FilledCard held = filled(cards()[2], {.config = config}, Language::English);
            QStringList peaks;
            for (const RankSummary& rank : played.ranks) peaks << QString::number(rank.peak_in_flight);
            if (peaks.size() <= 8)
                QVERIFY2(QString::fromStdString(held.numbers)
                             .contains("schedule: " + peaks.join(", ") + " chunks"),
                         held.numbers.c_str());
        }
    }

    // No number is typed into a text, but those of a question's setting; nothing is left unfilled.
    void textsAreFilledInBothLanguages() {
        static const QRegularExpression typed(
            QStringLiteral("(?<![\\w.{=/*+(-])(?<!− )\\d+(\\.\\d+)? ?(%|倍|个)"));
        const RunConfig config = configOf("1f1b", 4, 1, 8);
        for (const Card& card : cards()) {
            for (const QString& text : textsOf(card)) {
                QString left = text;
                left.remove(QRegularExpression(QStringLiteral("\\{[^}]*\\}")));
                left.remove(QStringLiteral("below 15 % of total?"));  // what is asked
                left.remove(QStringLiteral("15 % 以下"));
                const auto found = typed.match(left);
                QVERIFY2(!found.hasMatch(), qPrintable(QString::fromStdString(card.id) + ": " + left));
            }
            const std::optional<LessonRun> ran = playedRun(config);
            for (const Language language : {Language::English, Language::Chinese}) {
                const FilledCard full = filled(card, {.config = config, .ran = ran}, language);
                for (const std::string& text :
                     {full.question, full.answer, full.numbers, full.trap, full.ran}) {
                    QVERIFY2(text.find_first_of("{}") == std::string::npos, text.c_str());
                    QVERIFY2(text.find("…") == std::string::npos && text.find("–") == std::string::npos,
                             text.c_str());
                }
                QVERIFY(!full.numbers.empty());
            }
        }
    }

    // Unusual configurations: a card compares what has something to compare.
    void aNeighbourThatIsLegalShowsWhatIsAsked() {
        const auto numbersOf = [](const char* id, const RunConfig& config) {
            const auto card = std::ranges::find(cards(), id, &Card::id);
            return QString::fromStdString(filled(*card, {.config = config}, Language::English).numbers);
        };
        const QString dual = numbersOf("Q15", configOf("zb-v", 3, 2, 2));
        QVERIFY2(dual.startsWith("p = 4,") && !dual.contains("DualPipe 0.0 %"), qPrintable(dual));
        const QString one_way = numbersOf("Q09", configOf("forward-only", 4, 1, 8));
        QVERIFY2(one_way.contains(": 3 messages a micro-batch in all,"), qPrintable(one_way));
        QVERIFY(!numbersOf("Q16", configOf("1f1b", 4, 1, 8)).contains("1 replicas"));
    }

    void withoutAPipelineNoNumberIsSaid() {
        for (const RunConfig& config : {configOf("1f1b", 1, 1, 8), configOf("file:/nowhere.csv", 4, 1, 8)})
            for (const Card& card : cards()) {
                const FilledCard full = filled(card, {.config = config}, Language::English);
                QVERIFY2(full.numbers.find("two ranks") != std::string::npos, full.numbers.c_str());
                QVERIFY2((full.answer + full.trap).find("…") == std::string::npos, full.answer.c_str());
            }
    }

    // Of a run of another program no size of a micro-batch, no model and no memory is known: a dash, no
    // number of the built-in model.
    void whatIsNotKnownOfAnImportIsNotSaid() {
        const RunConfig config = configOf("1f1b", 4, 1, 8);
        const std::optional<LessonRun> ran = playedRun(config);
        int dashes = 0;
        for (const Card& card : cards())
            for (const Language language : {Language::English, Language::Chinese}) {
                const FilledCard full =
                    filled(card, {.config = config, .knows_model = false, .ran = ran}, language);
                const std::string& source = language == Language::English ? card.numbers.en : card.numbers.zh;
                const bool names_model = source.find("model") != std::string::npos ||
                                         source.find("micro_batch") != std::string::npos;
                const bool has_dash = full.numbers.find("–") != std::string::npos;
                QVERIFY2(has_dash == names_model, full.numbers.c_str());
                dashes += has_dash;
                if (card.ran.en.find("_mb") != std::string::npos) QCOMPARE(full.ran, std::string());
            }
        QVERIFY(dashes >= 6);
    }

    void knownCardsComeLessOften() {
        const int all = static_cast<int>(cards().size());
        CardDeck deck(cards(), {});
        QCOMPARE(deck.left(), all);
        deck.answer(false);  // Q01
        QStringList order;
        for (int i = 0; i < 6; ++i) {
            order << QString::fromStdString(deck.current().id);
            deck.answer(true);
        }
        QCOMPARE(order, (QStringList{"Q02", "Q03", "Q04", "Q05", "Q06", "Q01"}));
        while (!deck.finished()) deck.answer(true);
        QCOMPARE(deck.known(), all - 1);
        QCOMPARE(deck.boxes().of("Q01"), 1);
        QCOMPARE(deck.boxes().of("Q02"), 2);
        CardDeck second(cards(), deck.boxes());  // session 2: boxes 1 and 2
        QCOMPARE(second.left(), all);
        QCOMPARE(second.current().id, std::string("Q01"));
        while (!second.finished()) second.answer(true);
        CardDeck third(cards(), second.boxes());  // Q01 is in box 2, the others in 3: nothing is due
        QCOMPARE(third.left(), all);
        CardDeck fourth(cards(), third.boxes());
        QCOMPARE(fourth.left(), all);
        CardBoxes one = fourth.boxes();
        one.box["Q05"] = 1;
        CardDeck fifth(cards(), one);
        QCOMPARE(fifth.left(), 1);
    }

    void boxesAreKept() {
        QTemporaryDir folder;
        const std::filesystem::path file = (folder.path() + "/new/cards.json").toStdString();
        QVERIFY(readCardBoxes(file) == CardBoxes{});
        CardDeck deck(cards(), {});
        deck.answer(true);
        writeCardBoxes(file, deck.boxes());
        QVERIFY(readCardBoxes(file) == deck.boxes());
        for (const char* broken : {"", "{", "[]", "{\"session\": 1}", "{\"session\": -1, \"boxes\": {}}",
                                   "{\"session\": 1, \"boxes\": {\"Q01\": 4}}",
                                   "{\"session\": 1.5, \"boxes\": {}}", "{\"session\": 1, \"boxes\": []}"}) {
            QFile out(QString::fromStdString(file.string()));
            QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
            out.write(broken);
            out.close();
            QVERIFY_THROWS_EXCEPTION(SentenceError<>, readCardBoxes(file));
        }
        const std::filesystem::path aside = setAside(file);
        QVERIFY(!std::filesystem::exists(file) && std::filesystem::exists(aside));
    }

    void filesOfCardsAreReadStrictly() {
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, readCards("{}"));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, readCards("[{\"id\": \"Q\"}]"));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, readCards("[1]"));
    }
};

BUBBLESCOPE_TEST(TestCards)

}  // namespace tst_cards

#include "tst_cards.moc"
