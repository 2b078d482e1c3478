// NoteEditor: a note is written or changed: what it is on, and its text. Plain values in, signals out. Window
// thread only.
#pragma once

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>

namespace bscope::ui {

class NoteEditor : public QDialog {
    Q_OBJECT
public:
    // iteration: the number that people read. places: what it can be on, the likeliest first; of one that is
    // there just its own. text: empty: a new one.
    NoteEditor(int iteration, const QStringList& places, const QString& text, QWidget* parent);

    QComboBox* placeField() const { return place_; }
    QLineEdit* textField() const { return text_; }

signals:
    void saved(int place, const QString& text);
    void removed();

private:
    QComboBox* place_;
    QLineEdit* text_;
};

}  // namespace bscope::ui
