#include "app/export/export_job.h"

#include "app/session/session_failure.h"
#include "widgets/figure/figure.h"

namespace bscope::ui {

ExportJob::ExportJob(const ProgramOptions& options, const RunConfig& config, int iterations)
    : options_(options), config_(config), left_(iterations) {
    connect(&session_, &Session::iterationFinished, this, [this](int iteration) {
        if (ended_ || --left_ > 0) return;
        const auto view = session_.history().view(iteration);
        if (view && view->summary)
            write(*view);
        else
            left_ = 1;  // events were dropped: take the next one
    });
    whenFailed(session_, this, [this](const QString& why) { end(false, why); });
    connect(&session_, &Session::notice, this, [this](const Notice& notice) {
        end(false, notice.sentence.text() + QLatin1Char(' ') + notice.what_to_do.text());
    });
    connect(&import_, &ImportJob::done, &session_, &Session::openRecording);
    connect(&import_, &ImportJob::severalReplicas, this, [this](const QList<QList<int>>& replicas) {
        end(false, tr("The files hold %1 replicas of the pipeline: give only the files of one, or make a recording "
                      "of it first (bscope import --replica N -o RUN.bscope).")
                       .arg(replicas.size()));
    });
    connect(&import_, &ImportJob::failed, this, [this](const Notice& notice) {
        end(false, notice.sentence.text() + QLatin1Char(' ') + notice.what_to_do.text());
    });
    connect(&session_.replayer(), &Replayer::loaded, this, [this] {
        session_.replayer().setPlaying(false);
        if (session_.bars().empty()) return end(false, tr("The recording holds no complete iteration."));
        session_.select(session_.bars().back().iteration);
        write(session_.shown());
    });
}

void ExportJob::start() {
    const QStringList& files = options_.files;
    if (files.size() > 1 || (!files.isEmpty() && looksLikeImport(files.front()))) return import_.start(files);
    if (!files.isEmpty()) return session_.openRecording(files.front());
    session_.edit(config_);
    if (ended_) return;
    if (options_.connect)
        session_.connectTo(*options_.connect, true);
    else
        session_.startEngine(true);
}

void ExportJob::write(const IterationView& view) {
    const QString error =
        writeFigure({&view, 1}, options_.figure, options_.export_path, options_.export_format);
    if (error.isEmpty())
        end(true, tr("Wrote %1: iteration %2.").arg(options_.export_path).arg(view.number()));
    else
        end(false, error);
}

void ExportJob::end(bool written, const QString& sentence) {
    if (std::exchange(ended_, true)) return;
    emit finished(written, sentence);
}

}  // namespace bscope::ui
