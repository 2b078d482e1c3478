#include "widgets/figure/film_format.h"

#include <QFileInfo>
#include <QStandardPaths>

#include "widgets/figure/figure_words.h"
#include "widgets/figure/gif_file.h"

namespace bscope::ui {

std::optional<FilmFormat> filmFormat(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == u"gif") return FilmFormat::Gif;
    if (ending == u"webp") return FilmFormat::WebP;
    if (ending == u"mp4") return FilmFormat::Mp4;
    return std::nullopt;
}

QString ffmpegProgram() {
    return QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
}

QStringList filmProblems(FilmFormat format, const QSize& size, int fps) {
    QStringList problems;
    if (format != FilmFormat::Gif && ffmpegProgram().isEmpty())
        problems << Figure::tr(
            "A film as .mp4 or .webp is written by the program ffmpeg, which is not here: install the "
            "package "
            "ffmpeg, or write a .gif, which needs nothing.");
    if (format == FilmFormat::Gif && fps > GifFile::kMostRate)
        problems << Figure::tr(
                        "A .gif shows at most %1 frames per second: give --fps %1 or fewer, or write "
                        "an .mp4.")
                        .arg(GifFile::kMostRate);
    if (format == FilmFormat::Mp4 && (size.width() % 2 != 0 || size.height() % 2 != 0))
        problems << Figure::tr("An .mp4 needs an even width and height: give --size %1x%2.")
                        .arg(size.width() / 2 * 2)
                        .arg(size.height() / 2 * 2);
    return problems;
}

}  // namespace bscope::ui
