// OpenedWindow: the main window on the screen, for tests that use it as a person would.
#pragma once

#include <QStandardPaths>
#include <QTest>

#include "app/window/main_window.h"

namespace bscope::ui {

struct OpenedWindow {
    MainWindow window;
    explicit OpenedWindow(const LessonBook& book, const Preferences& preferences = {})
        : window(preferences, book) {
        window.resize(1440, 900);
        window.show();
        [&] { QVERIFY(QTest::qWaitForWindowExposed(&window)); }();
    }
    // Before the first window: nothing of a person's own settings is read or written.
    static void useTestSettings() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("bubblescope-test"));
    }
};

}  // namespace bscope::ui
