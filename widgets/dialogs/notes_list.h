// NotesList: all notes of a run, by iteration and time. Enter goes to one, F2 changes it, Del deletes it,
// Ctrl+Z takes the last change back. Plain values in, signals out. Window thread only.
#pragma once

#include <QDialog>
#include <QTableWidget>
#include <cstdint>
#include <vector>

#include "widgets/controls/button.h"
#include "widgets/controls/label.h"

namespace bscope::ui {

struct NoteLine {
    std::int64_t id = 0;
    QString iteration, place, text;
    bool operator==(const NoteLine&) const = default;
};

class NotesList : public QDialog, public Themed {
    Q_OBJECT
public:
    explicit NotesList(QWidget* parent = nullptr);
    // can_undo: the last change can be taken back.
    void setLines(const std::vector<NoteLine>& lines, bool can_undo);
    void setCurrent(std::int64_t id);
    void followTheme() override;

    QTableWidget* table() const { return table_; }
    Button* undoButton() const { return undo_; }

signals:
    void goRequested(std::int64_t id);
    void changeRequested(std::int64_t id);
    void removeRequested(std::int64_t id);
    void undoRequested();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void fill();
    // Emits the signal with the current line's note, if there is one.
    void tell(void (NotesList::*signal)(std::int64_t));

    std::vector<NoteLine> lines_;
    Label* about_;
    QTableWidget* table_;
    Button *go_, *change_, *remove_, *undo_, *close_;
};

}  // namespace bscope::ui
