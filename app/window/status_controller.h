// StatusController: what the line at the foot of the window says of session, view and looks. Window thread
// only.
#pragma once

#include <QObject>

#include "app/lessons/lesson_controller.h"
#include "app/session/session.h"
#include "app/settings/appearance.h"
#include "app/shell/shell.h"
#include "app/timeline/timeline_controller.h"
#include "app/tune/tune_controller.h"
#include "widgets/bars/status_line.h"

namespace bscope::ui {

class StatusController : public QObject {
    Q_OBJECT
public:
    struct Views {
        TimelineController& timeline;
        TuneController& tune;
        LessonController& lessons;
    };
    StatusController(Session& session, Appearance& appearance, const Views& views, Shell& shell,
                     StatusLine& line);
    void sync();

private:
    QString engine() const;
    QString note() const;
    QString range() const;

    Session& session_;
    Appearance& appearance_;
    Views views_;
    Shell& shell_;
    StatusLine& line_;
};

}  // namespace bscope::ui
