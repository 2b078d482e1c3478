// A file that is open in the window, an order or dumps of a standstill: what it holds, what would refuse it,
// its run.
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <algorithm>
#include <utility>

#include "app/schedules/schedule_controller.h"
#include "app/schedules/schedule_files.h"
#include "catalog/catalog.h"
#include "hang/hang_report.h"
#include "hang/message_rules.h"
#include "schedule/formats/file_schedule.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

// Perhaps at the end of a tunnel all the same: then the engine says that it cannot read the file.
bool isHere(const std::string& host) {
    return host == "localhost" || QHostAddress(QString::fromStdString(host)).isLoopback();
}

}  // namespace

RunConfig ScheduleController::configOf(const QString& path, const ScheduleParams& params) const {
    RunConfig config = session_.wanted();
    const bool other_stages = config.params.stagesOfReplica() != params.stagesOfReplica();
    const ScheduleParams own = std::exchange(config.params, params);
    config.schedule = "file:" + path.toStdString();
    config.params.takeWorldOf(own);
    const int ranks = config.params.layout().world();
    if (other_stages) config.layers_per_stage.clear();
    std::erase_if(config.slow_ranks, [&](const auto& slow) { return slow.first >= ranks; });
    return config;
}

QString ScheduleController::refusalOf(const RunConfig& config) const {
    if (session_.state() == SessionState::Replaying) return tr("A recording is shown: leave it to run this.");
    const EngineConnection& engine = session_.connection();
    if (engine.phase() == EngineConnection::Phase::Attached && !engine.isOwn() &&
        !isHere(engine.address().host))
        return tr("The engine runs on another machine and cannot read this file.");
    QStringList all;
    for (const Problem& problem : problems(config)) all << problemText(problem);
    return all.join(u'\n');
}

void ScheduleController::openFile(const QString& path) {
    QString why;
    auto read = openScheduleFile(path, why);
    if (!read)
        return shell_.say(
            {why, tr("A schedule is a CSV file with a row for each rank: 0F0,0F1,0B0,0B1."), {}});
    OpenedFile opened{QFileInfo(path).fileName(), {}, std::move(*read), nullptr, {}, {}, {}};
    opened.grid = std::make_shared<const GridModel>(gridOf(opened.file));
    const bool as_it_is = opened.file.form == FileForm::Order && !opened.file.has_communication;
    if (opened.file.errors.empty())
        opened.path = as_it_is ? QFileInfo(path).absoluteFilePath()
                               : keepSchedule(opened.file.schedule, QFileInfo(path).completeBaseName(), why);
    file_ = std::move(opened);
    emit fileOpened();
    strip_->showFile(file_->grid, file_->name);
    syncDifference();
    syncFile();
    judgeFile();
    if (!file_->file.errors.empty()) panel_->file().rules()->setCurrentRow(0);
    strip_->grid().setFocus();
}

void ScheduleController::openDumps(const QStringList& paths) {
    dumps_name_ = QFileInfo(paths.front()).fileName();
    std::vector<std::string> names;
    for (const QString& path : paths) names.push_back(QFile::encodeName(path).toStdString());
    const RunConfig config = explained();
    const bool planned =
        canBeMade(config.schedule, config.params) && config.params.layout().world() == config.params.p;
    dumps_.start(std::move(names), planned ? std::optional(config) : std::nullopt);
}

void ScheduleController::showDumps(const ReadDumps& read) {
    if (!read.why.empty())
        return shell_.say(
            {said(read.why),
             tr("Choose the flight recorder dumps of a program: a file for each rank, or their folder."),
             {}});
    OpenedFile opened{dumps_name_, {}, {}, nullptr, {}, read.report, read.plan};
    opened.file.schedule = read.schedule;
    opened.grid = opened.plan.empty()
                      ? std::make_shared<const GridModel>()
                      : std::make_shared<const GridModel>(gridOf(opened.file.schedule, *opened.hang));
    file_ = std::move(opened);
    emit fileOpened();
    if (file_->plan.empty())
        strip_->showNothing(
            tr("The dumps are of other ranks than the schedule shown, so there is no grid for them."));
    else
        strip_->showFile(file_->grid, file_->name);
    syncDifference();
    syncFile();
    panel_->file().rules()->setCurrentRow(0);
}

