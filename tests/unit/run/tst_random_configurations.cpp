// Random legal configurations, really run, recorded and read again: everything `bscope check` knows holds of
// each iteration, the recording says what the run reported, and other commands say the same: events as CSV,
// compared with itself, imported (its Chrome trace too), causes of advise, a range, chunks in flight. The
// seed is printed; BSCOPE_SEED gives another one, BSCOPE_CONFIGURATIONS another number of them (300; 60 under
// sanitizers).
#include <QTest>
#include <cmath>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>

#include "catalog/catalog.h"
#include "cli/input/checked_recording.h"
#include "cli/input/command.h"
#include "cli/print/json_text.h"
#include "cli/report/report_text.h"
#include "registered_test.h"
#include "run/run.h"
#include "run_fixture.h"
#include "server/stream_observer.h"
#include "wire/convert.h"
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
            config.params = {1 + few(7), entry.fixed_v > 0 ? entry.fixed_v : 1 + few(5),
                             1 + std::min(few(31), few(31))};
            if (oneIn(4)) config.params.d = 2 + upTo(1);
            if (config.params.d > 1) config.params.zero = upTo(1);
            if (oneIn(5)) config.params.t = 2;
            if (entry.name == std::string("pipedream")) config.params.vertical_sync = oneIn(2);
            if (entry.usual_segments > 1) config.params.segments = 1 << upTo(3);
            config.model.hidden = 16;
            config.model.sequence = 8;
            config.model.layers = std::max(1, config.params.p * config.params.v + upTo(2));
            if (oneIn(4)) split(config);
            config.micro_batch = 1 + upTo(1);
            config.recompute = static_cast<Recompute>(oneIn(2) ? 0 : upTo(2));
            if (oneIn(2)) config.checkpoint_every = CheckpointEvery::Layer;
            config.durations = oneIn(3) ? Durations::Calibrated : Durations::Raw;
            config.clock = oneIn(4) ? ClockChoice::Auto : ClockChoice::Reconstructed;
            if (oneIn(3)) config.link = {static_cast<double>(upTo(40)), oneIn(2) ? 0.0 : 0.5 + upTo(3)};
            if (oneIn(4))
                config.slow_ranks.emplace_back(upTo(config.params.layout().world() - 1), 1.0 + 0.5 * upTo(4));
            if (config.params.layout().world() <= kMostRanks && problems(config).empty()) return config;
        }
    }

    // [0, 1), in thousandths.
    double share() { return upTo(999) / 1000.0; }
    bool oneIn(int n) { return upTo(n - 1) == 0; }

private:
    static constexpr int kMostRanks = 24;

    int upTo(std::size_t most) {
        return static_cast<int>(std::uniform_int_distribution<std::size_t>(0, most)(random_));
    }
    int upTo(int most) { return upTo(static_cast<std::size_t>(most)); }
    // Small ones more often.
    int few(int most) { return std::min(upTo(most), upTo(most)); }
    // Stages of one, two or three blocks.
    void split(RunConfig& config) {
        const int stages = config.params.p * config.params.v;
        for (int stage = 0; stage < stages; ++stage) config.layers_per_stage.push_back(1 + few(2));
        config.model.layers =
            std::accumulate(config.layers_per_stage.begin(), config.layers_per_stage.end(), 0);
    }

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
    name +=
        QString(" -t %1 -B %2 --hidden 16 --heads 2 --seq 8").arg(config.params.t).arg(config.micro_batch);
    if (config.params.segments > 1) name += QString(" --segments %1").arg(config.params.segments);
    if (config.params.zero > 0) name += " --zero 1";
    if (config.params.vertical_sync) name += " --vertical-sync";
    for (std::size_t i = 0; i < config.layers_per_stage.size(); ++i)
        name += QString(i == 0 ? " --split %1" : ",%1").arg(config.layers_per_stage[i]);
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

// A command of the program in this process: its status, and what it prints.
class Printed {
public:
    Printed(int (*command)(const cli::Arguments&), const cli::Arguments& arguments) {
        std::streambuf* const out = std::cout.rdbuf(text_.rdbuf());
        std::streambuf* const errors = std::cerr.rdbuf(errors_.rdbuf());
        try {
            status_ = command(arguments);
        } catch (const std::exception& error) {
            errors_ << error.what();
        }
        std::cout.rdbuf(out);
        std::cerr.rdbuf(errors);
    }
    bool worked() const { return status_ == 0; }
    std::string errors() const { return errors_.str(); }
    nlohmann::json json() const { return nlohmann::json::parse(text_.str(), nullptr, false); }

private:
    std::ostringstream text_, errors_;
    int status_ = -1;
};

