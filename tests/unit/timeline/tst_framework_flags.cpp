// What is typed into a framework for a setting: every schedule of the catalog in every framework is either
// there with the numbers of the configuration, or refused in one sentence.
#include <QTest>

#include "advice/advisor.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "words/catalog.h"

namespace tst_framework_flags {

using namespace bscope;

namespace {

// p = 4 with 16 blocks, m = 8, micro-batches of 3.
FlaggedSetting settingOf(const std::string& schedule, int v = 0, int p = 4, int m = 8) {
    FlaggedSetting setting;
    RunConfig& config = setting.config;
    config.schedule = schedule;
    config.params.p = p;
    config.params.v = v > 0 ? v : defaultChunks(*findSchedule(schedule));
    config.params.m = m;
    config.micro_batch = 3;
    config.model.layers = 16;
    setting.order = makeSchedule(schedule, config.params);
    return setting;
}

QString textOf(Framework framework, const FlaggedSetting& setting) {
    const FrameworkFlags flags = frameworkFlags(framework, setting);
    return flags.known() ? QString::fromStdString(flagsText(flags, Language::English))
                         : "missing: " + QString::fromStdString(say(flags.missing, Language::English));
}

bool hasLine(const QString& text, const QString& line) {
    return text.split(u'\n').contains(line);
}

}  // namespace

class TestFrameworkFlags : public QObject {
    Q_OBJECT

private slots:
    // Schedule by framework: the line that says it, or nothing where the framework does not have it.
    void everyScheduleInEveryFramework_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<QString>("megatron");
        QTest::addColumn<QString>("pytorch");
        QTest::addColumn<QString>("deepspeed");
        QStringList rows;
        const auto row = [&rows](const char* schedule, const QString& megatron, const QString& pytorch,
                                 const QString& deepspeed) {
            rows << schedule;
            QTest::newRow(schedule) << QString(schedule) << megatron << pytorch << deepspeed;
        };
        const auto csv = [](const char* schedule, int v) {
            return QStringLiteral("bscope schedule %1 -p 4 -v %2 -m 8 --csv > %1.csv").arg(schedule).arg(v);
        };
        const auto made = [](const char* name, const char* stages) {
            return QStringLiteral("schedule = Schedule%1(%2, n_microbatches=8, loss_fn=loss_fn)")
                .arg(name, stages);
        };
        const QString none, steps = "\"gradient_accumulation_steps\": 8,";
        row("naive", none, csv("naive", 1), none);
        row("gpipe", none, made("GPipe", "stage"), none);
        row("gpipe-lifo", none, csv("gpipe-lifo", 1), none);
        row("1f1b", "--pipeline-model-parallel-size 4", made("1F1B", "stage"), steps);
        row("interleaved", "--num-virtual-stages-per-pipeline-rank 2", made("Interleaved1F1B", "stages"),
            none);
        row("interleaved-combined", "--overlap-moe-expert-parallel-comm", csv("interleaved-combined", 2),
            none);
        row("seq1f1b", "--pipeline-model-parallel-size 4", made("1F1B", "stage"), steps);  // q = 1
        row("eager-1f1b", none, made("Interleaved1F1B", "stages"), none);
        row("interleaved-pytorch", "--num-virtual-stages-per-pipeline-rank 2",
            made("Interleaved1F1B", "stages"), none);
        row("looped-bfs", none, made("LoopedBFS", "stages"), none);
        row("zb-h1", "--zero-bubble-max-pending-backward 4", made("InterleavedZeroBubble", "stages"), none);
        row("zb-h2", "--zero-bubble-max-pending-backward 8", csv("zb-h2", 1), none);
        row("zb-interleaved", none, made("InterleavedZeroBubble", "stages"), none);
        row("zb-v", "--zero-bubble-v-schedule", made("ZBVZeroBubble", "stages"), none);
        row("v-half", "--zero-bubble-v-schedule-mem-setup half", csv("v-half", 2), none);
        row("v-min", "--zero-bubble-v-schedule-mem-setup min", csv("v-min", 2), none);
        row("v-1f1b", "--enable-1f1b-v", csv("v-1f1b", 2), none);
        row("dualpipe-v", "--schedules-method dualpipev", made("DualPipeV", "stages"), none);
        row("hanayo", none, csv("hanayo", 2), none);
        for (const char* in_none : {"chimera", "dualpipe", "pipedream", "pipedream-2bw", "forward-only"})
            row(in_none, none, none, none);
        QStringList all;
        for (const CatalogEntry& entry : catalog()) all << entry.name;
        QCOMPARE(rows, all);
    }

