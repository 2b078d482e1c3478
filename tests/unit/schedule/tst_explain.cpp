// The words about each schedule: there for every row, in both languages, with numbers that are true.
#include <QTest>

#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "formula.h"
#include "registered_test.h"

namespace tst_explain {

using namespace bscope;

namespace {

int peak(const std::vector<Action>& order) {
    int held = 0, most = 0;
    for (const Action& action : order) {
        if (action.op == Op::Forward) most = std::max(most, ++held);
        if (action.op == Op::Backward || action.op == Op::BackwardWeight) --held;
    }
    return most;
}

std::string withNumbers(std::string formula, const ScheduleParams& params, int r, int group) {
    std::string text;
    for (std::size_t i = 0; i < formula.size(); ++i) {
        if (formula.compare(i, 3, "min") == 0) {
            text += "min";
            i += 2;
            continue;
        }
        const char c = formula[i];
        const int value = c == 'p'   ? params.p
                          : c == 'v' ? params.v
                          : c == 'm' ? params.m
                          : c == 'q' ? params.segments
                          : c == 'r' ? r
                          : c == 'N' ? group
                                     : -1;
        text += value >= 0 ? std::to_string(value) : std::string(1, c);
    }
    return text;
}

}  // namespace

class TestExplain : public QObject {
    Q_OBJECT
private slots:
    void everyScheduleIsExplained_data() {
        QTest::addColumn<QString>("name");
        for (const CatalogEntry& entry : catalog()) QTest::newRow(entry.name) << QString(entry.name);
    }
    void everyScheduleIsExplained() {
        QFETCH(QString, name);
        const CatalogEntry& entry = *findSchedule(name.toStdString());
        QVERIFY(findWords(entry.name) != nullptr);
        const ScheduleParams params{4, defaultChunks(entry), 8, 0};
        for (const Language language : {Language::English, Language::Chinese}) {
            const Explanation e = explain(entry.name, params, language);
            for (const std::string& part : {e.title, e.summary, e.rule, e.placement, e.bubble, e.memory,
                                            e.communication, e.weights, e.source})
                QVERIFY(!part.empty());
            const QString all = QString::fromStdString(toText(e, language));
            QCOMPARE(all.contains(QChar(0x6BCF)) || all.contains(QChar(0x7684)),
                     language == Language::Chinese);
            QVERIFY(all.contains(QString::fromStdString(e.rule)));
        }
    }

    // The formula of the memory is what the orders hold.
    void peaksFollowTheirFormulas() {
        int compared = 0;
        for (const CatalogEntry& entry : catalog()) {
            const std::string words = findWords(entry.name)->peak;
            const std::size_t limit = words.find(" for m >= ");
            const std::string formula = words.substr(0, limit);
            if (formula.empty() || entry.forward_only) continue;
            for (int p : {2, 3, 4, 6, 8})
                for (int v = 1; v <= 4; ++v)
                    for (int m : {1, 3, 6, 8, 12, 16, 24}) {
                        const ScheduleParams params{p, v, m, 0};
                        if (!scheduleProblems(entry.name, params).empty()) continue;
                        if (limit != std::string::npos &&
                            m < Formula(withNumbers(words.substr(limit + 10), params, 0, 0)).value())
                            continue;
                        const Schedule schedule = makeSchedule(entry.name, params);
                        const int group = QString(entry.name) == "interleaved" ? p : m / std::max(1, m / p);
                        for (int r = 0; r < p; ++r) {
                            const int expected = Formula(withNumbers(formula, params, r, group)).value();
                            const int found = peak(schedule.orders[static_cast<std::size_t>(r)]);
                            QVERIFY2(found == expected,
                                     qPrintable(QString("%1 p=%2 v=%3 m=%4 r=%5: %6, formula %7")
                                                    .arg(entry.name)
                                                    .arg(p)
                                                    .arg(v)
                                                    .arg(m)
                                                    .arg(r)
                                                    .arg(found)
                                                    .arg(expected)));
                            ++compared;
                        }
                    }
        }
        QVERIFY(compared > 1000);
    }

