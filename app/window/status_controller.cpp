#include "app/window/status_controller.h"

#include <QFileInfo>
#include <algorithm>

#include "view/other_run.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

QString rangeText(const TimeRange& range, const Notation& notation) {
    // Digits enough to distinguish a tenth of the range in sight.
    const double seen = (range.to_ns - range.from_ns) / notation.unitNs();
    const int decimals = decimalsFor(seen / 5, notation.inForwards() ? 1 : 0);
    const auto number = [&](double ns) { return numberText(ns / notation.unitNs(), decimals); };
    return withUnit(number(range.from_ns) + QStringLiteral("–") + number(range.to_ns), notation.unitName());
}

}  // namespace

StatusController::StatusController(Session& session, Appearance& appearance, const Views& views, Shell& shell,
                                   StatusLine& line)
    : QObject(&line), session_(session), appearance_(appearance), views_(views), shell_(shell), line_(line) {
    connect(&views_.timeline, &TimelineController::synced, this, &StatusController::sync);
    connect(&session.sweeps(), &Sweeps::changed, this, &StatusController::sync);
    for (const ViewState* state : {&views_.timeline.canvas()->state(), &views_.lessons.viewState()})
        for (const auto changed : {&ViewState::rangeChanged, &ViewState::presentationChanged})
            connect(state, changed, this, &StatusController::sync);
    connect(&line, &StatusLine::languageClicked, &appearance_, &Appearance::changeLanguage);
    connect(&line, &StatusLine::scaleClicked, this, [this] { appearance_.zoomInterface(0); });
}

void StatusController::sync() {
    StatusData line;
    line.state = session_.state();
    line.iteration = session_.standsAt();
    line.is_next = line.state == SessionState::Running && line.iteration >= 0 &&
                   line.iteration == session_.history().newestComplete();
    if (line.is_next) ++line.iteration;
    const auto numbers = session_.numbers();
    const IterationView shown = session_.shown();
    if (isAtWork(line.state)) {
        const auto planned = static_cast<double>(shown.plan_summary.iteration_ns);
        if (shown.now_ns >= 0 && planned > 0)
            line.progress =
                std::clamp(static_cast<double>(shown.now_ns - shown.start_ns) / planned, 0.0, 1.0);
    }
    if (line.state == SessionState::Disconnected) line.retry_s = session_.connection().secondsToRetry();
    if (line.state == SessionState::Replaying) {
        const Replayer& replayer = session_.replayer();
        line.imported = shown.import != nullptr;
        // The file of an import is made by the window itself and bears the name of what was imported.
        line.file = line.imported ? QFileInfo(replayer.path()).completeBaseName()
                                  : QFileInfo(replayer.path()).fileName();
        line.plays = replayer.playing();
        if (replayer.isPart() && !replayer.bars().empty())
            line.read_to = QString::number(replayer.bars().back().number());
    }
    line.engine = engine();
    if (numbers && numbers->report) {
        if (!isOfOtherRun(*numbers, shown)) line.report = numbers->report;
        line.dropped_events = numbers->report->dropped_events;
    }
    line.dropped_events += session_.history().misfits();
    line.note = note();
    if (shell_.view() == MainView::Timeline) line.straggler = views_.timeline.straggler();
    line.range = range();
    line.language =
        appearance_.language() == Language::English ? QStringLiteral("English") : QStringLiteral("简体中文");
    line.scale = appearance_.scale();
    line_.setData(line);
}

// Where the engine is and what it computes on, as far as that is known.
QString StatusController::engine() const {
    const SessionState state = session_.state();
    const auto numbers = session_.numbers();
    const EngineConnection& connection = session_.connection();
    const bool own = connection.isOwn() || connection.phase() == EngineConnection::Phase::Off;
    const bool computes = state != SessionState::Replaying && numbers && numbers->report;
    const QString device =
        deviceWords(QString::fromStdString(computes ? numbers->report->device : session_.hello().device()));
    const QString where = own ? tr("this machine") : QString::fromStdString(connection.address().text());
    if (state == SessionState::Disconnected) return where;
    if (device.isEmpty()) return own ? QString() : where;
    return where + QStringLiteral(" · ") + device;
}

QString StatusController::note() const {
    if (const QString sweep = views_.tune.statusNote(); !sweep.isEmpty()) return sweep;
    if (session_.onlyWatches()) return tr("watching only");
    if (shell_.view() == MainView::Lessons) return views_.lessons.statusNote();
    return views_.timeline.baseline().comparedWith(session_.numbersOfShown(), session_.bars(),
                                                   session_.shown().now_ns >= 0);
}

QString StatusController::range() const {
    if (shell_.view() == MainView::Improve) return {};
    GanttView* canvas =
        shell_.view() == MainView::Lessons ? views_.lessons.canvas() : views_.timeline.canvas();
    return rangeText(canvas->state().range(), canvas->picture().notation);
}

}  // namespace bscope::ui
