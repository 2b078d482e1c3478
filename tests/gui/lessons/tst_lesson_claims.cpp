// What lessons say about the numbers of their runs: every claim can be read, holds for the planned runs of
// its lesson, and is belied by the numbers of a machine that was busy with something else.
#include <google/protobuf/util/json_util.h>

#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "analysis/planned_iteration.h"
#include "app/lessons/lesson_book.h"
#include "app/lessons/lesson_runner.h"
#include "catalog/catalog.h"
#include "catalog/endless_stream.h"
#include "lesson_runs_of.h"
#include "lessons/lesson_course.h"
#include "lessons/lesson_text.h"
#include "lessons/written_numbers.h"
#include "registered_test.h"
#include "sample_view.h"
#include "schedule/weight_versions.h"
#include "shape/config_shape.h"
#include "timeline/mean_durations.h"
#include "report/measured_report.h"
#include "report/traffic.h"
#include "timeline/median.h"
#include "view/prepared_view.h"
#include "wire/convert.h"

namespace tst_lesson_claims {

using namespace bscope;
using namespace bscope::ui;

namespace {

using Runs = std::vector<std::optional<IterationView>>;

// As if every stage took what it is planned to take.
std::optional<IterationView> planned(const RunConfig& config) {
    const PlannedIteration plan = planIteration(config, estimateCosts(config, nullptr));
    IterationView view;
    view.config = config;
    IterationReport& report = view.report.emplace();
    fillMeasured(report, plan.summary);
    report.tokens_per_s = plan.tokens_per_s;
    fillSizes(report, config);
    view.ran = plan.timeline;
    const Schedule schedule = makeSchedule(config.schedule, config.params);
    const Costs costs = estimateCosts(config, nullptr);
    report.theory_bubble_of_total =
        plan.stream ? 0 : closedFormBubble(schedule, costs, config.recomputedApart());
    const std::vector<std::int64_t> weights = weightsOfRanks(config, schedule),
                                    optimizer = optimizerOfRanks(config, schedule);
    const std::vector<RankTraffic> traffic = countTraffic(config, schedule);
    const std::vector<double> sums_ns = shardSums_ns(config, schedule, *plan.timeline);
    for (RankReport& rank : report.ranks) {
        const auto index = static_cast<std::size_t>(rank.rank);
        fillState(rank, weights[index], optimizer[index]);
        rank.shards_bytes = traffic[index].shards;
        rank.shards_transfer_ms = sums_ns[index] / 1e6;
        if (!plan.stream) continue;
        const EndlessStream stream(schedule, config.params.m, config.recomputedApart());
        rank.weight_versions = versionsHeld(weightVersions(stream.piece(), rank.rank));
        rank.stashed_weight_bytes = (rank.weight_versions - 1) * rank.weight_bytes;
    }
    return view;
}

double medianForward_ns(const IterationView& view) {
    std::vector<std::int64_t> forwards;
    for (int rank = 0; rank < view.ran->ranks(); ++rank)
        for (const Event& event : view.ran->compute(rank))
            if (event.op == Op::Forward) forwards.push_back(event.duration_ns());
    return median(forwards);
}

// A link as slow as the run says, in forward passes of the first run; a table as the course reads it.
LessonRuns runsOf(const google::protobuf::RepeatedPtrField<wire::LessonRun>& runs) {
    LessonRuns named;
    double forward_ns = 0;
    for (int i = 0; i < runs.size(); ++i) {
        const CourseRun run = courseRun(runs[i]);
        RunConfig config = fromWire(runs[i].config());
        std::optional<LessonRun>& kept = named[runName(static_cast<std::size_t>(i))];
        if (!run.table.empty()) {
            kept = LessonCourse({run}).kept(0);
            continue;
        }
        if (i == 0) forward_ns = medianForward_ns(*planned(config));
        if (run.latency_of_f > 0) config.link.latency_us = run.latency_of_f * forward_ns / 1e3;
        kept = lessonRuns(Runs{planned(config)}).at("A");
    }
    return named;
}

Runs withNumbers(std::vector<std::pair<double, double>> iteration_ms_and_tokens) {
    Runs runs;
    for (const auto& [iteration_ms, tokens_per_s] : iteration_ms_and_tokens) {
        runs.emplace_back().emplace().report.emplace();
        runs.back()->report->iteration_ms = iteration_ms;
        runs.back()->report->tokens_per_s = tokens_per_s;
    }
    return runs;
}

bool holds(const char* claim, const Runs& runs) {
    return claimHolds(claim, lessonRuns(runs)).value();
}

}  // namespace

class TestLessonClaims : public QObject {
    Q_OBJECT
private slots:
    // The picture of runs that share their durations is explained by itself, not by the iteration it was.
    void everyGapOfASharedRunHasItsCause() {
        const auto view = [](const char* schedule, int times) {
            IterationView made = sampleView({.schedule = schedule});
            auto ran = std::make_shared<Timeline>(made.ran->ranks(), Provenance::Reconstructed);
            for (int rank = 0; rank < made.ran->ranks(); ++rank)
                for (Event event : made.ran->compute(rank)) {
                    event.start_ns = made.start_ns + times * (event.start_ns - made.start_ns);
                    event.end_ns = made.start_ns + times * (event.end_ns - made.start_ns);
                    ran->append(event);
                }
            made.ran = made.summed = ran;
            made.summary = summarize(*ran, made.iteration);
            made.report->provenance = Provenance::Reconstructed;
            made.report->costs = sampleCosts(4, 1, true);
            made.config.link.latency_us = 0;
            fillMeasured(*made.report, *made.summary);
            return made;
        };
        const IterationView one = view("gpipe", 1), other = view("1f1b", 3);
        LessonRunner::Made made{LessonCourse({{one.config}, {other.config}}), {{}, {}}};
        while (!made.course.finished()) {
            const std::size_t run = made.course.run();
            const IterationView& each = run == 0 ? one : other;
            if (made.course.add({.config = each.config, .report = *each.report, .ran = each.ran}))
                made.counted[run].push_back(each);
        }
        Session session;
        LessonRunner runner(session);
        runner.show(std::move(made));
        for (const IterationView& shared : runner.views()) {
            QVERIFY(!shared.pooled_over.empty());
            const PreparedView prepared(shared);
            int gaps = 0;
            for (int rank = 0; rank < prepared.lanes(); ++rank)
                for (const IdlePeriod& period : prepared.lane(rank).idle) {
                    const Gap* const gap = prepared.gapOf(period);
                    QVERIFY(gap && gap->start_ns == period.start_ns && gap->end_ns == period.end_ns);
                    ++gaps;
                }
            QVERIFY(gaps > 8);
        }
    }

