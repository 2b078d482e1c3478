// Gradients and loss of every schedule are, bit by bit, those of one rank.
#include <QTest>

#include "registered_test.h"
#include "run/verify.h"
#include "run_fixture.h"

namespace tst_verify {

using namespace bscope;

class TestVerify : public QObject {
    Q_OBJECT

private slots:
    void everyScheduleIsBitwiseTheOneRank_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("recompute");
        for (const char* schedule : {"1f1b", "gpipe", "gpipe-lifo", "interleaved", "naive", "zb-h1"})
            for (const int p : {1, 2, 4})
                for (int recompute = 0; recompute < 4; ++recompute) {
                    const int v = std::string(schedule) == "interleaved" ? 2 : 1;
                    QTest::addRow("%s p=%d v=%d recompute=%d", schedule, p, v, recompute)
                        << schedule << p << v << recompute;
                }
    }
    void everyScheduleIsBitwiseTheOneRank() {
        QFETCH(QString, schedule);
        QFETCH(int, p);
        QFETCH(int, v);
        QFETCH(int, recompute);
        RunConfig config = tinyConfig(schedule.toUtf8().constData(), p, 4, v);
        config.recompute = recompute == 3 ? Recompute::Full : static_cast<Recompute>(recompute);
        if (recompute == 3) config.checkpoint_every = CheckpointEvery::Layer;
        const VerifyResult result = verify(config);
        QVERIFY2(result.bitwise_equal, result.tensor.c_str());
        QVERIFY(result.within_tolerance);
        QCOMPARE(result.largest_difference, 0.0);
        QCOMPARE(result.loss.size(), std::size_t{3});
        QCOMPARE(result.tensors, 8 * 12 + 2 + 3);
    }

    void embeddingAndHeadAlone() {
        for (const char* schedule : {"1f1b", "zb-h1", "pipedream"})
            for (const Recompute recompute : {Recompute::None, Recompute::Full}) {
                RunConfig config = tinyConfig(schedule, 4, 4, 1);
                config.recompute = recompute;
                config.layers_per_stage = {0, 3, config.model.layers - 3, 0};
                QVERIFY2(problems(config).empty(), schedule);
                const VerifyResult result = verify(config);
                QVERIFY2(result.bitwise_equal, result.tensor.c_str());
            }
    }

    void moreMicrobatchesThanRanksAndUnevenSplits() {
        RunConfig config = tinyConfig("1f1b", 3, 7);
        config.layers_per_stage = {1, 5, 2};
        QVERIFY(verify(config, 2).bitwise_equal);
        config.params.m = 1;
        QVERIFY(verify(config, 2).bitwise_equal);
    }

    void tellsHowFarItIs() {
        for (const char* schedule : {"1f1b", "pipedream"}) {
            std::vector<std::pair<int, int>> reported;
            verify(tinyConfig(schedule, 2, 4), 2,
                   [&](int done, int total) { reported.emplace_back(done, total); });
            QVERIFY((reported == std::vector<std::pair<int, int>>{{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4}}));
        }
    }

    // Otherwise equal bits would say nothing.
    void anotherOrderOfMicrobatchesHasOtherBits() {
        RunObserver no_observer;
        const double forwards = Run(tinyConfig("gpipe", 2, 8), no_observer).iterate().grad_norm;
        const double backwards = Run(tinyConfig("gpipe-lifo", 2, 8), no_observer).iterate().grad_norm;
        QVERIFY(forwards != backwards);
        QVERIFY(std::abs(forwards / backwards - 1) < 1e-5);
    }

    void whatCannotBeComparedIsRefused() {
        QVERIFY_THROWS_EXCEPTION(ConfigError, verify(tinyConfig("forward-only")));
        QVERIFY_THROWS_EXCEPTION(ConfigError, verify(tinyConfig("1f1b", 16)));
    }
};

BUBBLESCOPE_TEST(TestVerify)

}  // namespace tst_verify

#include "tst_verify.moc"
