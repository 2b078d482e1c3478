// Difference or noise: against series whose truth is known. What scatters alone is rarely called a
// difference, what differs is found, and bars that overlap decide where values are few.
#include <QTest>
#include <random>
#include <vector>

#include "registered_test.h"
#include "report/noise_verdict.h"
#include "words/catalog.h"

namespace tst_noise_verdict {

using namespace bscope;

class TestNoiseVerdict : public QObject {
    Q_OBJECT

    static std::vector<double> noisy(std::size_t count, double mean, double scatter, std::mt19937& random) {
        std::normal_distribution<double> noise(mean, scatter);
        std::vector<double> values(count);
        for (double& each : values) each = noise(random);
        return values;
    }
    static NoiseVerdict between(const std::vector<double>& a, const std::vector<double>& b) {
        return noiseVerdict(samplesOf(a), samplesOf(b));
    }

private slots:
    // Of 1000 pairs without a difference at most 8 % count as one, whatever their size.
    void sameRunsRarelyDiffer_data() {
        QTest::addColumn<int>("of_a");
        QTest::addColumn<int>("of_b");
        for (const auto& [a, b] : {std::pair{3, 3}, {8, 8}, {40, 40}, {3, 40}, {1, 20}})
            QTest::addRow("%d and %d", a, b) << a << b;
    }
    void sameRunsRarelyDiffer() {
        QFETCH(int, of_a);
        QFETCH(int, of_b);
        std::mt19937 random(7);
        int differ = 0;
        for (int pair = 0; pair < 1000; ++pair)
            differ += between(noisy(static_cast<std::size_t>(of_a), 100, 5, random),
                              noisy(static_cast<std::size_t>(of_b), 100, 5, random))
                          .differs();
        QVERIFY2(differ <= 80, qPrintable(QString::number(differ)));
    }

    void realDifferencesAreFound() {
        std::mt19937 random(11);
        int found = 0;
        for (int pair = 0; pair < 200; ++pair) {
            const NoiseVerdict verdict = between(noisy(20, 100, 3, random), noisy(20, 85, 3, random));
            found += verdict.differs() && verdict.difference < 0;
        }
        QVERIFY2(found >= 195, qPrintable(QString::number(found)));
    }

    void overlappingBarsAreNoDifference() {
        // 4.46 k tokens/s against 4.43 k, three iterations each.
        const NoiseVerdict near = noiseVerdict(samplesOf(4430, 4300, 4500, 3), samplesOf(4460, 4380, 4520, 3));
        QVERIFY(near.isNoise());
        QVERIFY(near.noise >= near.difference);
        // Skewed, so that the medians are far apart and the bars overlap all the same.
        QVERIFY(noiseVerdict(samplesOf(100, 99, 110, 3), samplesOf(110, 109.9, 111, 3)).isNoise());
        const NoiseVerdict far = noiseVerdict(samplesOf(100, 99, 101, 3), samplesOf(110, 109, 111, 3));
        QVERIFY(far.differs());
        QCOMPARE(far.share(), 0.1);
    }

    void singleValuesSayNothing() {
        QCOMPARE(between({100}, {200}).kind, NoiseVerdict::Kind::Unknown);
        QCOMPARE(between({}, {200, 201, 202}).kind, NoiseVerdict::Kind::Unknown);
        QCOMPARE(between({100}, {100, 101, 102, 99, 98}).kind, NoiseVerdict::Kind::NoDifference);
        QCOMPARE(between({150}, {100, 101, 102, 99, 98}).kind, NoiseVerdict::Kind::Differs);
    }

    void lessThanOnePercentIsNoDifference() {
        QVERIFY(between({100, 100, 100, 100}, {100.9, 100.9, 100.9, 100.9}).isNoise());
        QVERIFY(between({100, 100, 100, 100}, {101.1, 101.1, 101.1, 101.1}).differs());
    }

    void oneFarValueOfManyMattersLittle() {
        std::vector<double> a(20, 100), b(20, 105);
        for (std::size_t i = 0; i < 20; ++i) {
            a[i] += static_cast<double>(i % 5) / 5;
            b[i] += static_cast<double>(i % 5) / 5;
        }
        b.back() = 1000;
        QVERIFY(between(a, b).differs());
    }

    void itSaysHowMuchIsNoise() {
        const NoiseVerdict verdict = between({100, 100, 100}, {100, 100, 100});
        QCOMPARE(QString::fromStdString(say(noDifferenceWords(verdict), Language::English)),
                 QStringLiteral("no difference (within 1.0 %)"));
        QCOMPARE(QString::fromStdString(say(noDifferenceWords(verdict), Language::Chinese)),
                 QStringLiteral("无差异（1.0 % 以内）"));
    }
};

BUBBLESCOPE_TEST(TestNoiseVerdict)

}  // namespace tst_noise_verdict

#include "tst_noise_verdict.moc"
