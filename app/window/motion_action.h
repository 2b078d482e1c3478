// MotionAction: View > Reduced motion. Until it is chosen here, it is as the desktop has it, which is followed.
// Window thread only.
#pragma once

#include <QObject>

#include "app/session/session.h"
#include "app/settings/preferences.h"
#include "app/shell/window_actions.h"

namespace bscope::ui {

class MotionAction : public QObject {
    Q_OBJECT
public:
    MotionAction(Session& session, Preferences& preferences, WindowActions& actions, QObject* parent);
};

}  // namespace bscope::ui
