// ConfigEdit: what the tool bar edits: the configuration in force, the one that the fields show, the one that
// was announced last, what waits for its iteration, and what is illegal. The fields follow a change from
// outside unless the user is typing, or the typed value is illegal and not yet corrected. Plain values.
#pragma once

#include <optional>
#include <vector>

#include "catalog/catalog.h"
#include "view/view_data.h"
#include "widgets/text/legal_fixes.h"

namespace bscope::ui {

class ConfigEdit {
public:
    const RunConfig& inForce() const { return in_force_; }
    const RunConfig& shown() const { return shown_; }  // by the fields
    const std::optional<PendingChange>& pending() const { return pending_; }
    const std::vector<Problem>& problems() const { return problems_; }
    // Ways to make shown() legal, the best first.
    std::vector<std::vector<Fix>> offers() const;
    // The v that comes with a schedule: what was asked for where the schedule makes use of it, else its
    // usual.
    int chunksFor(const CatalogEntry& schedule) const;

    // Drops whatever was being edited.
    void reset(const RunConfig& in_force);
    // From outside; true: shown() has changed.
    bool setInForce(const RunConfig& config, bool typing);
    bool setRefused(const RunConfig& config, const std::vector<Problem>& problems, bool typing);
    bool setPending(const std::optional<PendingChange>& pending, bool typing);

    // What the fields say now, not committed. v: the last one that a person or a configuration asked for.
    void setShown(const RunConfig& config) { shown_ = config; }
    void setAskedChunks(int v) { asked_v_ = v; }
    void fix(int offer);  // of offers()
    // shown() is complete, and this is wrong with it. True: it is legal and new, to be announced.
    bool commit(std::vector<Problem> found);

private:
    void show(const RunConfig& config);

    RunConfig in_force_, shown_, announced_;
    std::optional<PendingChange> pending_;
    std::vector<Problem> problems_;
    std::vector<Problem> refused_;  // what the engine finds wrong with announced_
    bool refusal_shown_ = false;
    int asked_v_ = 1;
};

}  // namespace bscope::ui
