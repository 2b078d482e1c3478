// The words of exported figures share one context of translation: Figure::tr().
#pragma once

#include <QCoreApplication>

namespace bscope::ui {

struct Figure {
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

}  // namespace bscope::ui
