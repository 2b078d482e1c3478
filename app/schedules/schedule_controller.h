// ScheduleController: the schedule in the window: the panel that explains it, the step-by-rank grid, files
// that people open, and the search for a better order. Follows the shown iteration; what is chosen here goes
// the way of every other change. Window thread only.
#pragma once

#include <QObject>
#include <optional>

#include "app/schedules/dump_reading.h"
#include "app/schedules/schedule_search.h"
#include "app/session/session.h"
#include "app/shell/shell.h"
#include "widgets/schedule/grid_strip.h"
#include "widgets/schedule/schedule_panel.h"
#include "words/catalog.h"

namespace bscope::ui {

class ScheduleController : public QObject {
    Q_OBJECT
public:
    ScheduleController(Session& session, ViewState& state, Shell& shell);

    SchedulePanel* panel() const { return panel_; }
    GridStrip* strip() const { return strip_; }
    void setLanguage(Language language);
    // Both are brought up to date when they are shown; hidden ones cost nothing.
    void setShown(bool panel, bool grid);
    void sync(const IterationView& shown);
    void openFile(const QString& path);
    // Flight recorder dumps of a program elsewhere: files, or their folder. The plan is the shown schedule
    // where it has as many ranks as a pipeline of theirs.
    void openDumps(const QStringList& paths);
    void closeFile();
    // Whether the shown order parts from that of the schedule nearest to it, and the place of it.
    bool hasDifference() const { return strip_->grid().mark().has_value(); }
    void showDifference();
    bool showsFile() const { return file_.has_value(); }
    // What running the open file would mean, while nothing else is at work; nothing when it cannot run.
    std::optional<RunConfig> fileConfig() const;
    std::optional<IterationView> filePlan() const;
    // Runs an order that no catalog has, kept as a file, or says why it cannot.
    void run(const Schedule& schedule);
    // Runs an order built in the puzzle, kept as a file NAME-*.csv. Returns the configuration; nothing when
    // it cannot run, which the window then says.
    std::optional<RunConfig> runBuilt(const Schedule& schedule, const QString& name);
    // Runs the open file instead of what was wanted, or says why it cannot.
    void runFile();

signals:
    void gridNeeded();  // to show something in it
    void fileOpened();
    void fileClosed();

private:
    void syncGrid();
    void syncDifference();
    void syncExplanation();
    std::vector<RankTraffic> trafficOf(const RunConfig& config) const;
    void syncOffer();
    void syncFile();
    void judgeFile();
    void showDumps(const ReadDumps& read);
    std::optional<GridPlace> placeOfRank(int line) const;
    void showOutcome(std::size_t outcome);
    RunConfig explained() const;
    std::optional<PendingChange> pendingOfShown() const;
    RunConfig searchConfig() const;
    std::optional<SearchRequest> request() const;
    QString refusalOf(const RunConfig& config) const;
    std::optional<RunConfig> keptConfig(const Schedule& schedule, const QString& name);
    RunConfig configOf(const QString& path, const ScheduleParams& params) const;
    void startSearch();
    void takeResult(const SearchResult& result);
    void runFound();
    void choose(const RunConfig& config);

    Session& session_;
    Shell& shell_;
    SchedulePanel* panel_;
    GridStrip* strip_;
    ScheduleSearch search_;

    bool panel_shown_ = false, grid_shown_ = false;
    std::optional<RunConfig> shown_;              // of the iteration on the canvas
    std::shared_ptr<const Schedule> order_;       // as it came with that iteration; null: none did
    std::shared_ptr<const ImportOrigin> import_;  // of what ran in it
    std::optional<RunConfig> drawn_;              // what the grid was made for
    std::optional<RunConfig> searched_for_;       // the request of the search, without its schedule
    struct OfferedFor {
        RunConfig config;
        bool measured = false, replaying = false;
        bool operator==(const OfferedFor&) const = default;
    };
    std::optional<OfferedFor> offered_for_;
    std::shared_ptr<const SearchResult> found_;
    QString found_path_;

    struct OpenedFile {
        QString name, path;  // path: what an engine can run, "" while it is not legal
        ScheduleFile file;
        std::shared_ptr<const GridModel> grid;
        std::vector<RuleOutcome> outcomes;  // of its messages
        std::optional<HangReport> hang;     // of dumps, which are no file of a schedule
        std::string plan;                   // of the dumps: name, "" when it is not known
    };
    std::optional<OpenedFile> file_;
    DumpReading dumps_;
    QString dumps_name_;
};

}  // namespace bscope::ui
