// Reduced motion as the desktop reports it over its bus: queried once, followed, and off without an answer.
// The desktop is played by an object at the other end of a private connection.
#include <QDBusMetaType>
#include <QDBusServer>
#include <QDBusVariant>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/settings/motion.h"
#include "registered_test.h"

namespace tst_desktop_motion {

using namespace bscope;
using namespace bscope::ui;

using Groups = QMap<QString, QVariantMap>;

class Portal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

public:
    Groups settings;
    QStringList asked_for;

public slots:
    Q_SCRIPTABLE Groups ReadAll(const QStringList& groups) {
        asked_for = groups;
        return settings;
    }

signals:
    Q_SCRIPTABLE void SettingChanged(const QString& group, const QString& key, const QDBusVariant& value);
};

// Answers with something else than settings.
class OtherPortal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    bool was_asked = false;
public slots:
    Q_SCRIPTABLE QString ReadAll(const QStringList&) {
        was_asked = true;
        return QStringLiteral("none");
    }
};

// A desktop on a connection of its own.
class Desktop : public QObject {
public:
    explicit Desktop(QObject* portal) {
        connect(&server_, &QDBusServer::newConnection, this, [portal](QDBusConnection accepted) {
            accepted.registerObject(QStringLiteral("/org/freedesktop/portal/desktop"), portal,
                                    QDBusConnection::ExportScriptableContents);
        });
        static int number = 0;
        name_ = QStringLiteral("desktop %1").arg(number++);
    }
    ~Desktop() override { QDBusConnection::disconnectFromPeer(name_); }
    QDBusConnection connection() const { return QDBusConnection::connectToPeer(server_.address(), name_); }

private:
    QDBusServer server_;
    QString name_;
};

class TestDesktopMotion : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    static constexpr int kAnswer_ms = 10'000;

private slots:
    static void initTestCase() { qDBusRegisterMetaType<Groups>(); }

    void whatIsReportedCounts_data() {
        QTest::addColumn<QString>("group");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QVariant>("reduces");
        QTest::addColumn<QVariant>("does_not");
        const QVariant yes(true), no(false), less(1U), all(0U);
        QTest::newRow("gnome") << "org.gnome.desktop.interface"
                               << "enable-animations" << no << yes;
        QTest::newRow("any desktop") << "org.freedesktop.appearance"
                                     << "reduced-motion" << less << all;
    }
    void whatIsReportedCounts() {
        QFETCH(QString, group);
        QFETCH(QString, key);
        QFETCH(QVariant, reduces);
        QFETCH(QVariant, does_not);
        Portal portal;
        portal.settings = {{group, {{key, reduces}, {QStringLiteral("font-name"), QStringLiteral("Sans")}}}};
        const Desktop desktop(&portal);
        DesktopMotion motion(folder_.path(), desktop.connection());
        QVERIFY(!motion.isReduced());  // not known yet, and not waited for
        QSignalSpy changes(&motion, &DesktopMotion::changed);
        QTRY_COMPARE_WITH_TIMEOUT(changes.size(), 1, kAnswer_ms);
        QVERIFY(motion.isReduced() && changes[0][0].toBool());
        QVERIFY(portal.asked_for.contains(group));

        emit portal.SettingChanged(group, key, QDBusVariant(does_not));
        QTRY_COMPARE_WITH_TIMEOUT(changes.size(), 2, kAnswer_ms);
        QVERIFY(!motion.isReduced() && !changes[1][0].toBool());
        // What does not matter, and what is no such value, is passed over.
        emit portal.SettingChanged(group, QStringLiteral("font-name"), QDBusVariant(QStringLiteral("Serif")));
        emit portal.SettingChanged(group, key, QDBusVariant(QStringLiteral("perhaps")));
        emit portal.SettingChanged(QStringLiteral("org.example"), key, QDBusVariant(reduces));
        emit portal.SettingChanged(group, key, QDBusVariant(reduces));
        QTRY_VERIFY_WITH_TIMEOUT(motion.isReduced(), kAnswer_ms);
        QCOMPARE(changes.size(), 3);
    }

    void whoAnswersSomethingElseIsNotHeard() {
        OtherPortal portal;
        const Desktop desktop(&portal);
        DesktopMotion motion(folder_.path(), desktop.connection());
        QTRY_VERIFY_WITH_TIMEOUT(portal.was_asked, kAnswer_ms);
        QTest::qWait(20);
        QVERIFY(!motion.isReduced());
    }

    void withoutABusTheFilesCount() {
        const QString config = folder_.filePath(QStringLiteral("kde"));
        QVERIFY(QDir().mkpath(config));
        QFile file(config + QStringLiteral("/kdeglobals"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[KDE]\nAnimationDurationFactor=0\n");
        file.close();
        const QDBusConnection none{QString()};
        QVERIFY(DesktopMotion(config, none).isReduced());
        QVERIFY(!DesktopMotion(folder_.path(), none).isReduced());
        // None is started either.
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
        qputenv("XDG_RUNTIME_DIR", folder_.path().toUtf8());
        QVERIFY(!desktopBus().isConnected());
    }
};

BUBBLESCOPE_TEST(TestDesktopMotion)

}  // namespace tst_desktop_motion

#include "tst_desktop_motion.moc"
