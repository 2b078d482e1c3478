// CheckpointingPlans: what the iteration that the Timeline view shows would hold without checkpointing and
// with each kind of it: the same order with the same costs, planned as every plan is. Kept while the
// iteration is shown. Window thread only.
#pragma once

#include "app/session/session.h"

namespace bscope::ui {

class CheckpointingPlans {
public:
    explicit CheckpointingPlans(const Session& session) : session_(session) {}
    // With the kinds that it does not run with; without any where the model is not known.
    IterationView withPlans(IterationView view);

private:
    const Session& session_;
    IterationView of_;
    std::vector<CheckpointingPlan> known_;
};

}  // namespace bscope::ui
