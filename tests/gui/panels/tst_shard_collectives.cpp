// The sums of a box over its shards, listed where the kernels of a GPU's box stand.
#include <QTest>

#include "registered_test.h"
#include "sample_view.h"
#include "widgets/dock/kernel_list.h"

namespace tst_shard_collectives {

using namespace bscope;
using namespace bscope::ui;

class TestShardCollectives : public QObject {
    Q_OBJECT
private slots:
    void sumsOfABoxAreListed() {
        setTheme(Theme::make(ThemeKind::Light));
        IterationView view = sampleView({});
        const Event box = view.ran->compute(1).front();
        KernelPart part{.rank = 1, .total = 2};
        for (const int i : {0, 1})
            part.kernels.push_back({.start_ns = box.start_ns + i * 1'000'000,
                                    .end_ns = box.start_ns + i * 1'000'000 + 400'000,
                                    .bytes = 2'000'000,
                                    .stage = box.stage,
                                    .microbatch = box.microbatch,
                                    .rank = 1,
                                    .op = box.op,
                                    .kind = KernelEvent::Kind::AllReduce,
                                    .name = {},
                                    .wait_ns = 100'000});
        const auto log = std::make_shared<KernelLog>();
        log->append(part);
        KernelList list;
        list.setBox(view, &box, QStringLiteral("F1"));
        QVERIFY(list.isHidden());
        view.kernels = log;
        list.setBox(view, &box, QStringLiteral("F1"));
        QVERIFY(!list.isHidden());
        QCOMPARE(list.title(), QStringLiteral("Collectives of F1"));
        QCOMPARE(list.table().rowCount(), 2);
        QVERIFY(list.table().item(0, 0)->text().startsWith(QStringLiteral("all-reduce, 2")));
        QCOMPARE(list.table().item(1, 1)->text(), QStringLiteral("400.0"));
        const QString note = list.note();
        QVERIFY2(note.startsWith(
                     QStringLiteral("2 collectives over the shards: 200.0 µs waiting for other shards, "
                                    "600.0 µs adding and transferring")),
                 qPrintable(note));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestShardCollectives)

}  // namespace tst_shard_collectives

#include "tst_shard_collectives.moc"
