// The table of the configuration has a row for every field, and each row alone carries its field through
// files, the stream and the command line.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <limits>
#include <set>

#include "changed_config.h"
#include "cli/input/options.h"
#include "config/run_config.h"
#include "registered_test.h"
#include "run/config_file.h"
#include "wire/convert.h"
#include "wire/scenario.h"

namespace tst_config_table {

using namespace bscope;

namespace {

std::vector<std::string> fieldNames(const google::protobuf::Descriptor& message) {
    std::vector<std::string> names;
    for (int i = 0; i < message.field_count(); ++i) names.push_back(message.field(i)->name());
    return names;
}

// What a user types to get the row's value of `config`.
std::vector<std::string> typed(const ConfigRow& row, const RunConfig& config) {
    const std::string names = row.option.name, first = names.substr(0, names.find(','));  // "-t,--tensor"
    const auto with = [&first](const std::string& value) { return std::vector<std::string>{first, value}; };
    const auto number = [](double value) { return QByteArray::number(value, 'g', 17).toStdString(); };
    if (std::holds_alternative<Place<bool>>(row.place)) return {first};
    if (const auto* text = std::get_if<Place<std::string>>(&row.place)) return with(text->of(config));
    if (const auto* choice = std::get_if<WordPlace>(&row.place))
        return with(choice->words[choice->of(config)]);
    if (std::holds_alternative<Place<std::vector<int>>>(row.place)) return with("3,2,2,1");
    if (std::holds_alternative<Place<SlowRanks>>(row.place)) return {first, "2=1.5", first, "0=3"};
    return with(number(*numberIn(row, config)));
}

RunConfig ofCommandLine(const std::vector<std::string>& arguments) {
    cli::CommandLine line("test", "", "");
    cli::ConfigOptions options(line);
    line.parse({arguments.begin(), arguments.end()});
    return options.resolve();
}

}  // namespace

class TestConfigTable : public QObject {
    Q_OBJECT

private slots:
    void everyRow_data() {
        QTest::addColumn<int>("row");
        int place = 0;
        for (const ConfigRow& row : configTable()) QTest::newRow(row.name) << place++;
    }

    // As many rows as fields is checked where the table stands; here, that no two rows are one field.
    void everyRow() {
        QFETCH(int, row);
        const ConfigRow& it = configTable()[static_cast<std::size_t>(row)];
        const RunConfig config = changedIn(it, RunConfig{});
        QVERIFY(!(config == RunConfig{}));
        for (const ConfigRow& other : configTable())
            QCOMPARE(differs(other, config, RunConfig{}), &other == &it);
        QCOMPARE(costOfChange(RunConfig{}, config), it.cost);
        QCOMPARE(findConfigRow(it.name), &it);
        QVERIFY(*it.title != '\0');
    }

    void travelsInTheStream_data() { everyRow_data(); }
    void travelsInTheStream() {
        QFETCH(int, row);
        const RunConfig config = changedIn(configTable()[static_cast<std::size_t>(row)], RunConfig{});
        wire::RunConfig back;
        QVERIFY(back.ParseFromString(toWire(config).SerializeAsString()));
        QVERIFY(fromWire(back) == config);
    }

    void standsInFiles_data() { everyRow_data(); }
    void standsInFiles() {
        QFETCH(int, row);
        const RunConfig config = changedIn(configTable()[static_cast<std::size_t>(row)], RunConfig{});
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("config.json").toStdString();
        writeConfig(file, config);
        QVERIFY(fromWire(loadConfigFile(file)) == config);
        QVERIFY(fromWire(parseConfigJson(configJson(config), "it")) == config);
    }

    void isTyped_data() { everyRow_data(); }
    void isTyped() {
        QFETCH(int, row);
        const ConfigRow& it = configTable()[static_cast<std::size_t>(row)];
        if (*it.option.name == '\0') {
            QCOMPARE(it.name, "vocabulary");  // of the built-in bytes; files may say more
            return;
        }
        const RunConfig config = changedIn(it, RunConfig{});
        const RunConfig got = ofCommandLine(typed(it, config));
        QVERIFY(!differs(it, got, config));
        for (const ConfigRow& other : configTable())
            if (&other != &it) QVERIFY2(!differs(other, got, RunConfig{}), other.name);
    }

