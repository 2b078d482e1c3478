#include "app/export/film_job.h"

namespace bscope::ui {

void FilmJob::start(std::vector<IterationView> views, const FilmOptions& options, const QString& path) {
    cancel();
    path_ = path;
    next_ = percent_ = 0;
    const FilmFormat format = filmFormat(path).value_or(FilmFormat::Gif);
    film_ = std::make_unique<Film>(std::move(views), options);
    const QStringList problems = filmProblems(format, film_->size(), film_->fps());
    QString why = problems.join(u' ');
    if (why.isEmpty()) writer_ = FilmWriter::open(path, format, film_->size(), film_->fps(), why);
    if (!writer_) return emit failed(why);
    const auto later = static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection);
    connect(writer_.get(), &FilmWriter::ready, this, &FilmJob::step);
    connect(
        writer_.get(), &FilmWriter::failed, this,
        [this](const QString& because) {
            end();
            emit failed(because);
        },
        later);
    connect(
        writer_.get(), &FilmWriter::written, this,
        [this] {
            end();
            emit written(path_);
        },
        later);
    std::vector<QImage> samples;
    for (const int part : {0, 1, 2, 4}) samples.push_back(film_->frame((film_->frames() - 1) * part / 4));
    writer_->prepare(samples);
    step();
}

void FilmJob::cancel() {
    end();
}

void FilmJob::step() {
    if (next_ == film_->frames()) return writer_->finish();
    writer_->add(film_->frame(next_++));
    const int percent = 100 * next_ / film_->frames();
    if (percent > percent_) emit progress(percent_ = percent);
}

// What it ends may be what is calling.
void FilmJob::end() {
    if (writer_) {
        writer_->disconnect(this);
        writer_.release()->deleteLater();
    }
    film_.reset();
}

}  // namespace bscope::ui
