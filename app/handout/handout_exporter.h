// HandoutExporter: the lesson that is open as a handout, with the runs that were made for it. Window thread
// only.
#pragma once

#include "app/handout/handout_options.h"
#include "app/lessons/lesson_controller.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"

namespace bscope::ui {

class HandoutExporter : public QObject {
    Q_OBJECT
public:
    HandoutExporter(const LessonController& lessons, const LessonBook& book, WindowActions& actions,
                    Shell& shell);

    void ask();
    // Whether it was written; the shell says it in words.
    bool writeTo(const QString& path, HandoutOptions options);

private:
    bool canExport() const;

    const LessonController& lessons_;
    const LessonBook& book_;
    Shell& shell_;
};

}  // namespace bscope::ui
