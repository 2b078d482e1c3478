#include "app/window/motion_action.h"

#include <QStandardPaths>

#include "app/settings/motion.h"

namespace bscope::ui {

MotionAction::MotionAction(Session& session, Preferences& preferences, WindowActions& actions,
                           QObject* parent)
    : QObject(parent) {
    QAction* still = actions.addCheckable(
        MenuName::View,
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Reduced &motion: whole iterations"), {},
        [&session, &preferences](bool on) {
            preferences.reduced_motion = on;
            session.setReducedMotion(on);
        });
    const auto follow = [&session, &preferences, still](bool of_desktop) {
        const bool reduced = preferences.reduced_motion.value_or(of_desktop);
        still->setChecked(reduced);
        session.setReducedMotion(reduced);
    };
    auto* desktop = new DesktopMotion(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation),
                                      desktopBus(), this);
    connect(desktop, &DesktopMotion::changed, this, follow);
    follow(desktop->isReduced());
}

}  // namespace bscope::ui
