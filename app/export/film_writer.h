// FilmWriter: frames into a film: a GIF by the program itself, MP4 and WebP by ffmpeg, a process that is
// given the pixels. The file takes its name when it is whole; until then, and after a failure, what was there
// stays. One film; window thread only.
#pragma once

#include <QImage>
#include <QObject>
#include <memory>
#include <vector>

#include "widgets/figure/film_format.h"

namespace bscope::ui {

class FilmWriter : public QObject {
    Q_OBJECT
public:
    // Null, and why, where the file cannot be begun.
    static std::unique_ptr<FilmWriter> open(const QString& path, FilmFormat format, const QSize& size,
                                            int fps, QString& why);

    // Before the first frame: what needs to know which colours come.
    virtual void prepare(const std::vector<QImage>& /* samples */) {}
    // Format_RGB32 of the size; the next one when ready().
    virtual void add(const QImage& frame) = 0;
    virtual void finish() = 0;

signals:
    void ready();  // for the next frame; once for each
    void written();
    void failed(const QString& why);
};

}  // namespace bscope::ui
