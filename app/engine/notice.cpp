#include "app/engine/notice.h"

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

QString NoticeWords::text() const {
    if (of_engine_.empty()) return own_;
    return own_.isEmpty() ? said(of_engine_) : sentencesText({said(of_engine_), own_});
}

}  // namespace bscope::ui