    // Every "LETTERS = NUMBERS = RESULT" evaluates to its result.
    void everyPrintedFormulaEvaluatesToItsResult() {
        int seen = 0;
        static const QRegularExpression shares("= ([-0-9+*/().maxin,]+) = ([0-9.]+) %");
        static const QRegularExpression peaks("r = 0(?: 时)?[:：] ?([-0-9+*/().maxin,]+) = ([0-9]+)");
        for (const CatalogEntry& entry : catalog())
            for (int p : {2, 4, 6})
                for (int v : {1, 2, 4})
                    for (int m : {4, 6, 8, 12, 16})
                        for (const Language language : {Language::English, Language::Chinese}) {
                            const ScheduleParams params{p, v, m, 0};
                            if (!scheduleProblems(entry.name, params).empty()) continue;
                            const Explanation e = explain(entry.name, params, language);
                            const QString bubble = QString::fromStdString(e.bubble);
                            QVERIFY2(bubble.count("%") >= 2, qPrintable(bubble));    // both definitions
                            QCOMPARE(bubble.count("%") >= 3, entry.split_backward);  // and the span
                            for (auto match = shares.globalMatch(bubble); match.hasNext(); ++seen) {
                                const auto found = match.next();
                                const double value = RealFormula(found.captured(1).toStdString()).value();
                                QVERIFY2(std::abs(100 * value - found.captured(2).toDouble()) <= 0.0501,
                                         qPrintable(bubble));
                            }
                            const QString memory = QString::fromStdString(e.memory);
                            for (auto match = peaks.globalMatch(memory); match.hasNext(); ++seen) {
                                const auto found = match.next();
                                QVERIFY2(Formula(found.captured(1).toStdString()).value() ==
                                             found.captured(2).toInt(),
                                         qPrintable(memory));
                            }
                        }
        QVERIFY2(seen > 500, qPrintable(QString::number(seen)));
    }

    void zeroBubbleHasNoneWithinItsSpan() {
        const QString h2 = QString::fromStdString(explain("zb-h2", {4, 1, 8, 0}, Language::English).bubble);
        QVERIFY2(h2.contains("its last end: 0.0 %"), qPrintable(h2));
        QVERIFY2(h2.contains("x/(m*(F+I+W)+x), x = (p-1)*max(F,I-F,F+I-2*W)"), qPrintable(h2));
        const QString dual =
            QString::fromStdString(explain("dualpipe", {4, 2, 8, 0}, Language::English).bubble);
        QVERIFY2(dual.contains("(4-2)/(3*8+4-2) = 7.7 %"), qPrintable(dual));
        QVERIFY2(!dual.contains("no formula is known"), qPrintable(dual));
    }

    // A formula is printed with what has to be so for it, and holds for exactly that.
    void everyFormulaSaysWhereItHolds() {
        const auto holds = [](const QString& condition, const ScheduleParams& params) {
            const int p = params.p, v = params.v, m = params.m;
            if (condition == "m = p") return m == p;
            if (condition == "m >= p") return m >= p;
            if (condition == "m >= 2*p-1") return m >= 2 * p - 1;
            if (condition == "v = 1 or m >= p") return v == 1 || m >= p;
            if (condition == "v = 1 or p divides m") return v == 1 || m % p == 0;
            return condition.isEmpty();
        };
        int bound = 0;
        for (const CatalogEntry& entry : catalog()) {
            if (*entry.bubble_formula == '\0') continue;
            for (int p : {2, 3, 4, 6, 8})
                for (int v = 1; v <= 4; ++v)
                    for (int m = 1; m <= 20; ++m) {
                        const ScheduleParams params{p, v, m, 0};
                        if (!scheduleProblems(entry.name, params).empty()) continue;
                        const bool expected = holds(entry.formula_holds, params);
                        QCOMPARE(entry.bubble_of_total(params, 1, 1, 1).has_value(), expected);
                        if (expected) continue;
                        ++bound;
                        const QString en =
                            QString::fromStdString(explain(entry.name, params, Language::English).bubble);
                        QVERIFY2(en.contains(QString("holds for %1 only").arg(entry.formula_holds)),
                                 qPrintable(en));
                    }
        }
        QVERIFY(bound > 100);
        const QString chimera =
            QString::fromStdString(explain("chimera", {4, 2, 8, 0}, Language::English).bubble);
        QVERIFY2(chimera.contains("x = (p-2)*B, for m = p"), qPrintable(chimera));
    }

    // Where the papers give about so much, that is what is said, and about so much is played.
    void whatPapersGiveIsPlayed() {
        for (const auto& [name, of_1f1b] : {std::pair("v-half", 1.0 / 2), {"v-min", 2.0 / 3}}) {
            const QString bubble =
                QString::fromStdString(explain(name, {4, 2, 8, 0}, Language::English).bubble);
            QVERIFY2(bubble.contains("the paper gives about"), qPrintable(bubble));
            for (const int p : {4, 6, 8})
                for (const int m : {4 * p, 8 * p}) {
                    const QString played =
                        QString::fromStdString(explain(name, {p, 2, m, 0}, Language::English).bubble);
                    const double share = played.section("makespan): ", 1).section(" %", 0, 0).toDouble();
                    const double paper = of_1f1b * 100 * (p - 1) / (m + p - 1);
                    QVERIFY2(share > 0.4 * paper && share < 1.4 * paper, qPrintable(played));
                }
        }
    }