// What a file holds, read without any of the program's analysis.
struct Raw {
    std::vector<Event> events;
    std::vector<std::string> rows() const {
        std::vector<std::string> rows;
        const bool cut = std::ranges::any_of(events, [](const Event& e) { return e.segment >= 0; });
        for (const Event& e : events) {
            std::ostringstream row;
            row << e.iteration << ',' << e.rank << ',' << opText(e.op) << ',' << e.stage << ','
                << e.microbatch << ',' << e.start_ns << ',' << e.end_ns << ','
                << (isReceive(e.op) ? std::to_string(e.transfer_ns) : "") << ',' << e.bytes << ','
                << e.disturbed << ','
                << (e.weight_version == kNoVersion
                        ? ","
                        : std::to_string(e.weight_version) + ',' + std::to_string(e.staleness));
            if (cut) row << ',' << (e.segment >= 0 ? std::to_string(e.segment) : "");
            rows.push_back(row.str());
        }
        std::ranges::sort(rows);
        return rows;
    }
    std::vector<Event> computed(int iteration) const {
        std::vector<Event> found;
        std::ranges::copy_if(events, std::back_inserter(found), [&](const Event& event) {
            return event.iteration == iteration && isCompute(event.op);
        });
        return found;
    }
};

Raw rawOf(const std::filesystem::path& file) {
    Raw raw;
    RecordingReader(file).readAll([&raw](const wire::Message& message) {
        if (!message.has_events()) return;
        const std::vector<Event> events = fromWire(message.events());
        raw.events.insert(raw.events.end(), events.begin(), events.end());
    });
    return raw;
}

