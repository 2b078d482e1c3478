// OpenedWindow: the main window on the screen, for tests that use it as a person would.
#pragma once

#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/find/command_palette.h"
#include "app/find/search_bar.h"
#include "app/shell/window_actions.h"
#include "app/timeline/timeline_controller.h"
#include "app/window/main_window.h"
#include "required.h"
#include "widgets/bars/control_bar.h"
#include "widgets/bars/failure_bar.h"
#include "widgets/bars/status_line.h"

namespace bscope::ui {

// The only one of its kind in the window.
template <class Part>
Part& part(const MainWindow& window) {
    const QList<Part*> all = window.findChildren<Part*>();
    if (all.size() != 1) qFatal("%s: %d in the window", Part::staticMetaObject.className(), int(all.size()));
    return *all.front();
}

// Of the Timeline view.
inline GanttView& canvasOf(const MainWindow& window) {
    return *part<TimelineController>(window).canvas();
}

// Time an engine may take for an iteration on a busy machine.
inline constexpr int kEngineMs = 60'000;

// Small enough for a test, large enough to be seen running.
inline RunConfig smallRun() {
    RunConfig config;
    config.model = {4, 32, 2, 16, 256};
    config.micro_batch = 1;
    config.params.p = 2;
    config.params.m = 4;
    config.clock = ClockChoice::Reconstructed;
    return config;
}

struct OpenedWindow {
    MainWindow window;
    // Durations stay as a test asks for them, however busy the machine is that it runs on.
    explicit OpenedWindow(const LessonBook& book, Preferences preferences = {})
        : window((preferences.calibrate_when_busy = false, preferences), book) {
        window.resize(1440, 900);
        window.show();
        REQUIRE(QTest::qWaitForWindowExposed(&window));
    }
    // Runs the configuration from its start, and pauses it when an iteration is complete.
    void trainAndPause(const RunConfig& config) {
        Session& session = part<Session>(window);
        session.edit(config);
        session.run();
        REQUIRE_SOON(session.history().newestComplete() >= 1);
        session.pause();
        REQUIRE_SOON(session.state() == SessionState::Paused);
    }
    void runSmall() {
        part<Session>(window).edit(smallRun());
        part<Session>(window).run();
        REQUIRE_SOON(part<Session>(window).history().newestComplete() >= 1);
    }
    // Null: there is none with these words.
    QAction* action(const QString& words) const {
        for (QAction* action : part<WindowActions>(window).all())
            if (plainActionText(*action) == words) return action;
        return nullptr;
    }
    // Before the first window of tests with a real engine: the one that was built, and test settings.
    static void useBuiltEngine() {
        useTestSettings();
        qputenv("BSCOPE", BUBBLESCOPE_BIN_DIR "/bscope");
        QVERIFY2(QFileInfo(QStringLiteral(BUBBLESCOPE_BIN_DIR "/bscope")).isExecutable(),
                 "bscope was not built");
    }
    // Before the first window: nothing of a person's own settings is read or written, and nothing of a test
    // that runs at the same time.
    static void useTestSettings() {
        static const QTemporaryDir home;
        for (const char* place : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            qputenv(place, home.path().toLocal8Bit());
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("bubblescope-test"));
    }
};

}  // namespace bscope::ui
