// What holds for every schedule of the catalog with any legal p <= 8, v <= 4, m <= 24.
#include <QTest>

#include "catalog/catalog.h"
#include "registered_test.h"
#include "schedule/deadlock.h"
#include "schedule/validate.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace tst_every_schedule {

using namespace bscope;

class TestEverySchedule : public QObject {
    Q_OBJECT
private slots:
    void isSoundAndNeverDeadlocks_data() {
        QTest::addColumn<QString>("name");
        for (const CatalogEntry& entry : catalog()) QTest::newRow(entry.name) << QString(entry.name);
    }
    void isSoundAndNeverDeadlocks() {
        QFETCH(QString, name);
        const std::string schedule_name = name.toStdString();
        int tried = 0;
        for (int p = 1; p <= 8; ++p)
            for (int v = 1; v <= 4; ++v)
                for (int m = 1; m <= 24; ++m) {
                    const ScheduleParams params{p, v, m, 0};
                    if (!scheduleProblems(schedule_name, params).empty()) continue;
                    const Schedule schedule = makeSchedule(schedule_name, params);
                    const std::vector<std::string> errors = scheduleErrors(schedule);
                    const QString where = QString("%1 p=%2 v=%3 m=%4 ").arg(name).arg(p).arg(v).arg(m);
                    QVERIFY2(errors.empty(),
                             qPrintable(where + (errors.empty() ? "" : errors.front().c_str())));
                    const Program program = lower(schedule);
                    for (const Transport transport : {Transport::Buffered, Transport::Rendezvous})
                        QVERIFY2(!findDeadlock(program, transport), qPrintable(where));
                    checkPeaks(program, where);
                    ++tried;
                }
        QVERIFY(tried >= 10);
    }

private:
    // The greatest number on the predicted memory curve is the one counted from the order of the events.
    static void checkPeaks(const Program& program, const QString& where) {
        const Timeline timeline =
            predict(program, unitCosts(program.schedule.stageCount(), 1, 1.2, 0.8, 0.1));
        const IterationSummary summary = summarize(timeline, 0);
        for (const RankSummary& rank : summary.ranks) {
            int most = 0;
            for (const MemoryPoint& point : timeline.memory(rank.rank))
                most = std::max<int>(most, point.in_flight);
            QVERIFY2(most == rank.peak_in_flight, qPrintable(where));
            QVERIFY2(rank.peak_activation_bytes == most, qPrintable(where));
        }
    }
};

BUBBLESCOPE_TEST(TestEverySchedule)

}  // namespace tst_every_schedule

#include "tst_every_schedule.moc"
