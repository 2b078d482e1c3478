// Random legal configurations, really run, recorded and read again: everything `bscope check` knows holds of each
// iteration, and the recording says what the run reported. The seed is printed; BSCOPE_SEED gives another one,
// BSCOPE_CONFIGURATIONS another number of them (300; 60 under sanitizers).
#include <QTest>
#include <random>

#include "catalog/catalog.h"
#include "cli/input/checked_recording.h"
#include "cli/print/json_text.h"
#include "cli/report/report_text.h"
#include "registered_test.h"
#include "run/run.h"
#include "run_fixture.h"
#include "server/stream_observer.h"
#include "words/catalog.h"

namespace tst_random_configurations {

using namespace bscope;

namespace {

class Drawn {
public:
    explicit Drawn(unsigned seed) : random_(seed) {}

    RunConfig config() {
        for (;;) {
            RunConfig config = tinyConfig();
            const auto entries = catalog();
            const CatalogEntry& entry = entries[static_cast<std::size_t>(upTo(entries.size() - 1))];
            config.schedule = entry.name;
            config.params = {1 + upTo(5), entry.fixed_v > 0 ? entry.fixed_v : 1 + upTo(2), 1 + upTo(11)};
            if (oneIn(4)) config.params.d = 2;
            if (entry.name == std::string("pipedream")) config.params.vertical_sync = oneIn(2);
            config.model.layers = std::max(1, config.params.p * config.params.v + upTo(2));
            config.micro_batch = 1 + upTo(1);
            config.recompute = static_cast<Recompute>(oneIn(2) ? 0 : upTo(2));
            if (oneIn(2)) config.checkpoint_every = CheckpointEvery::Layer;
            config.durations = oneIn(3) ? Durations::Calibrated : Durations::Raw;
            config.clock = oneIn(4) ? ClockChoice::Auto : ClockChoice::Reconstructed;
            if (oneIn(3)) config.link = {static_cast<double>(upTo(40)), oneIn(2) ? 0.0 : 0.5 + upTo(3)};
            if (oneIn(4)) config.slow_ranks.emplace_back(upTo(config.params.layout().world() - 1), 1.0 + 0.5 * upTo(4));
            if (problems(config).empty()) return config;
        }
    }

private:
    int upTo(std::size_t most) {
        return static_cast<int>(std::uniform_int_distribution<std::size_t>(0, most)(random_));
    }
    int upTo(int most) { return upTo(static_cast<std::size_t>(most)); }
    bool oneIn(int n) { return upTo(n - 1) == 0; }

    std::mt19937 random_;
};

int fromEnvironment(const char* name, int otherwise) {
    bool is_number = false;
    const int value = qEnvironmentVariableIntValue(name, &is_number);
    return is_number ? value : otherwise;
}

// "1f1b p=4 v=1 m=8 ...": what a run of this configuration by hand needs.
QString nameOf(const RunConfig& config) {
    QString name = QString("%1 -p %2 -v %3 -m %4 -d %5 --recompute %6 --checkpoint-every %7")
                       .arg(QString::fromStdString(config.schedule))
                       .arg(config.params.p)
                       .arg(config.params.v)
                       .arg(config.params.m)
                       .arg(config.params.d)
                       .arg(toText(config.recompute))
                       .arg(toText(config.checkpoint_every));
    name += QString(" --link-latency-us %1 --link-gbps %2 --clock %3 --durations %4 --layers %5")
                .arg(config.link.latency_us)
                .arg(config.link.gbps)
                .arg(toText(config.clock))
                .arg(toText(config.durations))
                .arg(config.model.layers);
    for (const auto& [rank, factor] : config.slow_ranks)
        name += QString(" --slow-rank %1=%2").arg(rank).arg(factor);
    return name;
}

}  // namespace

class TestRandomConfigurations : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    // What the run reported, a line an iteration.
    std::vector<std::string> record(const RunConfig& config, const std::filesystem::path& file) {
        RecordingWriter writer(file, nullptr);
        std::mutex mutex;
        std::vector<std::string> reported;
        StreamObserver observer([&](OutFrame frame) {
            const std::lock_guard lock(mutex);
            writer.write(*frame.bytes);
        });
        Run run(config, observer);
        constexpr int kIterations = 3;
        for (int left = kIterations - 1; left >= 0; --left)
            reported.push_back(cli::jsonText(cli::reportJson(run.iterate(left))));
        return reported;
    }

private slots:
    void everyNumberFollowsFromTheEvents() {
        const int seed = fromEnvironment("BSCOPE_SEED", 1),
                  configurations = fromEnvironment("BSCOPE_CONFIGURATIONS", *SANITIZERS ? 60 : 300);
        Drawn drawn(static_cast<unsigned>(seed));
        const std::filesystem::path file = folder_.filePath("run.bscope").toStdString();
        std::size_t iterations = 0;
        for (int i = 0; i < configurations; ++i) {
            const RunConfig config = drawn.config();
            const std::string where =
                QString("seed %1, configuration %2: %3").arg(seed).arg(i).arg(nameOf(config)).toStdString();
            const std::vector<std::string> reported = record(config, file);
            cli::RunLog log(cli::RunLog::Keep::Everything);
            const cli::ReadRecording read = cli::readRecording(file, log);
            QVERIFY2(read.damage.empty() && read.missing.empty(), where.c_str());
            const cli::CheckedRecording checked = cli::checkRecording(log, read.audit);
            for (const Violation& each : checked.violations)
                QFAIL((where + ", iteration " + std::to_string(each.iteration) + ", " +
                       toText(each.invariant) + ": " + say(each.what, Language::English))
                          .c_str());
            QVERIFY2(checked.unproven.empty() && checked.untraced.empty(), where.c_str());
            QCOMPARE(checked.whole, reported.size());
            for (std::size_t k = 0; k < reported.size(); ++k)
                QVERIFY2(cli::jsonText(cli::reportJson(log.reports()[k])) == reported[k], where.c_str());
            iterations += checked.whole;
        }
        QCOMPARE(iterations, static_cast<std::size_t>(3 * configurations));
    }
};

BUBBLESCOPE_TEST(TestRandomConfigurations)

}  // namespace tst_random_configurations

#include "tst_random_configurations.moc"
