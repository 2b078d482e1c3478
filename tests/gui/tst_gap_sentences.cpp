// What the hover card says about an idle gap, read back and held against the events: the rank and operation
// it names ended when the gap ended (a message's journey before that). Every schedule of the catalog, unequal
// stages, in both languages.
#include <QTranslator>
#include <QtTest>
#include <random>

#include "sample_view.h"
#include "widgets/picture/describe.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/format.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

constexpr std::int64_t kStart_ns = 5'000'000'000;

IterationView viewOf(const char* schedule, const ScheduleParams& params, Recompute recompute,
                     double latency_us, std::mt19937& random) {
    std::uniform_int_distribution<int> tenths_ms(50, 400);
    IterationView view;
    view.config.schedule = schedule;
    view.config.params = params;
    view.config.recompute = recompute;
    view.config.link.latency_us = latency_us;
    view.iteration = 3;
    view.start_ns = kStart_ns;
    const Program program = lower(makeSchedule(schedule, params), recompute);
    Costs costs;
    for (int s = 0; s < program.schedule.stageCount(); ++s) {
        const auto some = [&] { return 1e5 * tenths_ms(random); };
        StageCosts stage;
        stage.forward_ns = some();
        stage.backward_ns = 2 * some();
        stage.input_ns = some();
        stage.weight_ns = some();
        stage.recompute_ns = some();
        costs.stages.push_back(stage);
    }
    costs.reduce_ns = costs.optimizer_ns = 1e5;
    costs.link.latency_us = latency_us;
    auto ran =
        std::make_shared<Timeline>(predict(program, costs, Overlap::Serial, kStart_ns, view.iteration));
    view.ran = view.planned = ran;
    view.summary = view.plan_summary = summarize(*ran, view.iteration);
    return view;
}

// The arguments that a sentence was made with, by their numbers; empty when it was made from another
// template.
QStringList readBack(const QString& pattern, const QString& sentence) {
    QString expression = QRegularExpression::escape(pattern);
    QStringList order;
    static const QRegularExpression place(QStringLiteral("\\\\%([1-9])"));
    for (auto match = place.match(expression); match.hasMatch(); match = place.match(expression)) {
        order << match.captured(1);
        expression.replace(match.capturedStart(), match.capturedLength(), QStringLiteral("(.+?)"));
    }
    const auto found = QRegularExpression(QRegularExpression::anchoredPattern(expression)).match(sentence);
    if (!found.hasMatch()) return {};
    QStringList arguments(order.size());
    for (int i = 0; i < order.size(); ++i) arguments[order[i].toInt() - 1] = found.captured(i + 1);
    return arguments;
}

class Reader {
public:
    Reader(const Picture& picture, std::int64_t hop_ns) : picture_(picture), hop_ns_(hop_ns) {}