    void everyScheduleInEveryFramework() {
        QFETCH(QString, schedule);
        QFETCH(QString, megatron);
        QFETCH(QString, pytorch);
        QFETCH(QString, deepspeed);
        const FlaggedSetting setting = settingOf(schedule.toStdString());
        for (const Framework framework : kFrameworks) {
            const QString line = framework == Framework::Megatron  ? megatron
                                 : framework == Framework::PyTorch ? pytorch
                                                                   : deepspeed;
            const QString text = textOf(framework, setting);
            if (line.isEmpty()) {
                QVERIFY2(text.startsWith("missing: ") && !text.contains(u'\n'), qPrintable(text));
                QVERIFY2(text.contains(titleOf(framework)) && !text.contains("{"), qPrintable(text));
                QVERIFY2(!text.contains(" --"), qPrintable(text));  // no option is made up
                continue;
            }
            QVERIFY2(hasLine(text, line), qPrintable(line + "\n" + text));
            for (const FlagLine& each : frameworkFlags(framework, setting).lines)
                QVERIFY(each.code.empty() != each.note.empty());
        }
    }

    void segmentsAreNoneOfTheirs() {
        FlaggedSetting setting = settingOf("seq1f1b");
        setting.config.params.segments = 4;
        setting.order = makeSchedule("seq1f1b", setting.config.params);
        for (const Framework framework : kFrameworks)
            QVERIFY2(textOf(framework, setting).startsWith("missing: "),
                     qPrintable(textOf(framework, setting)));
    }

    // p, v, m, the size of micro-batches and the layers stand in what is typed, not in comments alone.
    void numbersAreThoseOfTheConfiguration() {
        FlaggedSetting setting = settingOf("interleaved", 4, 2, 6);
        setting.config.params.d = 3;
        setting.order = makeSchedule("interleaved", setting.config.params);
        const QString megatron = textOf(Framework::Megatron, setting);
        for (const char* line :
             {"--pipeline-model-parallel-size 2", "--num-virtual-stages-per-pipeline-rank 4",
              "--microbatch-group-size-per-virtual-pipeline-stage 2", "--micro-batch-size 3",
              "--global-batch-size 54", "# Megatron-LM: Interleaved 1F1B, p = 2, v = 4, m = 6, d = 3, t = 1"})
            QVERIFY2(hasLine(megatron, line), qPrintable(line + QString("\n") + megatron));
        const QString pytorch = textOf(Framework::PyTorch, setting);
        for (const char* line :
             {"schedule = ScheduleInterleaved1F1B(stages, n_microbatches=6, loss_fn=loss_fn)",
              "# rank r holds the 4 stages r, r + 2 and so on", "pipeline_parallel_degree = 2",
              "data_parallel_replicate_degree = 3", "pipeline_parallel_schedule = \"Interleaved1F1B\"",
              "pipeline_parallel_layers_per_stage = 2", "pipeline_parallel_microbatch_size = 3",
              "local_batch_size = 18", "mode = \"none\""})
            QVERIFY2(hasLine(pytorch, line), qPrintable(line + QString("\n") + pytorch));
        const QString deepspeed = textOf(Framework::DeepSpeed, settingOf("1f1b"));
        for (const char* line :
             {"PipelineModule(layers=layers, num_stages=4, partition_method=\"type:transformer\", "
              "activation_checkpoint_interval=0)",
              "\"gradient_accumulation_steps\": 8,", "\"train_micro_batch_size_per_gpu\": 3,",
              "\"train_batch_size\": 24"})
            QVERIFY2(hasLine(deepspeed, line), qPrintable(line + QString("\n") + deepspeed));
    }

