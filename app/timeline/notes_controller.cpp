#include "app/timeline/notes_controller.h"

#include <algorithm>
#include <map>

#include "view/gap.h"
#include "view/life.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

const QString kNote = QStringLiteral("note");
constexpr qsizetype kLettersOfChip = 24;

QString shortened(const QString& text) {
    return text.size() > kLettersOfChip ? text.left(kLettersOfChip - 1) + u'…' : text;
}

}  // namespace

NotesController::NotesController(Session& session, GanttView& canvas, IterationStrip& strip, Shell& shell,
                                 QObject* parent)
    : QObject(parent), session_(session), canvas_(canvas), strip_(strip), shell_(shell) {
    connect(&canvas, &GanttView::noteClicked, this, [this](int number) {
        const std::vector<RunNote> all = session_.notes().all();
        if (number < 1 || number > static_cast<int>(all.size())) return;
        const RunNote& note = all[static_cast<std::size_t>(number - 1)];
        edit({{placeText(note), note}}, QString::fromStdString(note.text));
    });
}

void NotesController::addActions(WindowActions& actions) {
    using enum MenuName;
    QAction* write = actions.add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Write a &note…"),
                                 {QKeySequence(Qt::CTRL | Qt::Key_B)}, [this] { this->write(); });
    actions.setCondition(
        write, [this] { return shown() != nullptr; },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no iteration of a run is shown"));
    const auto some = [this] { return !session_.notes().empty(); };
    constexpr const char* none = QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "there are no notes");
    actions.setCondition(actions.add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Ne&xt note"),
                                     {QKeySequence(Qt::Key_F2)}, [this] { step(+1); }),
                         some, none);
    actions.setCondition(actions.add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Pre&vious note"),
                                     {QKeySequence(Qt::SHIFT | Qt::Key_F2)}, [this] { step(-1); }),
                         some, none);
    actions.add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&List of notes…"),
                {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N)}, [this] { openList(); });
    actions.setCondition(
        actions.add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Undo the change of a note"),
                    {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Z)}, [this] { undo(); }),
        [this] { return !undo_.empty(); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no note was changed"));
}

const IterationView* NotesController::shown() const {
    const std::vector<PreparedView>& groups = canvas_.picture().groups;
    return own_ && !groups.empty() && groups.front().hasRun() ? &groups.front().view() : nullptr;
}