    void everyLessonClaimsWhatItsPlansShow() {
        const LessonBook book = LessonBook::embedded();
        QVERIFY(!book.lessons().empty());
        for (const wire::Scenario* lesson : book.lessons()) {
            LessonRuns runs = runsOf(lesson->lesson().runs());
            QVERIFY2(lesson->lesson().claims_size() > 0, lesson->id().c_str());
            Claims claims = lesson->lesson().claims();
            for (int set = 0; set < lesson->lesson().tries_size(); ++set) {
                const wire::LessonTry& tried = lesson->lesson().tries(set);
                for (auto& [name, run] : runsOf(tried.runs())) runs[setName(set) + name] = std::move(run);
                claims.MergeFrom(tried.claims());
            }
            for (const std::string& claim : claims) {
                if (claim.find(".loss") != std::string::npos) continue;  // nothing is trained in a plan
                const std::optional<bool> so = claimHolds(claim, runs);
                QVERIFY2(so.value_or(false), (lesson->id() + ": " + claim).c_str());
            }
        }
    }

    // What a lesson prints of a run, of the very rank, is under a claim of the same part of the lesson, so
    // that a machine that gives another picture does not print what contradicts it. Parameters and closed
    // forms need none.
    void everyPrintedNumberIsClaimed() {
        static const QRegularExpression place(QStringLiteral("\\{([^}]*)\\}")),
            name(QStringLiteral("\\b((?:T\\d)?[ABC])\\.([a-z_]+)(\\.\\d+)?"));
        const auto namesIn = [](const QString& text) {
            QSet<QString> names;
            for (auto all = name.globalMatch(text); all.hasNext();) {
                const auto found = all.next();
                if (!QStringList{"p", "m", "v", "d", "theory", "theory_ideal"}.contains(found.captured(2)))
                    names << found.captured(0);
            }
            return names;
        };
        const LessonBook book = LessonBook::embedded();
        for (const wire::Scenario* scenario : book.lessons()) {
            const wire::Lesson& lesson = scenario->lesson();
            QSet<QString> claimed;
            const auto add = [&](const Claims& claims) {
                for (const std::string& claim : claims) claimed |= namesIn(QString::fromStdString(claim));
            };
            add(lesson.claims());
            QStringList missing;
            const auto check = [&](const wire::Text& text) {
                for (auto all = place.globalMatch(QString::fromStdString(text.en() + text.zh()));
                     all.hasNext();)
                    for (const QString& used : namesIn(all.next().captured(1)))
                        if (!claimed.contains(used)) missing << used;
            };
            check(lesson.reveal());
            check(lesson.follow_up());
            for (const wire::Choice& choice : lesson.choices()) check(choice.why());
            for (const wire::LessonMark& mark : lesson.marks()) check(mark.words());
            const QSet<QString> of_lesson = claimed;
            for (const wire::LessonTry& set : lesson.tries()) {
                claimed = of_lesson;
                add(set.claims());
                check(set.after());
            }
            QVERIFY2(missing.isEmpty(),
                     qPrintable(QString::fromStdString(scenario->id()) + ": " + missing.join(", ")));
        }
    }

