// ReplicaSection: the replicas of an imported run beside each other: the heat map of their stages, and what
// slows them down with its share of the slowdown. Hidden where there is one replica, and for own runs.
#pragma once

#include "view/view_data.h"
#include "widgets/controls/section.h"
#include "widgets/data/view_state.h"
#include "widgets/dock/replica_map.h"

namespace bscope::ui {

class ReplicaSection : public Section {
    Q_OBJECT
public:
    explicit ReplicaSection(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& view);
    QString text() const { return paragraph_->text(); }
    const ReplicaMap& map() const { return *map_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    ViewState& state_;
    IterationView view_;
    ReplicaMap* map_;
    Label *legend_, *paragraph_;
};

}  // namespace bscope::ui