std::optional<RunNote> NotesController::find(std::int64_t id) const {
    const std::vector<RunNote> all = session_.notes().all();
    const auto found = std::ranges::find(all, id, &RunNote::id);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

// What a new note can be on, the likeliest first.
std::vector<NotesController::Place> NotesController::places() const {
    const IterationView* const view = shown();
    if (view == nullptr) return {};
    const PreparedView& group = canvas_.picture().groups.front();
    const ViewState& state = canvas_.state();
    std::vector<Place> places;
    const auto offer = [&](std::optional<RunNote::When> when, int rank, std::optional<Action> action) {
        RunNote note;
        note.iteration = view->iteration;
        note.when = when;
        note.rank = rank;
        note.action = action;
        places.push_back({placeText(note), note});
    };
    const auto absolute = [view](double relative_ns) {
        return view->start_ns + static_cast<std::int64_t>(std::llround(relative_ns));
    };
    if (const auto selection = state.selection(); selection && !selection->of_baseline)
        if (const auto event = eventOf(group, *selection))
            offer(RunNote::When{event->start_ns, event->end_ns}, selection->rank, selection->action);
    if (const auto gap = state.gap(); gap && !gap->of_baseline)
        if (const auto period = gapOf(group, *gap))
            offer(RunNote::When{period->start_ns, period->end_ns}, gap->rank, std::nullopt);
    if (const auto range = state.measured()) {
        const auto lanes = state.measuredLanes();
        const int rank = lanes && lanes->first == lanes->last ? lanes->first : -1;
        offer(RunNote::When{absolute(range->from_ns), absolute(range->to_ns)}, rank, std::nullopt);
    }
    offer(std::nullopt, -1, std::nullopt);
    if (const auto time = canvas_.pointerTime())
        offer(RunNote::When{absolute(*time), absolute(*time)}, -1, std::nullopt);
    return places;
}

// Times count from the start of the note's iteration, where that is known.
QString NotesController::placeText(const RunNote& note) const {
    const IterationView* const on_canvas = shown();
    const bool here = on_canvas != nullptr && on_canvas->iteration == note.iteration;
    const Notation& notation = canvas_.picture().notation;
    const QString rank = tr("rank %1").arg(note.rank);
    if (note.action)
        return tr("%1 of stage %2, %3")
            .arg(notation.action(note.action->op, note.action->microbatch, -1, note.action->segment()),
                 QString::number(note.action->stage), rank);
    if (!note.when) return tr("the whole iteration");
    if (!here)
        return note.rank >= 0 ? rank : note.when->from_ns == note.when->to_ns ? tr("a time") : tr("a range");
    const auto at = [&](std::int64_t time_ns) {
        return notation.duration(static_cast<double>(time_ns - on_canvas->start_ns));
    };
    if (note.when->from_ns == note.when->to_ns) return at(note.when->from_ns);
    const QString range = tr("%1 to %2").arg(at(note.when->from_ns), at(note.when->to_ns));
    return note.rank >= 0 ? tr("%1, %2").arg(rank, range) : range;
}

void NotesController::write() {
    const std::vector<Place> places = this->places();
    if (places.empty())
        return shell_.showBriefly(tr("Notes can only be added to an iteration that ran, and none is shown"));
    const bool selected = canvas_.state().selection() || canvas_.state().gap() || canvas_.state().measured();
    for (const RunNote& note : session_.notes().all()) {
        const RunNote& first = places.front().note;
        if (selected && note.iteration == first.iteration && note.when == first.when &&
            note.rank == first.rank)
            return edit({{places.front().words, note}}, QString::fromStdString(note.text));
    }
    edit(places, {});
}

void NotesController::edit(const std::vector<Place>& places, const QString& text) {
    QStringList words;
    for (const Place& place : places) words << place.words;
    if (editor_) editor_->close();
    editor_ = new NoteEditor(iterationNumber(places.front().note.iteration, isImported()), words, text,
                             shell_.widget());
    editor_->setAttribute(Qt::WA_DeleteOnClose);
    connect(editor_, &NoteEditor::saved, this, [this, places](int place, const QString& written) {
        RunNote note = places[static_cast<std::size_t>(place)].note;
        const bool is_new = note.id == 0;
        if (is_new) note.id = session_.notes().nextId();
        note.text = written.toStdString();
        change(note);
        visited_ = note.id;
        if (session_.replayer().readsOn())
            shell_.showBriefly(tr("Noted. It is written to the file when the whole file has been read"));
        else if (is_new && session_.state() == SessionState::Replaying && isImported())
            shell_.showBriefly(tr("Noted. File > Save the recording as… keeps it with the imported run"));
        else if (is_new && session_.state() != SessionState::Replaying && !session_.recorder().active())
            shell_.showBriefly(tr("Noted. A recording of this run (Ctrl+R) keeps it"));
    });
    connect(editor_, &NoteEditor::removed, this, [this, places] {
        RunNote gone = places.front().note;
        gone.removed = true;
        change(gone);
    });
    editor_->open();
}

void NotesController::change(const RunNote& to) {
    RunNote back = find(to.id).value_or(to);
    back.removed = !find(to.id);
    undo_.push_back(back);
    session_.note(to);
}

void NotesController::undo() {
    if (undo_.empty()) return;
    const RunNote back = undo_.back();
    undo_.pop_back();
    session_.note(back);
    shell_.showBriefly(tr("The last change of a note is undone"));
}

// Round the list; from another iteration than the last visited note's to the nearest one on or after it.
void NotesController::step(int direction) {
    const std::vector<RunNote> all = session_.notes().all();
    if (all.empty()) return shell_.showBriefly(tr("There are no notes yet: Ctrl+B writes one"));
    const auto count = std::ssize(all);
    const int iteration = session_.shownIteration();
    auto at = std::ranges::find(all, visited_, &RunNote::id) - all.begin();
    if (at == count || all[static_cast<std::size_t>(at)].iteration != iteration) {
        at = std::ranges::lower_bound(all, iteration, {}, &RunNote::iteration) - all.begin();
        if (direction > 0) --at;
    }
    goTo(all[static_cast<std::size_t>(((at + direction) % count + count) % count)]);
}

void NotesController::goTo(const RunNote& note) {
    visited_ = note.id;
    shell_.showView(MainView::Timeline);
    if (session_.shownIteration() != note.iteration || !own_) session_.select(note.iteration);
    const IterationView* const view = shown();
    const QString text = QString::fromStdString(note.text);
    if (view == nullptr || view->iteration != note.iteration)
        return shell_.showBriefly(tr("%1 (the events of its iteration are not kept)").arg(text));
    ViewState& state = canvas_.state();
    state.setMeasured(std::nullopt);
    state.select(std::nullopt);
    if (note.when) {
        const auto from = static_cast<double>(note.when->from_ns - view->start_ns),
                   to = static_cast<double>(note.when->to_ns - view->start_ns);
        if (note.action)
            state.select(Selection{note.rank, *note.action, note.iteration});
        else if (note.rank >= 0 &&
                 gapOf(canvas_.picture().groups.front(), {note.rank, note.iteration, note.when->from_ns}))
            state.selectGap({note.rank, note.iteration, note.when->from_ns});
        else if (to > from)
            state.setMeasured(TimeRange{from, to},
                              note.rank >= 0 ? std::optional(LaneSpan{note.rank, note.rank}) : std::nullopt,
                              note.rank < 0);
        const TimeRange visible = state.range();
        if (from < visible.from_ns || to > visible.to_ns) {
            const double width = std::max(visible.width(), 2 * (to - from)), middle = (from + to) / 2;
            state.setRange({middle - width / 2, middle + width / 2});
        }
        canvas_.revealSelection();
    }
    shell_.showBriefly(text);
}

void NotesController::openList() {
    if (!list_) {
        list_ = new NotesList(shell_.widget());
        list_->setAttribute(Qt::WA_DeleteOnClose);
        const auto with = [this](void (NotesController::*what)(const RunNote&)) {
            return [this, what](std::int64_t id) {
                if (const auto note = find(id)) (this->*what)(*note);
            };
        };
        connect(list_, &NotesList::goRequested, this, with(&NotesController::goTo));
        connect(list_, &NotesList::changeRequested, this, [this](std::int64_t id) {
            if (const auto note = find(id))
                edit({{placeText(*note), *note}}, QString::fromStdString(note->text));
        });
        connect(list_, &NotesList::removeRequested, this, [this](std::int64_t id) {
            auto note = find(id);
            if (!note) return;
            note->removed = true;
            change(*note);
        });
        connect(list_, &NotesList::undoRequested, this, &NotesController::undo);
        syncList();
        list_->setCurrent(visited_);
    }
    list_->show();
    list_->raise();
    list_->activateWindow();
}

bool NotesController::isImported() const {
    const IterationStart* const start = session_.history().start();
    return start != nullptr && start->import;
}

void NotesController::syncList() {
    if (!list_) return;
    std::vector<NoteLine> lines;
    for (const RunNote& note : session_.notes().all())
        lines.push_back({note.id, QString::number(iterationNumber(note.iteration, isImported())),
                         placeText(note), QString::fromStdString(note.text)});
    list_->setLines(lines, !undo_.empty());
}

// Another recording, or the run again.
void NotesController::forgetOfOthers() {
    const QString of = session_.state() == SessionState::Replaying ? session_.replayer().path() : QString();
    if (of == of_) return;
    of_ = of;
    undo_.clear();
    visited_ = 0;
}

void NotesController::sync(bool own) {
    own_ = own;
    forgetOfOthers();
    std::vector<NoteMark> marks;
    std::map<int, QStringList> by_iteration;
    const IterationView* const view = shown();
    int number = 0;
    for (const RunNote& note : session_.notes().all()) {
        ++number;
        const QString text = QString::fromStdString(note.text);
        by_iteration[note.iteration] << text;
        if (view == nullptr || note.iteration != view->iteration || !note.when) continue;
        marks.push_back({number,
                         note.rank,
                         {static_cast<double>(note.when->from_ns - view->start_ns),
                          static_cast<double>(note.when->to_ns - view->start_ns)},
                         text});
    }
    canvas_.setNotes(std::move(marks));
    strip_.setNotes(std::move(by_iteration));
    syncList();
}

std::vector<GanttView::TitleChip> NotesController::chips() const {
    const IterationView* const view = shown();
    std::vector<GanttView::TitleChip> chips;
    if (view == nullptr) return chips;
    for (const RunNote& note : session_.notes().all()) {
        if (note.iteration != view->iteration || note.when) continue;
        const QString text = QString::fromStdString(note.text);
        chips.push_back({kNote + QString::number(note.id), tr("note: %1").arg(shortened(text)), tr("note"),
                         tr("Note on this iteration: %1").arg(text), true});
        break;  // the others stand in the list and at the strip
    }
    return chips;
}

bool NotesController::chipClicked(const QString& id) {
    if (!id.startsWith(kNote)) return false;
    if (const auto note = find(id.mid(kNote.size()).toLongLong()))
        edit({{placeText(*note), *note}}, QString::fromStdString(note->text));
    return true;
}

}  // namespace bscope::ui
