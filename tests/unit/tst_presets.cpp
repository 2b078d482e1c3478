// What frameworks call their schedules.
#include <QtTest>
#include <set>

#include "schedule/catalog.h"
#include "schedule/presets.h"

using namespace bscope;

class TestPresets : public QObject {
    Q_OBJECT
private slots:
    void everyPresetIsARow() {
        std::set<std::string> names;
        for (const Preset& preset : presets()) {
            const CatalogEntry* entry = findSchedule(preset.name);
            QVERIFY2(entry != nullptr, preset.name);
            QCOMPARE(QString(entry->name), QString(preset.schedule));
            QVERIFY(names.insert(foldedName(preset.name)).second);
        }
    }

    void everyRowKeepsItsName() {
        for (const CatalogEntry& entry : catalog()) {
            QCOMPARE(findSchedule(entry.name), &entry);
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
        for (const char* name : {"", "-", "schedule", "pytorch", "1f1", "file:1f1b"})
            QVERIFY2(findSchedule(name) == nullptr, name);
    }
};

QTEST_GUILESS_MAIN(TestPresets)
#include "tst_presets.moc"
