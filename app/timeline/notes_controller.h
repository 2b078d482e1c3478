// NotesController: notes of the run or recording in the window: written on what is selected, listed, gone to,
// taken back; their flags on the canvas and the strip. The session keeps them. Window thread only.
#pragma once

#include <QPointer>
#include <optional>
#include <vector>

#include "app/session/session.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "widgets/bars/iteration_strip.h"
#include "widgets/dialogs/note_editor.h"
#include "widgets/dialogs/notes_list.h"
#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

class NotesController : public QObject {
    Q_OBJECT
public:
    NotesController(Session& session, GanttView& canvas, IterationStrip& strip, Shell& shell,
                    QObject* parent);

    void addActions(WindowActions& actions);
    // own: the canvas shows an iteration of the session, nothing in its place.
    void sync(bool own);
    std::vector<GanttView::TitleChip> chips() const;
    bool chipClicked(const QString& id);  // whether it was one of these

    void write();  // on what is selected; changes the note that is there
    void step(int direction);
    void openList();
    void undo();
    NoteEditor* editor() const { return editor_; }  // null while closed
    NotesList* list() const { return list_; }       // likewise

private:
    struct Place {
        QString words;
        RunNote note;  // without its text
    };
    std::vector<Place> places() const;
    QString placeText(const RunNote& note) const;
    const IterationView* shown() const;
    bool isImported() const;  // what is shown was recorded by another program
    std::optional<RunNote> find(std::int64_t id) const;
    void edit(const std::vector<Place>& places, const QString& text);
    void change(const RunNote& to);
    void goTo(const RunNote& note);
    void syncList();
    void forgetOfOthers();

    Session& session_;
    GanttView& canvas_;
    IterationStrip& strip_;
    Shell& shell_;
    QPointer<NoteEditor> editor_;
    QPointer<NotesList> list_;
    std::vector<RunNote> undo_;  // what to tell to take each change back, the last one at the end
    QString of_;                 // the recording that undo_ and visited_ are of; empty: the run
    std::int64_t visited_ = 0;   // id; 0: none
    bool own_ = false;
};

}  // namespace bscope::ui
