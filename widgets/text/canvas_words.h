// The words drawn on the canvas share one context of translation: Canvas::tr().
#pragma once

#include <QCoreApplication>

namespace bscope::ui {

struct Canvas {
    Q_DECLARE_TR_FUNCTIONS(Canvas)
};

}  // namespace bscope::ui
