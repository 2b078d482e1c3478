// What a run on GPUs adds to the window, from a recording with kernels made by hand: the list of a box's
// kernels, opened by a click and copied; what is said when they are missing; timing, tracing cost and driver
// memory; device and number type in setup and palette; nothing of it on a CPU.
#include <QClipboard>
#include <QGuiApplication>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "app/find/command_palette.h"
#include "app/settings/program_options.h"
#include "gpu_recording.h"
#include "opened_window.h"
#include "registered_test.h"
#include "required.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace tst_gpu_window {

using namespace bscope;
using namespace bscope::ui;

class TestGpuWindow : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;

    static QString plain(QString text) { return text.replace(QChar(0x00A0), ' '); }

    struct Opened : OpenedWindow {
        using OpenedWindow::OpenedWindow;
        void replay(const QString& path) {
            part<Session>(window).openRecording(path);
            REQUIRE_SOON(part<Session>(window).state() == SessionState::Replaying);
            part<Session>(window).select(0);
        }
        // A click in the middle of the box of that action.
        void click(int rank, const Action& action) {
            for (const Event& event : part<Session>(window).shown().ran->compute(rank)) {
                if (Action{event.stage, event.op, event.microbatch} != action) continue;
                const Picture& picture = canvasOf(window).picture();
                const double x = picture.xOf(picture.groups.front(), (event.start_ns + event.end_ns) / 2);
                const Lane& lane = picture.layout.groups.front()[static_cast<std::size_t>(rank)];
                QTest::mouseClick(&canvasOf(window), Qt::LeftButton, {},
                                  QPointF(x, lane.box.center().y()).toPoint());
            }
        }
        KernelList& kernels() { return part<NumbersDock>(window).detail().kernels(); }
    };

    QString recording(const char* name, const GpuRecording& made) {
        const QString path = folder_.filePath(QString::fromLatin1(name));
        made.write(path);
        return path;
    }
    static GpuRecording onGpus() {
        GpuRecording made;
        made.config.device = DeviceChoice::Cuda;
        made.config.dtype = Dtype::Bf16;
        made.config.trace_cost = 10;
        return made;
    }

