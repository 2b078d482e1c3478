// How two clocks are compared: which iterations count, the limits, and what is said and written about it.
#include <QTest>
#include <sstream>

#include "cli/report/clock_text.h"
#include "host/cores.h"
#include "registered_test.h"
#include "run/clock_check.h"
#include "run/run.h"

namespace tst_clock_check {

using namespace bscope;

namespace {

struct Figures {
    double iteration_ms, bubble, wall_over_cpu = 1, held_share = 0;
};

IterationReport report(const Figures& figures) {
    IterationReport made;
    made.iteration_ms = figures.iteration_ms;
    made.bubble_of_total = figures.bubble;
    made.wall_over_cpu = figures.wall_over_cpu;
    made.held_share = figures.held_share;
    made.ranks.resize(2);
    for (RankReport& rank : made.ranks) rank.busy_ms = figures.iteration_ms * (1 - figures.bubble);
    return made;
}

ClockFigures figuresOf(std::vector<Figures> all) {
    std::vector<IterationReport> reports;
    for (const Figures& each : all) reports.push_back(report(each));
    return clockFigures(reports);
}

ClockCheck check(const ClockFigures& measured, const ClockFigures& reconstructed) {
    ClockCheck made{clockCheckConfig(), "CPU, 2 cores", measured, reconstructed};
    made.measured.provenance = Provenance::Measured;
    return made;
}

QString printed(const ClockCheck& checked, Language language) {
    std::ostringstream out;
    cli::printClockCheck(cli::LinePrinter(out, language), checked);
    return QString::fromStdString(out.str());
}

}  // namespace

class TestClockCheck : public QObject {
    Q_OBJECT

private slots:
    void disturbedIterationsDoNotCount() {
        const ClockFigures figures = figuresOf(
            {{100, 0.10}, {200, 0.50, 1.02}, {104, 0.12}, {300, 0.60, 1, 0.02}, {102, 0.11, 1.005, 0.005}});
        QCOMPARE(figures.iterations, 5);
        QCOMPARE(figures.counted, 3);
        QCOMPARE(figures.iteration_ms, 102.0);
        QCOMPARE(figures.bubble_of_total, 0.11);
        QCOMPARE(figures.compute_ms, 2 * 102 * 0.89);
    }

    void ofAnEvenNumberTheMiddleTwoCount() {
        QCOMPARE(figuresOf({{100, 0.1}, {110, 0.1}, {104, 0.1}, {102, 0.1}}).iteration_ms, 103.0);
    }

    void bothLimitsDecide() {
        const ClockFigures base = figuresOf({{100, 0.100}});
        QCOMPARE(check(base, figuresOf({{101.9, 0.109}})).outcome(), ClockOutcome::Agree);
        QCOMPARE(check(base, figuresOf({{98.1, 0.091}})).outcome(), ClockOutcome::Agree);
        QCOMPARE(check(base, figuresOf({{97.9, 0.100}})).outcome(), ClockOutcome::Apart);
        QCOMPARE(check(base, figuresOf({{102.1, 0.100}})).outcome(), ClockOutcome::Apart);
        QCOMPARE(check(base, figuresOf({{100, 0.111}})).outcome(), ClockOutcome::Apart);
        QCOMPARE(check(base, figuresOf({{100, 0.089}})).outcome(), ClockOutcome::Apart);
    }

    void withTooFewQuietIterationsNothingIsKnown() {
        const Figures quiet{100, 0.1}, held{100, 0.1, 1, 0.02};
        QCOMPARE(check(figuresOf({quiet, held}), figuresOf({quiet})).outcome(), ClockOutcome::Agree);
        QCOMPARE(check(figuresOf({quiet, held, held}), figuresOf({quiet})).outcome(),
                 ClockOutcome::Disturbed);
        QCOMPARE(check(figuresOf({quiet}), figuresOf({held})).outcome(), ClockOutcome::Disturbed);
    }

    void bothFiguresTheirDifferenceAndTheLimitsAreSaid() {
        const ClockCheck apart = check(figuresOf({{100, 0.10}}), figuresOf({{97, 0.08}}));
        const QString english = printed(apart, Language::English),
                      chinese = printed(apart, Language::Chinese);
        for (const char* each :
             {"1F1B, p = 2, m = 16", "MEASURED", "100.00 ms", "RECONSTRUCTED", "97.00 ms", "-3.00 %",
              "-2.00 percentage points", "1.00 percentage points", "2.00 %", "Outside a limit"})
            QVERIFY2(english.contains(each), qPrintable(english));
        for (const char* each : {"MEASURED", "97.00 ms", "-2.00 个百分点", "超出限值"})
            QVERIFY2(chinese.contains(each), qPrintable(chinese));
        const ClockCheck busy = check(figuresOf({{100, 0.1, 1.2}}), figuresOf({{100, 0.1}}));
        QVERIFY(printed(busy, Language::English).contains("Disturbed, run again"));
        QVERIFY(printed(busy, Language::English).contains("0 of 1"));
    }

    void jsonHoldsTheSame() {
        const auto json = cli::clockCheckJson(check(figuresOf({{100, 0.10}}), figuresOf({{101, 0.105}})));
        QCOMPARE(json["outcome"].get<std::string>(), std::string("agree"));
        QCOMPARE(json["measured"]["iteration_ms"].get<double>(), 100.0);
        QCOMPARE(json["reconstructed"]["provenance"].get<std::string>(), std::string("RECONSTRUCTED"));
        QVERIFY(std::abs(json["time_difference"].get<double>() - 0.01) < 1e-12);
        QVERIFY(std::abs(json["bubble_difference"].get<double>() - 0.005) < 1e-12);
        QCOMPARE(json["time_limit"].get<double>(), 0.02);
    }

    void bothClocksReallyRun() {
        if (usableCores().size() < 2) QSKIP("needs two cores");
        RunConfig config = clockCheckConfig();
        config.params.m = 3;
        config.model = {.layers = 2, .hidden = 16, .heads = 1, .sequence = 8};
        std::vector<int> reported;
        const ClockCheck checked = checkClocks(config, 2, [&](int done, int) { reported.push_back(done); });
        QCOMPARE(reported, std::vector({1, 2}));
        QCOMPARE(checked.measured.provenance, Provenance::Measured);
        QCOMPARE(checked.reconstructed.provenance, Provenance::Reconstructed);
        for (const ClockFigures* each : {&checked.measured, &checked.reconstructed}) {
            QCOMPARE(each->iterations, 2);
            QVERIFY(each->compute_ms > 0 && each->iteration_ms > each->compute_ms / 2);
        }
    }

    void fewerCoresThanRanksAreRefused() {
        RunConfig config = clockCheckConfig();
        config.params.p = static_cast<int>(usableCores().size()) + 1;
        config.model.layers = config.params.p;
        QVERIFY_THROWS_EXCEPTION(ConfigError, checkClocks(config, 1));
    }
};

BUBBLESCOPE_TEST(TestClockCheck)

}  // namespace tst_clock_check

#include "tst_clock_check.moc"
