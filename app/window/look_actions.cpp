#include "app/window/look_actions.h"

#include <QActionGroup>
#include <utility>

#include "widgets/gantt/commands.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

LookActions::LookActions(Appearance& appearance, IconWords& icons, WindowActions& actions, Shell& shell)
    : QObject(shell.widget()), appearance_(appearance), shell_(shell), scheme_(appearance.scheme()) {
    using enum MenuName;
    addThemes(actions);
    addColours(actions);
    addSizes(actions);
    addIconWords(actions, icons);
    addLanguages(actions);
    connect(&appearance, &Appearance::themeChanged, this, &LookActions::syncColours);
}

void LookActions::addThemes(WindowActions& actions) {
    QMenu* menu =
        actions.addSubmenu(MenuName::View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Theme"));
    auto* group = new QActionGroup(this);
    const auto add = [&](const char* text, ThemeChoice choice) {
        QAction* action = actions.make(
            text, [this, choice] { appearance_.setThemeChoice(choice); }, true);
        action->setChecked(appearance_.themeChoice() == choice);
        group->addAction(action);
        menu->addAction(action);
    };
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "As the system"), ThemeChoice::System);
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Light"), ThemeChoice::Light);
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Dark"), ThemeChoice::Dark);
}

void LookActions::addColours(WindowActions& actions) {
    QMenu* menu =
        actions.addSubmenu(MenuName::View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Colours"));
    auto* group = new QActionGroup(this);
    for (const ColourScheme scheme : kColourSchemes) {
        QAction* action = menu->addAction(QString());
        action->setCheckable(true);
        nameForPalette(*action, "Canvas", schemeSource(scheme));
        connect(action, &QAction::triggered, this, [this, scheme] { appearance_.setScheme(scheme); });
        group->addAction(action);
        scheme_actions_.push_back(action);
    }
    menu->addSeparator();
    QAction* next = actions.make(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Next &colours"),
                                 [this] { appearance_.nextScheme(); });
    next->setShortcut(Qt::Key_C);
    menu->addAction(next);
}

void LookActions::addSizes(WindowActions& actions) {
    QMenu* menu = actions.addSubmenu(
        MenuName::View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Si&ze of the interface"));
    const auto add = [&](const char* text, const QList<QKeySequence>& keys, int step) {
        QAction* action = actions.make(text, [this, step] { appearance_.zoomInterface(step); });
        action->setShortcuts(keys);
        menu->addAction(action);
    };
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Larger interface"),
        {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)}, +1);
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Smaller interface"),
        {QKeySequence(Qt::CTRL | Qt::Key_Minus)}, -1);
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Interface at 100 %"),
        {QKeySequence(Qt::CTRL | Qt::Key_0)}, 0);
}

void LookActions::addIconWords(WindowActions& actions, IconWords& icons) {
    QMenu* menu = actions.addSubmenu(MenuName::View,
                                     QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Words beside icons"));
    auto* group = new QActionGroup(this);
    const auto add = [&](const char* text, IconWording wording) {
        QAction* action = actions.make(
            text, [&icons, wording] { icons.setLook({wording}); }, true);
        action->setChecked(icons.look().wording == wording);
        group->addAction(action);
        menu->addAction(action);
    };
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Always"), IconWording::Always);
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Never"), IconWording::Never);
}

void LookActions::addLanguages(WindowActions& actions) {
    QMenu* menu =
        actions.addSubmenu(MenuName::View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Language (语言)"));
    const auto add = [&](const QString& name, Language choice) {
        connect(menu->addAction(name), &QAction::triggered, this,
                [this, choice] { appearance_.setLanguage(choice); });
    };
    add(QStringLiteral("English"), Language::English);
    add(QStringLiteral("简体中文"), Language::Chinese);
}

void LookActions::retranslate() {
    for (std::size_t i = 0; i < scheme_actions_.size(); ++i) {
        scheme_actions_[i]->setText(schemeName(kColourSchemes[i]));
        scheme_actions_[i]->setChecked(kColourSchemes[i] == appearance_.scheme());
    }
}

void LookActions::syncColours() {
    retranslate();
    const ColourScheme now = appearance_.scheme();
    if (std::exchange(scheme_, now) == now) return;
    shell_.showBriefly((now == ColourScheme::Stages
                            ? tr("Colours: %1; forward light, backward dark")
                            : tr("Colours: %1; by operation, a rank's chunks by their shade"))
                           .arg(schemeName(now)));
}

}  // namespace bscope::ui
