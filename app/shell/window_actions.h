// WindowActions: every action of the window in one table: menu, words, keys, what it does. The menu bar and
// the command palette are made from it; on a change of language all words are set again. Window thread only.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <array>
#include <functional>
#include <map>
#include <vector>

class QKeyEvent;

namespace bscope::ui {

enum class MenuName { File, Run, View, Go, Analyze, Lessons, Help };

class WindowActions : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QMenuBar& bar);

    // text: source text, marked with QT_TRANSLATE_NOOP("WindowActions", ...).
    QAction* add(MenuName menu, const char* text, const QList<QKeySequence>& keys, std::function<void()> run);
    QAction* addCheckable(MenuName menu, const char* text, const QList<QKeySequence>& keys,
                          std::function<void(bool)> run);
    // Actions made elsewhere, whose words are set there.
    void addAll(MenuName menu, const QList<QAction*>& actions);
    void addSeparator(MenuName menu) { this->menu(menu)->addSeparator(); }
    QMenu* addSubmenu(MenuName menu, const char* text);
    void addTo(QMenu* submenu, QAction* action) { submenu->addAction(action); }
    QAction* make(const char* text, std::function<void()> run, bool checkable = false);

    QMenu* menu(MenuName name) const { return menus_[static_cast<std::size_t>(name)]; }
    QList<QAction*> all() const;
    // The action of the key at this place of the keyboard, on layouts where the letter there is another one.
    QAction* byPlace(const QKeyEvent& event) const;
    // The action of the space bar, which buttons and lists use before it; null: of another key.
    QAction* bySpace(const QKeyEvent& event) const;
    // While `possible` says no, the palette gives why_not, a source text like that of add(), as the reason.
    void setCondition(QAction* action, std::function<bool()> possible, const char* why_not) {
        conditions_[action] = {std::move(possible), why_not};
    }
    QString whyNot(const QAction& action) const;     // why it is not possible now; empty = it is
    void reword(QAction* action, const char* text);  // source text, as add() takes it
    void retranslate();

private:
    struct Entry {
        QAction* action;
        const char* text;
    };
    std::array<QMenu*, 7> menus_{};
    std::vector<Entry> entries_;
    struct Condition {
        std::function<bool()> possible;
        const char* why_not;
    };
    std::map<const QAction*, Condition> conditions_;
};

}  // namespace bscope::ui
