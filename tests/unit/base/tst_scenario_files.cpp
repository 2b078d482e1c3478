// Scenario and config files: they read back as written, mistakes are refused with file and field, and every
// scenario that comes with the program is legal.
#include <QTest>
#include <fstream>

#include "config/run_config.h"
#include "registered_test.h"
#include "wire/convert.h"
#include "wire/scenario.h"
#include "wire_samples.h"

namespace tst_scenario_files {

using namespace bscope;

class TestScenarioFiles : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::filesystem::path folder() const { return folder_.path().toStdString(); }

private slots:
    void configJsonReadsBack() {
        Samples samples(1);
        for (int i = 0; i < 50; ++i) {
            const RunConfig config = samples.config();
            QVERIFY(fromWire(parseConfigJson(configJson(config), "text")) == config);
        }
        const auto json = QString::fromStdString(configJson(RunConfig{}));
        QVERIFY(json.contains("\"micro_batch\": 4"));
        QVERIFY(json.contains("\"latency_us\": 0"));
    }

    void mistakesNameFileAndField_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("mentioned");
        QTest::newRow("unknown field") << R"({"mikro_batch": 4})"
                                       << "mikro_batch";
        QTest::newRow("unknown nested field") << R"({"model": {"hiden": 4}})"
                                              << "hiden";
        QTest::newRow("wrong type") << R"({"model": {"hidden": "wide"}})"
                                    << "hidden";
        QTest::newRow("wrong shape") << R"({"layers_per_stage": {"a": 1}})"
                                     << "layers_per_stage";
        QTest::newRow("not json") << R"({"p": 4)"
                                  << "config.json";
        QTest::newRow("empty") << ""
                               << "config.json";
    }
    void mistakesNameFileAndField() {
        QFETCH(QString, json);
        QFETCH(QString, mentioned);
        std::ofstream(folder() / "config.json") << json.toStdString();
        try {
            loadConfigFile(folder() / "config.json");
            QFAIL("was accepted");
        } catch (const WireError& error) {
            const QString text = QString::fromUtf8(error.what());
            QVERIFY2(text.contains("config.json") && text.contains(mentioned), error.what());
            QVERIFY2(!text.contains('\n'), error.what());
        }
    }

    void missingFileIsRefused() {
        QVERIFY_THROWS_EXCEPTION(WireError, loadScenarioFile(folder() / "none.json"));
    }

    void scenariosAreFoundById() {
        std::filesystem::create_directories(folder() / "scenarios");
        std::filesystem::create_directories(folder() / "build/bin");
        std::ofstream(folder() / "scenarios/deep-pipe.json") << R"({"config": {"p": 8}, "iterations": 3})";
        const auto found = findScenario("deep-pipe", folder() / "build/bin");
        QCOMPARE(found.filename().string(), std::string("deep-pipe.json"));
        const auto scenario = loadScenarioFile(found);
        QCOMPARE(scenario.id(), std::string("deep-pipe"));
        QCOMPARE(scenario.config().p(), 8);
        QCOMPARE(findScenario(found.string(), "/"), found);
        std::ofstream(folder() / "scenarios/12-wide-pipe.json") << R"({"config": {"p": 8}, "iterations": 3})";
        for (const char* name : {"12-wide-pipe", "06-wide-pipe", "wide-pipe", "12"})
            QCOMPARE(findScenario(name, folder() / "build/bin").filename().string(),
                     std::string("12-wide-pipe.json"));
        QVERIFY_THROWS_EXCEPTION(WireError, findScenario("1", folder() / "build/bin"));
        try {
            findScenario("shallow-pipe", folder() / "build/bin");
            QFAIL("was found");
        } catch (const WireError& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains("deep-pipe"), error.what());
        }
    }

    void everyShippedScenarioIsLegal() {
        for (const auto& entry : std::filesystem::directory_iterator(BUBBLESCOPE_SOURCE_DIR "/scenarios")) {
            if (entry.path().extension() != ".json") continue;
            const auto scenario = loadScenarioFile(entry.path());
            QCOMPARE(scenario.id(), entry.path().stem().string());
            std::vector<wire::RunConfig> configs{scenario.config()};
            for (const auto& run : scenario.lesson().runs()) configs.push_back(run.config());
            for (const auto& run : scenario.lesson().try_next()) configs.push_back(run.config());
            for (const auto& set : scenario.lesson().tries())
                for (const auto& run : set.runs()) configs.push_back(run.config());
            for (const auto& config : configs)
                for (const auto& problem : problems(fromWire(config)))
                    QFAIL((entry.path().string() + ": " + problem.text()).c_str());
        }
    }
};

BUBBLESCOPE_TEST(TestScenarioFiles)

}  // namespace tst_scenario_files

#include "tst_scenario_files.moc"