    // Of every framework the header names the shards, and what is typed has them.
    void shardsAreNamed() {
        FlaggedSetting setting = settingOf("1f1b");
        setting.config.params.t = 2;
        setting.order = makeSchedule("1f1b", setting.config.params);
        const std::pair<Framework, const char*> typed[] = {
            {Framework::Megatron, "--tensor-model-parallel-size 2"},
            {Framework::PyTorch, "tensor_parallel_degree = 2"},
            {Framework::DeepSpeed,
             "PipelineModule(layers=layers, topology=PipeModelDataParallelTopology(num_pp=4, num_mp=2, "
             "num_dp=1), "
             "partition_method=\"type:transformer\", activation_checkpoint_interval=0)"}};
        for (const auto& [framework, line] : typed) {
            const QString text = textOf(framework, setting);
            QVERIFY2(hasLine(text, line), qPrintable(text));
            QVERIFY2(text.startsWith(
                         QString("# %1: 1F1B, p = 4, v = 1, m = 8, d = 1, t = 2").arg(titleOf(framework))),
                     qPrintable(text));
        }
        QVERIFY(textOf(Framework::PyTorch, setting).contains("cut over its 2 ranks by parallelize_module"));
        QVERIFY(!textOf(Framework::Megatron, setting).contains("--sequence-parallel"));
        QVERIFY(textOf(Framework::PyTorch, setting).contains("always use sequence parallelism"));
        setting.config.sequence_parallel = true;
        QVERIFY(hasLine(textOf(Framework::Megatron, setting), "--sequence-parallel"));
        QVERIFY(!textOf(Framework::PyTorch, setting).contains("always use sequence parallelism"));
    }

    void zeroIsNamed() {
        FlaggedSetting setting = settingOf("1f1b");
        setting.config.params.d = 2;
        QVERIFY(!textOf(Framework::Megatron, setting).contains("--use-distributed-optimizer"));
        setting.config.params.zero = 1;
        QVERIFY(hasLine(textOf(Framework::Megatron, setting), "--use-distributed-optimizer"));
        QVERIFY(hasLine(textOf(Framework::DeepSpeed, setting), "\"zero_optimization\": {\"stage\": 1},"));
        QVERIFY(textOf(Framework::PyTorch, setting).contains("torchtitan has no ZeRO-1"));
    }

    void unevenLayersAreNamed() {
        FlaggedSetting setting = settingOf("1f1b");
        setting.config.layers_per_stage = {5, 4, 4, 3};
        QString text = textOf(Framework::Megatron, setting);
        QVERIFY2(hasLine(text, "--decoder-first-pipeline-num-layers 5") &&
                     hasLine(text, "--decoder-last-pipeline-num-layers 3") && !text.contains("layout"),
                 qPrintable(text));
        QVERIFY2(textOf(Framework::DeepSpeed, setting).startsWith("missing: "), "more than one block apart");
        setting.config.layers_per_stage = {5, 4, 3, 4};
        text = textOf(Framework::Megatron, setting);
        QVERIFY2(hasLine(text, "--pipeline-model-parallel-layout \"Et*5|t*4|t*3|t*4L\""), qPrintable(text));
        setting.config.layers_per_stage.clear();
        setting.config.model.layers = 5;  // the first stage has one more
        text = textOf(Framework::Megatron, setting);
        QVERIFY2(hasLine(text, "--decoder-first-pipeline-num-layers 2"), qPrintable(text));
        text = textOf(Framework::PyTorch, setting);
        QVERIFY2(text.contains("[[\"tok_embeddings\", \"layers.0\", \"layers.1\"], [\"layers.2\"], "
                               "[\"layers.3\"], [\"layers.4\", \"norm\", \"output\"]]"),
                 qPrintable(text));
        QVERIFY(textOf(Framework::DeepSpeed, setting).contains("one block more"));

        // With chunks the layout says how many, and the option for that must not stand beside it.
        FlaggedSetting chunks = settingOf("interleaved", 2, 2, 4);
        chunks.config.layers_per_stage = {3, 5, 4, 4};
        text = textOf(Framework::Megatron, chunks);
        QVERIFY2(hasLine(text, "--pipeline-model-parallel-layout \"Et*3|t*5|t*4|t*4L\"") &&
                     !text.contains("--num-virtual-stages"),
                 qPrintable(text));
        FlaggedSetting forked = settingOf("zb-v");
        forked.config.model.layers = 17;
        text = textOf(Framework::Megatron, forked);
        QVERIFY2(text.startsWith("missing: ") &&
                     text.contains("17 layers cannot be divided evenly among 8 stages"),
                 qPrintable(text));
    }

