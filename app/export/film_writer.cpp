#include "app/export/film_writer.h"

#include <QCoreApplication>
#include <QProcess>
#include <QSaveFile>
#include <QTemporaryDir>
#include <array>
#include <cmath>
#include <utility>

#include "widgets/figure/gif_file.h"

namespace bscope::ui {
namespace {

struct FilmWords {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::FilmWriter)
};

QString cannotWrite(const QString& path, const QString& why) {
    return FilmWords::tr("Cannot write %1: %2.").arg(path, why);
}

class GifWriter : public FilmWriter {
public:
    GifWriter(const QString& path, const QSize& size, int fps) : file_(path), size_(size), fps_(fps) {}
    bool begin() { return file_.open(QIODevice::WriteOnly); }
    QString error() const { return cannotWrite(file_.fileName(), file_.errorString()); }

    void prepare(const std::vector<QImage>& samples) override {
        gif_ = std::make_unique<GifFile>(file_, size_, samples);
    }
    // Hundredths of a second are shared out so that the whole lasts as long as it should.
    void add(const QImage& frame) override {
        const auto until = [this](int frames) {
            return static_cast<int>(std::lround(100.0 * frames / fps_));
        };
        const bool good = gif_->add(frame, until(frames_ + 1) - until(frames_));
        ++frames_;
        QMetaObject::invokeMethod(
            this, [this, good] { good ? emit ready() : emit failed(error()); }, Qt::QueuedConnection);
    }
    void finish() override {
        if (gif_->finish() && file_.commit())
            emit written();
        else
            emit failed(error());
    }

private:
    QSaveFile file_;
    QSize size_;
    int fps_, frames_ = 0;
    std::unique_ptr<GifFile> gif_;
};

// Writes beside the film, into a folder that goes with it: an MP4 is written twice over, which no pipe can
// be.
class FfmpegWriter : public FilmWriter {
public:
    FfmpegWriter(const QString& path, FilmFormat format, const QSize& size, int fps)
        : file_(path), made_(folder_.filePath(format == FilmFormat::Mp4 ? "film.mp4" : "film.webp")) {
        QStringList arguments{"-hide_banner",
                              "-loglevel",
                              "error",
                              "-f",
                              "rawvideo",
                              "-pixel_format",
                              "bgra",
                              "-video_size",
                              QStringLiteral("%1x%2").arg(size.width()).arg(size.height()),
                              "-framerate",
                              QString::number(fps),
                              "-i",
                              "pipe:0"};
        if (format == FilmFormat::Mp4)
            arguments << "-vf"
                      << "scale=out_color_matrix=bt709:out_range=tv"
                      << "-pix_fmt"
                      << "yuv420p"
                      << "-colorspace"
                      << "bt709"
                      << "-color_primaries"
                      << "bt709"
                      << "-color_trc"
                      << "bt709"
                      << "-movflags"
                      << "+faststart";
        else
            arguments << "-c:v"
                      << "libwebp_anim"
                      << "-lossless"
                      << "1"
                      << "-loop"
                      << "0";
        process_.setProgram(ffmpegProgram());
        process_.setArguments(arguments << "-y" << made_);
        process_.setStandardOutputFile(QProcess::nullDevice());
        connect(&process_, &QProcess::bytesWritten, this, [this] { askForMore(); });
        connect(&process_, &QProcess::finished, this, [this] { take(); });
        connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) fail(process_.errorString());
        });
    }
    ~FfmpegWriter() override {
        process_.disconnect(this);
        process_.kill();
        process_.waitForFinished();
    }
    bool begin() {
        if (!file_.open(QIODevice::WriteOnly) || !folder_.isValid()) return false;
        process_.start();
        return true;
    }
    QString error() const {
        return cannotWrite(file_.fileName(), folder_.isValid() ? file_.errorString() : folder_.errorString());
    }

    void add(const QImage& frame) override {
        asked_ = false;
        for (int y = 0; y < frame.height(); ++y)
            process_.write(reinterpret_cast<const char*>(frame.constScanLine(y)), 4LL * frame.width());
    }
    void finish() override { process_.closeWriteChannel(); }

private:
    void askForMore() {
        if (process_.bytesToWrite() > 0 || std::exchange(asked_, true)) return;
        emit ready();
    }
    void take() {
        if (process_.exitStatus() != QProcess::NormalExit || process_.exitCode() != 0)
            return fail(QString::fromLocal8Bit(process_.readAllStandardError()).trimmed().section(u'\n', -1));
        QFile made(made_);
        if (!made.open(QIODevice::ReadOnly)) return fail(made.errorString());
        std::array<char, 1 << 16> bytes{};
        qint64 read = 0;
        while ((read = made.read(bytes.data(), bytes.size())) > 0 &&
               file_.write(bytes.data(), read) == read) {
        }
        if (read == 0 && file_.commit())
            emit written();
        else
            emit failed(error());
    }
    void fail(const QString& why) {
        emit failed(FilmWords::tr("ffmpeg wrote no film: %1. A .gif needs no ffmpeg.")
                        .arg(why.isEmpty() ? FilmWords::tr("it ended unexpectedly") : why));
    }

    QTemporaryDir folder_;
    QSaveFile file_;
    QString made_;
    bool asked_ = false;  // for a frame that has not come
    QProcess process_;
};

template <class Writer>
std::unique_ptr<FilmWriter> begun(std::unique_ptr<Writer> writer, QString& why) {
    if (writer->begin()) return writer;
    why = writer->error();
    return nullptr;
}

}  // namespace

std::unique_ptr<FilmWriter> FilmWriter::open(const QString& path, FilmFormat format, const QSize& size,
                                             int fps, QString& why) {
    if (format == FilmFormat::Gif) return begun(std::make_unique<GifWriter>(path, size, fps), why);
    return begun(std::make_unique<FfmpegWriter>(path, format, size, fps), why);
}

}  // namespace bscope::ui
