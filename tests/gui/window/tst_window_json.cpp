// What the window says in numbers of a recorded run is what `bscope replay --json` says of the same
// iteration: title, lane ends, dock and the caption of a picture. Only rounding lies between.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "opened_window.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "required.h"
#include "widgets/figure/caption.h"
#include "widgets/picture/timeline_painter.h"

namespace tst_window_json {

using namespace bscope;
using namespace bscope::ui;

namespace {

QString plain(QString text) {
    return text.replace(QChar::Nbsp, u' ').replace(QChar(0x2212), u'-');
}

// The number behind `before` and in front of `unit` is the value, rounded to the digits that are shown; "6.58
// k" is a number, too.
bool says(const QString& text, const QString& before, double value, const QString& unit) {
    const QRegularExpression number(QRegularExpression::escape(before) +
                                    QStringLiteral("(-?[0-9]+(?:\\.([0-9]+))?)( k)?") +
                                    QRegularExpression::escape(unit));
    const QRegularExpressionMatch match = number.match(plain(text));
    if (!match.hasMatch()) return false;
    const double shown = match.captured(3).isEmpty() ? value : value / 1000;
    return match.captured(1) == QString::number(shown, 'f', static_cast<int>(match.captured(2).size()));
}

}  // namespace

class TestWindowJson : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;

    static QByteArray bscope(const QStringList& words) {
        QProcess process;
        process.start(qEnvironmentVariable("BSCOPE"), words);
        REQUIRE(process.waitForFinished(kEngineMs));
        REQUIRE(process.exitCode() == 0);
        return process.readAllStandardOutput();
    }
    QString file(const QString& schedule) const { return folder_.filePath(schedule + ".bscope"); }
    QJsonObject report(const QString& schedule, int iteration) const {
        return QJsonDocument::fromJson(bscope({QStringLiteral("replay"), file(schedule), "--iteration",
                                               QString::number(iteration + 1), "--json"}))
            .object();
    }

private slots:
    void initTestCase() {
        OpenedWindow::useBuiltEngine();
        for (const char* schedule : {"1f1b", "gpipe", "interleaved"})
            bscope({QStringLiteral("run"), "--schedule", QLatin1String(schedule), "-p", "4", "-m", "8",
                    "--layers", "8", "--hidden", "64", "--clock", "reconstructed", "--iterations", "3",
                    "--record", file(QLatin1String(schedule))});
    }