    void recomputationIsNamed() {
        FlaggedSetting setting = settingOf("1f1b");
        setting.config.recompute = Recompute::Full;
        QVERIFY(hasLine(textOf(Framework::Megatron, setting), "--recompute-granularity full"));
        QVERIFY(hasLine(textOf(Framework::Megatron, setting), "--recompute-method uniform"));
        QVERIFY(hasLine(textOf(Framework::PyTorch, setting), "mode = \"full\""));
        QVERIFY(textOf(Framework::DeepSpeed, setting).contains("activation_checkpoint_interval=1)"));
        setting.config.recompute = Recompute::Selective;
        QVERIFY(hasLine(textOf(Framework::Megatron, setting), "--recompute-granularity selective"));
        QVERIFY(!textOf(Framework::Megatron, setting).contains("--recompute-method"));
        QVERIFY(hasLine(textOf(Framework::PyTorch, setting), "mode = \"selective\""));
        QVERIFY(textOf(Framework::DeepSpeed, setting).startsWith("missing: "));
    }

    // What ran is one checkpoint a stage unless it is one a layer; Megatron-LM counts the layers of a
    // checkpoint, the others have one a layer and say so.
    void checkpointsAreThoseOfTheRun() {
        FlaggedSetting setting = settingOf("1f1b");  // four layers a stage
        setting.config.recompute = Recompute::Full;
        const auto layersOfCheckpoint = [&](int layers) {
            return hasLine(textOf(Framework::Megatron, setting),
                           QStringLiteral("--recompute-num-layers %1").arg(layers));
        };
        QVERIFY(layersOfCheckpoint(4));
        QVERIFY(textOf(Framework::DeepSpeed, setting).contains("checkpoint a layer"));
        QVERIFY(textOf(Framework::PyTorch, setting).contains("checkpoint a layer"));
        setting.config.layers_per_stage = {6, 4, 4, 2};
        QVERIFY(layersOfCheckpoint(2));
        QVERIFY(textOf(Framework::Megatron, setting).contains("stages of different length"));
        setting.config.layers_per_stage = {5, 4, 4, 3};
        QVERIFY(layersOfCheckpoint(1));
        setting.config.layers_per_stage.clear();
        setting.config.checkpoint_every = CheckpointEvery::Layer;
        QVERIFY(layersOfCheckpoint(1));
        for (const Framework framework : kFrameworks)
            QVERIFY(!textOf(framework, setting).contains("checkpoint a "));

        setting = settingOf("interleaved", 2);  // two layers a chunk
        setting.config.recompute = Recompute::Full;
        QVERIFY(layersOfCheckpoint(2));
        setting = settingOf("zb-v");
        setting.config.recompute = Recompute::Full;
        QVERIFY(layersOfCheckpoint(2));
        setting.knows_model = false;
        const QString unknown = textOf(Framework::Megatron, setting);
        QVERIFY2(hasLine(unknown, "--recompute-num-layers $((NUM_LAYERS / 8))"), qPrintable(unknown));
    }

    // Rules of the frameworks that go beyond the schedule's own.
    void rulesOfFrameworks() {
        const FlaggedSetting few = settingOf("1f1b", 1, 4, 3);  // Schedule1F1B wants m >= p
        QVERIFY(hasLine(textOf(Framework::PyTorch, few), "schedule._load_csv(\"1f1b.csv\")"));
        QVERIFY(hasLine(textOf(Framework::DeepSpeed, few), "\"gradient_accumulation_steps\": 3,"));
        QVERIFY(textOf(Framework::Megatron, settingOf("interleaved", 2, 1, 4)).startsWith("missing: "));
        QVERIFY(textOf(Framework::Megatron, settingOf("interleaved", 1)).startsWith("missing: "));
        // One micro-batch alone is 1F1B, however it is called.
        QVERIFY(hasLine(textOf(Framework::Megatron, settingOf("gpipe", 1, 4, 1)), "--global-batch-size 3"));
        QVERIFY(!textOf(Framework::DeepSpeed, settingOf("naive", 1, 4, 1)).startsWith("missing: "));
        // PyTorch's rounds of 6 are Megatron's groups of 6.
        const QString rounds = textOf(Framework::Megatron, settingOf("interleaved-pytorch", 2, 4, 6));
        QVERIFY2(hasLine(rounds, "--microbatch-group-size-per-virtual-pipeline-stage 6"), qPrintable(rounds));
        QVERIFY(frameworkFlags(Framework::Megatron, settingOf("1f1b")).ofFrameworkItself());
        const FrameworkFlags fork = frameworkFlags(Framework::Megatron, settingOf("zb-v"));
        QVERIFY(fork.known() && !fork.ofFrameworkItself());
        QVERIFY(QString::fromStdString(flagsText(fork, Language::English)).contains(fork.extension.c_str()));
        // Stages that go back and forth more than once are placed by hand.
        const QString waves = textOf(Framework::PyTorch, settingOf("hanayo", 4));
        QVERIFY2(waves.contains("torchtitan cannot") && !waves.contains("[parallelism]"), qPrintable(waves));
        const QString v_half = textOf(Framework::PyTorch, settingOf("v-half"));
        QVERIFY2(hasLine(v_half, "pipeline_parallel_schedule = \"ZBVZeroBubble\"") &&
                     hasLine(v_half, "pipeline_parallel_schedule_csv = \"v-half.csv\""),
                 qPrintable(v_half));
    }

