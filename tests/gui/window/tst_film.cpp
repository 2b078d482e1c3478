// Films: an iteration that grows frame by frame while everything else stays where it is, as long and as large
// as asked; as GIF by the program itself, as MP4 and WebP by ffmpeg. A film that fails or is cancelled leaves
// what was there.
#include <QImageReader>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include "app/export/figure_exporter.h"
#include "bscope_process.h"
#include "opened_window.h"
#include "paint_recorder.h"
#include "played_run.h"
#include "registered_test.h"
#include "required.h"
#include "sample_view.h"
#include "view/changing_view.h"
#include "view/played_view.h"

namespace tst_film {

using namespace bscope;
using namespace bscope::ui;

namespace {

FilmOptions small(double seconds, int fps) {
    FilmOptions options;
    options.seconds = seconds;
    options.fps = fps;
    options.figure.size_px = QSize(640, 360);
    return options;
}

int pixelsOf(const QImage& image, const QColor& colour) {
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) pixels += image.pixel(x, y) == colour.rgb();
    return pixels;
}

// What a frame draws above its legend that a legend names, and the names that its legend has.
struct DrawnFrame {
    QSet<QString> names, drawn, hatches;  // in words of the legend; of lines
};

// Those that a legend with these names explains; the network's are crossed.
QSet<QString> hatchesOf(const QSet<QString>& names) {
    QSet<QString> hatches;
    if (names.contains("bubble: fill, drain") || names.contains("network")) hatches.insert("rising");
    if (names.contains("dependency") || names.contains("network")) hatches.insert("falling");
    if (names.contains("other causes")) hatches.insert("level");
    return hatches;
}

DrawnFrame drawnFrame(Film& film, int index) {
    PaintRecorder recorder(film.size());
    QPainter painter(&recorder);
    film.shown(index).draw(painter);
    painter.end();
    const Theme theme = Theme::make(ThemeKind::Light);
    DrawnFrame frame;
    double legend_top = film.size().height();
    const QSet<QString> known{"transfer",   "wait",    "predicted",   "bubble: fill, drain",
                              "dependency", "network", "other causes"};
    for (const PaintRecorder::Text& text : recorder.texts)
        if (known.contains(text.text)) {
            frame.names.insert(text.text);
            legend_top = std::min(legend_top, text.place.top() - 2);
        }
    const QColor to_come = mixed(theme.fill(Op::Forward), theme.canvas, 0.16),
                 waits = mixed(theme.communication, theme.canvas, 0.6);
    for (const PaintRecorder::Shape& shape : recorder.shapes) {
        if (shape.bounds.top() > legend_top) continue;
        if (shape.fill == theme.communication) frame.drawn.insert("transfer");
        if (shape.fill == to_come) frame.drawn.insert("predicted");
    }
    for (const auto& [line, pen] : recorder.lines) {
        if (line.y1() > legend_top) continue;
        if (pen.color() == waits) frame.drawn.insert("wait");
        if (pen.color() != theme.bubble_hatch) continue;
        const double slope = line.dx() * line.dy();
        frame.hatches.insert(slope == 0 ? "level" : slope < 0 ? "rising" : "falling");
    }
    return frame;
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestFilm : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;

    static Outcome windowRun(const QStringList& arguments, const QString& path = {}) {
        QProcess process;
        QProcessEnvironment environment = inEnglish();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        if (!path.isEmpty()) environment.insert("PATH", path);
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(BUBBLESCOPE_BIN_DIR "/bubblescope"), arguments);
        process.waitForFinished(300'000);
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError(), false};
    }
    // A program of this name, alone on the path while it is there.
    class OnlyProgram {
    public:
        OnlyProgram(const QString& folder, const QByteArray& script) : path_(qgetenv("PATH")) {
            QFile file(folder + "/ffmpeg");
            const bool good = file.open(QIODevice::WriteOnly) && file.write(script) == script.size() &&
                              file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            REQUIRE(good);
            qputenv("PATH", folder.toLocal8Bit());
        }
        ~OnlyProgram() { qputenv("PATH", path_); }
        Q_DISABLE_COPY_MOVE(OnlyProgram)