    // What the summaries say of memory and of bubbles, for every p, where the conditions that they name hold.
    void theSummariesHold() {
        const auto micro_batches = [](const char* name, int p, int m) {
            double most = 0;
            const Schedule schedule = makeSchedule(name, {p, 2, m, 0});
            for (const auto& order : schedule.orders) most = std::max(most, peak(order) / 2.0);
            return most;
        };
        const auto ofIdeal = [](const char* name, int p, int m) {
            const CatalogEntry& entry = *findSchedule(name);
            const double of_total = *entry.bubble_of_total({p, defaultChunks(entry), m, 0}, 1, 1, 1);
            return of_total / (1 - of_total);
        };
        for (int p = 2; p <= 12; ++p) {
            const int m = 2 * p - 1;
            for (const char* name : {"zb-h2", "zb-v"}) {
                const CatalogEntry& entry = *findSchedule(name);
                for (const int enough : {m, m + 1, 3 * p}) {
                    const QString bubble = QString::fromStdString(
                        explain(name, {p, defaultChunks(entry), enough, 0}, Language::English).bubble);
                    QVERIFY2(bubble.contains("its last end: 0.0 %"), qPrintable(bubble));
                }
            }
            for (const int of : {p, 2 * p, 24})
                if (of >= p) QVERIFY(std::abs(3 * ofIdeal("zb-h1", p, of) - ofIdeal("1f1b", p, of)) < 1e-9);
            for (const int of : {3 * p, 36}) {
                QCOMPARE(micro_batches("v-half", p, of), double((p + 2) / 2));
                QCOMPARE(micro_batches("v-min", p, of), double((p + 4) / 3));
                QVERIFY(micro_batches("zb-v", p, of) == p);
            }
        }
    }

    void titlesAndSourcesAreTranslated() {
        const Explanation e = explain("interleaved", {4, 2, 8, 0}, Language::Chinese);
        QCOMPARE(QString::fromStdString(e.title), QString("交错式 1F1B"));
        QVERIFY(QString::fromStdString(e.source).contains("提前式"));
        QVERIFY(QString::fromStdString(explain("forward-only", {4, 1, 8, 0}, Language::Chinese).source)
                    .startsWith("推理"));
    }

    void theNumbersArePutIn() {
        const Explanation e = explain("1f1b", {4, 1, 8, 0}, Language::English);
        QVERIFY(QString::fromStdString(e.bubble).contains("(p-1)/(m+p-1) = (4-1)/(8+4-1) = 27.3 %"));
        QVERIFY(QString::fromStdString(e.memory).contains(": 4 3 2 1;"));
        QVERIFY(QString::fromStdString(e.bubble).contains("(p-1)/m = (4-1)/8 = 37.5 %"));
        QVERIFY(QString::fromStdString(e.memory).contains("min(8,4-0) = 4"));
        QVERIFY(QString::fromStdString(e.communication).startsWith("6 messages"));
        QVERIFY(QString::fromStdString(explain("interleaved", {4, 2, 8, 0}, Language::English).communication)
                    .startsWith("14 messages"));
        QVERIFY(QString::fromStdString(explain("zb-v", {4, 2, 8, 0}, Language::English).communication)
                    .startsWith("12 messages"));
        QCOMPARE(QString::fromStdString(explain("zb-v", {2, 2, 4, 0}, Language::English).placement),
                 QString("rank 0: stages 0 3\nrank 1: stages 1 2"));
        QCOMPARE(QString::fromStdString(explain("1f1b", {2, 1, 4, 0}, Language::English).placement),
                 QString("rank 0: stage 0\nrank 1: stage 1"));
        QVERIFY(QString::fromStdString(explain("dualpipe", {4, 2, 8, 0}, Language::English).weights)
                    .contains("2 copies"));
        QVERIFY(QString::fromStdString(explain("pipedream", {4, 1, 8, 0}, Language::English).weights)
                    .contains("(4 on rank 0)"));
        // Where the closed form does not hold, the orders are played.
        QVERIFY(QString::fromStdString(explain("zb-h1", {4, 1, 2, 0}, Language::English).bubble)
                    .contains("played"));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, explain("1f1b", {4, 2, 8, 0}, Language::English));
    }
};

BUBBLESCOPE_TEST(TestExplain)

}  // namespace tst_explain

#include "tst_explain.moc"