    // "" when every name and time of the gap's card is the events'.
    QString problemOf(int rank, const IdlePeriod& period) const {
        Hit hit;
        hit.part = Hit::Part::Idle;
        hit.group = 0;
        hit.rank = rank;
        hit.idle = period;
        QStringList lines = describe(picture_, hit).lines;
        const QString all = lines.join(u'|');
        std::int64_t since_ns = period.start_ns;
        if (const QStringList step = readBack(Canvas::tr("%1 does its optimizer step until %2."), lines[0]);
            !step.isEmpty()) {
            since_ns = endOfStepAfter(rank, period.start_ns);
            if (step[0] != rankText(rank, false) || step[1] != at(since_ns)) return "no such step: " + all;
            if (since_ns == period.end_ns) return {};
            lines.removeFirst();
        }
        if (const QStringList end = readBack(
                Canvas::tr("%1 has finished its part; the iteration ends at %2, when %3 has done %4."),
                lines[0]);
            !end.isEmpty()) {
            if (end[0] != rankText(rank, false)) return "another rank: " + all;
            if (end[1] != at(period.end_ns)) return "another time: " + all;
            return ended(end[2], end[3], period.end_ns) ? QString() : "did not end the iteration: " + all;
        }
        const QStringList wait = readBack(Canvas::tr("%1 waits since %2 for %3 to do %4."), lines[0]);
        if (wait.isEmpty() || lines.size() < 2) return "no cause: " + all;
        if (wait[0] != rankText(rank, false)) return "another rank: " + all;
        if (wait[1] != at(since_ns)) return "another time: " + all;
        const QStringList travelled =
            readBack(Canvas::tr("It was done at %1, then the message travelled %2."), lines[1]);
        const std::int64_t made_ns = period.end_ns - (travelled.isEmpty() ? 0 : hop_ns_);
        if (!ended(wait[2], wait[3], made_ns)) return "did not end then: " + all;
        const QStringList done =
            travelled.isEmpty() ? readBack(Canvas::tr("It was done at %1."), lines[1]) : travelled;
        if (done.isEmpty() || done[0] != at(made_ns)) return "was not done then: " + all;
        if (!travelled.isEmpty() && travelled[1] != picture_.notation.duration(static_cast<double>(hop_ns_)))
            return "travelled for another time: " + all;
        return {};
    }

private:
    const PreparedView& group() const { return picture_.groups.front(); }
    QString at(std::int64_t time_ns) const { return picture_.notation.duration(group().relative(time_ns)); }
    std::int64_t endOfStepAfter(int rank, std::int64_t time_ns) const {
        for (const Event& e : group().ran(rank))
            if (e.op == Op::OptimizerStep && e.end_ns > time_ns) return e.end_ns;
        return -1;
    }
    bool ended(const QString& rank, const QString& operation, std::int64_t end_ns) const {
        for (int r = 0; r < group().lanes(); ++r)
            for (const Event& e : group().ran(r))
                if (rankText(r, false) == rank && e.end_ns == end_ns &&
                    picture_.notation.action(e.op, e.microbatch, group().chunkLetterOf(e.stage)) == operation)
                    return true;
        return false;
    }

    const Picture& picture_;
    std::int64_t hop_ns_;
};

// Gaps read; the first problem goes to `problem`.
int readAll(QString& problem) {
    std::mt19937 random(1);
    int gaps = 0;
    for (const CatalogEntry& entry : catalog())
        for (const int p : {2, 4})
            for (const int v : {1, 2})
                for (const int d : {1, 2})
                    for (const Recompute recompute : {Recompute::None, Recompute::Full})
                        for (const double latency_us : {0.0, 900.0}) {
                            ScheduleParams params{p, v, 4, 0};
                            params.d = d;
                            if (!scheduleProblems(entry.name, params).empty()) continue;
                            Picture picture;
                            picture.groups.emplace_back(
                                viewOf(entry.name, params, recompute, latency_us, random));
                            const Reader reader(picture, std::llround(1e3 * latency_us));
                            const PreparedView& group = picture.groups.front();
                            for (int rank = 0; rank < group.lanes(); ++rank)
                                for (const IdlePeriod& period : group.lane(rank).idle) {
                                    const QString found = reader.problemOf(rank, period);
                                    if (problem.isEmpty() && !found.isEmpty())
                                        problem = QString("%1 p=%2 v=%3 d=%4: %5")
                                                      .arg(entry.name)
                                                      .arg(p)
                                                      .arg(v)
                                                      .arg(d)
                                                      .arg(found);
                                    ++gaps;
                                }
                        }
    return gaps;
}

}  // namespace

class TestGapSentences : public QObject {
    Q_OBJECT
private slots:
    void inEnglish() {
        QString problem;
        const int gaps = readAll(problem);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QVERIFY2(gaps > 1000, qPrintable(QString::number(gaps)));
    }

    void inChinese() {
        QTranslator chinese;
        QVERIFY(chinese.load(QStringLiteral(":/i18n/bubblescope_zh_CN.qm")));
        QCoreApplication::installTranslator(&chinese);
        QString problem;
        readAll(problem);
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
};

QTEST_MAIN(TestGapSentences)
#include "tst_gap_sentences.moc"
