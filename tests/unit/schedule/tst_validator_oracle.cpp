// The validator against files that are known to be broken or legal: every schedule of the catalog, lowered,
// with one change.
#include <QTest>

#include "catalog/catalog.h"
#include "registered_test.h"
#include "schedule/formats/csv.h"
#include "schedule/formats/schedule_file.h"
#include "schedule_mutator.h"

namespace tst_validator_oracle {

using namespace bscope;

namespace {

constexpr std::uint64_t kSeeds = 4;  // changes of each kind in each file

struct Source {
    QString name;
    mutate::Table table;
};

// Lowered with communication, and as computation alone.
std::vector<Source> sources(bool lowered) {
    std::vector<Source> found;
    for (const CatalogEntry& entry : catalog())
        for (const auto& [p, m] : {std::pair{2, 4}, {4, 8}, {3, 6}}) {
            const ScheduleParams params{p, defaultChunks(entry), m, 0};
            if (entry.replicas > 1 || !scheduleProblems(entry.name, params).empty()) continue;
            const Schedule schedule = makeSchedule(entry.name, params);
            found.push_back({QString("%1 p=%2 m=%3").arg(entry.name).arg(p).arg(m),
                             mutate::tableOf(lowered ? toCommsCsv(schedule) : toComputeCsv(schedule))});
        }
    return found;
}

QString shown(const QString& name, int how, std::uint64_t seed, const std::string& csv) {
    return QString("%1, change %2, seed %3:\n%4").arg(name).arg(how).arg(seed).arg(csv.c_str());
}

bool placesExist(const ScheduleFile& file) {
    return std::all_of(file.errors.begin(), file.errors.end(), [&](const CellError& error) {
        const auto rows = static_cast<int>(file.cells.size());
        if (error.row < 0) return true;
        if (error.row >= rows) return false;
        return error.column < static_cast<int>(file.cells[static_cast<std::size_t>(error.row)].size());
    });
}

}  // namespace

class TestValidatorOracle : public QObject {
    Q_OBJECT
private slots:
    void whatIsBrokenIsRefused_data() {
        QTest::addColumn<bool>("lowered");
        QTest::newRow("with communication") << true;
        QTest::newRow("computation alone") << false;
    }
    void whatIsBrokenIsRefused() {
        QFETCH(bool, lowered);
        int refused = 0;
        std::vector<int> of_kind(mutate::kBreakages, 0);
        for (const Source& source : sources(lowered)) {
            QVERIFY(readScheduleFile(mutate::csvOf(source.table), "legal").errors.empty());
            for (int how = 0; how < mutate::kBreakages; ++how)
                for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
                    const auto csv =
                        mutate::Mutator(source.table, seed).broken(static_cast<mutate::Breakage>(how));
                    if (!csv) continue;
                    const ScheduleFile file = readScheduleFile(*csv, "broken", FileForm::Order);
                    QVERIFY2(!file.errors.empty(), qPrintable(shown(source.name, how, seed, *csv)));
                    QVERIFY(placesExist(file));
                    QVERIFY(!markedGrid(file).empty());
                    ++of_kind[static_cast<std::size_t>(how)];
                    ++refused;
                }
        }
        QVERIFY2(refused > 2000, qPrintable(QString::number(refused)));
        for (int how = 0; how < mutate::kBreakages; ++how) {
            const auto kind = static_cast<mutate::Breakage>(how);
            const bool about_messages = kind == mutate::Breakage::SendBeforeCompute ||
                                        kind == mutate::Breakage::ReceiveAfterNeed ||
                                        kind == mutate::Breakage::ReceivesSwapped;
            QCOMPARE(of_kind[static_cast<std::size_t>(how)] > 50, lowered || !about_messages);
        }
    }

    void whatIsEquivalentIsAccepted() {
        int accepted = 0;
        std::vector<int> of_kind(mutate::kHarmless, 0);
        for (const Source& source : sources(true))
            for (int how = 0; how < mutate::kHarmless; ++how)
                for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
                    const auto csv =
                        mutate::Mutator(source.table, seed).equivalent(static_cast<mutate::Harmless>(how));
                    if (!csv) continue;
                    const ScheduleFile file = readScheduleFile(*csv, "equivalent", FileForm::Order);
                    QVERIFY2(file.errors.empty(),
                             qPrintable(shown(source.name, how, seed, *csv) +
                                        (file.errors.empty() ? "" : file.errors.front().text().c_str())));
                    ++of_kind[static_cast<std::size_t>(how)];
                    ++accepted;
                }
        QVERIFY2(accepted > 500, qPrintable(QString::number(accepted)));
        for (const int each : of_kind) QVERIFY(each > 50);
    }
};

BUBBLESCOPE_TEST(TestValidatorOracle)

}  // namespace tst_validator_oracle

#include "tst_validator_oracle.moc"
