// The layout of ranks as a picture: cells lie as Megatron lays ranks out, pointer and arrow keys light up the
// right groups, the explanation lists them and is silent without replicas.
#include <QSignalSpy>
#include <QTest>

#include "registered_test.h"
#include "widgets/schedule/explanation_view.h"
#include "widgets/text/format.h"

namespace tst_rank_picture {

using namespace bscope;
using namespace bscope::ui;

class TestRankPicture : public QObject {
    Q_OBJECT
private slots:
    void columnsAreStagesAndRowsReplicas() {
        RankPicture picture;
        setTheme(Theme::make(ThemeKind::Light));
        picture.setLayoutOfRanks({4, 2});
        picture.resize(400, picture.sizeHint().height());
        QCOMPARE(picture.cellOf(0).top(), picture.cellOf(2).top());    // one pipeline: 0, 2, 4, 6
        QCOMPARE(picture.cellOf(0).left(), picture.cellOf(1).left());  // one stage: 0, 1
        QVERIFY(picture.cellOf(2).left() > picture.cellOf(0).left());
        QVERIFY(picture.cellOf(1).top() > picture.cellOf(0).top());
        QVERIFY(picture.rect().contains(picture.cellOf(7).toRect()));
    }

    void pointerAndKeysTellTheGroups() {
        RankPicture picture;
        setTheme(Theme::make(ThemeKind::Light));
        picture.setLayoutOfRanks({4, 2});
        picture.resize(400, picture.sizeHint().height());
        picture.show();
        QVERIFY(QTest::qWaitForWindowExposed(&picture));
        QSignalSpy changed(&picture, &RankPicture::shownChanged);
        QTest::mouseMove(&picture, picture.cellOf(5).center().toPoint());
        QTRY_COMPARE(picture.shown(), 5);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(picture.sentence(),
                 QStringLiteral("Rank 5: stage 2, replica 1. Exchanges activations among 1, "
                                "3, 5, 7; reduces gradients with 4, 5."));
        QTest::mouseClick(&picture, Qt::LeftButton, {}, picture.cellOf(0).center().toPoint());
        QCOMPARE(picture.shown(), 0);
        QTest::keyClick(&picture, Qt::Key_Right);
        QCOMPARE(picture.shown(), 2);
        QTest::keyClick(&picture, Qt::Key_Down);
        QCOMPARE(picture.shown(), 3);
        QTest::keyClick(&picture, Qt::Key_Down);
        QCOMPARE(picture.shown(), 3);
    }

    // A row for each shard of each replica; the groups of all three kinds.
    void shardsHaveRowsOfTheirOwn() {
        RankPicture picture;
        setTheme(Theme::make(ThemeKind::Light));
        picture.setLayoutOfRanks({2, 2, 2});
        picture.resize(400, picture.sizeHint().height());
        picture.show();
        QVERIFY(QTest::qWaitForWindowExposed(&picture));
        for (int rank = 1; rank < 4; ++rank) {
            QCOMPARE(picture.cellOf(rank).left(), picture.cellOf(0).left());
            QVERIFY(picture.cellOf(rank).top() > picture.cellOf(rank - 1).top());
            QCOMPARE(picture.cellOf(rank).top(), picture.cellOf(rank + 4).top());
        }
        QVERIFY(picture.rect().contains(picture.cellOf(7).toRect()));
        QTest::mouseClick(&picture, Qt::LeftButton, {}, picture.cellOf(1).center().toPoint());
        QTest::keyClick(&picture, Qt::Key_Down);
        QTest::keyClick(&picture, Qt::Key_Right);
        QCOMPARE(picture.shown(), 6);
        QCOMPARE(
            picture.sentence(),
            QStringLiteral("Rank 6: stage 1, replica 1. Exchanges activations among 2, 6; reduces gradients "
                           "with 4, 6. Shard 0: computes its stage together with 6, 7."));
        ExplanationView view;
        ScheduleParams params{2, 1, 8, 0};
        params.t = 2;
        view.setSchedule("1f1b", params);
        QVERIFY(!view.ranks().isHidden());
        QCOMPARE(view.rankGroups(), QStringLiteral("Pipeline-parallel groups (2): [0, 2] [1, 3]\n"
                                                   "Data-parallel groups (4): [0] [1] [2] [3]\n"
                                                   "Tensor-parallel groups (2): [0, 1] [2, 3]"));
    }

    void explanationListsTheGroups() {
        ExplanationView view;
        setTheme(Theme::make(ThemeKind::Light));
        ScheduleParams params{4, 1, 8, 0};
        view.setSchedule("1f1b", params);
        QVERIFY(view.ranks().isHidden());
        params.d = 2;
        view.setSchedule("1f1b", params);
        QVERIFY(!view.ranks().isHidden());
        QCOMPARE(view.rankGroups(), QStringLiteral("Pipeline-parallel groups (2): [0, 2, 4, 6] [1, 3, 5, 7]\n"
                                                   "Data-parallel groups (4): [0, 1] [2, 3] [4, 5] [6, 7]"));
        QVERIFY(view.picture().boxOf(3).bottom() <= view.picture().sizeHint().height());
    }

    // By formula, of the rank that is pointed at; kinds that a run has not are left out.
    void aRankSaysWhatItReceives() {
        ExplanationView view;
        ScheduleParams params{2, 1, 8, 0};
        params.d = 2;
        view.setSchedule("1f1b", params);
        const QString without = view.rankSentence();
        view.setTraffic({{}, {.pipeline = 2'000'000, .gradients = 500'000, .weights = 250'000}, {}, {}});
        QCOMPARE(view.rankSentence(), without);
        RankPicture& ranks = view.ranks();
        QTest::mouseClick(&ranks, Qt::LeftButton, {}, ranks.cellOf(1).center().toPoint());
        QCOMPARE(ranks.shown(), 1);
        QVERIFY(view.rankSentence().contains(
            QStringLiteral("By formula it receives in an iteration: %1 of activations and their gradients")
                .arg(bytesText(2e6))));
        QVERIFY(view.rankSentence().contains(QStringLiteral("of stepped weights")));
        QVERIFY(!view.rankSentence().contains(QStringLiteral("shards")));
        view.setTraffic({});
        QCOMPARE(view.rankSentence(), ranks.sentence());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestRankPicture)

}  // namespace tst_rank_picture

#include "tst_rank_picture.moc"
