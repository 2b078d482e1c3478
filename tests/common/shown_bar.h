// ShownBar: the tool bar on the screen, for tests that use it as a person would.
#pragma once

#include <QSignalSpy>
#include <QTest>

#include "widgets/bars/control_bar.h"

namespace bscope::ui {

inline void showBar(ControlBar& bar, int width = 1440) {
    setTheme(Theme::make(ThemeKind::Light));
    bar.resize(width, 48);
    bar.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bar));
}
inline void pressUpArrow(NumberField& field) {
    QTest::mouseClick(&field, Qt::LeftButton, {}, QPoint(field.width() - 8, 7));
}
inline RunConfig sent(const QSignalSpy& spy) {
    return spy.last().first().value<RunConfig>();
}

}  // namespace bscope::ui
