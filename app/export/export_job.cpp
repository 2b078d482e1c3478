#include "app/export/export_job.h"

#include <algorithm>

#include "app/export/plan_below.h"
#include "app/session/session_failure.h"
#include "app/timeline/baseline.h"
#include "catalog/catalog.h"
#include "view/changing_view.h"
#include "view/prepared_view.h"
#include "widgets/figure/figure.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"

namespace bscope::ui {

namespace {

// Of one run there is nothing to change to.
Sentence changeProblem(const std::vector<IterationView>& views) {
    return views.size() == 2 ? changeRefusal(views[0], views[1])
                             : sentence("the two runs are the same one: --beside names another");
}

}  // namespace

ExportJob::ExportJob(const ProgramOptions& options, const RunConfig& config, int iterations)
    : options_(options), config_(config), left_(iterations) {
    connect(&session_, &Session::iterationFinished, this, [this](int iteration) {
        if (ended_ || --left_ > 0) return;
        const auto view = session_.history().view(iteration);
        if (view && view->summary)
            writeWithPlans(*view);
        else
            left_ = 1;  // events were dropped: take the next one
    });
    whenFailed(session_, this, [this](const QString& why) { end(false, why); });
    connect(&session_, &Session::notice, this, [this](const Notice& notice) {
        end(false, notice.sentence.text() + QLatin1Char(' ') + notice.what_to_do.text());
    });
    connect(&import_, &ImportJob::done, this, [this](const QString& recording) {
        if (options_.page) return writePage({recording});
        session_.openRecording(recording, Replayer::Show::Whole);
    });
    connect(&page_, &PageJob::written, this,
            [this](const QString& path) { end(true, tr("Wrote %1.").arg(path)); });
    connect(&page_, &PageJob::failed, this, [this](const QString& why) { end(false, why); });
    connect(&film_, &FilmJob::progress, this, &ExportJob::progress);
    connect(&film_, &FilmJob::written, this, [this] { end(true, what_); });
    connect(&film_, &FilmJob::failed, this, [this](const QString& why) { end(false, why); });
    connect(&import_, &ImportJob::severalReplicas, this, [this](const QList<QList<int>>& replicas) {
        end(false,
            tr("The files hold %1 replicas of the pipeline: give only the files of one, or make a recording "
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
        const IterationView shown = session_.shown();
        if (options_.beside.isEmpty()) return writeWithPlans(shown);
        if (!first_) {
            first_ = shown;
            return open({options_.beside});
        }
        Baseline baseline;
        baseline.pin(shown);
        baseline.setLook(
            {options_.side_by_side ? BaselinePlace::SideBySide : BaselinePlace::Below, options_.alignment});
        write(baseline.with(*first_, 0));
    });
}

void ExportJob::start() {
    if (!options_.files.isEmpty()) return open(options_.files);
    session_.edit(config_);
    if (ended_) return;
    if (options_.predicted) return writePlan();
    if (options_.connect)
        session_.connectTo(*options_.connect, true);
    else
        session_.startEngine(true);
}

void ExportJob::open(const QStringList& paths) {
    const bool imports = std::ranges::any_of(paths, looksLikeImport);
    if (options_.page && !imports) return writePage(paths);
    if (paths.size() > 1 || imports) return import_.start(paths);
    session_.openRecording(paths.front(), Replayer::Show::Whole);
}

void ExportJob::writePage(const QStringList& recordings) {
    page_.start(recordings, options_.export_path, std::nullopt, windowLanguage());
}

// Nothing runs; what is illegal in the scenario says so.
void ExportJob::writePlan() {
    if (!session_.problems().empty()) {
        QStringList why;
        for (const Problem& problem : session_.problems()) why << sentenceText(problemText(problem));
        return end(false, sentencesText(why));
    }
    IterationView plan = session_.planOf(config_);
    plan.config = config_;
    if (options_.costs) {
        plan.hand_costs = options_.costs;
        const auto by_hand = planBelow(session_, plan, config_.schedule);
        if (!by_hand) return end(false, tr("No plan can be made with these costs."));
        plan = *by_hand;
    }
    writeWithPlans(plan);
}

void ExportJob::writeWithPlans(const IterationView& shown) {
    std::vector<IterationView> views{shown};
    for (const std::string& schedule : options_.below) {
        auto plan = planBelow(session_, shown, schedule);
        if (!plan) {
            ScheduleParams params = shown.config.params;
            takeUsual(params, *findSchedule(schedule));
            QStringList why;
            for (const Problem& problem : scheduleProblems(schedule, params))
                why << sentenceText(problemText(problem));
            return end(false,
                       tr("%1 cannot be drawn below: %2").arg(scheduleTitle(schedule), sentencesText(why)));
        }
        views.push_back(std::move(*plan));
    }
    const PreparedView group(shown);
    deliver(
        views,
        group.isPlan()
            ? tr("Wrote %1: the plan of %2.").arg(options_.export_path, scheduleTitle(shown.config.schedule))
            : tr("Wrote %1: iteration %2.").arg(options_.export_path).arg(shown.number()));
}

void ExportJob::write(const std::vector<IterationView>& views) {
    if (options_.change && views.size() > 1)
        deliver(views, tr("Wrote %1: from iteration %2 to %3.")
                           .arg(options_.export_path, iterationName(views[0], views[1].file),
                                iterationName(views[1], views[0].file)));
    else if (views.size() > 1)
        deliver(views, (options_.side_by_side ? tr("Wrote %1: iteration %2, and %3 beside it.")
                                              : tr("Wrote %1: iteration %2, and %3 below it."))
                           .arg(options_.export_path, iterationName(views[0], views[1].file),
                                iterationName(views[1], views[0].file)));
    else
        deliver(views,
                tr("Wrote %1: iteration %2, drawn once: the last iteration of --beside is the same one.")
                    .arg(options_.export_path)
                    .arg(views.front().number()));
}

// Empty: it has the size that was asked for.
QString ExportJob::higherThanAsked(const QSize& size) const {
    const QSize asked = options_.figure.size_px;
    if (options_.figure.width_mm > 0 || size.height() <= asked.height()) return {};
    return u' ' +
           tr("It is %1 pixels high, not %2: all lanes need as much.").arg(size.height()).arg(asked.height());
}

// what: is said when it is there.
void ExportJob::deliver(const std::vector<IterationView>& views, const QString& what) {
    if (options_.film) {
        session_.disconnect(this);  // what it does from now on is in no film
        session_.pause();
        const FilmKind kind = options_.change ? FilmKind::Change : FilmKind::Growth;
        const Sentence why = options_.change ? changeProblem(views) : Sentence();
        if (!why.empty()) return end(false, said(why));
        const FilmOptions options{options_.figure, options_.film_s, options_.fps, kind};
        what_ = what + higherThanAsked(Film(views, options).size());
        return film_.start(views, options, options_.export_path);
    }
    const QString error = writeFigure(views, options_.figure, options_.export_path, options_.export_format);
    if (!error.isEmpty()) return end(false, error);
    end(true, what + higherThanAsked(figureSize(views, options_.figure).toSize()));
}

void ExportJob::end(bool written, const QString& sentence) {
    if (std::exchange(ended_, true)) return;
    emit finished(written, sentence);
}

}  // namespace bscope::ui
