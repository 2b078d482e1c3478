// FilmJob: a film written frame by frame between what else the program does, so that it can be watched and
// ended. One at a time; window thread only.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "app/export/film_writer.h"
#include "widgets/figure/film.h"

namespace bscope::ui {

class FilmJob : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // The path has the ending of a film. Of problems (filmProblems) it says the first sentence.
    void start(std::vector<IterationView> views, const FilmOptions& options, const QString& path);
    // What is written so far goes; no further signal follows.
    void cancel();
    bool running() const { return writer_ != nullptr; }

signals:
    void progress(int percent);  // each once
    void written(const QString& path);
    void failed(const QString& why);

private:
    void step();
    void end();

    std::unique_ptr<Film> film_;
    std::unique_ptr<FilmWriter> writer_;
    QString path_;
    int next_ = 0, percent_ = 0;
};

}  // namespace bscope::ui
