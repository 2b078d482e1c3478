// bscope generate: its numbers follow from each other, its answers from the model alone, and mistakes are
// named.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_cli_generate {

using namespace bscope;

namespace {

const QStringList kTiny{"generate",
                        "--layers",
                        "4",
                        "--hidden",
                        "32",
                        "--heads",
                        "2",
                        "--seq",
                        "32",
                        "--json",
                        "--clock",
                        "reconstructed",
                        "--matrix-library",
                        "loops"};

QList<QJsonArray> tokensOf(const QJsonObject& run) {
    QList<QJsonArray> tokens;
    for (const auto& request : run["requests"].toArray())
        tokens.append(request.toObject()["tokens"].toArray());
    return tokens;
}

}  // namespace

class TestCliGenerate : public QObject {
    Q_OBJECT

    QTemporaryDir folder;

    QJsonObject generated(const QStringList& arguments) {
        const Outcome outcome = bscopeRun(kTiny + arguments);
        if (outcome.code != 0) qWarning("%s", outcome.errors.constData());
        return outcome.json().value(0);
    }

private slots:
    void numbersFollowFromEachOther() {
        const QJsonObject run = generated(
            {"-p", "2", "--requests", "6", "--prompt-tokens", "8", "--output-tokens", "6", "--groups", "3"});
        QCOMPARE(run["provenance"].toString(), QString("RECONSTRUCTED"));
        QCOMPARE(run["places"].toInt(), 2);
        QCOMPARE(run["steps"].toInt(), 3 * 6);
        QCOMPARE(run["prefill_steps"].toInt(), 3);
        QCOMPARE(run["decode_steps"].toInt(), 3 * 5);
        QCOMPARE(run["mixed_steps"].toInt(), 0);
        QCOMPARE(run["prompt_tokens"].toInt(), 6 * 8);
        QCOMPARE(run["output_tokens"].toInt(), 6 * 6);
        const double length_ms = run["length_ms"].toDouble();
        QCOMPARE(run["output_tokens_per_s"].toDouble(), 1e3 * 36 / length_ms);
        double last_ms = 0, busy_ms = 0;
        for (const auto& each : run["requests"].toArray()) {
            const QJsonObject request = each.toObject();
            QCOMPARE(request["tokens"].toArray().size(), 6);
            QCOMPARE(request["tpot_ms"].toDouble(),
                     (request["last_token_ms"].toDouble() - request["ttft_ms"].toDouble()) / 5);
            last_ms = std::max(last_ms, request["last_token_ms"].toDouble());
        }
        QCOMPARE(last_ms, length_ms);
        for (const auto& each : run["ranks"].toArray()) {
            const QJsonObject rank = each.toObject();
            busy_ms += rank["busy_ms"].toDouble();
            // All six are at work at a time: 2 blocks of keys and values, 32 numbers each, of 8 + 6 - 1
            // tokens.
            QCOMPARE(rank["kv_cache_bytes"].toInt(), 6 * 2 * 2 * 32 * 4 * 13);
            QVERIFY(rank["peak_activation_bytes"].toInt() > rank["kv_cache_bytes"].toInt());
        }
        QVERIFY(std::abs(run["bubble_of_total"].toDouble() - (1 - busy_ms / (2 * length_ms))) < 1e-3);
    }

    // Whatever pipeline and steps there are, and of unequal lengths.
    void answersAreTheModels() {
        const QStringList requests{"--requests", "5", "--prompt-tokens", "3..9", "--output-tokens", "2..8"};
        const QJsonObject one = generated(requests + QStringList{"-p", "1", "--places", "1"});
        QCOMPARE(tokensOf(one).size(), 5);
        for (const QStringList& other : {QStringList{"-p", "4"}, QStringList{"-p", "2", "-t", "2"},
                                         QStringList{"-p", "3", "--batching", "static", "--places", "2"},
                                         QStringList{"-p", "2", "--token-budget", "4"}})
            QCOMPARE(tokensOf(generated(requests + other)), tokensOf(one));
    }

    void aTrainedModelCompletesAPrompt() {
        const QString state = folder.filePath("state.safetensors");
        QStringList train = kTiny;
        train.replace(0, "run");
        QCOMPARE(bscopeRun(train + QStringList{"-p", "2", "--iterations", "2", "--save", state}).code, 0);
        const QStringList prompts{"--prompt", "Pipe", "--prompt", "A stage", "--output-tokens", "4"};
        const QJsonObject run = generated(prompts + QStringList{"-p", "2", "--load", state});
        QCOMPARE(run["requests"].toArray()[0].toObject()["prompt_tokens"].toInt(), 4);
        QCOMPARE(run["requests"].toArray()[1].toObject()["prompt_tokens"].toInt(), 7);
        QCOMPARE(tokensOf(generated(prompts + QStringList{"-p", "2", "-t", "2", "--load", state})),
                 tokensOf(run));
        QVERIFY(tokensOf(generated(prompts + QStringList{"-p", "2"})) != tokensOf(run));
        QCOMPARE(bscopeRun(kTiny + QStringList{"--load", state, "--layers", "6", "--prompt", "a"}).code, 1);
    }

