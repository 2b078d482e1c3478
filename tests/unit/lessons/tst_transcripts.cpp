// Golden transcripts: what each rank really did, in order, in one iteration of every run that the shipped
// scenarios and lessons show. The model is made small (the order of operations does not depend on it), times
// are left out. After a wanted change: BUBBLESCOPE_WRITE_TRANSCRIPTS=1 writes the files anew, to be reviewed.
#include <QTest>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "catalog/catalog.h"
#include "registered_test.h"
#include "run_fixture.h"
#include "wire/convert.h"
#include "wire/scenario.h"

namespace tst_transcripts {

using namespace bscope;

namespace {

constexpr const char* kFolder = BUBBLESCOPE_SOURCE_DIR "/tests/data/transcripts";

RunConfig small(const wire::RunConfig& shown) {
    RunConfig config = fromWire(shown);
    config.model = {config.model.layers, 32, std::max(2, config.params.t), 16, 256};  // a head a shard
    config.micro_batch = 1;
    config.memory_cap_mb = 0;
    config.clock = ClockChoice::Reconstructed;
    return config;
}

std::string transcript(const RunConfig& config) {
    EventCollector observer;
    Run run(config, observer);
    const IterationReport report = run.iterate();
    std::ostringstream text;
    text << report.schedule << " p=" << report.p << " m=" << report.m << " v=" << report.v << " recompute "
         << toText(report.recompute)
         << (report.checkpoint_every == CheckpointEvery::Layer ? " every layer" : "") << '\n';
    ScheduleParams one_replica = config.params;
    one_replica.d = 1;
    // For equal durations: that of the run follows its costs.
    if (const auto theory = findSchedule(report.schedule)->bubble_of_total(one_replica, 1, 1, 1))
        text << "  theory " << std::round(1e4 * *theory) / 1e2 << " % of total\n";
    for (const RankReport& rank : report.ranks) {
        text << "  rank " << rank.rank << ':';
        int receives = 0;
        for (const Event& event : observer.by_rank[rank.rank]) {
            if (isReceive(event.op))
                ++receives;
            else
                text << ' ' << toText(event.action());
        }
        text << "; " << receives << " received, at most " << rank.peak_in_flight << " in flight\n";
    }
    return text.str();
}

std::string transcript(const wire::Scenario& scenario) {
    std::string text = scenario.id() + '\n';
    if (scenario.has_config()) text += transcript(small(scenario.config()));
    const auto add = [&](const auto& runs) {
        for (const wire::LessonRun& run : runs)
            if (run.table().empty()) text += transcript(small(run.config()));
    };
    add(scenario.lesson().runs());
    add(scenario.lesson().try_next());
    for (const wire::LessonTry& set : scenario.lesson().tries()) add(set.runs());
    return text;
}

std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestTranscripts : public QObject {
    Q_OBJECT

private slots:
    void everyScenarioRunsAsWritten_data() {
        QTest::addColumn<QString>("file");
        for (const auto& entry : std::filesystem::directory_iterator(BUBBLESCOPE_SOURCE_DIR "/scenarios"))
            if (entry.path().extension() == ".json")
                QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
    }

    void everyScenarioRunsAsWritten() {
        QFETCH(QString, file);
        const wire::Scenario scenario = loadScenarioFile(file.toStdString());
        const std::filesystem::path golden = std::filesystem::path(kFolder) / (scenario.id() + ".txt");
        const std::string now = transcript(scenario);
        if (qEnvironmentVariableIsSet("BUBBLESCOPE_WRITE_TRANSCRIPTS")) std::ofstream(golden) << now;
        QVERIFY2(std::filesystem::exists(golden), golden.c_str());
        const QStringList found = QString::fromStdString(now).split('\n'),
                          wanted = QString::fromStdString(contents(golden)).split('\n');
        for (qsizetype line = 0; line < std::min(found.size(), wanted.size()); ++line)
            QCOMPARE(found[line], wanted[line]);
        QCOMPARE(found.size(), wanted.size());
    }

    void everyTranscriptHasItsScenario() {
        for (const auto& entry : std::filesystem::directory_iterator(kFolder))
            QVERIFY2(std::filesystem::exists(std::filesystem::path(BUBBLESCOPE_SOURCE_DIR "/scenarios") /
                                             (entry.path().stem().string() + ".json")),
                     entry.path().c_str());
    }
};

BUBBLESCOPE_TEST(TestTranscripts)

}  // namespace tst_transcripts

#include "tst_transcripts.moc"
