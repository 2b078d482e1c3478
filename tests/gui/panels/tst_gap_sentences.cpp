// What the window says about an idle gap, read back and held against the events: the rank and operation it
// names ended when the gap ended (a message's journey before that), and its parts add up to the gap. Every
// schedule of the catalog, unequal stages, in both languages.
#include <QTest>
#include <QTranslator>
#include <random>

#include "registered_test.h"
#include "sample_view.h"
#include "widgets/picture/describe.h"
#include "widgets/picture/gap_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace tst_gap_sentences {

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
QStringList readBack(const char* id, const QString& sentence) {
    QString expression = QRegularExpression::escape(said(Sentence{id, {}}));
    QStringList order;
    static const QRegularExpression place(QStringLiteral("\\\\\\{([0-9])\\\\\\}"));
    for (auto match = place.match(expression); match.hasMatch(); match = place.match(expression)) {
        order << match.captured(1);
        expression.replace(match.capturedStart(), match.capturedLength(), QStringLiteral("(.+?)"));
    }
    const auto found = QRegularExpression(QRegularExpression::anchoredPattern(expression)).match(sentence);
    if (!found.hasMatch()) return {};
    QStringList arguments(order.size());
    for (int i = 0; i < order.size(); ++i) arguments[order[i].toInt()] = found.captured(i + 1);
    return arguments;
}

constexpr const char* kEnd =
    "{0} has done its part {1} before the iteration ends with {2} of {3}, the end of a chain of "
    "operations ({4}) and messages ({5}). Of that: {6}.";
constexpr const char* kWaits =
    "{0} waits {1} for {2} of {3}, the end of a chain of operations ({4}) and messages ({5}). Of that: {6}.";
constexpr const char* kOnItsWay =
    "{0} waits {1} for the message with {2} of {3}, which is on its way. Of that: {4}.";
constexpr const char* kNothing = "{0} is idle for {1} before {2}. Of that: {3}.";

class Reader {
public:
    Reader(const Picture& picture, std::int64_t hop_ns) : picture_(picture), hop_ns_(hop_ns) {}