    void lengthsOfAFile() {
        QFile lengths(folder.filePath("lengths.txt"));
        QVERIFY(lengths.open(QIODevice::WriteOnly));
        lengths.write("4 3\n\n9 1\n");
        lengths.close();
        const QJsonObject run = generated({"-p", "2", "--lengths", lengths.fileName()});
        QCOMPARE(run["requests"].toArray().size(), 2);
        QCOMPARE(run["prompt_tokens"].toInt(), 13);
        QVERIFY(run["requests"].toArray()[1].toObject()["tpot_ms"].isNull());
        QVERIFY(lengths.open(QIODevice::WriteOnly));
        lengths.write("4 3\n9\n");
        lengths.close();
        const Outcome wrong = bscopeRun(kTiny + QStringList{"--lengths", lengths.fileName()});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.errors.contains("line 2: 9; two whole numbers are expected"), wrong.errors);
    }

    // Of a file of a training only what serving depends on is taken.
    void aTrainingsConfigurationIsTaken() {
        QFile config(folder.filePath("config.json"));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(
            R"({"schedule": "chimera", "p": 2, "v": 1, "m": 4, "recompute": "full", "memory_cap_mb": 1,
                         "durations": "calibrated", "model": {"layers": 2, "vocabulary": 512}})");
        config.close();
        const QJsonObject run =
            generated({"--config", config.fileName(), "--requests", "3", "--prompt-tokens", "4"});
        QCOMPARE(run["p"].toInt(), 2);
        QCOMPARE(run["groups"].toInt(), 2);
        for (const auto& each : run["requests"].toArray()) {
            QString text = each.toObject()["text"].toString();
            for (const auto& token : each.toObject()["tokens"].toArray())
                if (token.toInt() >= 256) QVERIFY(text.contains(QString("<%1>").arg(token.toInt())));
        }
        // No sample of the training is needed.
        QCOMPARE(bscopeRun(kTiny + QStringList{"--seq", "20000", "--prompt", "abc"}).code, 0);
    }

    void mistakesAreNamed_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("mentioned");
        const auto row = [](const char* name, const QStringList& arguments, const char* mentioned) {
            QTest::newRow(name) << arguments << QString(mentioned);
        };
        row("m", {"-m", "4"}, "there is no option -m");
        row("none", {"--requests", "0"}, "requests = 0 must lie between 1 and 4096");
        row("too long", {"--prompt-tokens", "30", "--output-tokens", "4"}, "must fit into sequence = 32");
        row("budget", {"--token-budget", "1", "--places", "3"}, "or at least places = 3");
        row("range", {"--output-tokens", "9..3"}, "a whole number, or two such as 4..32");
        row("word", {"--batching", "dynamic"}, "continuous or static");
        row("twice", {"--prompt", "a", "--requests", "3"}, "every --prompt is a request");
        row("twice lengths", {"--prompt", "a", "--prompt-tokens", "3"},
            "leave out --requests and --prompt-tokens");
        row("no group", {"--groups", "0", "--prompt-tokens", "4"}, "1 problem\n  - groups = 0");
        row("no file", {"--lengths", "/none"}, "1 problem\n  - /none cannot be read: No such file");
        row("iterations", {"--iterations", "0"}, "must be at least 1");
        row("memory", {"--seq", "8192", "--hidden", "8192", "--prompt-tokens", "8000", "--requests", "999"},
            "fewer requests at a time, or shorter ones");
        row("heads", {"-t", "3"}, "heads");
    }
    void mistakesAreNamed() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, mentioned);
        const Outcome outcome = bscopeRun(kTiny + arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(QString::fromUtf8(outcome.errors).contains(mentioned), outcome.errors);
    }

    void theTableIsInBothLanguages() {
        QStringList arguments = kTiny;
        arguments.removeAll("--json");
        const Outcome english = bscopeRun(arguments + QStringList{"-p", "2", "--prompt-tokens", "8"});
        QCOMPARE(english.code, 0);
        QVERIFY2(english.out.contains("128 tokens generated in"), english.out);
        QVERIFY2(english.out.contains("RECONSTRUCTED"), english.out);
        const Outcome chinese =
            bscopeRun(arguments + QStringList{"-p", "2", "--prompt-tokens", "8", "--lang", "zh"});
        QVERIFY2(QString::fromUtf8(chinese.out).contains("生成 128 个 token"), chinese.out);
    }
};

BUBBLESCOPE_TEST(TestCliGenerate)

}  // namespace tst_cli_generate

#include "tst_cli_generate.moc"