private slots:
    // As CUPTI reported them on an H100.
    void kernelsHaveTheNamesOfTheirFunctions_data() {
        QTest::addColumn<QString>("whole");
        QTest::addColumn<QString>("shown");
        QTest::newRow("template")
            << "void bscope::cuda::bf16::attention_dq_kernel<128u>(bscope::cuda::Bf16*, "
               "bscope::cuda::AttentionShape, float)"
            << "attention_dq_kernel<128u>";
        QTest::newRow("types")
            << "void bscope::cuda::layernorm_forward_kernel<8u, bscope::cuda::Bf16>(float*)"
            << "layernorm_forward_kernel<8u, Bf16>";
        QTest::newRow("function") << "bscope::cuda::add_kernel(float*, float const*, unsigned long)"
                                  << "add_kernel";
        QTest::newRow("unnamed") << "void (anonymous namespace)::sums<(int)4>(float*)"
                                 << "sums<(int)4>";
        QTest::newRow("library") << "nvjet_sm90_tss_128x128_64x6_2x1_v_bz_NNT"
                                 << "nvjet_sm90_tss_128x128_64x6_2x1_v_bz_NNT";
        QTest::newRow("nothing") << "("
                                 << "(";
    }

    void kernelsHaveTheNamesOfTheirFunctions() {
        QFETCH(QString, whole);
        QFETCH(QString, shown);
        QCOMPARE(functionName(whole), shown);
    }

    void initTestCase() { OpenedWindow::useTestSettings(); }

    void clickOnABoxListsItsKernels() {
        Opened opened(book_);
        opened.replay(recording("kernels.bscope", onGpus()));
        QVERIFY(!opened.kernels().isVisible());
        opened.click(1, {1, Op::Backward, 2});
        QVERIFY(opened.kernels().isVisible());
        QTableWidget& table = opened.kernels().table();
        QCOMPARE(table.rowCount(), 5);
        QCOMPARE(table.item(0, 0)->text(), QStringLiteral("bscope_layernorm_forward"));
        QCOMPARE(table.item(1, 0)->toolTip(), QString::fromLatin1(GpuRecording::kLongName).toHtmlEscaped());
        QCOMPARE(plain(table.item(4, 0)->text()), QStringLiteral("copy of 2.1 MB"));
        QCOMPARE(plain(table.item(0, 2)->text()), QStringLiteral("18.0 %"));
        QVERIFY2(plain(opened.kernels().note()).contains(QStringLiteral("none ran for 1.7 µs (10.0 %)")),
                 qPrintable(opened.kernels().note()));
        QVERIFY(opened.kernels().note().endsWith(QStringLiteral("MEASURED by CUPTI.")));
        QVERIFY(opened.kernels().title().contains(QStringLiteral("B3")));
        QTest::keyClick(&canvasOf(opened.window), Qt::Key_Escape);
        QVERIFY(!opened.kernels().isVisible());
    }

    void kernelsAreCopied() {
        Opened opened(book_);
        opened.replay(recording("copied.bscope", onGpus()));
        opened.click(0, {0, Op::Forward, 0});
        QTest::mouseClick(opened.kernels().copyButton(), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text().split('\n').size(), 6);
        QTableWidget& table = opened.kernels().table();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualItemRect(table.item(1, 0)).center());
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[1].startsWith(QString::fromLatin1(GpuRecording::kLongName)));
    }

    void manyKernelsScroll() {
        GpuRecording made = onGpus();
        made.kernels_per_box = 60;
        Opened opened(book_);
        opened.replay(recording("many.bscope", made));
        opened.click(0, {0, Op::Backward, 1});
        QTableWidget& table = opened.kernels().table();
        QCOMPARE(table.rowCount(), 60);
        QVERIFY(table.height() < 250);
        QVERIFY(table.verticalScrollBar()->maximum() > 0);
    }

    void whatDidNotArriveIsSaid() {
        GpuRecording made = onGpus();
        made.kernels_per_box = 30;
        made.loses_a_batch = true;
        Opened opened(book_);
        opened.replay(recording("lost.bscope", made));
        opened.click(1, {1, Op::Forward, 0});
        QCOMPARE(opened.kernels().table().rowCount(), 0);
        QVERIFY(opened.kernels().note().startsWith(QStringLiteral("They did not arrive")));
        opened.click(1, {1, Op::Backward, 6});
        QCOMPARE(opened.kernels().table().rowCount(), 30);
        QVERIFY(opened.kernels().note().contains(QStringLiteral("Some did not arrive")));
        opened.click(0, {0, Op::Backward, 6});
        QVERIFY(!opened.kernels().note().contains(QStringLiteral("arrive")));
    }

    void cudaEventsHaveNoKernels() {
        GpuRecording made = onGpus();
        made.timing = "CUDA events: another profiler holds CUPTI";
        made.kernels_per_box = 0;
        Opened opened(book_);
        opened.replay(recording("events.bscope", made));
        opened.click(0, {0, Op::Forward, 0});
        QVERIFY(!opened.kernels().table().isVisible());
        QVERIFY(opened.kernels().note().contains(QStringLiteral("CUDA events")));
        const Label& timing = part<NumbersDock>(opened.window).rate().timing();
        QVERIFY(timing.text().endsWith(QStringLiteral("another profiler holds CUPTI")));
        QCOMPARE(timing.toolTip(), timing.text());
        QVERIFY(!part<NumbersDock>(opened.window).rate().tracing().contains(QStringLiteral("Launch gaps")));
    }

    // In a stream kernels come after the report; to a window that came back perhaps for the second time.
    void kernelsOfAStreamComeLater() {
        GpuRecording made = onGpus();
        made.timing = kKernelsComeLater;
        std::int64_t end_ns = 0;
        std::vector<wire::Message> reported = made.iteration(0, 0, &end_ns);
        const auto kernels =
            std::stable_partition(reported.begin(), reported.end(),
                                  [](const wire::Message& message) { return !message.has_kernels(); });
        FakeEngine engine;
        Opened opened(book_);
        opened.window.connectTo({"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(made.config, wire::RUNNING);
        engine.start(made.config, 0, 0);
        for (auto message = reported.begin(); message != kernels; ++message) engine.send(*message);
        QTRY_COMPARE(part<Session>(opened.window).history().newestComplete(), 0);
        QTRY_VERIFY(part<Session>(opened.window).shown().report);
        opened.click(1, {1, Op::Backward, 2});
        QTRY_VERIFY(opened.kernels().note().startsWith(QStringLiteral("Not here yet")));
        for (int times = 0; times < 2; ++times) {
            for (auto message = kernels; message != reported.end(); ++message) engine.send(*message);
            QTRY_COMPARE(opened.kernels().table().rowCount(), 5);
            QVERIFY(opened.kernels().note().contains(QStringLiteral("More may come")));
        }
        engine.status(wire::PAUSED, 0);  // behind what was sent twice
        QTRY_VERIFY(part<Session>(opened.window).state() != SessionState::Running);
        QCOMPARE(opened.kernels().table().rowCount(), 5);
        QVERIFY(opened.kernels().note().contains(QStringLiteral("10.0")));
    }

    void numbersSayWhoTookTheTimes() {
        Opened opened(book_);
        opened.replay(recording("numbers.bscope", onGpus()));
        const NumbersDock& numbers = part<NumbersDock>(opened.window);
        QCOMPARE(numbers.rate().timing().text(), QStringLiteral("RECONSTRUCTED · CUPTI"));
        QVERIFY(plain(numbers.rate().tracing()).contains(QStringLiteral("Tracing costs 0.8 %")));
        QVERIFY(numbers.rate().tracing().contains(QStringLiteral("one iteration in 10")));
        QVERIFY(plain(numbers.rate().tracing()).contains(QStringLiteral("10.0 % of the operations")));
        QCOMPARE(plain(numbers.memory().driver()),
                 QStringLiteral("In use on each GPU, other programs included: 12.3 GB to 12.6 GB"));
    }

    void aCpuRunShowsNothingOfIt() {
        GpuRecording made;
        made.timing.clear();
        made.kernels_per_box = 0;
        const QString path = recording("cpu.bscope", made);
        Opened opened(book_);
        opened.replay(path);
        opened.click(0, {0, Op::Forward, 0});
        QVERIFY(part<NumbersDock>(opened.window).detail().showsSelection());
        QVERIFY(!opened.kernels().isVisible());
        QVERIFY(!part<NumbersDock>(opened.window).rate().timing().isVisible());
    }

    void oldIterationsLoseTheirKernelsFirst() {
        RunHistory history;
        GpuRecording made = onGpus();
        made.kernels_per_box = 2000;
        history.iterationStarted(playedStart(made.config, 0, 0));
        std::int64_t end_ns = 0;
        int number = 0;
        for (; number < 6; ++number)
            for (const wire::Message& message : made.iteration(number, end_ns, &end_ns)) {
                if (message.has_events()) history.events(fromWire(message.events()));
                if (message.has_kernels()) history.kernels(fromWire(message.kernels()));
                if (message.has_iteration_report())
                    history.iterationFinished(fromWire(message.iteration_report()));
            }
        QVERIFY(history.view(0)->kernels_forgotten);
        QVERIFY(!history.view(0)->kernels);
        QVERIFY(!history.view(0)->ran->empty());
        QVERIFY(history.view(number - 1)->kernels);
        QCOMPARE(history.misfits(), 0U);
    }

    void deviceAndTypeAreChosenInSetup() {
        Opened opened(book_);
        ControlBar& bar = part<ControlBar>(opened.window);
        QTest::mouseClick(bar.setupButton(), Qt::LeftButton);
        QTest::mouseClick(bar.setupPanel()->device()->segment(1), Qt::LeftButton);
        QTest::mouseClick(bar.setupPanel()->dtype()->segment(1), Qt::LeftButton);
        QTRY_COMPARE(part<Session>(opened.window).wanted().device, DeviceChoice::Cuda);
        QTRY_COMPARE(part<Session>(opened.window).wanted().dtype, Dtype::Bf16);
        QTest::mouseClick(bar.setupPanel()->cudaGraphs()->segment(1), Qt::LeftButton);
        QTRY_VERIFY(part<Session>(opened.window).wanted().cuda_graphs);
        QVERIFY(bar.setupButton()->summary().startsWith(QStringLiteral("CUDA · bf16 · ")));
    }

    void deviceIsACommand() {
        Opened opened(book_);
        QAction* cuda = nullptr;
        for (QAction* action : opened.window.findChildren<QAction*>())
            if (plainActionText(*action) == QStringLiteral("Compute on GPUs (CUDA)")) cuda = action;
        QVERIFY(cuda);
        QVERIFY(!cuda->isChecked());
        cuda->trigger();
        QCOMPARE(part<Session>(opened.window).wanted().device, DeviceChoice::Cuda);
        QVERIFY(cuda->isChecked());
        part<Session>(opened.window).edit(RunConfig{});
        QVERIFY(!cuda->isChecked());
    }

    void anEngineWithoutAGpuAnswersInItsWords() {
        FakeEngine engine;
        Opened opened(book_);
        opened.window.connectTo({"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{});
        QTRY_COMPARE(part<Session>(opened.window).state(), SessionState::Idle);
        RunConfig config;
        config.device = DeviceChoice::Cuda;
        part<Session>(opened.window).edit(config);
        QTRY_VERIFY(engine.last(wire::Message::kConfigure));
        QCOMPARE(engine.last(wire::Message::kConfigure)->configure().config().device(), std::string("cuda"));
        wire::Message reply;
        reply.mutable_configure_reply()->set_request(
            engine.last(wire::Message::kConfigure)->configure().request());
        *reply.mutable_configure_reply()->add_problems() =
            toWire(Problem{"device", "{0}", {"no GPU here"}, {}});
        engine.send(reply);
        QTRY_VERIFY(!part<Session>(opened.window).problems().empty());
        QCOMPARE(problemText(part<Session>(opened.window).problems().front()), QStringLiteral("no GPU here"));
    }
};

BUBBLESCOPE_WINDOW_TEST(TestGpuWindow)

}  // namespace tst_gpu_window

#include "tst_gpu_window.moc"