    // A number that a run or a formula makes is nowhere typed in, and every set of tries says what it shows.
    void noNumberIsWrittenByHand() {
        const LessonBook book = LessonBook::embedded();
        for (const wire::Scenario* lesson : book.lessons()) {
            for (const Sentence& found : writtenNumbers(lesson->lesson()))
                QFAIL((lesson->id() + ": " + say(found, Language::English)).c_str());
            for (const wire::LessonTry& set : lesson->lesson().tries())
                QVERIFY2(!set.after().en().empty() && !set.after().zh().empty(), lesson->id().c_str());
        }
    }

    // The tables in a lesson are those that stand beside it as files.
    void tablesAreTheFiles() {
        const LessonBook book = LessonBook::embedded();
        const wire::Lesson& lesson = book.find("find-the-impossible-box")->lesson();
        std::vector<std::pair<const wire::LessonRun*, const char*>> tables{
            {&lesson.runs(1), "48-layers-p4-m4"},
            {&lesson.tries(0).runs(1), "1f1b-p4-m8"},
            {&lesson.tries(1).runs(1), "gpipe-p4-m4"}};
        for (const auto& [run, name] : tables) {
            QFile file(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/scenarios/files/%1.csv").arg(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(courseRun(*run).table, file.readAll().toStdString());
        }
    }

    // Neither by its length nor by its place; and for every wrong one it is said why it is wrong.
    void theRightChoiceDoesNotGiveItselfAway() {
        const LessonBook book = LessonBook::embedded();
        const auto lessons = static_cast<int>(book.lessons().size());
        QCOMPARE(lessons, 33);
        std::map<int, int> places;
        for (const Language language : {Language::English, Language::Chinese}) {
            int longest = 0;
            for (const wire::Scenario* scenario : book.lessons()) {
                const auto& choices = scenario->lesson().choices();
                qsizetype right = 0, others = 0;
                for (int i = 0; i < choices.size(); ++i) {
                    const qsizetype length = textOf(choices[i].text(), language).size();
                    if (choices[i].right()) {
                        right = length;
                        ++places[i];
                    } else {
                        others = std::max(others, length);
                        QVERIFY2(!textOf(choices[i].why(), language).isEmpty(), scenario->id().c_str());
                    }
                }
                longest += right > others ? 1 : 0;
            }
            QVERIFY2(3 * longest <= lessons, qPrintable(QString::number(longest)));
        }
        for (int place = 0; place < 4; ++place) QVERIFY(places[place] >= 2 * 3);
    }

    // 1F1B with recomputation that waits for the gradient, and with one that does not: what fill and drain
    // hide of it. Lesson 8 and card Q11.
    void recomputationBeforeTheGradientHidesItInFillAndDrain() {
        // F = 1, B = 2, the forward again 1; the end of the last operation.
        const auto makespan = [](int p, int m, double again, bool early) {
            std::vector<std::vector<double>> f_end(p, std::vector<double>(m, -1)), b_end = f_end;
            std::vector<double> free(p, 0);
            std::vector<int> f(p, 0), b(p, 0);
            for (bool goes_on = true; goes_on;) {
                goes_on = false;
                for (int r = 0; r < p; ++r) {
                    const bool forward = f[r] < m && f[r] - b[r] < p - r;
                    if (forward && (r == 0 || f_end[r - 1][f[r]] >= 0)) {
                        const double input = r == 0 ? 0 : f_end[r - 1][f[r]];
                        free[r] = f_end[r][f[r]] = std::max(free[r], input) + 1;
                        ++f[r], goes_on = true;
                    } else if (!forward && b[r] < m && (r == p - 1 || b_end[r + 1][b[r]] >= 0)) {
                        const double gradient = r == p - 1 ? f_end[r][b[r]] : b_end[r + 1][b[r]];
                        free[r] = b_end[r][b[r]] = early ? std::max(free[r] + again, gradient) + 2
                                                         : std::max(free[r], gradient) + again + 2;
                        ++b[r], goes_on = true;
                    }
                }
            }
            return *std::ranges::max_element(free);
        };
        for (const int p : {2, 4, 8})
            for (const int m : {p, 2 * p, 3 * p + 1}) {
                const double without = makespan(p, m, 0, false);
                QCOMPARE(without, 3.0 * (m + p - 1));
                QCOMPARE(makespan(p, m, 1, false) - without, 1.0 * (m + p - 1));
                QCOMPARE(makespan(p, m, 1, true) - without, 1.0 * m);  // (p − 1)F of (m + p − 1)F are hidden
            }
    }

    // What follow-ups say of orders against sentences of other texts.
    void ordersAreAsTheFollowUpsSay() {
        const LessonBook book = LessonBook::embedded();
        const auto ran = [&](const char* lesson, const char* name) {
            return runsOf(book.find(lesson)->lesson().runs()).at(name)->ran;
        };
        const auto first = [](const Timeline& of, int rank) { return of.compute(rank)[0].start_ns; };
        const auto gpipe = ran("micro-batches-fill-the-pipe", "A");  // "GPU0 has the bubble in front"
        QCOMPARE(first(*gpipe, 0), std::int64_t{0});
        for (int rank = 1; rank < 4; ++rank) QVERIFY(first(*gpipe, rank) > first(*gpipe, rank - 1));
        for (int rank = 0; rank < 4; ++rank) {
            std::int64_t last_backward = 0, step = -1;  // "updated after the gradient of batch 1"
            int steps = 0;
            for (const Event& event : gpipe->compute(rank)) {
                if (event.op == Op::Backward) last_backward = std::max(last_backward, event.end_ns);
                if (event.op == Op::OptimizerStep) step = event.start_ns, ++steps;
            }
            QVERIFY(steps <= 1 && (steps == 0 || step >= last_backward));
            // "kept until the optimizer update": nothing is held when the last backward has ended.
            const auto memory = gpipe->memory(rank);
            QCOMPARE(memory[memory.size() - 1].in_flight, 0);
            QVERIFY(memory[memory.size() - 1].time_ns <= last_backward);
        }
        const auto wraps = ran("virtual-stages", "B");  // "F1(S4) right after F2(S0)", "B1(S0) as sixth"
        int before_b = 0, place = 0, of_first = -1, last_stage = -1;
        for (const Event& event : wraps->compute(0)) {
            if (event.op == Op::Forward && event.stage >= 4 && last_stage < 0) last_stage = event.stage;
            if (event.op == Op::Forward && event.stage < 4 && last_stage < 0) ++before_b;
            if (event.op == Op::Backward && event.stage == 0 && event.microbatch == 0) of_first = place;
            ++place;
        }
        QCOMPARE(before_b, 4);
        QCOMPARE(last_stage, 4);
        QVERIFY2(of_first > 10, qPrintable(QString::number(of_first)));
    }

    // Each of these mistakes of printed texts is taken up where its subject is met, in both languages.
    void printedMistakesAreConfronted() {
        const LessonBook book = LessonBook::embedded();
        const struct {
            const char* lesson;
            const char* en;
            const char* zh;
        } mistakes[] = {
            {"nobody-works-together", "broken rules: only GPU3 can begin", "那一刻只有 GPU3 能开始反向"},
            {"micro-batches-fill-the-pipe", "GPU0 has 3 units of bubble in front",
             "GPU0 前面有 3 个单位的气泡"},
            {"micro-batches-fill-the-pipe", "updated after the gradient of batch 1",
             "得到第 1 批的梯度就更新该层"},
            {"micro-batches-fill-the-pipe", "kept until the optimizer update", "一直留到优化器更新"},
            {"is-inference-worse", "90 % = 1 − 9.4 %", "90 % = 1 − 9.4 %"},
            {"1f1b-against-gpipe", "once stage j + 1 has done its forward", "第 j + 1 级做完前向"},
            {"1f1b-against-gpipe", "Warm-up is p − 1 forwards", "预热是 p − 1 次前向"},
            {"1f1b-against-gpipe", "wait for F4 before it can do F5", "GPU0 要等 F4 才能做 F5"},
            {"checkpointing", "not of the first alone", "只留第一个微批次"},
            {"checkpointing", "has since been removed", "后来已被移除"},
            {"the-memory-wall", "are not “more micro-batches”", "也不等于“微批次更多”"},
            {"find-the-impossible-box", "called “interleaved 1F1B”", "“交错式 1F1B”"},
            {"find-the-impossible-box", "B1 also updates the weights", "B1 同时更新权重"},
            {"find-the-impossible-box", "reach GPU2 at “t = 5”", "“t = 5”到达 GPU2"},
            {"find-the-impossible-box", "with m = 8, has the same fault", "m = 8 的大图也是同样的毛病"},
            {"virtual-stages", "back and forth between GPU0 and GPU1", "在 GPU0 和 GPU1 之间来回"},
            {"virtual-stages", "F1(S0) F2(S0) F1(S4)", "F1(S0) F2(S0) F1(S4)"},
            {"virtual-stages", "turn into 1F1B", "打开之后就成了 1F1B"},
            {"never-flush", "not of DeepSpeed's team", "不是 DeepSpeed 团队"},
            {"never-flush", "no gap between forward and backward passes", "不是前向和反向之间的空隙"},
            {"never-flush", "does not remove every bubble", "去不掉所有气泡"},
            {"eight-devices", "draws it the other way round", "画反了"},
            {"eight-devices", "count both directions", "是双向合计"},
            {"eight-devices", "half-open ranges", "左闭右开"},
            {"can-the-bubble-explain-it", "about three times the efficiency", "效率约为 3 倍"},
            {"can-the-bubble-explain-it", "utilisation 85 %", "利用率 85 %"},
            {"can-the-bubble-explain-it", "98, 93, 85 and 72 % of peak", "98、93、85、72 %"},
        };
        for (const auto& mistake : mistakes) {
            const wire::Lesson& lesson = book.find(mistake.lesson)->lesson();
            std::string en = lesson.story().en() + lesson.reveal().en() + lesson.follow_up().en();
            std::string zh = lesson.story().zh() + lesson.reveal().zh() + lesson.follow_up().zh();
            for (const wire::LessonTry& set : lesson.tries()) en += set.after().en(), zh += set.after().zh();
            QVERIFY2(en.find(mistake.en) != std::string::npos, mistake.en);
            QVERIFY2(zh.find(mistake.zh) != std::string::npos, mistake.zh);
        }
    }

    // Seen on a machine that was busy.
    void aBusyMachineBeliesThem() {
        QVERIFY(!holds("A.iteration_ms ~5% B.iteration_ms", withNumbers({{547.9, 1}, {512.5, 1}})));
        const Runs doubled = withNumbers({{1, 2406}, {1, 3460}, {1, 5725}});
        QVERIFY(!holds("C.tokens_per_s / B.tokens_per_s < B.tokens_per_s / A.tokens_per_s", doubled));
        QVERIFY(holds("C.tokens_per_s < 2 * B.tokens_per_s", doubled));
    }

    void aFileThatNamesWhatDoesNotExistIsRefused() {
        const LessonBook book = LessonBook::embedded();
        QTemporaryDir folder;
        const auto refusal = [&](const auto& change) -> QString {
            wire::Scenario scenario = *book.lessons().front();
            change(*scenario.mutable_lesson());
            std::string json;
            if (!google::protobuf::util::MessageToJsonString(scenario, &json).ok()) return "no JSON";
            QFile file(folder.filePath("own.json"));
            if (!file.open(QIODevice::WriteOnly)) return "no file";
            file.write(QByteArray::fromStdString(json));
            file.close();
            try {
                openScenario(file.fileName());
                return "";
            } catch (const WireError& error) {
                return error.what();
            }
        };
        QCOMPARE(refusal([](wire::Lesson&) {}), QString());
        QVERIFY(refusal([](wire::Lesson& lesson) {
                    lesson.mutable_reveal()->set_zh("{A.bubbles}");
                }).endsWith("own.json: no lesson has a number named A.bubbles"));
        QVERIFY(refusal([](wire::Lesson& lesson) {
                    lesson.mutable_follow_up()->set_en("{=A.p}");
                }).contains("does not say its decimals"));
        QVERIFY(refusal([](wire::Lesson& lesson) { lesson.add_claims("A.p ! 2"); }).contains("is not"));
    }
};

BUBBLESCOPE_TEST(TestLessonClaims)

}  // namespace tst_lesson_claims

#include "tst_lesson_claims.moc"
