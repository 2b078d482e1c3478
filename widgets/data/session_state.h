// SessionState: what the window and its engine are at.
#pragma once

#include <QMetaType>

namespace bscope::ui {

// Pausing: a pause was requested, and the engine still finishes an iteration.
enum class SessionState { Idle, Starting, Running, Pausing, Paused, Failed, Disconnected, Replaying };

// Whether the engine is at an iteration.
inline bool isAtWork(SessionState state) {
    return state == SessionState::Running || state == SessionState::Pausing;
}

}  // namespace bscope::ui
Q_DECLARE_METATYPE(bscope::ui::SessionState)