    // Of another program's run neither layers nor sizes are known, and none is made up.
    void withoutAModelNothingIsMadeUp() {
        FlaggedSetting setting = settingOf("interleaved");
        setting.knows_model = false;
        setting.same_recompute = true;
        const QString megatron = textOf(Framework::Megatron, setting);
        QVERIFY2(hasLine(megatron, "--global-batch-size $((8 * MICRO_BATCH_SIZE))") &&
                     !megatron.contains("--micro-batch-size 3") && !megatron.contains("--recompute"),
                 qPrintable(megatron));
        QVERIFY(!textOf(Framework::PyTorch, setting).contains("layers_per_stage ="));
        QVERIFY(!textOf(Framework::PyTorch, setting).contains("mode ="));
        FlaggedSetting plain = settingOf("1f1b");
        plain.knows_model = false;
        plain.config.recompute = Recompute::Full;
        const QString deepspeed = textOf(Framework::DeepSpeed, plain);
        QVERIFY2(hasLine(deepspeed,
                         "PipelineModule(layers=layers, num_stages=4, activation_checkpoint_interval=1)"),
                 qPrintable(deepspeed));
        setting.config.schedule = "imported";
        QVERIFY(hasLine(textOf(Framework::Megatron, setting), "--num-virtual-stages-per-pipeline-rank 2"));
        std::swap(setting.order.orders[0][0], setting.order.orders[0][1]);
        for (const Framework framework : kFrameworks)
            QVERIFY(textOf(framework, setting).startsWith("missing: "));
    }

    // A file of an order is a word of the shell, whatever it is called.
    void fileNamesAreQuoted() {
        FlaggedSetting setting = settingOf("v-half");
        setting.config.schedule = "file:/tmp/it's mine.csv";
        const QString text = textOf(Framework::PyTorch, setting);
        QVERIFY2(hasLine(text, "bscope schedule 'file:/tmp/it'\\''s mine.csv' --csv > order.csv"),
                 qPrintable(text));
        QVERIFY(hasLine(text, "schedule._load_csv(\"order.csv\")"));
    }

    void commentsAreInTheReadersLanguage() {
        const FrameworkFlags flags = frameworkFlags(Framework::Megatron, settingOf("1f1b"));
        const QString chinese = QString::fromStdString(flagsText(flags, Language::Chinese));
        QVERIFY(hasLine(chinese, "--pipeline-model-parallel-size 4"));
        QVERIFY2(chinese.contains(QStringLiteral("重计算")), qPrintable(chinese));
    }

    // A filter keeps what the framework has itself, and what changes the machine.
    void adviceIsKeptToAFramework() {
        AdviceRequest request;
        request.known.config.params.m = 4;
        request.known.config.link.latency_us = 50;
        request.known.order =
            std::make_shared<const Schedule>(makeSchedule("1f1b", request.known.config.params));
        request.known.costs = unitCosts(request.schedule().stageCount(), 1, 1, 1, 0);
        request.knows_model = false;
        const auto all = advise(request).candidates;
        for (const Framework framework : kFrameworks) {
            request.framework = framework;
            int kept = 0, link = 0, out = 0;
            const Advice advice = advise(request);
            for (const Candidate& each : advice.candidates) {
                if (!each.predicted) continue;
                const FrameworkFlags flags = flagsOfSetting(request, each.setting, framework);
                const bool machine = changesTheMachine(request, each.setting);
                QCOMPARE(each.excluded.empty(), machine || flags.ofFrameworkItself());
                kept += each.excluded.empty();
                out += !each.excluded.empty();
                link += each.kind == Candidate::Kind::Link;
                if (machine) QVERIFY(!flags.known());
            }
            QVERIFY2(kept > 2 && out > 2 && link == 1, toText(framework));
            QVERIFY(all.size() >= 10);
        }
    }
};

BUBBLESCOPE_TEST(TestFrameworkFlags)

}  // namespace tst_framework_flags

#include "tst_framework_flags.moc"