// Of a line of the report: the cell of its rank.
std::optional<GridPlace> ScheduleController::placeOfRank(int line) const {
    const HangReport& report = *file_->hang;
    const auto findings = static_cast<int>(report.findings.size());
    const int rank = line < findings ? report.findings[static_cast<std::size_t>(line)].ranks.front()
                                     : report.ranks[static_cast<std::size_t>(line - findings)].rank;
    const GridModel& model = *file_->grid;
    for (const HangRank& each : report.ranks) {
        if (each.rank != rank || !each.planned) continue;
        const auto row = static_cast<std::size_t>(*each.planned);
        for (std::size_t index = 0; row < model.rows.size() && index < model.rows[row].size(); ++index)
            if (!model.rows[row][index].stands.empty())
                return GridPlace{*each.planned, static_cast<int>(index)};
    }
    return std::nullopt;
}

// The first rule under which it stands still is shown at once.
void ScheduleController::judgeFile() {
    const ScheduleFile& file = file_->file;
    file_->outcomes = judgeMessages(file);
    const bool has_messages = file.has_communication && file.computes;
    panel_->file().setMessages(file_->outcomes,
                               has_messages ? judgeSafeMessages(file) : std::vector<RuleOutcome>());
    for (std::size_t i = 0; i < file_->outcomes.size(); ++i)
        if (!file_->outcomes[i].runs()) return panel_->file().messages()->setCurrentRow(static_cast<int>(i));
    if (file.computes) return;
    const auto alone = playComputation(file.schedule);
    if (!alone || alone->cycle.empty()) return;
    file_->grid = std::make_shared<const GridModel>(gridOf(file, alone->standing, alone->cycle));
    strip_->showFile(file_->grid, file_->name);
}

void ScheduleController::showOutcome(std::size_t outcome) {
    const RuleOutcome& chosen = file_->outcomes[outcome];
    file_->grid = std::make_shared<const GridModel>(
        chosen.runs() ? gridOf(file_->file) : gridOf(file_->file, chosen.standing, chosen.cycle));
    strip_->showFile(file_->grid, file_->name);
    if (!file_->grid->waits.empty()) strip_->grid().select(file_->grid->waits.front().first);
}

void ScheduleController::syncFile() {
    if (!file_) return;
    if (file_->hang)
        return panel_->showHang(file_->name, *file_->hang, file_->plan, file_->file.schedule.params);
    QString refusal;
    std::string explained;
    if (!file_->path.isEmpty()) {
        const RunConfig config = configOf(file_->path, file_->file.schedule.params);
        refusal = refusalOf(config);
        if (canBeMade(config.schedule, config.params)) explained = config.schedule;
    } else if (file_->file.errors.empty()) {
        refusal = tr("The order could not be written to a file.");
    }
    panel_->showFile(file_->name, file_->file, refusal, explained);
}

void ScheduleController::closeFile() {
    if (!file_) return;
    file_.reset();
    drawn_.reset();
    panel_->closeFile();
    emit fileClosed();
    syncGrid();
    syncExplanation();
    shell_.focusCanvas();
}

std::optional<RunConfig> ScheduleController::fileConfig() const {
    const SessionState state = session_.state();
    const bool rests = state == SessionState::Idle || state == SessionState::Paused;
    if (!rests || !file_ || file_->path.isEmpty()) return std::nullopt;
    const RunConfig config = configOf(file_->path, file_->file.schedule.params);
    if (!refusalOf(config).isEmpty()) return std::nullopt;
    return config;
}

std::optional<IterationView> ScheduleController::filePlan() const {
    const std::optional<RunConfig> config = fileConfig();
    return config ? std::optional(session_.planOf(*config)) : std::nullopt;
}

void ScheduleController::runFile() {
    if (!file_) return;
    const QString close = tr("Close the file to run what was there before.");
    if (file_->path.isEmpty()) return shell_.say({tr("%1 cannot run as it is.").arg(file_->name), close, {}});
    const RunConfig config = configOf(file_->path, file_->file.schedule.params);
    if (const QString refusal = refusalOf(config); !refusal.isEmpty())
        return shell_.say({refusal, close, {}});
    closeFile();
    choose(config);
}

}  // namespace bscope::ui
