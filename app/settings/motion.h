// Whether the desktop asks for less motion. Window thread only.
#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QObject>
#include <QString>
#include <QVariant>

namespace bscope::ui {

// config: the folder of the user's settings (~/.config). Read are the settings of KDE (kdeglobals) and GTK
// (gtk-4.0, gtk-3.0), which most desktops of Linux write.
bool desktopReducesMotion(const QString& config);

// The bus that desktops answer on; not connected where there is none, which is looked for and never started.
QDBusConnection desktopBus();

// The files, and what the desktop announces to programs over its bus: GNOME's animations and the setting of
// other desktops for less motion. The bus is asked once and not waited for; changes of its settings are
// followed.
class DesktopMotion : public QObject {
    Q_OBJECT
public:
    DesktopMotion(const QString& config, const QDBusConnection& bus, QObject* parent = nullptr);
    bool isReduced() const;

signals:
    void changed(bool reduced);

private slots:
    void takeAll(const QDBusMessage& reply);
    void takeOne(const QDBusMessage& signal);

private:
    bool take(const QString& group, const QString& key, const QVariant& value);

    const bool of_files_;
    bool less_motion_ = false, no_animations_ = false;
};

}  // namespace bscope::ui
