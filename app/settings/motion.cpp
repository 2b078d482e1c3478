#include "app/settings/motion.h"

#include <QDBusArgument>
#include <QDBusVariant>
#include <QFile>
#include <QMap>
#include <QSettings>

namespace bscope::ui {
namespace {

const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kGnome = QStringLiteral("org.gnome.desktop.interface");
const QString kSettings = QStringLiteral("org.freedesktop.portal.Settings");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");

}  // namespace

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

QDBusConnection desktopBus() {
    const bool there = qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
                       QFile::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
    return there ? QDBusConnection::sessionBus() : QDBusConnection(QString());
}

DesktopMotion::DesktopMotion(const QString& config, const QDBusConnection& bus, QObject* parent)
    : QObject(parent), of_files_(desktopReducesMotion(config)) {
    if (!bus.isConnected()) return;
    qRegisterMetaType<QDBusMessage>();  // slots are found by the names of types
    QDBusConnection asked = bus;
    // From any sender: to ask for the owner of a name would wait for the bus.
    asked.connect(QString(), kPath, kSettings, QStringLiteral("SettingChanged"), this,
                  SLOT(takeOne(QDBusMessage)));
    QDBusMessage question =
        QDBusMessage::createMethodCall(kService, kPath, kSettings, QStringLiteral("ReadAll"));
    question << QStringList{kAppearance, kGnome};
    asked.callWithCallback(question, this, SLOT(takeAll(QDBusMessage)));
}

bool DesktopMotion::isReduced() const {
    return of_files_ || less_motion_ || no_animations_;
}

bool DesktopMotion::take(const QString& group, const QString& key, const QVariant& value) {
    const bool before = isReduced();
    if (group == kAppearance && key == QStringLiteral("reduced-motion")) less_motion_ = value.toUInt() == 1;
    if (group == kGnome && key == QStringLiteral("enable-animations") && value.typeId() == QMetaType::Bool)
        no_animations_ = !value.toBool();
    return isReduced() != before;
}

void DesktopMotion::takeAll(const QDBusMessage& reply) {
    if (reply.signature() != QStringLiteral("a{sa{sv}}")) return;
    const auto groups =
        qdbus_cast<QMap<QString, QVariantMap>>(reply.arguments().constFirst().value<QDBusArgument>());
    bool is_new = false;
    for (auto group = groups.begin(); group != groups.end(); ++group)
        for (auto setting = group->begin(); setting != group->end(); ++setting)
            is_new = take(group.key(), setting.key(), setting.value()) || is_new;
    if (is_new) emit changed(isReduced());
}

void DesktopMotion::takeOne(const QDBusMessage& signal) {
    if (signal.signature() != QStringLiteral("ssv")) return;
    const QVariantList values = signal.arguments();
    if (take(values[0].toString(), values[1].toString(), values[2].value<QDBusVariant>().variant()))
        emit changed(isReduced());
}

}  // namespace bscope::ui
