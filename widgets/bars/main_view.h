// MainView: the views that the window switches between.
#pragma once

namespace bscope::ui {

enum class MainView { Timeline, Improve, Lessons };

}  // namespace bscope::ui
