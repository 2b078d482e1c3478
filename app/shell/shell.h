// Shell: what a part of the window needs of the window around it. The parts use this interface and not the
// window, so that each can be read and tested without the others. Window thread only.
#pragma once

#include <vector>

#include "app/engine/notice.h"
#include "schedule/problem.h"
#include "widgets/bars/main_view.h"
#include "wire/bubblescope.pb.h"
#include "words/catalog.h"

class QWidget;

namespace bscope::ui {

class Shell {
public:
    virtual ~Shell() = default;

    virtual QWidget* widget() = 0;  // parent of pages and dialogs
    virtual Language language() const = 0;
    virtual MainView view() const = 0;
    virtual void showView(MainView view) = 0;
    virtual void say(const Notice& notice) = 0;        // in the bar under the controls, until closed
    virtual void showBriefly(const QString& text) = 0;  // at the foot of the view, for a few seconds
    virtual void showRefusal(const wire::Text& title, const std::vector<Problem>& problems) = 0;
    // Shows a lesson or a schedule in its view: "lesson:how-many-in-flight", "schedule:zb-h1", and of a
    // schedule what lights up on the canvas: "schedule:gpipe#memory" (CanvasHighlighter); "" ends that.
    virtual void showMe(const QString& what) = 0;
    virtual void focusCanvas() = 0;
    virtual void revealSelection() = 0;  // brings the selected box into sight
};

}  // namespace bscope::ui
