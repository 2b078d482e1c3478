#include "app/settings/motion.h"

#include <QSettings>
#include <QVariant>

namespace bscope::ui {

bool desktopReducesMotion(const QString& config) {
    const QSettings kde(config + QStringLiteral("/kdeglobals"), QSettings::IniFormat);
    bool number = false;
    const double factor = kde.value("KDE/AnimationDurationFactor").toDouble(&number);
    if (number && factor == 0) return true;
    for (const char* version : {"/gtk-4.0", "/gtk-3.0"}) {
        const QSettings gtk(config + QLatin1String(version) + QStringLiteral("/settings.ini"),
                            QSettings::IniFormat);
        if (gtk.contains("Settings/gtk-enable-animations") &&
            !gtk.value("Settings/gtk-enable-animations").toBool())
            return true;
    }
    return false;
}

}  // namespace bscope::ui
