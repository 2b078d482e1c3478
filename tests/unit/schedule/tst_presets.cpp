// What frameworks call their schedules.
#include <QTest>
#include <set>

#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "catalog/presets.h"
#include "registered_test.h"
#include "schedule/nearest_word.h"

namespace tst_presets {

using namespace bscope;

class TestPresets : public QObject {
    Q_OBJECT
private slots:
    // A limit spares work and changes no distance within it.
    void distancesUpToALimit() {
        const std::vector<std::string> words{"",     "m", "1f1b", "gpipe", "--iterations", "--iteratoins",
                                             "zb-h1"};
        for (const std::string& a : words) {
            for (const std::string& b : words) {
                const std::size_t whole = wordDistance(a, b);
                QCOMPARE(whole, wordDistance(b, a));
                QCOMPARE(whole == 0, a == b);
                for (std::size_t most = 0; most < 14; ++most) {
                    const std::size_t limited = wordDistance(a, b, most);
                    if (whole <= most) QCOMPARE(limited, whole);
                    if (whole > most) QVERIFY(limited > most && limited <= whole);
                }
            }
        }
        QCOMPARE(wordDistance("--iteratoins", "--iterations"), std::size_t{2});
        QCOMPARE(nearestWord("gpipe", {"gpipes", "gpipe", "gpip"}), std::optional<std::string>("gpipe"));
        QCOMPARE(nearestWord("gpie", {"gpipes", "gpipe", "gpip"}), std::optional<std::string>("gpipe"));
        QVERIFY(!nearestWord("interleaved", {"gpipe", "1f1b"}));
    }

    void everyPresetIsARow() {
        std::set<std::string> names;
        for (const std::span<const Preset> table : {presets(), aliases()})
            for (const Preset& preset : table) {
                const CatalogEntry* entry = findSchedule(preset.name);
                QVERIFY2(entry != nullptr, preset.name);
                QCOMPARE(QString(entry->name), QString(preset.schedule));
                QVERIFY(names.insert(foldedName(preset.name)).second);
            }
    }

    void everyRowKeepsItsName() {
        for (const CatalogEntry& entry : catalog()) {
            QCOMPARE(findSchedule(entry.name), &entry);
            QCOMPARE(findSchedule(entry.title), &entry);
            QCOMPARE(findSchedule(titleOf(entry, Language::Chinese)), &entry);
            QCOMPARE(findSchedule(QString(entry.name).toUpper().toStdString()), &entry);
        }
    }

    void anySpellingWillDo_data() {
        QTest::addColumn<QString>("spelling");
        QTest::addColumn<QString>("name");
        QTest::newRow("class") << "ScheduleZBVZeroBubble"
                               << "zb-v";
        QTest::newRow("lower case") << "schedule1f1b"
                                    << "1f1b";
        QTest::newRow("framework") << "pytorch schedulegpipe"
                                   << "gpipe";
        QTest::newRow("hyphens") << "megatron_lm-interleaved"
                                 << "interleaved";
        QTest::newRow("Colossal-AI") << "ColossalAI ZB-V"
                                     << "zb-v";
        QTest::newRow("MindSpeed") << "MindSpeed VPP"
                                   << "interleaved";
        QTest::newRow("DAPPLE") << "dapple"
                                << "1f1b";
        QTest::newRow("Chinese") << "交错式1F1B"
                                 << "interleaved";
        QTest::newRow("full-width brackets") << "交错式 1F1B（PyTorch）"
                                             << "interleaved-pytorch";
        QTest::newRow("baseline") << "朴素流水线"
                                  << "naive";
        QTest::newRow("GPipe in Chinese") << "填充排空"
                                          << "gpipe";
        QTest::newRow("GPipe in full") << "先前向后反向"
                                       << "gpipe";
        QTest::newRow("1F1B in Chinese") << "一前一后"
                                         << "1f1b";
        QTest::newRow("eager in Chinese") << "提前式"
                                          << "eager-1f1b";
        QTest::newRow("inference") << "推理"
                                   << "forward-only";
        QTest::newRow("module") << "torch.distributed.pipeline.sync.Pipe"
                                << "gpipe-lifo";
        QTest::newRow("VPP") << "vpp"
                             << "interleaved";
    }
    void anySpellingWillDo() {
        QFETCH(QString, spelling);
        QFETCH(QString, name);
        QVERIFY(findSchedule(spelling.toStdString()) != nullptr);
        QCOMPARE(QString(findSchedule(spelling.toStdString())->name), name);
        const ScheduleParams params{4, defaultChunks(*findSchedule(name.toStdString())), 8, 0};
        QCOMPARE(makeSchedule(spelling.toStdString(), params).name, name.toStdString());
    }

    void unknownNamesStayUnknown() {
        for (const char* name : {"", "-", "schedule", "pytorch", "1f1", "file:1f1b", "不是1F1B", "1F1B。",
                                 "1f1b!", "式", "填充", "零气泡", "双向", "交错式填充排空"})
            QVERIFY2(findSchedule(name) == nullptr, name);
    }

    void unknownNamesAreRefusedWithTheNearest() {
        QCOMPARE(nearestSchedules("不是1F1B").front(), std::string("1f1b"));
        QCOMPARE(nearestSchedules("gpip").front(), std::string("gpipe"));
        QCOMPARE(nearestSchedules("dualpip-v").front(), std::string("dualpipe-v"));
        for (const std::string& name : nearestSchedules("zb")) QVERIFY(name.starts_with("zb"));
        const std::vector<Problem> found = scheduleProblems("不是1F1B", {4, 1, 8, 0});
        QCOMPARE(found.size(), std::size_t(1));
        const QString text = QString::fromStdString(found.front().text());
        QVERIFY2(text.startsWith("There is no schedule \"不是1F1B\"; nearest: 1f1b, "), qPrintable(text));
    }
};

BUBBLESCOPE_TEST(TestPresets)

}  // namespace tst_presets

#include "tst_presets.moc"