    private:
        QByteArray path_;
    };
    // "": written.
    static QString write(const FilmOptions& options, const QString& path) {
        FilmJob job;
        QSignalSpy written(&job, &FilmJob::written), failed(&job, &FilmJob::failed);
        job.start({sampleView()}, options, path);
        REQUIRE_SOON(written.size() + failed.size() == 1);
        return failed.isEmpty() ? QString() : failed.front().front().toString();
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void framesGrowAndNothingElseMoves() {
        const IterationView whole = sampleView();
        Film film({whole}, small(4, 5));
        QCOMPARE(film.frames(), 20);
        const QColor fill = Theme::make(ThemeKind::Light).fill(Op::Backward);
        int before = -1;
        const QImage last = film.frame(film.frames() - 1);
        for (int i = 0; i < film.frames(); ++i) {
            const QImage frame = film.frame(i);
            QCOMPARE(frame.size(), QSize(640, 360));
            const int pixels = pixelsOf(frame, fill);
            QVERIFY2(pixels >= before, qPrintable(QString::number(i)));
            before = pixels;
            // The legend stands below the lanes, the names of the ranks at the left.
            const QRect legend(0, 330, 640, 30), names(0, 60, 60, 260);
            for (const QRect& area : {legend, names}) QVERIFY(frame.copy(area) == last.copy(area));
        }
        QVERIFY(pixelsOf(film.frame(0), fill) < pixelsOf(last, fill) / 4);
        // It ends as the picture of the whole, and stands still for a moment.
        FigureOptions picture = small(4, 5).figure;
        picture.caption = CaptionLength::None;
        QVERIFY(film.frame(film.frames() - 2) == last);
    }

    void theLegendIsOfAllThatAnyFrameDraws_data() {
        QTest::addColumn<SampleOptions>("options");
        QTest::addColumn<bool>("has_plan");
        for (const char* schedule : {"1f1b", "gpipe", "zb-h1"})
            for (const bool ran : {true, false})
                QTest::addRow("%s, %s", schedule, ran ? "run" : "plan")
                    << SampleOptions{.schedule = schedule, .ran = ran} << true;
        QTest::newRow("without a plan") << SampleOptions{} << false;
        QTest::newRow("one rank sends nothing") << SampleOptions{.p = 1, .ran = false} << true;
    }
    void theLegendIsOfAllThatAnyFrameDraws() {
        QFETCH(SampleOptions, options);
        QFETCH(bool, has_plan);
        IterationView view = sampleView(options);
        if (!has_plan) view.planned = std::make_shared<Timeline>(options.p);
        FilmOptions film_options = small(3, 10);
        film_options.figure.size_px = QSize(1280, 720);
        Film film({view}, film_options);
        const QSet<QString> names = drawnFrame(film, 0).names;
        QSet<QString> drawn, hatches;
        for (int i = 0; i < film.frames(); ++i) {
            const DrawnFrame frame = drawnFrame(film, i);
            QCOMPARE(frame.names, names);
            drawn += frame.drawn;
            hatches += frame.hatches;
        }
        QCOMPARE(hatches, hatchesOf(names));
        for (const char* strip : {"transfer", "wait", "predicted"})
            QCOMPARE(drawn.contains(strip), names.contains(strip));
        QCOMPARE(names.contains("predicted"), has_plan);
        QCOMPARE(names.contains("transfer"), options.p > 1);
    }

    void aPlanAndSeveralIterationsGrowToo() {
        SampleOptions plan;
        plan.ran = false;
        SampleOptions slow;
        slow.pace = 2;
        for (const std::vector<IterationView>& views :
             {std::vector{sampleView(plan)}, std::vector{sampleView(), sampleView(slow)}}) {
            Film film(views, small(2, 5));
            QVERIFY(film.frame(0) != film.frame(5));
            QVERIFY(film.frame(9).size() == film.size());
        }
    }

    void aGifLastsAsLongAsAsked_data() {
        QTest::addColumn<int>("fps");
        QTest::newRow("30, no whole hundredths") << 30;
        QTest::newRow("8") << 8;
    }
    void aGifLastsAsLongAsAsked() {
        QFETCH(int, fps);
        const QString path = folder_.filePath("film.gif");
        QCOMPARE(write(small(2, fps), path), "");
        QImageReader reader(path);
        QCOMPARE(reader.size(), QSize(640, 360));
        int ms = 0, frames = 0;
        QImage last;
        for (QImage frame = reader.read(); !frame.isNull(); frame = reader.read()) {
            ms += reader.nextImageDelay();
            last = frame.convertToFormat(QImage::Format_RGB32);
            ++frames;
        }
        QCOMPARE(ms, 2000);
        QVERIFY(frames > 4 && frames <= 2 * fps);
        // Its colours are those of the picture: the boxes exactly, all others nearly.
        Film film({sampleView()}, small(2, fps));
        const QImage expected = film.frame(film.frames() - 1);
        const Theme theme = Theme::make(ThemeKind::Light);
        double difference = 0;
        for (int y = 0; y < 360; ++y)
            for (int x = 0; x < 640; ++x) {
                const QColor wanted = expected.pixelColor(x, y), is = last.pixelColor(x, y);
                if (wanted == theme.fill(Op::Forward) || wanted == theme.fill(Op::Backward))
                    QCOMPARE(is, wanted);
                difference = std::max<double>(difference, std::abs(qGray(is.rgb()) - qGray(wanted.rgb())));
            }
        QVERIFY2(difference < 40, qPrintable(QString::number(difference)));
    }

    void whatIsCancelledOrFailsLeavesWhatWasThere() {
        const QString path = folder_.filePath("old.gif");
        {
            QFile old(path);
            QVERIFY(old.open(QIODevice::WriteOnly));
            old.write("what was there");
        }
        const QStringList files = QDir(folder_.path()).entryList(QDir::Files);
        {
            FilmJob job;
            QSignalSpy progress(&job, &FilmJob::progress), written(&job, &FilmJob::written);
            job.start({sampleView()}, small(20, 10), path);
            QTRY_VERIFY_WITH_TIMEOUT(!progress.isEmpty(), 60'000);
            job.cancel();
            QVERIFY(!job.running());
            const qsizetype said = progress.size();
            QTest::qWait(50);
            QCOMPARE(progress.size(), said);
            QVERIFY(written.isEmpty());
        }
        QCOMPARE(contentOf(path), "what was there");
        QVERIFY(!write(small(1, 5), folder_.filePath("no/such/film.gif")).isEmpty());
        QCOMPARE(QDir(folder_.path()).entryList(QDir::Files), files);
    }

    void withoutFfmpegItSaysWhatToDo() {
        const QTemporaryDir nothing;
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", nothing.path().toLocal8Bit());
        const QString why = write(small(1, 5), folder_.filePath("none.mp4"));
        qputenv("PATH", path);
        QVERIFY2(why.contains("install the package ffmpeg") && why.contains(".gif"), qPrintable(why));
        QVERIFY(!QFileInfo::exists(folder_.filePath("none.mp4")));
    }

    // Of a program in its place: it gets every pixel of every frame, and its failure is said.
    void ffmpegGetsEveryFrame() {
        const QTemporaryDir programs;
        const QString path = folder_.filePath("counted.mp4");
        {
            const OnlyProgram ffmpeg(
                programs.path(),
                "#!/bin/sh\nfor out do :; done\n/usr/bin/wc -c > \"$out\"\n/bin/echo \"$@\" >> \"$out\"\n");
            QCOMPARE(write(small(2, 5), path), "");
        }
        const QByteArray made = contentOf(path);
        QCOMPARE(made.split('\n').front().trimmed().toLongLong(), 10LL * 640 * 360 * 4);
        QVERIFY(made.contains("-video_size 640x360 -framerate 5"));
        QString why;
        {
            const OnlyProgram ffmpeg(programs.path(), "#!/bin/sh\n/bin/echo unknown encoder >&2\nexit 1\n");
            why = write(small(2, 5), path);
        }
        QVERIFY2(why.contains("unknown encoder") && why.contains(".gif"), qPrintable(why));
        QCOMPARE(contentOf(path), made);
    }

    void ffmpegMakesAFilm_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("MP4") << "film.mp4";
        QTest::newRow("WebP") << "film.webp";
    }
    void ffmpegMakesAFilm() {
        QFETCH(QString, name);
        if (ffmpegProgram().isEmpty()) QSKIP("ffmpeg is not installed");
        const QString path = folder_.filePath(name);
        const QString why = write(small(2, 10), path);
        if (why.contains("encoder")) QSKIP("this ffmpeg has no such encoder");
        QCOMPARE(why, "");
        const QByteArray made = contentOf(path);
        QVERIFY(made.size() > 1000);
        if (name.endsWith("webp")) {
            QVERIFY(made.startsWith("RIFF") && made.contains("ANIM"));
            return;
        }
        QProcess probe;
        probe.start("ffprobe", {"-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                                "stream=width,height,nb_read_frames,r_frame_rate", "-of", "csv=p=0", path});
        probe.waitForFinished(60'000);
        QCOMPARE(probe.readAllStandardOutput().trimmed(), "640,360,10/1,20");
    }

    void theProgramWritesOne() {
        const QString run = folder_.filePath("run.bscope"), path = folder_.filePath("run.gif");
        recordPlayed(run, smallRun(), 2);
        const Outcome made =
            windowRun({run, "--export", path, "--seconds", "1.5", "--fps", "4", "--size", "500x300"});
        QVERIFY2(made.code == 0, made.errors);
        QVERIFY(made.errors.contains("iteration 2"));
        QImageReader reader(path);
        QCOMPARE(reader.size(), QSize(500, 300));
        QVERIFY(reader.imageCount() > 2);
        const Outcome two =
            windowRun({run, "--beside", run, "--export", path, "--seconds", "1", "--fps", "4"});
        QVERIFY2(two.code == 0, two.errors);
        QCOMPARE(QImageReader(path).size(), QSize(1280, 720));
    }

    // Every box is somewhere between its two places; a backward falls apart into its halves.
    void boxesMoveFromOneScheduleToAnother() {
        SampleOptions other;
        other.schedule = "zb-h1";
        const IterationView from = sampleView(), to = sampleView(other);
        QVERIFY(changeRefusal(from, to).empty());
        for (const double share : {0.001, 0.3, 0.7, 0.999}) {
            const IterationView view = between(from, to, share);
            for (int rank = 0; rank < 4; ++rank) {
                const EventSlice moved = view.ran->compute(rank), ends = to.ran->compute(rank);
                QCOMPARE(moved.size(), ends.size());
                std::int64_t busy_ns = 0;
                for (const Event& event : moved) busy_ns += event.duration_ns();
                QVERIFY(busy_ns > 0);
                for (const Event& end : ends) {
                    const auto same = std::ranges::find_if(
                        moved, [&](const Event& event) { return event.action() == end.action(); });
                    QVERIFY(same != moved.end());
                    if (share > 0.99)
                        QVERIFY(std::abs((*same).start_ns - view.start_ns - (end.start_ns - to.start_ns)) <
                                1'000'000);
                }
            }
            QVERIFY(!view.report && !view.summary && view.numbers_hidden);
        }
        FilmOptions options = small(2, 10);
        options.kind = FilmKind::Change;
        Film film({from, to}, options);
        QVERIFY(film.frame(0) == film.frame(2) && film.frame(17) == film.frame(19));
        QVERIFY(film.frame(0) != film.frame(10) && film.frame(10) != film.frame(19));
        const QRect legend(0, 330, 640, 30);
        QVERIFY(film.frame(0).copy(legend) == film.frame(10).copy(legend));
        QVERIFY(film.frame(0).copy(legend) == film.frame(19).copy(legend));

        other.m = 4;
        QVERIFY(!changeRefusal(from, sampleView(other)).empty());
        other = {};
        other.schedule = "interleaved";
        other.v = 2;
        QVERIFY(!changeRefusal(from, sampleView(other)).empty());
    }

    void theProgramWritesAChange() {
        const QString a = folder_.filePath("gpipe.bscope"), b = folder_.filePath("1f1b.bscope"),
                      path = folder_.filePath("change.gif");
        RunConfig config = smallRun();
        for (const auto& [file, schedule] : {std::pair(a, "gpipe"), std::pair(b, "1f1b")}) {
            config.schedule = schedule;
            recordPlayed(file, config, 1);
        }
        const QStringList film{"--export", path, "--seconds", "1", "--fps", "6", "--change"};
        const Outcome made = windowRun(QStringList{a, "--beside", b} + film);
        QVERIFY2(made.code == 0, made.errors);
        QVERIFY(QImageReader(path).imageCount() > 2);
        const Outcome same = windowRun(QStringList{a, "--beside", a} + film);
        QCOMPARE(same.code, 1);
        QVERIFY2(same.errors.contains("the same one"), same.errors);
        const Outcome alone = windowRun(QStringList{a} + film);
        QCOMPARE(alone.code, 2);
        QVERIFY2(alone.errors.contains("--change needs --beside"), alone.errors);
        config.params.m *= 2;
        recordPlayed(b, config, 1);
        const Outcome larger = windowRun(QStringList{a, "--beside", b} + film);
        QCOMPARE(larger.code, 1);
        QVERIFY2(larger.errors.contains("the same micro-batches"), larger.errors);
    }

    void whatIsIllegalIsListed() {
        const QString run = folder_.filePath("run.bscope");
        const Outcome wrong =
            windowRun({run, "--export", "x.gif", "--seconds", "0", "--fps", "61", "--width", "85"});
        QCOMPARE(wrong.code, 2);
        for (const char* each :
             {"--width cannot be used for a film", "--seconds needs a number from 1 to 600",
              "--fps needs a whole number from 1 to 60"})
            QVERIFY2(wrong.errors.contains(each), wrong.errors);
        const Outcome fast = windowRun({run, "--export", "x.gif", "--fps", "60"});
        QCOMPARE(fast.code, 2);
        QVERIFY2(fast.errors.contains("at most 50 frames per second"), fast.errors);
        const Outcome odd = windowRun({run, "--export", "x.mp4", "--size", "641x361"}, "/nowhere");
        QCOMPARE(odd.code, 2);
        QVERIFY2(odd.errors.contains("--size 640x360") && odd.errors.contains("install the package ffmpeg"),
                 odd.errors);
        const Outcome picture = windowRun({run, "--export", "x.png", "--seconds", "3"});
        QCOMPARE(picture.code, 2);
        QVERIFY(picture.errors.contains("--seconds is for a film"));
    }

    void theWindowWritesOne() {
        OpenedWindow opened(book_);
        auto& exporter = part<FigureExporter>(opened.window);
        QSignalSpy written(&exporter, &FigureExporter::written);
        exporter.openFilm();
        QVERIFY(exporter.filmDialog() != nullptr);
        QCOMPARE(exporter.filmDialog()->options().figure.size_px, QSize(1280, 720));
        for (NumberField* field : exporter.filmDialog()->findChildren<NumberField*>()) field->setNumber(2);
        const QString path = folder_.filePath("window.gif");
        exporter.filmDialog()->writeTo(path);
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 120'000);
        QCOMPARE(written.front().front().toString(), path);
        QTRY_VERIFY(exporter.filmDialog() == nullptr);
        QVERIFY(QImageReader(path).imageCount() >= 2);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestFilm)

}  // namespace tst_film

#include "tst_film.moc"
