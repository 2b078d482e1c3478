#include "app/engine/notice.h"

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

QString NoticeWords::text() const {
    QStringList sentences;
    for (const Sentence& each : of_engine_) sentences << said(each);
    if (!own_.isEmpty()) sentences << own_;
    return sentencesText(sentences);
}

}  // namespace bscope::ui
