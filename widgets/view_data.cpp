#include "widgets/view_data.h"

namespace bscope::ui {

int IterationView::stageChunk(int stage) const {
    const ScheduleParams& params = config.params;
    return params.p > 0 && params.v > 0 && stage >= 0 ? stage % params.stagesOfReplica() / params.p : 0;
}

}  // namespace bscope::ui