    void theStreamHasNoOtherFields() {
        std::set<std::string> rows, fields;
        for (const ConfigRow& row : configTable()) rows.insert(row.name);
        const auto& config = *wire::RunConfig::descriptor();
        for (const std::string& name : fieldNames(config)) {
            const auto* group = config.FindFieldByName(name);
            if (group->message_type() == nullptr || group->is_repeated())
                fields.insert(name);
            else
                for (const std::string& part : fieldNames(*group->message_type())) fields.insert(part);
        }
        QCOMPARE(fields, rows);
    }

    // Numbers of fields are in every recording.
    void fieldsKeepTheirNumbers() {
        const char* const in_order[] = {"schedule",
                                        "p",
                                        "v",
                                        "m",
                                        "group_size",
                                        "micro_batch",
                                        "model",
                                        "recompute",
                                        "layers_per_stage",
                                        "link",
                                        "slow_ranks",
                                        "clock",
                                        "durations",
                                        "training",
                                        "seed",
                                        "data_file",
                                        "memory_cap_mb",
                                        "vertical_sync",
                                        "d",
                                        "device",
                                        "dtype",
                                        "trace_cost",
                                        "cuda_graphs",
                                        "matrix_library",
                                        "checkpoint_every",
                                        "t",
                                        "sequence_parallel",
                                        "zero"};
        int number = 0;
        for (const char* name : in_order) {
            const auto* field = wire::RunConfig::descriptor()->FindFieldByNumber(++number);
            QVERIFY2(field != nullptr && field->name() == name, name);
        }
    }

    void numbersOutsideTheirRangeAreProblems_data() { everyRow_data(); }
    void numbersOutsideTheirRangeAreProblems() {
        QFETCH(int, row);
        const ConfigRow& it = configTable()[static_cast<std::size_t>(row)];
        const bool number =
            std::holds_alternative<Place<int>>(it.place) || std::holds_alternative<Place<double>>(it.place);
        if (!number) return;
        std::vector<double> outside{-1};
        if (it.range.greatest < 2e9) outside.push_back(it.range.greatest + 1);
        if (std::holds_alternative<Place<double>>(it.place))
            outside.insert(outside.end(), {std::numeric_limits<double>::quiet_NaN(),
                                           std::numeric_limits<double>::infinity()});
        for (const double value : outside) {
            RunConfig config;
            QVERIFY(setNumber(it, config, value));
            const std::vector<Problem> found = problems(config);
            const auto named = std::ranges::count(found, it.name, &Problem::field);
            QVERIFY2(named >= 1, qPrintable(QString("%1 = %2: %3").arg(it.name).arg(value).arg(named)));
            const Problem& problem = *std::ranges::find(found, it.name, &Problem::field);
            QVERIFY2(problem.text().starts_with(std::string(it.name) + " = "), problem.text().c_str());
            QVERIFY(!problem.legal.empty());
            RunConfig mended = config;
            QVERIFY(setNumber(it, mended, static_cast<double>(problem.legal.front())));
            std::vector<Problem> left;
            checkRange(it, mended, left);
            QVERIFY(left.empty());
        }
    }

    void changesThatCost() {
        RunConfig before, after;
        after.training.learning_rate = 0.5;
        QCOMPARE(costOfChange(before, before), ChangeCost::Nothing);
        QCOMPARE(costOfChange(before, after), ChangeCost::Nothing);
        after.params.m = 12;
        QCOMPARE(costOfChange(before, after), ChangeCost::NewPipeline);
        after.model.layers = 12;
        QCOMPARE(costOfChange(before, after), ChangeCost::NewRun);
    }

    void theDocumentNamesEveryRow() {
        QFile file(BUBBLESCOPE_SOURCE_DIR "/docs/FILE_FORMATS.md");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        const QString table =
            text.section("| field | default | meaning |", 1).section("## Safetensors", 0, 0);
        for (const ConfigRow& row : configTable())
            QVERIFY2(table.contains(QString("`%1`").arg(row.name)) ||
                         table.contains(QString(".%1`").arg(row.name)),
                     row.name);
    }
};

BUBBLESCOPE_TEST(TestConfigTable)

}  // namespace tst_config_table

#include "tst_config_table.moc"