std::vector<std::string> linesOf(const std::filesystem::path& file) {
    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

bool isZero(const nlohmann::json& value) {
    if (value.is_number()) return value.get<double>() == 0;
    if (!value.is_structured()) return true;
    for (const auto& [key, each] : value.items())
        if (key != "rank" && key != "noise" && !isZero(each)) return false;
    return true;
}

bool isNear(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
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

    std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }

    // Each gives what is wrong, or nothing.
    QString eventsAsCsv(const std::string& file, const Raw& raw) const {
        const Printed csv(cli::exportCommand, {file, "--csv", path("events.csv")});
        std::vector<std::string> rows = linesOf(path("events.csv"));
        if (!csv.worked() || rows.empty()) return "no CSV: " + QString::fromStdString(csv.errors());
        rows.erase(rows.begin());
        for (std::string& row : rows) row.erase(0, row.find(',') + 1);  // the provenance
        std::ranges::sort(rows);
        return rows == raw.rows() ? QString() : QString("the CSV holds other events than the file");
    }
    QString comparedWithItself(const std::string& file) const {
        const Printed compared(cli::compareCommand, {file, file, "--json"});
        if (!compared.worked()) return "not compared: " + QString::fromStdString(compared.errors());
        const nlohmann::json difference = compared.json()["difference"];
        return isZero(difference) ? QString()
                                  : "differs from itself: " + QString::fromStdString(difference.dump());
    }
    // Of cut sequences: the recording and its trace alike.
    QString refusedAsImport(const std::string& file) const {
        const std::string trace = path("trace.json");
        const Printed exported(cli::exportCommand, {file, "--chrome", trace});
        if (!exported.worked()) return "no Chrome trace: " + QString::fromStdString(exported.errors());
        for (const std::string& source : {file, trace}) {
            const Printed read(cli::importCommand, {source, "--json"});
            if (read.worked() ||
                read.errors().find("cut into segments, which are not compared") == std::string::npos)
                return "not refused as cut into segments: " + QString::fromStdString(read.errors());
        }
        return {};
    }
    // Of a pipeline without copies; of several there is one replica in an import.
    QString imported(const std::string& file, const RunConfig& config, const IterationReport& last) const {
        const std::string trace = path("trace.json");
        const Printed exported(cli::exportCommand, {file, "--chrome", trace});
        if (!exported.worked()) return "no Chrome trace: " + QString::fromStdString(exported.errors());
        for (const std::string& source : {file, trace}) {
            const Printed read(cli::importCommand, {source, "--json"});
            if (!read.worked()) return "not imported: " + QString::fromStdString(read.errors());
            const nlohmann::json run = read.json(), row = run["rows"].back();
            for (const auto& [key, value] : {std::pair{"p", config.params.p}, std::pair{"v", config.params.v},
                                             std::pair{"m", config.params.m}})
                if (run[key] != value)
                    return QString::fromStdString(source + ": " + key + " is " + run[key].dump());
            if (row["iteration"] == last.iteration && !isNear(row["bubble_of_total"], last.bubble_of_total))
                return QString::fromStdString(source + ": a bubble of " + row["bubble_of_total"].dump());
        }
        return {};
    }
    QString advised(const std::string& file) const {
        const Printed advice(cli::adviseCommand, {"--from", file, "--json"}),
            bubble(cli::replayCommand, {file, "--bubble", "--json"});
        if (!advice.worked() || !bubble.worked())
            return "no causes: " + QString::fromStdString(advice.errors() + bubble.errors());
        for (const char* key : {"iteration", "iteration_ms", "bubble_of_total", "idle_ms", "causes_ms"})
            if (advice.json()[key] != bubble.json()[key])
                return QString("advise and replay --bubble differ in %1").arg(key);
        return {};
    }
    QString ofRange(const std::string& file, const Raw& raw, const IterationReport& last, double from,
                    double to) const {
        const std::vector<Event> computed = raw.computed(last.iteration);
        const std::int64_t start_ns = std::ranges::min_element(computed, {}, &Event::start_ns)->start_ns;
        const auto at = [&](double share) { return std::llround(share * last.iteration_ms * 1e6); };
        const std::int64_t from_ns = at(std::min(from, to)), to_ns = at(std::max(from, to)) + 1;
        const auto ms = [](std::int64_t ns) {
            return QString::number(static_cast<double>(ns) / 1e6, 'f', 6);
        };
        const Printed ranged(cli::replayCommand,
                             {file, "--range", (ms(from_ns) + "," + ms(to_ns)).toStdString(), "--iteration",
                              std::to_string(last.iteration + 1), "--json"});
        if (!ranged.worked()) return "no range: " + QString::fromStdString(ranged.errors());
        std::int64_t busy_ns = 0;
        for (const Event& event : computed)
            busy_ns += std::max<std::int64_t>(
                0, std::min(event.end_ns, start_ns + to_ns) - std::max(event.start_ns, start_ns + from_ns));
        const double busy_ms = static_cast<double>(busy_ns) / 1e6;
        const double all_ms = static_cast<double>((to_ns - from_ns) * std::ssize(last.ranks)) / 1e6;
        const nlohmann::json found = ranged.json();
        double causes_ms = 0;
        for (const auto& [cause, value] : found["causes_ms"].items()) causes_ms += value.get<double>();
        if (!isNear(found["busy_ms"], busy_ms))
            return QString("busy for %1 ms, not %2").arg(busy_ms).arg(found["busy_ms"].get<double>());
        if (to_ns <= std::llround(last.iteration_ms * 1e6) && !isNear(found["idle_ms"], all_ms - busy_ms))
            return QString("idle for %1 ms").arg(found["idle_ms"].get<double>());
        return isNear(causes_ms, found["idle_ms"]) ? QString() : QString("causes of %1 ms").arg(causes_ms);
    }
    QString inFlight(const RunConfig& config, const IterationReport& last) const {
        cli::Arguments asked{config.schedule,
                             "-p",
                             std::to_string(config.params.p),
                             "-v",
                             std::to_string(config.params.v),
                             "-m",
                             std::to_string(config.params.m),
                             "-d",
                             std::to_string(config.params.d),
                             "--zero",
                             std::to_string(config.params.zero),
                             "-t",
                             std::to_string(config.params.t),
                             "--json"};
        if (findSchedule(config.schedule)->usual_segments > 1)
            asked.insert(asked.end(), {"--segments", std::to_string(config.params.segments)});
        const Printed planned(cli::scheduleCommand, asked);
        if (!planned.worked()) return "no schedule: " + QString::fromStdString(planned.errors());
        std::vector<int> measured;
        for (const RankReport& rank : last.ranks) measured.push_back(rank.peak_in_flight);
        const auto peaks = planned.json()["peak_in_flight"];
        return peaks == measured ? QString() : "in flight: " + QString::fromStdString(peaks.dump());
    }

    QString asOtherCommandsHaveIt(const std::string& file, const RunConfig& config,
                                  const IterationReport& last, Drawn& drawn) const {
        const Raw raw = rawOf(file);
        const Schedule order = makeSchedule(config.schedule, config.params);
        const bool is_stream = order.step_every > 0;
        const bool is_one = order.chains.size() == 1 && config.params.layout().world() == config.params.p;
        const double from = drawn.share(), to = drawn.share();
        const bool asks_advice = drawn.oneIn(6);
        std::vector<QString> wrong{eventsAsCsv(file, raw), comparedWithItself(file)};
        if (!is_stream) {
            wrong.push_back(ofRange(file, raw, last, from, to));
            wrong.push_back(inFlight(config, last));
            if (config.params.segments > 1)
                wrong.push_back(refusedAsImport(file));
            else if (is_one)
                wrong.push_back(imported(file, config, last));
        }
        if (asks_advice) wrong.push_back(advised(file));
        for (const QString& each : wrong)
            if (!each.isEmpty()) return each;
        return {};
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
            const QString wrong = asOtherCommandsHaveIt(file.string(), config, log.reports().back(), drawn);
            QVERIFY2(wrong.isEmpty(), (where + ": " + wrong.toStdString()).c_str());
            iterations += checked.whole;
        }
        QCOMPARE(iterations, static_cast<std::size_t>(3 * configurations));
    }
};

BUBBLESCOPE_TEST(TestRandomConfigurations)

}  // namespace tst_random_configurations

#include "tst_random_configurations.moc"
