// Whether the desktop asks for less motion. Window thread only.
#pragma once

#include <QString>

namespace bscope::ui {

// config: the folder of the user's settings (~/.config). Read are the settings of KDE (kdeglobals) and GTK
// (gtk-4.0, gtk-3.0), which most desktops of Linux write.
bool desktopReducesMotion(const QString& config);

}  // namespace bscope::ui