    void everyNumberIsThatOfTheReport_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("iteration");
        for (const char* schedule : {"1f1b", "gpipe", "interleaved"})
            for (const int iteration : {1, 2})
                QTest::addRow("%s %d", schedule, iteration) << QString(QLatin1String(schedule)) << iteration;
    }
    void everyNumberIsThatOfTheReport() {
        QFETCH(QString, schedule);
        QFETCH(int, iteration);
        const QJsonObject json = report(schedule, iteration);
        QCOMPARE(json["iteration"].toInt(-1), iteration);
        const QJsonArray ranks = json["ranks"].toArray();
        QCOMPARE(ranks.size(), 4);
        const double bubble = 100 * json["bubble_of_total"].toDouble(), ms = json["iteration_ms"].toDouble(),
                     tokens = json["tokens_per_s"].toDouble(),
                     predicted = 100 * json["predicted_bubble_of_total"].toDouble(),
                     theory = 100 * json["theory_bubble_of_total"].toDouble();
        QVERIFY(bubble > 0 && ms > 0 && tokens > 0 && theory > 0);

        OpenedWindow opened(book_);
        opened.window.openFiles({file(schedule)});
        Session& session = part<Session>(opened.window);
        QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() == 2, kEngineMs);
        session.select(iteration);
        QTRY_COMPARE(session.shownIteration(), iteration);
        GanttView& canvas = canvasOf(opened.window);
        QTRY_VERIFY(!canvas.views().empty() && canvas.views().front().iteration == iteration);

        // The title, and what stands at the end of each lane.
        PaintRecorder recorder(canvas.picture().layout.all.size().toSize());
        QPainter painter(&recorder);
        TimelinePainter(painter, canvas.picture()).draw();
        painter.end();
        QStringList texts;
        for (const PaintRecorder::Text& text : recorder.texts) texts << plain(text.text);
        const QByteArray all = texts.join(QStringLiteral(" | ")).toUtf8();
        const auto anywhere = [&](double value, const char* unit) {
            return std::ranges::any_of(texts, [&](const QString& each) {
                return QRegularExpression(QStringLiteral("^[0-9.]+( k)?") +
                                          QRegularExpression::escape(QString::fromUtf8(unit)) + u'$')
                           .match(each)
                           .hasMatch() &&
                       says(each, {}, value, QString::fromUtf8(unit));
            });
        };
        QVERIFY2(anywhere(bubble, " %"), all);
        QVERIFY2(std::ranges::any_of(texts, [&](const QString& each) { return says(each, {}, tokens, {}); }),
                 all);
        QVERIFY2(all.contains(QByteArray("iteration ") + QByteArray::number(iteration + 1)), all);
        const auto endsOf = [&](const QRegularExpression& form) {  // from the first rank to the last
            std::vector<PaintRecorder::Text> found;
            for (const PaintRecorder::Text& text : recorder.texts)
                if (text.place.left() > canvas.width() * 0.8 && text.place.top() > 50 &&
                    form.match(plain(text.text)).hasMatch())
                    found.push_back(text);
            std::ranges::sort(found, {}, [](const PaintRecorder::Text& text) { return text.place.top(); });
            return found;
        };
        const auto bubbles = endsOf(QRegularExpression("^[0-9.]+ %$")),
                   peaks = endsOf(QRegularExpression("^[0-9.]+ MB$")),
                   in_flight = endsOf(QRegularExpression("^[0-9]+ in flight$"));
        QVERIFY2(bubbles.size() == 4 && peaks.size() == 4 && in_flight.size() == 4, all);
        const BarRows& memory = part<NumbersDock>(opened.window).memory().rows();
        QCOMPARE(memory.rows().size(), 4u);
        for (int rank = 0; rank < 4; ++rank) {
            const QJsonObject each = ranks[rank].toObject();
            const auto at = static_cast<std::size_t>(rank);
            const double share = 100 * each["bubble_of_total"].toDouble(),
                         mb = each["peak_activation_bytes"].toDouble() / 1e6;
            QVERIFY2(says(bubbles[at].text, {}, share, QStringLiteral(" %")), all);
            QVERIFY2(says(peaks[at].text, {}, mb, QStringLiteral(" MB")), all);
            QVERIFY2(says(in_flight[at].text, {}, each["peak_in_flight"].toDouble(), QStringLiteral(" in")),
                     all);
            QVERIFY2(says(memory.rows()[at].value, {}, mb, QStringLiteral(" MB")),
                     qPrintable(memory.rows()[at].value));
            QVERIFY(
                says(memory.rows()[at].remark, {}, each["peak_in_flight"].toDouble(), QStringLiteral(" in")));
        }

        // The dock.
        const BubbleSection& of_bubble = part<NumbersDock>(opened.window).bubble();
        QVERIFY2(says(of_bubble.bigNumber(), {}, bubble, QStringLiteral(" %")),
                 qPrintable(of_bubble.bigNumber()));
        const auto& rows = of_bubble.rows().rows();
        QCOMPARE(rows.size(), 3u);
        for (const auto& [row, value] : {std::pair(0, bubble), {1, predicted}, {2, theory}}) {
            const BarRow& shown = rows[static_cast<std::size_t>(row)];
            QVERIFY2(says(shown.value, {}, value, QStringLiteral(" %")),
                     qPrintable(shown.name + ' ' + shown.value));
        }
        const RateSection& rate = part<NumbersDock>(opened.window).rate();
        QVERIFY2(rate.unit() == "ms" && says(rate.iteration(), {}, ms, {}), qPrintable(rate.iteration()));
        QVERIFY2(says(rate.throughput(), {}, tokens, {}), qPrintable(rate.throughput()));

        // The caption that an exported picture has.
        std::vector<PreparedView> groups;
        for (const IterationView& view : canvas.views()) groups.emplace_back(view);
        const QString caption = captionText(groups, canvas.picture().notation, QDate(2026, 1, 2));
        QVERIFY2(says(caption, QStringLiteral("Bubble "), bubble, QStringLiteral(" % of total")),
                 qPrintable(caption));
        QVERIFY2(says(caption, QStringLiteral("iteration time of "), ms, QStringLiteral(" ms")),
                 qPrintable(caption));
        QVERIFY2(says(caption, {}, tokens, QStringLiteral(" tokens/s")), qPrintable(caption));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestWindowJson)

}  // namespace tst_window_json

#include "tst_window_json.moc"
