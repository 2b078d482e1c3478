#include "widgets/view_data.h"

namespace bscope::ui {

int IterationView::stageChunk(int stage) const {
    return config.params.p > 0 && stage >= 0 ? stage / config.params.p : 0;
}

}  // namespace bscope::ui
