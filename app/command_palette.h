// CommandPalette (Ctrl+Shift+P): every action of the window by typing a part of its name. Search field above
// a list; Enter runs, Esc leaves. Window thread only.
#pragma once

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QListWidget>

namespace bscope::ui {

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    // As wide as `most`, and no higher than its rows need.
    CommandPalette(const QList<QAction*>& actions, const QSize& most, QWidget* parent);

    QLineEdit* field() const { return field_; }
    QListWidget* list() const { return list_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void fitToList();
    void runCurrent();

    QList<QAction*> actions_;
    QLineEdit* field_;
    QListWidget* list_;
};

// "Zoom in" of "Zoom &in\tW".
QString plainActionText(const QAction& action);
// The same with the menu it stands in before it: "Theme: Dark".
QString commandName(const QAction& action);
// All letters of the pattern occur in the text in this order, whatever their case.
bool matchesLoosely(const QString& text, const QString& pattern);

}  // namespace bscope::ui