    // "" when every name and length of the gap's card is the events'.
    QString problemOf(int rank, const IdlePeriod& period) const {
        Hit hit;
        hit.part = Hit::Part::Idle;
        hit.group = 0;
        hit.rank = rank;
        hit.idle = period;
        const QString reported = describe(picture_, hit).lines.front();
        const auto length_ns = static_cast<double>(period.end_ns - period.start_ns);
        const auto startsAs = [&](const QStringList& read) {
            return read[0] == rankText(rank, false) && read[1] == picture_.notation.duration(length_ns) &&
                   addsUp(read.back(), length_ns);
        };
        if (const QStringList end = readBack(kEnd, reported); !end.isEmpty()) {
            if (!startsAs(end)) return "another rank or length: " + reported;
            return ended(end[3], end[2], period.end_ns) ? QString()
                                                        : "did not end the iteration: " + reported;
        }
        if (const QStringList wait = readBack(kWaits, reported); !wait.isEmpty()) {
            if (!startsAs(wait)) return "another rank or length: " + reported;
            const bool by_message = ended(wait[3], wait[2], period.end_ns - hop_ns_);
            return by_message && wait[5].toInt() > 0 ? QString() : "did not end then: " + reported;
        }
        if (const QStringList sent = readBack(kOnItsWay, reported); !sent.isEmpty())
            return startsAs(sent) && ended(sent[3], sent[2], period.end_ns - hop_ns_)
                       ? QString()
                       : "was not on its way: " + reported;
        const QStringList nothing = readBack(kNothing, reported);
        if (nothing.isEmpty()) return "no cause: " + reported;
        return startsAs(nothing) && begins(rank, nothing[2], period.end_ns)
                   ? QString()
                   : "does not begin then: " + reported;
    }

private:
    const PreparedView& group() const { return picture_.groups.front(); }
    QString nameOf(const Event& e) const {
        return picture_.notation.action(e.op, e.microbatch, group().chunkLetterOf(e.stage));
    }
    // The lengths of the parts, as printed.
    static bool addsUp(const QString& parts, double length_ns) {
        static const QRegularExpression number(QStringLiteral("([\\d.]+)\u00A0(ms|µs|ns)"));
        double sum_ns = 0, tolerance_ns = 0;
        for (auto each = number.globalMatch(parts); each.hasNext();) {
            const auto match = each.next();
            const double unit = match.captured(2) == u"ms" ? 1e6 : match.captured(2) == u"ns" ? 1 : 1e3;
            sum_ns += match.captured(1).toDouble() * unit;
            tolerance_ns += 0.06 * unit;
        }
        return sum_ns > 0 && std::abs(sum_ns - length_ns) <= tolerance_ns;
    }
    bool begins(int rank, const QString& operation, std::int64_t start_ns) const {
        return std::ranges::any_of(group().ran(rank), [&](const Event& e) {
            return e.start_ns == start_ns && nameOf(e) == operation;
        });
    }
    bool ended(const QString& rank, const QString& operation, std::int64_t end_ns) const {
        for (int r = 0; r < group().lanes(); ++r)
            for (const Event& e : group().ran(r))
                if (rankText(r, false).compare(rank, Qt::CaseInsensitive) == 0 && e.end_ns == end_ns &&
                    nameOf(e) == operation)
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

    // GPU 2 takes half as long again; of what it takes longer a quarter are launch gaps, as its report says.
    void aSlowGpuWhoseLaunchesAreLate() {
        const ScheduleParams params{4, 2, 16, 0};
        const Program program = lower(makeSchedule("interleaved", params), Recompute::None);
        Costs costs;
        for (int stage = 0; stage < program.schedule.stageCount(); ++stage) {
            const double factor = program.schedule.placement[std::size_t(stage)] == 2 ? 1.5 : 1;
            costs.stages.push_back({.forward_ns = 1e6 * factor, .backward_ns = 2e6 * factor});
        }
        Picture picture;
        IterationView view;
        view.config.schedule = "interleaved";
        view.config.params = params;
        view.iteration = 3;
        view.start_ns = kStart_ns;
        view.ran = view.planned =
            std::make_shared<Timeline>(predict(program, costs, Overlap::Serial, kStart_ns, view.iteration));
        view.summary = view.plan_summary = summarize(*view.ran, view.iteration);
        view.report.emplace();
        view.report->timing.source = TimingSource::Cupti;
        for (int rank = 0; rank < params.p; ++rank) {
            const double busy_ms = 1e-6 * double(view.summary->ranks[std::size_t(rank)].busy_ns);
            view.report->ranks.push_back({.rank = rank, .launch_gap_ms = rank == 2 ? 0.25 * busy_ms / 3 : 0});
        }
        const auto reportedOf = [&](const IterationView& of) {
            picture.groups = {PreparedView(of)};
            const PreparedView& group = picture.groups.front();
            QStringList reported;
            for (int rank = 0; rank < group.lanes(); ++rank)
                for (const IdlePeriod& period : group.lane(rank).idle)
                    if (const Gap* gap = group.gapOf(period);
                        gap != nullptr && gap->parts[std::size_t(BubbleCause::SlowRank)] > 0)
                        reported << gapSentences(group, picture.notation, rank, period).front();
            return reported;
        };
        const QStringList reported = reportedOf(view);
        QVERIFY(reported.size() > 10);
        QCOMPARE(reported
                     .filter("2 is 50 % slower than the others, 25 % of that through launch gaps inside its "
                             "operations")
                     .size(),
                 reported.size());
        view.report->timing.source = TimingSource::Host;
        QCOMPARE(reportedOf(view).filter("launch gaps").size(), 0);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestGapSentences)

}  // namespace tst_gap_sentences

#include "tst_gap_sentences.moc"
