#include "app/shell/window_actions.h"

#include <QKeyEvent>
#include <algorithm>

#include "widgets/gantt/commands.h"

namespace bscope::ui {
namespace {

constexpr std::array<const char*, 7> kMenuTitles{QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&File"),
                                                 QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Run"),
                                                 QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&View"),
                                                 QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Go"),
                                                 QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Analyze"),
                                                 QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Lessons"),
                                                 QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Help")};

void collect(const QMenu* menu, QList<QAction*>& all) {
    for (QAction* action : menu->actions()) {
        if (action->menu())
            collect(action->menu(), all);
        else if (!action->isSeparator())
            all.append(action);
    }
}

}  // namespace

WindowActions::WindowActions(QMenuBar& bar) : QObject(&bar) {
    for (std::size_t i = 0; i < menus_.size(); ++i) {
        menus_[i] = bar.addMenu(QString());
        entries_.push_back({menus_[i]->menuAction(), kMenuTitles[i]});
    }
}

QAction* WindowActions::make(const char* text, std::function<void()> run, bool checkable) {
    auto* action = new QAction(this);
    action->setCheckable(checkable);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    entries_.push_back({action, text});
    nameForPalette(*action, "bscope::ui::WindowActions", text);
    return action;
}

QString WindowActions::whyNot(const QAction& action) const {
    const auto condition = conditions_.find(&action);
    if (condition != conditions_.end() && !condition->second.possible()) return tr(condition->second.why_not);
    return action.isEnabled() ? QString() : tr("not possible now");
}

QAction* WindowActions::add(MenuName name, const char* text, const QList<QKeySequence>& keys,
                            std::function<void()> run) {
    QAction* action = make(text, std::move(run));
    action->setShortcuts(keys);
    menu(name)->addAction(action);
    return action;
}

QAction* WindowActions::addCheckable(MenuName name, const char* text, const QList<QKeySequence>& keys,
                                     std::function<void(bool)> run) {
    QAction* action = add(name, text, keys, [] {});
    action->setCheckable(true);
    action->setAutoRepeat(false);  // a key that is held switches once
    connect(action, &QAction::triggered, this, [run = std::move(run)](bool on) { run(on); });
    return action;
}

void WindowActions::addAll(MenuName name, const QList<QAction*>& actions) {
    menu(name)->addActions(actions);
}

QMenu* WindowActions::addSubmenu(MenuName name, const char* text) {
    QMenu* submenu = menu(name)->addMenu(QString());
    entries_.push_back({submenu->menuAction(), text});
    return submenu;
}

QList<QAction*> WindowActions::all() const {
    QList<QAction*> all;
    for (const QMenu* menu : menus_) collect(menu, all);
    return all;
}

QAction* WindowActions::byPlace(const QKeyEvent& event) const {
    const Qt::Key key = keyByPlace(event);
    if (key == event.key() || event.modifiers() != Qt::NoModifier) return nullptr;
    for (const Entry& entry : entries_)
        if (entry.action->shortcuts().contains(QKeySequence(key))) return entry.action;
    return nullptr;
}

QAction* WindowActions::bySpace(const QKeyEvent& event) const {
    if (event.key() != Qt::Key_Space || event.modifiers() != Qt::NoModifier || event.isAutoRepeat())
        return nullptr;
    for (const Entry& entry : entries_)
        if (entry.action->shortcuts().contains(QKeySequence(Qt::Key_Space))) return entry.action;
    return nullptr;
}

void WindowActions::reword(QAction* action, const char* text) {
    const auto entry = std::ranges::find(entries_, action, &Entry::action);
    entry->text = text;
    nameForPalette(*action, "bscope::ui::WindowActions", text);
    action->setText(tr(text));
}

void WindowActions::retranslate() {
    for (const Entry& entry : entries_) entry.action->setText(tr(entry.text));
}

}  // namespace bscope::ui
