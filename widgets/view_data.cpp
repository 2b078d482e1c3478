#include "widgets/view_data.h"

namespace bscope::ui {

bool IterationView::ranksAreGpus() const {
    return !ran->empty() && ran->provenance() == Provenance::Measured && !device.isEmpty() &&
           !device.startsWith(QStringLiteral("CPU"));
}

int IterationView::stageChunk(int stage) const {
    const ScheduleParams& params = config.params;
    return params.p > 0 && params.v > 0 && stage >= 0 ? stage % params.stagesOfReplica() / params.p : 0;
}

}  // namespace bscope::ui
