// For programs without a window, which end with a sentence where a window would show one.
#pragma once

#include <functional>

#include "app/session/session.h"

namespace bscope::ui {

// fail(sentences) whenever the session's engine fails or is lost, or its configuration has problems; as long
// as `context` lives.
void whenFailed(Session& session, QObject* context, const std::function<void(const QString&)>& fail);

}  // namespace bscope::ui
