// The kinds of files that a film can be, and what each of them cannot be.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

namespace bscope::ui {

enum class FilmFormat { Gif, WebP, Mp4 };

// By the file's ending; nullopt: it is no film.
std::optional<FilmFormat> filmFormat(const QString& path);
// The program that writes MP4 and WebP; empty: it is not installed.
QString ffmpegProgram();
// Why such a film cannot be written, one sentence each; size and fps are legal for some format.
QStringList filmProblems(FilmFormat format, const QSize& size, int fps);

}  // namespace bscope::ui
