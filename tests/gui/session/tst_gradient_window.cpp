// The gradient check in the window: what it says is what `bscope verify` says of the same configuration; it
// names which configuration was checked and what has changed since; the run waits for it and goes on.
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "app/check/gradient_controller.h"
#include "opened_window.h"
#include "registered_test.h"
#include "wire/scenario.h"

namespace tst_gradient_window {

using namespace bscope;
using namespace bscope::ui;

namespace {

constexpr int kPatience_ms = 120'000;

QJsonObject verified(const RunConfig& config) {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("config.json")));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(QByteArray::fromStdString(configJson(config)));
    file.close();
    QProcess bscope;
    bscope.start(
        QStringLiteral(BUBBLESCOPE_BIN_DIR "/bscope"),
        {QStringLiteral("verify"), QStringLiteral("--config"), file.fileName(), QStringLiteral("--json")});
    bscope.waitForFinished(kPatience_ms);
    return QJsonDocument::fromJson(bscope.readAllStandardOutput()).object();
}

void press(MainWindow& window) {
    for (QAction* action : window.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_G)) return action->trigger();
    QFAIL("no action has Ctrl+G");
}

GradientDialog* opened(MainWindow& window) {
    press(window);
    return part<GradientController>(window).dialog();
}

void finishes(const GradientDialog* dialog) {
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->running(), kPatience_ms);
}

}  // namespace

class TestGradientWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void saysWhatVerifySays_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("d");
        QTest::newRow("flush") << "1f1b" << 1;
        QTest::newRow("replicas") << "1f1b" << 2;
        QTest::newRow("asynchronous") << "pipedream" << 1;
    }
    void saysWhatVerifySays() {
        QFETCH(QString, schedule);
        QFETCH(int, d);
        const LessonBook book = LessonBook::embedded();
        OpenedWindow of(book);
        Session& session = part<Session>(of.window);
        RunConfig config = smallRun();
        config.schedule = schedule.toStdString();
        config.params.d = d;
        session.edit(config);
        const GradientDialog* dialog = opened(of.window);
        QVERIFY(dialog->running());
        finishes(dialog);
        const QJsonObject reported = verified(config);
        QVERIFY(reported.value(u"tensors").toInt() > 0);
        const QString tensors = QString::number(reported.value(u"tensors").toInt());
        if (reported.value(u"bitwise_equal").toBool()) {
            QCOMPARE(dialog->verdict(),
                     QStringLiteral("Equal to one device, bitwise, %1 tensors").arg(tensors));
        } else {
            QCOMPARE(d, 2);
            QCOMPARE(dialog->verdict(),
                     QStringLiteral("Equal to one device within the tolerance, %1 tensors").arg(tensors));
            const double difference = reported.value(u"largest_difference").toDouble();
            QVERIFY2(dialog->details().contains(QString::number(difference, 'g', 3)),
                     qPrintable(dialog->details()));
            QVERIFY(dialog->details().contains(reported.value(u"tensor").toString()));
        }
        QVERIFY(dialog->details().contains(
            QString::number(static_cast<int>(reported.value(u"iterations").toInt())) +
            QStringLiteral(" iterations")));
        QCOMPARE(dialog->details().contains(QStringLiteral("delayed updates")),
                 reported.value(u"delayed_updates").toBool());
    }

    // Another configuration: what was found is of the former one, and says so; the same again needs no check.
    void tellsWhenItIsOutOfDate() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow of(book);
        Session& session = part<Session>(of.window);
        session.edit(smallRun());
        GradientDialog* dialog = opened(of.window);
        finishes(dialog);
        QVERIFY(dialog->outdated().isEmpty());
        const QString configuration = dialog->configuration();
        QVERIFY2(configuration.contains(QStringLiteral("p=2 m=4")), qPrintable(configuration));

        RunConfig other = smallRun();
        other.params.m = 8;
        session.edit(other);
        QVERIFY2(dialog->outdated().contains(QStringLiteral("m 4 → 8")), qPrintable(dialog->outdated()));
        QCOMPARE(dialog->configuration(), configuration);
        session.edit(smallRun());
        QVERIFY(dialog->outdated().isEmpty());
        press(of.window);
        QVERIFY(!dialog->running());  // it is known

        session.edit(other);
        dialog->startButton()->click();
        QVERIFY(dialog->running());
        QVERIFY(dialog->configuration().contains(QStringLiteral("m=8")));
        finishes(dialog);
        QVERIFY(dialog->outdated().isEmpty());

        other.params.m = 0;
        session.edit(other);
        QVERIFY(!dialog->startButton()->isEnabled());
    }

    void theRunWaitsAndGoesOn() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow of(book);
        Session& session = part<Session>(of.window);
        session.edit(smallRun());
        session.run();
        QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() >= 1, kEngineMs);
        QCOMPARE(session.state(), SessionState::Running);
        GradientDialog* dialog = opened(of.window);
        QVERIFY(dialog->running());
        QVERIFY(session.state() != SessionState::Running);
        finishes(dialog);
        QVERIFY(dialog->verdict().contains(QStringLiteral("bitwise")));
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Running, kEngineMs);

        // One that is cancelled, and one whose dialog is closed, leave nothing but the run.
        for (const bool closes : {false, true}) {
            RunConfig large = smallRun();
            large.params.m = 512;
            session.edit(large, true);
            dialog = opened(of.window);
            QVERIFY(dialog->running());
            if (closes)
                dialog->close();
            else
                dialog->cancelButton()->click();
            QCOMPARE(part<GradientController>(of.window).found()->config, smallRun());
            QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Running, kEngineMs);
            session.edit(smallRun(), true);
        }
    }

    void aPausedRunStaysPaused() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow of(book);
        Session& session = part<Session>(of.window);
        of.trainAndPause(smallRun());
        GradientDialog* dialog = opened(of.window);
        finishes(dialog);
        QTest::qWait(100);
        QCOMPARE(session.state(), SessionState::Paused);
    }

    void saysWhyNot() {
        const LessonBook book = LessonBook::embedded();
        OpenedWindow of(book);
        RunConfig config = smallRun();
        config.schedule = "forward-only";
        part<Session>(of.window).edit(config);
        const GradientDialog* dialog = opened(of.window);
        finishes(dialog);
        QCOMPARE(dialog->verdict(), QStringLiteral("Not checked"));
        QVERIFY2(dialog->details().contains(QStringLiteral("has no backward")),
                 qPrintable(dialog->details()));
    }

    // No engine computes anything else, so of a difference only the words are seen.
    void namesTheTensorOfTheLargestDifference() {
        GradientDialog dialog;
        GradientCheck check;
        check.largest_difference = 0.0123;
        check.tensor = QStringLiteral("block 2 mlp up weight");
        check.iteration = 1;
        check.iterations = 3;
        dialog.setResult(check);
        QCOMPARE(dialog.verdict(), QStringLiteral("Different from one device"));
        QVERIFY(dialog.details().contains(
            QStringLiteral("0.0123 of the tensor's largest value, in block 2 mlp up weight, iteration 2")));
        check.replicas_equal = false;
        dialog.setResult(check);
        QVERIFY(dialog.verdict().contains(QStringLiteral("copies of the weights")));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestGradientWindow)

}  // namespace tst_gradient_window

#include "tst_gradient_window.moc"
