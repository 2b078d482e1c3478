// problems(): everything that is illegal, none twice, each with the nearest legal value.
#include <QTest>
#include <cmath>

#include "config/layout.h"
#include "config/run_config.h"
#include "registered_test.h"

namespace tst_run_config {

using namespace bscope;

namespace {

const Problem* find(const std::vector<Problem>& found, const char* field) {
    for (const Problem& problem : found)
        if (problem.field == field) return &problem;
    return nullptr;
}

}  // namespace

class TestRunConfig : public QObject {
    Q_OBJECT
private slots:
    void theDefaultIsLegal() { QVERIFY(problems(RunConfig{}).empty()); }

    void everyFieldIsChecked_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QList<long>>("legal");
        QTest::newRow("micro_batch") << "micro_batch" << QList<long>{1};
        QTest::newRow("layers") << "layers" << QList<long>{4};
        QTest::newRow("hidden") << "hidden" << QList<long>{1};
        QTest::newRow("heads") << "heads" << QList<long>{4, 8};
        QTest::newRow("sequence") << "sequence" << QList<long>{1};
        QTest::newRow("vocabulary") << "vocabulary" << QList<long>{256};
        QTest::newRow("latency_us") << "latency_us" << QList<long>{0};
        QTest::newRow("gbps") << "gbps" << QList<long>{0};
        QTest::newRow("learning_rate") << "learning_rate" << QList<long>{0};
        QTest::newRow("weight_decay") << "weight_decay" << QList<long>{0};
        QTest::newRow("clip_norm") << "clip_norm" << QList<long>{0};
        QTest::newRow("memory_cap_mb") << "memory_cap_mb" << QList<long>{0};
        QTest::newRow("p") << "p" << QList<long>{1};
        QTest::newRow("m") << "m" << QList<long>{1};
        QTest::newRow("v") << "v" << QList<long>{1};
    }
    void everyFieldIsChecked() {
        QFETCH(QString, field);
        QFETCH(QList<long>, legal);
        RunConfig config;
        if (field == "micro_batch") config.micro_batch = 0;
        if (field == "layers") config.model.layers = 3;
        if (field == "hidden") config.model.hidden = -1;
        if (field == "heads") config.model.heads = 5;
        if (field == "sequence") config.model.sequence = 0;
        if (field == "vocabulary") config.model.vocabulary = 255;
        if (field == "latency_us") config.link.latency_us = -1;
        if (field == "gbps") config.link.gbps = std::nan("");
        if (field == "learning_rate") config.training.learning_rate = -1e-3;
        if (field == "weight_decay") config.training.weight_decay = -0.5;
        if (field == "clip_norm") config.training.clip_norm = -1;
        if (field == "memory_cap_mb") config.memory_cap_mb = -5;
        if (field == "p") config.params.p = 0;
        if (field == "m") config.params.m = 0;
        if (field == "v") config.params.v = 2;
        const std::vector<Problem> found = problems(config);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(found[0].field), field);
        QCOMPARE(QList<long>(found[0].legal.begin(), found[0].legal.end()), legal);
        QVERIFY(found[0].text().find('{') == std::string::npos);
    }

    void allProblemsAtOnce() {
        RunConfig config;
        config.schedule = "interleaved";
        config.params = {4, 2, 10, 0};
        config.model.layers = 6;
        config.model.heads = 3;
        config.model.vocabulary = 100;
        config.layers_per_stage = {3, 4};
        config.slow_ranks = {{4, 2.0}, {1, 0.5}, {1, 1.5}};
        config.link.latency_us = -1;
        const std::vector<Problem> found = problems(config);
        QVERIFY(find(found, "m")->legal == (std::vector<long>{8, 12}));
        QVERIFY(find(found, "layers")->legal == (std::vector<long>{8}));
        QVERIFY(find(found, "heads")->legal == (std::vector<long>{2, 4}));
        for (const char* field : {"vocabulary", "layers_per_stage", "slow_ranks", "latency_us"})
            QVERIFY2(find(found, field) != nullptr, field);
        const auto count = [&](const char* field) {
            return std::count_if(found.begin(), found.end(),
                                 [&](const Problem& p) { return p.field == field; });
        };
        QCOMPARE(count("slow_ranks"), 3);
        QCOMPARE(count("layers_per_stage"), 2);
        for (std::size_t i = 0; i < found.size(); ++i)
            for (std::size_t j = i + 1; j < found.size(); ++j) QVERIFY(found[i].text() != found[j].text());
    }

    void everyOfferedDivisorIsLegal() {
        for (int hidden : {1, 2, 7, 96, 256, 300})
            for (int heads = 1; heads <= 70; ++heads) {
                RunConfig config;
                config.model.hidden = hidden;
                config.model.heads = heads;
                for (const Problem& problem : problems(config)) {
                    QVERIFY(!problem.legal.empty());
                    for (long legal : problem.legal) QCOMPARE(hidden % legal, 0);
                }
            }
    }

    void splitOverStages() {
        RunConfig config;
        config.model.layers = 10;
        QCOMPARE(layersPerStage(config, 4), (std::vector<int>{3, 3, 2, 2}));
        config.layers_per_stage = {1, 2, 3, 4};
        QCOMPARE(layersPerStage(config, 4), (std::vector<int>{1, 2, 3, 4}));
        QVERIFY(problems(config).empty());
        for (const std::vector<int>& ends : {std::vector{0, 3, 3, 4}, {4, 3, 3, 0}, {0, 5, 5, 0}}) {
            config.layers_per_stage = ends;
            QVERIFY(problems(config).empty());
        }
        for (const std::vector<int>& illegal : {std::vector{1, 0, 5, 4}, {-1, 3, 3, 5}, {0, 5, 0, 5}}) {
            config.layers_per_stage = illegal;
            QCOMPARE(problems(config).size(), std::size_t(1));
        }
        config.layers_per_stage = {1, 2, 3};
        QCOMPARE(problems(config).size(), std::size_t(2));
    }

    // As Megatron-LM documents its --pipeline-model-parallel-layout.
    void layoutsOfMegatron() {
        using Blocks = std::vector<int>;
        const auto blocks = [](const char* text) {
            const auto read = readLayout(text);
            return std::holds_alternative<Blocks>(read) ? std::get<Blocks>(read) : Blocks{};
        };
        QCOMPARE(blocks("EttL"), (Blocks{2}));
        QCOMPARE(blocks("Et|tt|,L"), (Blocks{1, 2, 0}));
        QCOMPARE(blocks("E|(t|)*3,t*4L"), (Blocks{0, 1, 1, 1, 4}));
        QCOMPARE(blocks("Et*3|(tt|)*29|L").size(), std::size_t{32});
        QCOMPARE(blocks("E(t(t|)*2)*2L"), (Blocks{2, 1, 2, 1, 0}));
        for (const Blocks& each : {Blocks{2}, {0, 4, 4, 0}, {3, 1, 2, 12}}) {
            const std::string text = layoutText(each);
            QCOMPARE(blocks(text.c_str()), each);
        }
        QCOMPARE(layoutText(Blocks{3, 1, 0}), std::string("Et*3|t|L"));
        const auto refused = [](const std::string& text) {
            const auto read = readLayout(text);
            const auto* problems = std::get_if<std::vector<Sentence>>(&read);
            return problems == nullptr ? std::string() : say(inARow(*problems), Language::English);
        };
        const std::pair<std::string, std::string> all[]{
            {"", "E, the embedding"},
            {"tt|L", "E, the embedding"},
            {"Et|t", "L, the head"},
            {"EEtL", "E, the embedding"},
            {"EtLt", "L, the head"},
            {"Et|mL", "m, an extra prediction layer"},
            {"Etx|L", "x is no layer"},
            {"E\xe5\xb1\x82|L", "\xe5\xb1\x82 is no layer"},
            {"E(tL", "a ( without its )"},
            {"Et)L", "a ) without its ("},
            {"Et*L", "* needs a whole number"},
            {"Et*0L", "* needs a whole number"},
            {"Et*99999999999999999999L", "* needs a whole number"},
            {"E(t*60000)*60000L", "longer than 65536"},
            {"E" + std::string(100'000, '('), "nested more than 16"},
        };
        for (const auto& [text, why] : all)
            QVERIFY2(refused(text).find(why) != std::string::npos,
                     (text.substr(0, 30) + refused(text)).c_str());
    }

    void namesOfFilesAreUtf8() {
        RunConfig config;
        for (const char* good : {"text.txt", "文.txt", "\xc3\xa9", "\xf0\x9f\x98\x80"}) {
            config.data_file = good;
            QVERIFY2(problems(config).empty(), good);
        }
        for (const char* bad : {"\xff.txt", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
            config.data_file = bad;
            QCOMPARE(problems(config).size(), std::size_t(1));
            QCOMPARE(problems(config).front().field, std::string("data_file"));
        }
    }

    void linkTakesLatencyAndBandwidth() {
        QCOMPARE((LinkModel{0, 0}.transferNs(1e6)), 0.0);
        QCOMPARE((LinkModel{5, 0}.transferNs(1e6)), 5000.0);
        QCOMPARE((LinkModel{5, 8}.transferNs(1e6)), 1005000.0);  // 8 Gbit/s carry 1 byte a nanosecond
    }

    void namesOfTheChoices() {
        QCOMPARE(toText(Recompute::Selective), "selective");
        QCOMPARE(toText(ClockChoice::Reconstructed), "reconstructed");
        QCOMPARE(toText(Durations::Calibrated), "calibrated");
    }

    void templatesKeepWhatTheyCannotFill() {
        QCOMPARE(fillTemplate("{1} and {0}, {2} {x}", {"a", "b"}), std::string("b and a, {2} {x}"));
        QCOMPARE(fillTemplate("{0}", {"{1}", "no"}), std::string("{1}"));
    }

    // Durations that leave their type would make a free link of the slowest.
    void linksThatNoClockCanHold() {
        for (const double latency_us : {1e9 + 1, 1e16, 1e300, -1.0, std::nan("")}) {
            RunConfig config;
            config.link.latency_us = latency_us;
            QCOMPARE(problems(config).size(), std::size_t{1});
            QCOMPARE(problems(config)[0].field, std::string("latency_us"));
            QVERIFY(config.link.transferNs(1e6) <= 1e15);
        }
        for (const double gbps : {1e-4, 1e-15, 1e-300, -1.0, HUGE_VAL}) {
            RunConfig config;
            config.link.gbps = gbps;
            QCOMPARE(problems(config).size(), std::size_t{1});
            QCOMPARE(problems(config)[0].field, std::string("gbps"));
            QVERIFY(config.link.transferNs(1e6) <= 1e15);
        }
        RunConfig config;
        config.link = {1e9, 1e-3};
        config.slow_ranks = {{0, 1e6}};
        QVERIFY(problems(config).empty());
        QCOMPARE(config.link.transferNs(1e6), 1e12 + 8e9);
        config.slow_ranks = {{0, 1e7}};
        QCOMPARE(problems(config).size(), std::size_t{1});
    }
};

BUBBLESCOPE_TEST(TestRunConfig)

}  // namespace tst_run_config

#include "tst_run_config.moc"
