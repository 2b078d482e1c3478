// WantedConfig: the configuration that the controls show, from an edit to the iteration that runs under
// it. Legal edits go to the engine at once and are pending until it has begun an iteration under them. What a
// configuration would do is planned when it is looked at, without the engine. Window thread only.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "app/session/engine_stream.h"
#include "view/view_data.h"

namespace bscope::ui {

class WantedConfig : public QObject {
    Q_OBJECT
public:
    explicit WantedConfig(EngineStream& stream, QObject* parent = nullptr);

    const RunConfig& wanted() const { return wanted_; }
    const RunConfig& lastLegal() const { return legal_; }  // the last wanted one without problems
    const RunConfig& effective() const;                    // of the newest iteration, else wanted
    const std::vector<Problem>& problems() const { return problems_; }
    // With its plan; nothing: none is pending.
    const std::optional<PendingChange>& pending() const;
    // The engine has not answered the last request yet.
    bool awaitsAnswer() const { return answered_ != requested_; }

    // quiet: the program's own doing, which is not announced as a pending change.
    void edit(const RunConfig& config, bool quiet = false);
    void undo();
    // A connection was made. keep: what is wanted here goes to the engine, else the engine's is taken over.
    void attach(bool keep);
    void refreshPending();

    // The order of the run's schedule travels with it, so that a schedule file on the engine's machine is not
    // read here.
    std::vector<Problem> problemsOf(const RunConfig& config) const;
    Costs costsOf(const RunConfig& config) const;         // from the last measured ones
    IterationView planOf(const RunConfig& config) const;  // nothing ran; empty for an illegal configuration

signals:
    void wantedChanged();
    void problemsChanged();
    void pendingChanged();
    void planChanged();                          // of a run without iterations
    void answered(bool accepted, bool new_run);  // by the engine

private:
    std::shared_ptr<const Schedule> orderOfRun(const RunConfig& config) const;
    IterationView plannedNow(const RunConfig& config) const;
    void take(const RunConfig& config);
    void send();
    void onReply(const EngineStream::Reply& reply);
    void onStarted();
    void settle();

    EngineStream& stream_;
    RunConfig wanted_, legal_;
    std::vector<Problem> problems_;
    mutable std::optional<PendingChange> pending_;  // planned when first looked at
    mutable std::optional<IterationView> estimated_;  // the last plan that is of estimated costs alone
    bool quiet_ = false;
    std::uint64_t requested_ = 0, answered_ = 0;
};

}  // namespace bscope::ui
