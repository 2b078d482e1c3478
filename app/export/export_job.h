// ExportJob: a picture or a film without a window: runs a scenario in a real engine (or takes a recording),
// waits for its iterations, writes the last one and says how it went. Or a page, of recordings.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "app/export/film_job.h"
#include "app/export/page_job.h"
#include "app/import/import_job.h"
#include "app/session/session.h"
#include "app/settings/program_options.h"

namespace bscope::ui {

class ExportJob : public QObject {
    Q_OBJECT
public:
    // iterations >= 1. Without files: run config.
    ExportJob(const ProgramOptions& options, const RunConfig& config, int iterations);
    void start();

signals:
    // sentence: what was written, or why not.
    void finished(bool written, const QString& sentence);
    void progress(int percent);  // of a film

private:
    void open(const QStringList& paths);
    void writePage(const QStringList& recordings);
    void writePlan();
    void writeWithPlans(const IterationView& shown);
    void write(const std::vector<IterationView>& views);
    QString higherThanAsked(const QSize& size) const;
    void deliver(const std::vector<IterationView>& views, const QString& what);
    void end(bool written, const QString& sentence);

    ProgramOptions options_;
    RunConfig config_;
    int left_;
    bool ended_ = false;
    std::optional<IterationView> first_;  // the other one is still to be read
    Session session_;
    ImportJob import_{this};
    PageJob page_{this};
    FilmJob film_{this};
    QString what_;  // the film shows
};

}  // namespace bscope::ui
